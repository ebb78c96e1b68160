// SPDX-License-Identifier: MIT
// programs.hpp - the programs: each makes a result of an array.
#ifndef PROGRAMS_HPP
#define PROGRAMS_HPP
#include <arr/arr.hpp>
#include <cmath>

arr::array kmeans(const arr::array& points, int k = 3, int rounds = 10);
arr::array cg(const arr::array& b, double tolerance = 1e-10);
arr::array navier_stokes(const arr::array& vorticity, double viscosity = 1e-3, double dt = 0.01,
                         int steps = 20);
arr::array monte_carlo(const arr::array& strikes, int paths = 1000, int steps = 16, double start = 100,
                       double rate = 0.05, double sigma = 0.2);
arr::array pca(const arr::array& table, int components = 2);
arr::array heat(const arr::array& field, double c = 0.2, int steps = 100);
arr::array rk4(arr::array state, double h = 0.01, int steps = 100);
arr::array blur(const arr::array& image, int radius = 2, double sigma = 1.5);
arr::array pagerank(const arr::array& edges, int n = 60, double damping = 0.85, int rounds = 50);
arr::array poisson(const arr::array& f);
#endif
