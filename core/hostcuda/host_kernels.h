// SPDX-License-Identifier: MIT
// Raw CUDA C++ kernels on the host: compiles a source with the system's C++ compiler and launches its
// kernels. A kernel without barriers runs as a vectorised loop over its threads; one with barriers runs each
// thread of a block on a fiber. Every function may be called from any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace arr::host_kernels {

struct Image;  // one compiled and loaded source
class Object;

// The optimization level. Tests that compile thousands of kernels and run each once use less: `quick` is -O1
// with the loop-fission pass, which takes a fifth of the time; `none` is -O0 without the pass.
enum class Effort { full, quick, none };

struct Options {
  std::vector<std::string> compiler_options;  // NVRTC's spelling; -I also says where #include "..." looks
  // Name expressions such as "saxpy<float>". Empty: every kernel of the source that is not a template.
  std::vector<std::string> names;
  // Every access to memory is checked: against the arrays given to `launch`, and for races in shared memory.
  bool check = false;
  Effort effort = Effort::full;
};

// An error in the user's source, with everything the compiler printed.
struct CompileError : Error {
  CompileError(arr_status status, std::string line, std::string compiler_log)
      : Error(status, std::move(line)), log(std::move(compiler_log)) {}
  std::string log;
};

// One source; `name` is what messages call it. Where it is a path, #include "..." looks in its folder first.
struct SourceUnit {
  std::string name;
  std::string_view text;
  bool ptx = false;  // a module of PTX
};

// Throws CompileError (ARR_E_COMPILE, or ARR_E_UNSUPPORTED for CUDA features without a host form) and
// Error(ARR_E_UNAVAILABLE) without a compiler. Sources without __device__ and __constant__ variables return
// the same image when compiled again.
std::shared_ptr<Image> compile(std::string_view source, const Options& options);

// Several sources, or several modules of PTX, that may use each other's functions and variables. Sources are
// compiled as one text in their order, so that their names must differ; the macros of a source end with it.
std::shared_ptr<Image> compile(std::span<const SourceUnit> units, const Options& options);

// Warnings of the compiler and of the cache.
std::string log(const Image& image);

struct Kernel {
  std::shared_ptr<Image> image;
  std::string name;
  std::vector<uint32_t> arg_bytes;    // size of each parameter
  std::vector<uint32_t> arg_types;    // as shim/abi.h says: a dtype, arg_pointer, arg_readonly
  bool on_fibers = false;             // has barriers or warp functions
  uint64_t max_shared_bytes = 49152;  // of dynamic shared memory; may be raised to 232448
  // Size of static shared memory. It is unknown if several kernels of an image use some.
  uint64_t static_shared_bytes = 0;
  bool static_shared_known = true;
  const void* entry = nullptr;
  const Object* object = nullptr;         // the entry's, which the image holds
  std::shared_ptr<const Object> checked;  // what holds it, where accesses are checked
  bool may_hold_pointers = false;         // to memory that it allocates
};

// The memory that an argument of a launch leads to; low is null where it leads nowhere or that is not known.
struct Extent {
  const char* low = nullptr;
  uint64_t bytes = 0;
  bool numbers = false;   // it leads no further
  std::string name = {};  // of the argument, for messages; "": its number
};

// `name`: as written in the source, with or without its namespaces, or a name expression for a template.
// Compiles the kernel if `compile` has not. Throws Error(ARR_E_ARGUMENT) if there is no kernel of that name.
Kernel kernel(const std::shared_ptr<Image>& image, std::string_view name);

// A __device__, __constant__ or __managed__ variable of namespace scope.
struct Global {
  void* address;
  uint64_t bytes;
};
Global global(const Image& image, std::string_view name);

// args: one pointer per parameter, as cuLaunchKernel takes them. Returns when every block has run; throws
// Error(ARR_E_ARGUMENT) for a launch a GPU would refuse and Error(ARR_E_DEVICE) when the kernel fails.
// `extents`: one per argument, for a kernel whose accesses are checked; without, arrays are not checked.
// `cooperative`: all blocks are alive at once, each on a separate thread, and may call grid.sync().
void launch(const Kernel& kernel, const uint32_t grid[3], const uint32_t block[3], uint64_t shared_bytes,
            void* const* args, int nargs, const Extent* extents = nullptr, bool cooperative = false);
// Returns the max number of blocks of `threads` threads (1 to 1024) per core in a cooperative launch. Each
// thread of a block may need a stack, and two mappings of memory, of which a process has 65530 by default.
int64_t resident_blocks(int64_t threads);
// Throws what launch would throw before anything runs.
void check_launch(const Kernel& kernel, const uint32_t grid[3], const uint32_t block[3],
                  uint64_t shared_bytes, void* const* args, int nargs);

}  // namespace arr::host_kernels
