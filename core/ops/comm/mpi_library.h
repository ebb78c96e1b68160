// SPDX-License-Identifier: MIT
// An MPI that is opened at run time: its functions, its constants, and what it makes of element types and
// reductions.
#pragma once

#include <cstdint>
#include <string>

#include "array/dtype.h"
#include "ops/comm/calls.h"

namespace arr {

using MpiHandle = uintptr_t;  // of a communicator, type, operation or request
using MpiFunction = void (*)(void* in, void* inout, int* n, MpiHandle* type);
using MpiCopy = int (*)(MpiHandle comm, int key, void* ctx, void* in, void* out, int* copied);
using MpiDelete = int (*)(MpiHandle comm, int key, void* value, void* ctx);

// The binary interfaces that differ in the values and sizes of handles.
enum class MpiAbi { standard, mpich, open_mpi };

struct Mpi {
#define ARR_MPI_FN(symbol, need, result, params) result(*symbol) params = nullptr;
#include "ops/comm/mpi_api.def"
#undef ARR_MPI_FN
#define ARR_MPI_COLLECTIVE(symbol, nonblocking, ...)                  \
  int (*symbol)(__VA_ARGS__ __VA_OPT__(, ) MpiHandle comm) = nullptr; \
  int (*nonblocking)(__VA_ARGS__ __VA_OPT__(, ) MpiHandle comm, MpiHandle * request) = nullptr;
#include "ops/comm/mpi_api.def"
#undef ARR_MPI_COLLECTIVE
#define ARR_MPI_HANDLE(name, in_standard, in_mpich, in_open_mpi) MpiHandle name = 0;
#include "ops/comm/mpi_api.def"
#undef ARR_MPI_HANDLE
  MpiAbi abi = MpiAbi::standard;
  void* in_place = nullptr;  // MPI_IN_PLACE
  int thread_multiple = 0;   // MPI_THREAD_MULTIPLE
  std::string path;
  std::string report;  // what was tried

  [[nodiscard]] bool found() const noexcept { return MPI_Init_thread != nullptr; }
  // The handle without the bits that the library has not written.
  [[nodiscard]] MpiHandle clean(MpiHandle h) const noexcept {
    return abi == MpiAbi::mpich ? static_cast<uint32_t>(h) : h;
  }
};

// The library that the process has already, that ARR_MPI names, or the first that is installed; opened once.
// Throws ARR_E_UNAVAILABLE with all that was tried if no library works.
const Mpi& mpi();
// Path, binary interface and version, a line each.
std::string mpi_description();

// ARR_E_DEVICE with the library's text for a code other than MPI_SUCCESS.
[[noreturn]] void mpi_failed(const Mpi& m, int code);
inline void mpi_check(const Mpi& m, int code) {
  if (code != 0) [[unlikely]]
    mpi_failed(m, code);
}

// Initialises MPI if nobody has; it is then finalised when the process ends. ARR_E_UNAVAILABLE if processes
// were started by the launcher of another MPI.
void mpi_initialize(const Mpi& m);
// Throws ARR_E_LOST after MPI_Finalize.
void mpi_check_alive(const Mpi& m);
// Finalising MPI would wait for ranks that will not come: it is left out when the process ends.
void mpi_give_up() noexcept;

// A type of one element, which sends the same bytes; of 16-bit floats one without arithmetic.
MpiHandle mpi_type(const Mpi& m, DType d);
// The library's own operation where it computes the same, otherwise one that calls libarr.
MpiHandle mpi_operation(const Mpi& m, const Combination& by, DType d);
// Throws what failed in a call of libarr that an operation has made.
void mpi_check_operations();

}  // namespace arr
