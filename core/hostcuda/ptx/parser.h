// SPDX-License-Identifier: MIT
// The parser of a module of PTX: it takes tokens one after the other, and nests nowhere. Declarations of
// variables are in declarations.cpp, functions in functions.cpp, the rest in parser.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hostcuda/ptx/lexer.h"
#include "hostcuda/ptx/module.h"

namespace arr::host_kernels::ptx {

class Parser {
 public:
  Parser(std::string_view text, std::string_view file) : tokens_(tokenize(text, file)) { out_.file = file; }
  Module run();
  Function statements();

 private:
  // Tokens.
  [[nodiscard]] const Token& peek(size_t ahead = 0) const {
    return tokens_[at_ + ahead < tokens_.size() ? at_ + ahead : tokens_.size() - 1];
  }
  Token take() {
    const Token& t = peek();
    at_ += t.kind == Token::end ? 0 : 1;
    return t;
  }
  bool accept(std::string_view s);
  void expect(std::string_view s);
  std::string name(const char* what);
  uint64_t whole(const char* what, uint64_t max);
  [[noreturn]] void unexpected(const std::string& expected) const;
  void skip_to_semicolon();
  void skip_numbers();

  // The module.
  void head();
  void directive();
  void section();
  void file_directive();
  void location();
  void pragma();
  void add_variable(Variable v);

  // Variables.
  struct Kind {
    const PtxType* type = nullptr;
    uint64_t align = 0, lanes = 1;
  };
  Kind kind_of_variable();
  Variable declarator(const Kind& kind, PtxSpace space, bool external);
  std::vector<Variable> variables(PtxSpace space, bool external);
  uint64_t dimensions(Variable& v, uint64_t element);
  void initial_value(Variable& v, const Kind& kind);
  void element(Variable& v, uint64_t bytes);
  void store(Variable& v, uint64_t value, uint64_t bytes);
  uint64_t constant(const PtxType& type);

  // Functions.
  void function(bool kernel, bool external);
  void parameters(Function& f, std::vector<size_t>& to);
  void attributes();
  void body(Function& f);
  void statement(Function& f);
  void registers(Function& f);
  void local_variables(Function& f, PtxSpace space);
  void label(Function& f);
  Prototype prototype();
  std::vector<uint64_t> prototype_list();
  void instruction(Function& f);
  std::string operand();
  void close_scope(Function& f);

  std::vector<Token> tokens_;
  size_t at_ = 0;
  int scope_ = 0, depth_ = 0, labels_ = 0;
  bool visible_ = false, weak_ = false;  // of the directive
  SourceLine source_;                    // of the next instruction
  Module out_;
};

}  // namespace arr::host_kernels::ptx
