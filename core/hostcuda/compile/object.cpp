// SPDX-License-Identifier: MIT
#include "hostcuda/compile/object.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unordered_map>

#include "base/dynamic_library.h"
#include "base/error.h"
#include "hostcuda/compile/debug.h"
#include "hostcuda/compile/process.h"
#include "hostcuda/run/scheduler.h"

// The function that a thread-local access calls; no header of the C library declares it.
struct TlsIndex {
  unsigned long module, offset;
};
extern "C" void* __tls_get_addr(TlsIndex*);  // NOLINT: the name is reserved for the C library, whose it is

namespace arr::host_kernels {
namespace {

// The loader takes two opens of one path for one library, and descriptor numbers come again: so each path is
// written another way, its number in binary as "/" and "/./". Another copy of this code in the process, such
// as a test's, counts for itself: what it has opened is passed over.
std::string unique_path(int fd) {
  static std::atomic<uint32_t> counter{0};
  for (;;) {
    std::string path = "/proc/self/fd";
    for (uint32_t n = ++counter; n != 0; n >>= 1) path += (n & 1) != 0 ? "/." : "/";
    path.append("/").append(std::to_string(fd));
    void* known = dlopen(path.c_str(), RTLD_NOLOAD | RTLD_NOW | RTLD_LOCAL);
    if (known == nullptr) return path;
    dlclose(known);
  }
}

// From memory, so that what was checked is what is loaded; through a private file where the system has no
// executable memory files, and for debuggers, which open it by its path.
void* load(std::string_view bytes) {
  const int fd = debugging() ? -1 : memfd_create("arr-kernel", MFD_CLOEXEC);
  if (fd >= 0) {
    void* handle = nullptr;
    if (write(fd, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()))
      handle = dlopen(unique_path(fd).c_str(), RTLD_NOW | RTLD_LOCAL);
    close(fd);
    if (handle != nullptr) return handle;
  }
  auto directory = std::make_unique<PrivateDirectory>();
  const std::string path = directory->path("kernel.so");
  write_file(path, bytes);
  std::string why;
  void* handle = open_dynamic_library(path, &why);
  if (debugging()) keep(std::move(directory));
  if (handle != nullptr) return handle;
  fail(ARR_E_COMPILE, "compiled kernel cannot be loaded: ", why);
}

struct CodeRange {
  uintptr_t begin = 0, end = 0;
  [[nodiscard]] bool holds(uintptr_t address) const { return address >= begin && address < end; }
};

template <class T>
bool read_at(std::string_view bytes, uint64_t at, T& value) {
  if (at > bytes.size() || bytes.size() - at < sizeof value) return false;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return true;
}

// Thread-local variables are the user's shared memory, except the few of the library.
bool is_shared_variable(std::string_view name) {
  // _ZGV: g++ guards arrays of classes that cannot be copied; the threads of a block take turns there.
  for (std::string_view own : {"arr_", "threadIdx", "blockIdx", "blockDim", "gridDim", "_ZGV"})
    if (name.find(own) != std::string_view::npos) return false;
  return true;
}

// "s" of "k(float*)::s".
std::string plain_name(const char* symbol) {
  int status = 0;
  char* whole = abi::__cxa_demangle(symbol, nullptr, nullptr, &status);
  std::string name = whole != nullptr ? whole : symbol;
  std::free(whole);  // NOLINT: __cxa_demangle allocates
  if (const size_t at = name.rfind("::"); at != std::string::npos) name.erase(0, at + 2);
  return name;
}

// Calls `f` with each symbol of the image and its name. By the file's table, as C libraries report sizes of
// symbols in different ways, or not at all.
template <class F>
void for_symbols(std::string_view bytes, F f) {
  ElfW(Ehdr) header{};
  if (!read_at(bytes, 0, header)) return;
  const auto section = [&](uint64_t i, ElfW(Shdr) & out) {
    return read_at(bytes, header.e_shoff + i * sizeof out, out);
  };
  ElfW(Shdr) symbols{}, names{};
  for (uint64_t i = 0; i < header.e_shnum && section(i, symbols); i++)
    if (symbols.sh_type == SHT_SYMTAB && section(symbols.sh_link, names)) break;
  if (symbols.sh_type != SHT_SYMTAB) return;
  for (uint64_t at = 0; at < symbols.sh_size; at += sizeof(ElfW(Sym))) {
    ElfW(Sym) symbol{};
    if (!read_at(bytes, symbols.sh_offset + at, symbol)) break;
    const uint64_t name = names.sh_offset + symbol.st_name;
    if (name < bytes.size()) f(symbol, bytes.data() + name);
  }
}

std::vector<ThreadVariable> thread_variables_in(std::string_view bytes) {
  std::vector<ThreadVariable> out;
  for_symbols(bytes, [&](const ElfW(Sym) & symbol, const char* name) {
    if (ELF64_ST_TYPE(symbol.st_info) == STT_TLS)
      out.push_back({plain_name(name), symbol.st_value, symbol.st_size, is_shared_variable(name)});
  });
  return out;
}

// The address ranges of the image's functions, by where they begin.
std::unordered_map<uintptr_t, CodeRange> functions_in(std::string_view bytes, uintptr_t base) {
  std::unordered_map<uintptr_t, CodeRange> out;
  for_symbols(bytes, [&](const ElfW(Sym) & symbol, const char*) {
    const uintptr_t begin = base + symbol.st_value;
    if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC) out[begin] = {begin, begin + symbol.st_size};
  });
  return out;
}

// The loader's number of the image at `base` among those with thread-local variables; 0: it has none.
uint64_t thread_module_at(uintptr_t base) {
  struct Search {
    uintptr_t base;
    uint64_t module;
  } search{base, 0};
  dl_iterate_phdr(
      [](dl_phdr_info* image, size_t, void* data) {
        auto& wanted = *static_cast<Search*>(data);
        if (image->dlpi_addr != wanted.base) return 0;
        wanted.module = image->dlpi_tls_modid;
        return 1;
      },
      &search);
  return search.module;
}

}  // namespace

