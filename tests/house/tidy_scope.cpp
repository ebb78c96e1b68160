// SPDX-License-Identifier: MIT
// tidy_scope.cpp - a plugin of clang-tidy 14: its checks look at our declarations, not at the system's
// headers.
//
// Findings in system headers are never shown, but clang-tidy 14 matches every check against them all the
// same, which is three quarters of its time. The translation unit is the first that a check sees; from there
// the traversal can be narrowed.
#include "clang-tidy/ClangTidyCheck.h"
#include "clang-tidy/ClangTidyModule.h"
#include "clang-tidy/ClangTidyModuleRegistry.h"
#include "clang/AST/ASTContext.h"
#include "clang/ASTMatchers/ASTMatchFinder.h"

namespace {

class Scope : public clang::tidy::ClangTidyCheck {
 public:
  using ClangTidyCheck::ClangTidyCheck;

  void registerMatchers(clang::ast_matchers::MatchFinder* finder) override {
    finder->addMatcher(clang::ast_matchers::translationUnitDecl(), this);
  }

  void check(const clang::ast_matchers::MatchFinder::MatchResult& unit) override {
    std::vector<clang::Decl*> ours;
    for (clang::Decl* d : unit.Context->getTranslationUnitDecl()->decls()) {
      const clang::SourceLocation at = d->getLocation();
      if (at.isValid() && !unit.SourceManager->isInSystemHeader(at)) ours.push_back(d);
    }
    unit.Context->setTraversalScope(ours);
  }
};

class Module : public clang::tidy::ClangTidyModule {
 public:
  void addCheckFactories(clang::tidy::ClangTidyCheckFactories& checks) override {
    checks.registerCheck<Scope>("arr-scope");
  }
};

const clang::tidy::ClangTidyModuleRegistry::Add<Module> module("arr-module", "what libarr's tests add");

}  // namespace
