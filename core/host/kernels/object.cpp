// SPDX-License-Identifier: MIT
#include "host/kernels/object.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstring>
#include <string>

#include "base/error.h"
#include "host/kernels/process.h"
#include "host/kernels/scheduler.h"

namespace arr::host_kernels {
namespace {

// The loader takes two opens of one path for one library, and descriptor numbers come again: so each path is
// written another way, its number in binary as "/" and "/./".
std::string unique_path(int fd) {
  static std::atomic<uint32_t> counter{0};
  std::string path = "/proc/self/fd";
  for (uint32_t n = ++counter; n != 0; n >>= 1) path += (n & 1) != 0 ? "/." : "/";
  return path + "/" + std::to_string(fd);
}

// From memory, so that what was checked is what is loaded; through a private file where the system has no
// executable memory files.
void* load(std::string_view bytes) {
  const int fd = memfd_create("arr-kernel", MFD_CLOEXEC);
  if (fd >= 0) {
    void* handle = nullptr;
    if (write(fd, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()))
      handle = dlopen(unique_path(fd).c_str(), RTLD_NOW | RTLD_LOCAL);
    close(fd);
    if (handle != nullptr) return handle;
  }
  const PrivateDirectory directory;
  write_file(directory.path("kernel.so"), bytes);
  void* handle = dlopen(directory.path("kernel.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle != nullptr) return handle;
  const char* reason = dlerror();
  fail(ARR_E_COMPILE, "compiled kernel cannot be loaded: ", reason != nullptr ? reason : "no reason given");
}

struct CodeRange {
  uintptr_t begin = 0, end = 0;
  [[nodiscard]] bool holds(uintptr_t address) const { return address >= begin && address < end; }
};

// Where an exported function's code lies, by its symbol.
template <class Function>
CodeRange range_of(Function function) {
  if (function == nullptr) return {};
  Dl_info info{};
  const ElfW(Sym)* symbol = nullptr;
  auto* address = reinterpret_cast<void*>(function);
  if (dladdr1(address, &info, reinterpret_cast<void**>(const_cast<ElfW(Sym)**>(&symbol)), RTLD_DL_SYMENT) ==
          0 ||
      symbol == nullptr)
    fail(ARR_E_INTERNAL, "compiled kernel without symbols");
  const auto begin = reinterpret_cast<uintptr_t>(address);
  return {begin, begin + symbol->st_size};
}

uint64_t thread_local_size(std::string_view bytes) {
  ElfW(Ehdr) header{};
  if (bytes.size() < sizeof header) return 0;
  std::memcpy(&header, bytes.data(), sizeof header);
  for (size_t i = 0; i < header.e_phnum; i++) {
    ElfW(Phdr) segment{};
    const size_t at = header.e_phoff + i * sizeof segment;
    if (at + sizeof segment > bytes.size()) return 0;
    std::memcpy(&segment, bytes.data() + at, sizeof segment);
    if (segment.p_type == PT_TLS) return segment.p_memsz;
  }
  return 0;
}

}  // namespace

Object::Object(std::string_view bytes) : handle_(load(bytes)), thread_local_bytes_(thread_local_size(bytes)) {
  table_ = static_cast<const arr_host::Image*>(dlsym(handle_, "arr_image"));
  if (table_ == nullptr || table_->abi != arr_host::abi_version) {
    dlclose(handle_);
    fail(ARR_E_INTERNAL, "compiled kernel of another version of the library");
  }
  table_->bind(&runtime_table);
  read_sites();
}

Object::~Object() { dlclose(handle_); }

// A site inside an entry's own code is that kernel's; one in a function that was not inlined may be any's.
void Object::read_sites() {
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