Object::Object(std::string_view bytes, bool checked, bool lines)
    : handle_(load(bytes)),
      variables_(thread_variables_in(bytes)),
      bytes_(checked || lines ? bytes : ""),
      checked_(checked) {
  for (const ThreadVariable& v : variables_) static_shared_bytes_ += v.shared ? v.bytes : 0;
  table_ = static_cast<const arr_host::Image*>(dlsym(handle_, "arr_image"));
  if (table_ == nullptr || table_->abi != arr_host::abi_version) {
    dlclose(handle_);
    fail(ARR_E_INTERNAL, "compiled kernel of another version of the library");
  }
  table_->bind(&runtime_table);
  Dl_info info{};
  if (dladdr(table_, &info) != 0) base_ = reinterpret_cast<uintptr_t>(info.dli_fbase);
  thread_module_ = thread_module_at(base_);
  read_sites(bytes);
}

Object::~Object() { dlclose(handle_); }

void* make_thread_variables(uint64_t module) {
  TlsIndex index{module, 0};
  return module != 0 ? __tls_get_addr(&index) : nullptr;
}

// A site inside an entry's own code is that kernel's; one in a function that was not inlined may be any's.
void Object::read_sites(std::string_view bytes) {
  const auto functions = functions_in(bytes, base_);
  const auto range_of = [&](auto function) -> CodeRange {
    if (function == nullptr) return {};
    const auto known = functions.find(reinterpret_cast<uintptr_t>(function));
    if (known == functions.end()) fail(ARR_E_INTERNAL, "compiled kernel without symbols");
    return known->second;
  };
  std::vector<std::array<CodeRange, 2>> ranges;
  for (unsigned i = 0; i < table_->n_entries; i++)
    ranges.push_back({range_of(table_->entries[i].loop), range_of(table_->entries[i].body)});
  syncs_.assign(table_->n_entries, false);
  for (const arr_host::Site* site = table_->sites_begin; site < table_->sites_end; site++) {
    if (site->kind == 0) continue;
    const uintptr_t code = reinterpret_cast<uintptr_t>(&site->code_offset) +
                           static_cast<uintptr_t>(static_cast<intptr_t>(site->code_offset));
    bool owned = false;
    for (size_t i = 0; i < ranges.size(); i++)
      if (ranges[i][0].holds(code) || ranges[i][1].holds(code)) {
        syncs_[i] = true;
        owned = true;
      }
    if (!owned) syncs_.assign(table_->n_entries, true);
  }
}

}  // namespace arr::host_kernels
