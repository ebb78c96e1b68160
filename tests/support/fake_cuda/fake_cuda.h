// SPDX-License-Identifier: MIT
// A CUDA that needs no GPU: one library with the driver's, NVRTC's, cuBLAS's, cuBLASLt's, cuSOLVER's,
// cuSPARSE's, cuDSS's, cuFFT's and NCCL's functions, as far as the CUDA backend uses them, that executes.
// Device memory is host memory, a "cubin" is source text, a launch runs it by the host kernel back end,
// cuBLAS and cuSOLVER go to OpenBLAS, cuFFT to FFTW. Test support only: it is found only when a test points
// ARR_CUDA_DRIVER, ARR_CUDA_NVRTC, ARR_CUDA_CUBLAS and so on at it.
//
// A test controls it by these functions (from dlsym), or from outside by variables of the environment:
//   ARR_FAKE_CUDA_FAIL=cuLaunchKernel:3:719,cuMemAlloc_v2:1:2:persist   as arr_fake_cuda_fail
//   ARR_FAKE_CUDA_SET=memory=1000000,devices=2                          as arr_fake_cuda_set
#pragma once

#include <stdint.h>

extern "C" {

// The call-th call from now (1: the next) of a function returns `code`; with persistent, all later ones too.
// A code that poisons a context is returned by every function from then on.
void arr_fake_cuda_fail(const char* function, int64_t call, int32_t code, int32_t persistent);

// Calls of a function since the last reset; -1 for a name that is none.
int64_t arr_fake_cuda_calls(const char* function);

// Forgets scripted failures, counts and a poisoned context; settings go back to their defaults.
void arr_fake_cuda_reset(void);

// Settings: "devices" (1), "memory" of a device in bytes (8 GiB), "arch" (90), "defer" (0): with 1, work
// runs only when something waits for it, newest stream first, so that missing waits show, with 2 streams take
// turns then, operation by operation; "run" (1): with 0 a
// launch does nothing, nor a product of cuSPARSE, for what is timed around it; "compute" (0): the only
// compute type of products that is taken, by cuBLAS's number; "cufft" (12000): the version of cuFFT; "lt"
// (1): with 0 cuBLASLt finds no algorithm; "nccl_error" (0): the asynchronous error of NCCL's communicators.
void arr_fake_cuda_set(const char* name, int64_t value);

// Number of objects that exist now: "memory" (allocations), "bytes", "streams", "events", "modules",
// "contexts", "handles", of the host "pinned" and "registered" pieces, "opened" memory of other processes,
// "arrays" of CUDA, "textures" (surfaces too), "graphs" (executable ones too) and "descriptions" for
// cuBLASLt.
int64_t arr_fake_cuda_live(const char* what);

// Returns whether this thread is inside of a function of the fake: 0 no.
int32_t arr_fake_cuda_inside(void);
}
