/* SPDX-License-Identifier: MIT */
/* distributed.h - the programs: each runs on all ranks of a communicator and gives each of them one number.
 */
#ifndef DISTRIBUTED_H
#define DISTRIBUTED_H
#include <arr/easy.h>

arr_status heat(arr_comm comm, int64_t n, int steps, double* out);
arr_status fft(arr_comm comm, int64_t n, int steps, double* out);
#endif
