// SPDX-License-Identifier: MIT
// The programs: each runs on all ranks of a communicator and gives each of them one number.
#pragma once

#include <arr/arr.hpp>

double heat(const arr::comm& comm, int64_t n, int steps);
double cg(const arr::comm& comm, int64_t n, int steps);
double fft(const arr::comm& comm, int64_t n, int steps);
