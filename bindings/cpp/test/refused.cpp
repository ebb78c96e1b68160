// SPDX-License-Identifier: MIT
// Uses of the C++ layer that do not compile: each line marked `refused`, and no other. refused.py reads the
// compiler's messages.
#include <arr/arr.hpp>
#include <complex>
#include <vector>

using arr::array;

// A temporary array ends before what points into it is used.
void pointers_into_temporaries(const array& a, const arr::device& d) {
  for (double x : (a + a).elements<double>()) static_cast<void>(x);  // refused
  auto mine = array(a).elements<double>();                           // refused
  auto whole = array(a).sync().elements<double>();                   // refused
  auto filled = array(a).fill(1).elements<double>();                 // refused
  auto added = (array(a) += 1).elements<double>();                   // refused
  array& one = array(a).fill(1);                                     // refused
  array& two = array(a) *= 2;                                        // refused
  array& three = (array(a) = a);                                     // refused
  arr::selection& part = (array(a)(0) = 1);                          // refused
  arr::selection& more = array(a)(0).fill(1);                        // refused
  void* native = arr::stream_native(arr::stream(d));                 // refused
  void* event = arr::event_native(arr::event_create({}, d));         // refused
  auto address = arr::compile("").global("x");                       // refused
}

// A second list is no device, and a number is no handle.
void lists_and_numbers() {
  array mixed = {{1.0, 2.0}, {1, 0}};  // refused
  array on_list({1.0, 2.0}, {1, 0});   // refused
  arr::device d = {1, 0};              // refused
  array a(0);                          // refused
  array b(nullptr);                    // refused
  array c(1);                          // refused
  arr::kernel k(0);                    // refused
  arr::kernel_module m(0);             // refused
  arr::stream s(0);                    // refused
  arr::expr e(0);                      // refused
  arr::event v(nullptr);               // refused
  arr::graph g(0);                     // refused
  arr::generator from_bool(true);      // refused
}

// An element type, an axis and a truth value are no numbers, and no number is one of them.
void plain_numbers(const array& a) {
  arr::eye(3, ARR_FLOAT32);                        // refused
  arr::eye(3, 3, arr::float32);                    // refused
  arr::linspace(0, 1, 3, ARR_FLOAT32);             // refused
  arr::linspace(0, 1, ARR_FLOAT32);                // refused
  arr::logspace(0, 1, 3, ARR_FLOAT32);             // refused
  arr::zeros({2, ARR_FLOAT32});                    // refused
  arr::zeros(ARR_FLOAT32);                         // refused
  arr::zeros({2}, 11);                             // refused
  arr::zeros({2}, true);                           // refused
  arr::zeros(true);                                // refused
  arr::ones({2}, ARR_ORDER_F);                     // refused
  arr::full({2}, ARR_FLOAT32);                     // refused
  arr::full({2}, 1.5, 11);                         // refused
  arr::sum(a, true);                               // refused
  arr::sum(a, {true});                             // refused
  arr::sum(a, 0, 1);                               // refused
  arr::sum(a, ARR_FLOAT32);                        // refused
  arr::topk(a);                                    // refused
  arr::topk(a, 1, true);                           // refused
  arr::topk(a, 1, -1, 1);                          // refused
  arr::sort(a, true);                              // refused
  arr::sort(a, -1, 1);                             // refused
  arr::cumsum(a, true);                            // refused
  arr::cumsum(a, ARR_FLOAT32, ARR_FLOAT32);        // refused
  arr::split(a, 2, true);                          // refused
  arr::as_series({a}, 1);                          // refused
  arr::savez("x", {}, 1);                          // refused
  arr::random_integers(0, 3, {2}, {}, ARR_INT32);  // refused
  a(true);                                         // refused
  a(ARR_INT32);                                    // refused
  array sum = a + ARR_FLOAT32;                     // refused
  int64_t whole = a.dtype();                       // refused
  bool truth = a.dtype();                          // refused
  double real = a.dtype();                         // refused
}

// A choice is no axis, no number and no other choice.
void choices(const array& a, const arr::device& d) {
  arr::take(a, a, ARR_BOUNDS_WRAP);            // refused
  arr::percentile(a, 50, ARR_QUANTILE_LOWER);  // refused
  arr::zeros({2}, arr::float64, 0);            // refused
  arr::astype(a, arr::int32, ARR_ORDER_F);     // refused
  arr::pad(a, {1, 1}, ARR_CONVOLVE_FULL);      // refused
  arr::fft(a, ARR_FFT_ORTHO);                  // refused
  arr::einsum("ij->ji", {a}, 1);               // refused
  arr::meshgrid({a, a}, ARR_MESHGRID_SPARSE);  // refused
  arr::stream_create_priority(0, 1, d);        // refused
  int64_t whole = ARR_ORDER_C;                 // refused
  bool truth = ARR_CAST_SAFE;                  // refused
}

// A const array is not written to.
void constants(const array& c) {
  c(0) = 1;                                            // refused
  c(0) += 1;                                           // refused
  c += 1;                                              // refused
  c.fill(1);                                           // refused
  arr::add_into(c, c, c);                              // refused
  arr::multiply_into(c(0), c, c);                      // refused
  arr::random_shuffle(c);                              // refused
  arr::fuse([](auto x) { return x + x; }).into(c, c);  // refused
  for (double& x : c.elements<double>()) x = 1;        // refused
}

// The same words where they belong.
void accepted(const array& a, const arr::device& d) {
  array named = a + a;
  for (double x : named.elements<double>()) static_cast<void>(x);
  array moved = array(a).fill(1);
  named.T() += 1;
  named(0) = named(1) = 2;
  array rows = {{1.0, 2.0}, {3.0, 4.0}}, row{1.0, 2.0}, zero{0}, there({1.0, 2.0}, d),
        rows_there({{1, 2}, {3, 4}}, d);
  arr::device of_numbers(ARR_HOST, 0);
  arr::generator g(0), long_seed(uint64_t{1} << 63);
  arr::eye(3, 3, 0, ARR_FLOAT32);
  arr::linspace(0, 1, 3, true, arr::float32);
  arr::arange(10, ARR_FLOAT32);
  arr::sum(a, 0, true);
  arr::sum(a, {0, -1});
  arr::sum(a, int64_t{0});
  arr::sum(a, std::vector<int32_t>{0});
  arr::topk(a, 1, -1, false);
  arr_dtype number = a.dtype();
  switch (number) {
    case ARR_FLOAT32:
      break;
    default:
      break;
  }
  array made;
  const int64_t shape[1] = {2};
  arr::check(arr_ones(ARR_FLOAT32, 1, shape, ARR_ORDER_C, nullptr, nullptr, made.put()));
  arr::zeros({2}, a.dtype());
  arr::zeros({2}, arr::dtype(number));
  static_assert(arr::dtype_of<float>::value == ARR_FLOAT32 && ARR_FLOAT32 == 11 && 11 == ARR_FLOAT32);
  static_assert(std::is_same_v<decltype(ARR_BOOL), const arr::dtype> || sizeof(ARR_BOOL) == 4);
}
