// SPDX-License-Identifier: MIT
// Modules of raw kernels and their launches.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "arr/module.h"
#include "array/dtype.h"
#include "backend/error.h"

namespace arr {

// The form of a module's code; the core replaces `automatic` by the form that it recognises.
enum class ImageKind : int32_t {
  automatic = ARR_IMAGE_AUTO,
  source = ARR_IMAGE_SOURCE,
  ptx = ARR_IMAGE_PTX,
  cubin = ARR_IMAGE_CUBIN,
  fatbin = ARR_IMAGE_FATBIN,
  ltoir = ARR_IMAGE_LTOIR,
  library = ARR_IMAGE_LIBRARY,
};
// "a cubin", as messages call it.
constexpr const char* name(ImageKind kind) {
  switch (kind) {
    case ImageKind::ptx:
      return "PTX";
    case ImageKind::cubin:
      return "a cubin";
    case ImageKind::fatbin:
      return "a fatbin";
    case ImageKind::ltoir:
      return "LTO-IR";
    case ImageKind::library:
      return "an archive";
    default:
      return "CUDA C++ source";
  }
}

struct ModuleUnit {
  ImageKind kind = ImageKind::source;
  std::string_view bytes;
  std::string name;  // name in messages
};

struct ModuleCall {
  std::vector<ModuleUnit> units;
  bool link = false;  // units may use each other's functions and variables; otherwise there is one unit
  std::vector<std::string> options, include_paths, defines, names;
  int32_t standard = 0, max_registers = 0;  // 17 is C++17; 0: the compiler's default
  bool debug = false, lineinfo = false, fast_math = false;
  bool device_runtime = false;  // kernels launch kernels
  // The source has variables, which a second compilation would duplicate; `kernels` are those of its kernels
  // that can be compiled without a name expression, as far as its tokens show.
  bool variables = false;
  std::vector<std::string> kernels;
};

// A kernel's parameter. dtype: of the value or the pointer's target; none if there is none or it is not
// known.
struct KernelParam {
  int64_t bytes = 0;
  DType dtype = DType::none;
  bool pointer = false, readonly = false;
};

// The memory to which an argument of a launch points, such as an array's; data is null if there is none or it
// is not known.
struct ArgumentMemory {
  const char* data = nullptr;
  int64_t bytes = 0;
  bool numbers = false;        // it contains no pointers
  const char* name = nullptr;  // name in messages; null: the argument has only its number
};

struct LaunchConfig {
  int64_t grid[3] = {1, 1, 1};
  int32_t block[3] = {1, 1, 1};
  int64_t shared_bytes = 0;                // dynamic, of a block
  bool cooperative = false;                // all blocks run at once, so that the grid can synchronise
  int32_t cluster[3] = {};                 // blocks of a cluster; {0, 0, 0}: as the kernel specifies
  const ArgumentMemory* memory = nullptr;  // memory of each argument; only in checked_mode()
};

struct KernelApi {
  // log receives the compiler's messages, also on success. A kernel is valid as long as its module.
  int32_t (*module_create)(int32_t device, const ModuleCall*, void** module, std::string* log, BackendError*);
  int32_t (*module_destroy)(int32_t device, void* module, BackendError*);
  // The image of a kind (PTX, cubin, LTO-IR) to which the source compiles; nothing is loaded.
  int32_t (*module_image)(int32_t device, const ModuleCall*, ImageKind kind, std::string* image,
                          std::string* log, BackendError*);
  // A __device__, __constant__ or __managed__ variable: its address on the device.
  int32_t (*module_global)(int32_t device, void* module, const char* name, void** address, int64_t* bytes,
                           BackendError*);
  int32_t (*module_kernel)(int32_t device, void* module, const char* name, void** kernel, BackendError*);

  // *known 0: the parameters are not known.
  int32_t (*params)(int32_t device, void* kernel, std::vector<KernelParam>* params, int32_t* known,
                    BackendError*);
  int32_t (*attribute)(int32_t device, void* kernel, int32_t attribute, int64_t* value, BackendError*);
  int32_t (*set_attribute)(int32_t device, void* kernel, int32_t attribute, int64_t value, BackendError*);
  // Counts the blocks of `threads` threads that a multiprocessor runs at once.
  int32_t (*occupancy)(int32_t device, void* kernel, int32_t threads, int64_t shared_bytes, int32_t* blocks,
                       BackendError*);
  // The number of threads per block, at max_threads `max_threads` (0: no limit), with the highest occupancy,
  // and the number of blocks that fill the device with them.
  int32_t (*block_size)(int32_t device, void* kernel, int64_t shared_bytes, int32_t max_threads,
                        int32_t* threads, int32_t* blocks, BackendError*);
  int32_t (*launch)(int32_t device, void* kernel, const LaunchConfig*, int32_t nargs, void* const* args,
                    void* stream, BackendError*);
};

}  // namespace arr
