/* SPDX-License-Identifier: MIT */
/* arr.hpp - libarr for C++17: arrays with operators, indices, fused lambdas, kernels and streams; errors are
 * exceptions.
 *
 *   arr::array x = arr::linspace(0, 1, 5);
 *   arr::array y = 2 * x + arr::sin(x);
 *   double total = arr::sum(y).item<double>();
 *
 * Everything is inline above the C functions. An object owns one reference to a handle. */
#ifndef ARR_HPP
#define ARR_HPP
#if __cplusplus < 201703L
#error "arr/arr.hpp needs C++17 (-std=c++17)"
#endif
// The headers in which mistakes are reported, each from here, so that the messages are short.
#include <arr/cpp/array.hpp>

#include <arr/cpp/index.hpp>

#include <arr/cpp/node.hpp>

#include <arr/cpp/comm.hpp>
#include <arr/cpp/creation.hpp>
#include <arr/cpp/dist.hpp>
#include <arr/cpp/dist_sparse.hpp>
#include <arr/cpp/functions_generated.hpp>
#include <arr/cpp/fuse.hpp>
#include <arr/cpp/interchange.hpp>
#include <arr/cpp/iterative.hpp>
#include <arr/cpp/kernel.hpp>
#include <arr/cpp/lists.hpp>
#include <arr/cpp/operators.hpp>
#include <arr/cpp/properties.hpp>
#endif
