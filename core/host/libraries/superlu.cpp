// SPDX-License-Identifier: MIT
// Opens SuperLU.
#include "host/libraries/superlu.h"

#include <atomic>
#include <memory>

#include "base/dynamic_library.h"
#include "base/error.h"
#include "base/fork.h"
#include "base/log.h"

namespace arr::host {

namespace {

template <class T>
void find(SymbolTable* symbols, const char* type, SuperLu<T>* f) {
  const std::string t = type;
  symbols->require(&f->gstrf, t + "gstrf");
  symbols->require(&f->gstrs, t + "gstrs");
  symbols->require(&f->gsequ, t + "gsequ");
  symbols->require(&f->laqgs, t + "laqgs");
}

SuperLuLibrary open_superlu() {
  SuperLuLibrary none;
  const std::string path = library_path("ARR_SUPERLU", "libsuperlu.so.5", &none.report);
  std::string why;
  void* library = open_dynamic_library(path, &why);
  if (library == nullptr) {
    none.report += why + "\n";
    return none;
  }
  SuperLuLibrary all;
  SymbolTable symbols(library);
  find(&symbols, "s", &all.s);
  find(&symbols, "d", &all.d);
  find(&symbols, "c", &all.c);
  find(&symbols, "z", &all.z);
  symbols.require(&all.get_perm_c, "get_perm_c");
  symbols.require(&all.sp_preorder, "sp_preorder");
  symbols.require(&all.sp_ienv, "sp_ienv");
  symbols.require(&all.set_options, "set_default_options");
  symbols.require(&all.destroy_supernodes, "Destroy_SuperNode_Matrix");
  symbols.require(&all.destroy_columns, "Destroy_CompCol_Matrix");
  symbols.require(&all.destroy_permuted, "Destroy_CompCol_Permuted");
  symbols.require(&all.free, "superlu_free");
  if (!symbols.missing().empty()) {
    none.report += text(path, ": no function ", symbols.missing(), "\n");
    return none;
  }
  all.report = text(none.report, path, ": opened\n");
  return all;
}

const SuperLuLibrary& opened() {
  static std::atomic<const SuperLuLibrary*> known{nullptr};
  if (const SuperLuLibrary* l = known.load(std::memory_order_acquire)) return *l;
  static auto& mutex = *new ProcessMutex;
  const std::lock_guard lock(mutex);
  if (const SuperLuLibrary* l = known.load(std::memory_order_relaxed)) return *l;
  auto l = std::make_unique<SuperLuLibrary>(open_superlu());
  log_lines(log_level::info, l->report);
  known.store(l.get(), std::memory_order_release);
  return *l.release();  // used until the process ends
}

}  // namespace

const SuperLuLibrary& superlu_library() {
  const SuperLuLibrary& l = opened();
  if (!l.found()) {
    fail(ARR_E_UNAVAILABLE, "no SuperLU works here: ", one_line(l.report),
         "; install SuperLU 5 (Debian: libsuperlu5), or name a library in ARR_SUPERLU");
  }
  return l;
}

std::mutex& superlu_ordering() {
  static auto& mutex = *new ProcessMutex;
  return mutex;
}

}  // namespace arr::host
