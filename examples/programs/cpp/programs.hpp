// SPDX-License-Identifier: MIT
// programs.hpp - the eight programs: each makes a result of an array.
#ifndef PROGRAMS_HPP
#define PROGRAMS_HPP
#include <arr/arr.hpp>

arr::array kmeans(const arr::array& points);
arr::array cg(const arr::array& b);
arr::array navier_stokes(const arr::array& vorticity);
arr::array monte_carlo(const arr::array& strikes);
arr::array pca(const arr::array& table);
arr::array heat(const arr::array& field);
arr::array rk4(arr::array state);
arr::array blur(const arr::array& image);
#endif
