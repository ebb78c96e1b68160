/* SPDX-License-Identifier: MIT */
/* fuse.hpp - lambdas that run as one pass over memory: fuse([](auto x, auto y) { return sin(x) + y; })(a, b).
 */
#ifndef ARR_CPP_FUSE_HPP
#define ARR_CPP_FUSE_HPP
#include <arr/cpp/nodes_generated.hpp>
#include <arr/cpp/sparse.hpp>

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
/** A node, a number, or a tuple of them. */
template <class T>
struct is_result : std::bool_constant<std::is_same_v<T, node> || std::is_arithmetic_v<T>> {};
template <class... T>
struct is_result<std::tuple<T...>> : std::bool_constant<(is_result<T>::value && ...)> {};

template <class>
using as_node = node;

/** A node that stands for no number, for lambdas whose arguments have types. */
struct only_node : node {
  template <class T>
  operator T() const = delete;
};
template <class F, class Nodes, class = void>
inline constexpr bool takes_numbers = false;
template <class F, class... Node>
inline constexpr bool takes_numbers<F, std::tuple<Node...>, std::void_t<decltype(&F::operator())>> =
    !std::is_invocable_v<F&, Node...>;
template <class>
using as_only_node = only_node;

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
    std::apply([&](const auto&... r) { (made.results.push_back(node_number(e, r)), ...); }, result);
  } else {
    made.results.push_back(node_number(e, result));
  }
  return made;
}

template <size_t... I>
auto tuple_of(std::array<array, sizeof...(I)> made, std::index_sequence<I...>) {
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

  /** Returns the result, or a tuple of results if the lambda returns a tuple: up to four are computed in one
   * pass. Operands are arrays and numbers, at least one array. In the lambda of another fused function they
   * are nodes and numbers, and the lambda becomes a part of that function. */
  template <class First, class... Rest,
            class Result = decltype(std::declval<F&>()(std::declval<detail::as_node<First>>(),
                                                       std::declval<detail::as_node<Rest>>()...))>
  auto operator()(const First& first, const Rest&... rest) const {
    if constexpr (std::is_same_v<First, node> || (std::is_same_v<Rest, node> || ...)) {
      const std::lock_guard<std::mutex> lock(shared_->mutex);
      return shared_->f(first, rest...);
    } else {
      using nodes = std::tuple<detail::as_only_node<First>, detail::as_only_node<Rest>...>;
      constexpr bool plain = detail::takes_numbers<F, nodes>, fits = detail::is_result<Result>::value;
      static_assert(!plain, "arr::fuse: the lambda takes numbers: write auto x, not double x");
      static_assert(fits, "arr::fuse: the lambda returns no node, and no std::make_tuple of nodes");
      if constexpr (fits && !plain) return computed<Result>(first, rest...);
    }
  }
  /** Explains why the lambda cannot be called. */
  template <class... Operand>
  array operator()(const Operand&...) const {
    static_assert(detail::never<F>,
                  "arr::fuse: the lambda takes another number of operands, or no nodes: write auto x");
    return {};
  }

  /** Writes the result to an existing array, which may be one of the operands. */
  template <class... Operand>
  void into(const output& dst, const Operand&... operands) const {
    const call<sizeof...(Operand)> c(*shared_, operands...);
    const arr_array to = dst.get();
    check(arr_expr_call_into(1, &to, c.traced.formula.get(), c.traced.results.data(), c.count, c.in.data(),
                             nullptr));
  }
  /** Returns the result for the product a * x, the lambda's first operand, and other arrays. */
  template <class... Array>
  array matmul(const sparse& a, const array& x, const Array&... others) const {
    constexpr size_t count = sizeof...(Array);
    const detail::traced& t = shared_->find(std::make_index_sequence<count + 1>());
    const arr_array in[count + 1] = {static_cast<const array&>(others).get()...};
    array out;
    check(arr_sparse_matmul_expr(a.get(), x.get(), t.formula.get(), t.results[0], static_cast<int32_t>(count),
                                 in, nullptr, out.put()));
    return out;
  }

 private:
  template <class Result, class... Operand>
  auto computed(const Operand&... operands) const {
    const call<sizeof...(Operand)> c(*shared_, operands...);
    if constexpr (detail::is_tuple<Result>::value) {
      constexpr size_t count = std::tuple_size_v<Result>;
      return detail::tuple_of(c.template run<count>(), std::make_index_sequence<count>());
    } else {
      return std::move(c.template run<1>()[0]);
    }
  }

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
    template <class... Operand>
    explicit call(state& lambda, const Operand&... operands)
        : traced(lambda.find(std::make_index_sequence<N>())), held{operand(operands)...} {
      for (size_t i = 0; i < N; ++i) in[i] = held[i].value();
    }
    template <size_t M>
    std::array<array, M> run() const {
      std::array<arr_array, M> out{};
      check(arr_expr_call(traced.formula.get(), static_cast<int32_t>(M), traced.results.data(), count,
                          in.data(), nullptr, out.data()));
      std::array<array, M> made;
      for (size_t i = 0; i < M; ++i) made[i] = array(out[i]);
      return made;
    }
    static constexpr auto count = static_cast<int32_t>(N);
    const detail::traced& traced;
    const std::array<operand, N> held;
    std::array<arr_value, N> in;
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
