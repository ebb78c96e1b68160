/* SPDX-License-Identifier: MIT */
/* fuse.hpp - lambdas that run as one pass over memory: fuse([](auto x, auto y) { return sin(x) + y; })(a, b).
 */
#ifndef ARR_CPP_FUSE_HPP
#define ARR_CPP_FUSE_HPP
#include <arr/cpp/nodes_generated.hpp>

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <utility>

namespace arr {
namespace detail {

template <class T>
struct is_tuple : std::false_type {};
template <class... T>
struct is_tuple<std::tuple<T...>> : std::true_type {};

/** A lambda, recorded for one number of arguments. */
struct traced {
  expr formula;
  std::vector<int32_t> results;
};

template <class F, size_t... I>
traced trace(F& f, std::index_sequence<I...>) {
  traced made;
  check(arr_expr_create(made.formula.put()));
  const arr_expr e = made.formula.get();
  const auto result = f(node::input(e, static_cast<int32_t>(I))...);
  if constexpr (is_tuple<std::decay_t<decltype(result)>>::value) {
    std::apply([&](const auto&... r) { (made.results.push_back(r.number()), ...); }, result);
  } else {
    made.results.push_back(result.number());
  }
  return made;
}

template <size_t... I>
auto tuple_of(std::array<array, sizeof...(I)>& made, std::index_sequence<I...>) {
  return std::make_tuple(std::move(made[I])...);
}

}  // namespace detail

/** A lambda of nodes as a function of arrays. The lambda runs once for each number of arguments, at the
 * first call with that number; the arrays may have any element types and shapes that broadcast. Any thread
 * may call it. */
template <class F>
class fused {
 public:
  explicit fused(F f) : shared_(std::make_shared<state>(std::move(f))) {}

  /** Returns the result, or a tuple of results if the lambda returns a tuple: four are computed in one pass.
   */
  template <class... Array>
  auto operator()(const Array&... arrays) const {
    using result = decltype(std::declval<F&>()(((void)sizeof(Array), std::declval<node>())...));
    const call<sizeof...(Array)> c(*shared_, arrays...);
    if constexpr (detail::is_tuple<std::decay_t<result>>::value) {
      constexpr size_t count = std::tuple_size_v<std::decay_t<result>>;
      std::array<arr_array, count> out{};
      check(arr_expr_run_many(c.traced.formula.get(), static_cast<int32_t>(count), c.traced.results.data(),
                              c.count, c.in.data(), nullptr, out.data()));
      std::array<array, count> made;
      for (size_t i = 0; i < count; ++i) made[i] = array(out[i]);
      return detail::tuple_of(made, std::make_index_sequence<count>());
    } else {
      array out;
      check(arr_expr_run(c.traced.formula.get(), c.traced.results[0], c.count, c.in.data(), nullptr,
                         out.put()));
      return out;
    }
  }

  /** Writes the result to an existing array, which may be one of the operands. */
  template <class... Array>
  void into(const array& dst, const Array&... arrays) const {
    const call<sizeof...(Array)> c(*shared_, arrays...);
    check(arr_expr_run_into(dst.get(), c.traced.formula.get(), c.traced.results.at(0), c.count, c.in.data(),
                            nullptr));
  }

 private:
  struct state {
    explicit state(F function) : f(std::move(function)) {}
    template <size_t... I>
    const detail::traced& find(std::index_sequence<I...> arguments) {
      const std::lock_guard<std::mutex> lock(mutex);
      const auto found = formulas.find(sizeof...(I));
      if (found != formulas.end()) return found->second;
      return formulas.emplace(sizeof...(I), detail::trace(f, arguments)).first->second;
    }
    F f;
    std::mutex mutex;
    std::map<size_t, detail::traced> formulas;
  };
  /** The formula for N arguments, and the operands of one call. Arrays that selections are converted to live
   * until the call ends. */
  template <size_t N>
  struct call {
    template <class... Array>
    explicit call(state& lambda, const Array&... arrays)
        : traced(lambda.find(std::make_index_sequence<N>())), held{array(arrays)...} {
      for (size_t i = 0; i < N; ++i) in[i] = held[i].get();
    }
    static constexpr auto count = static_cast<int32_t>(N);
    const detail::traced& traced;
    const std::array<array, N> held;
    std::array<arr_array, N> in;
  };
  std::shared_ptr<state> shared_;
};

/** Makes a function of arrays from a lambda whose arguments are `auto`. */
template <class F>
fused<F> fuse(F f) {
  return fused<F>(std::move(f));
}

}  // namespace arr
#endif
