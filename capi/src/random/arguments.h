// SPDX-License-Identifier: MIT
// Parameters of distributions as arguments.
#pragma once

#include <algorithm>
#include <array>
#include <string>

#include "base/renaming.h"
#include "capi/src/random/generators.h"

namespace arr::capi {

// Parameters of a call; NULL and empty values select the defaults.
class Given {
 public:
  // For a distribution by number: a list. The row of the table has the names of the parameters.
  Given(int32_t n, const arr_value* values) {
    if (n < 0 || n > static_cast<int32_t>(max_parameters))
      arr::fail(ARR_E_ARGUMENT, "argument nparameters: ", n, ", expected 0 .. ", max_parameters);
    if (n > 0) check_pointer(values, "parameters");
    std::array<const arr_value*, max_parameters> each{};
    for (int32_t k = 0; k < n; ++k) each.at(static_cast<size_t>(k)) = values + k;
    for (size_t k = 0; k < max_parameters; ++k) names_.at(k) = arr::text("parameters[", k, "]");
    take(each.data(), static_cast<size_t>(n));
  }
  // For a function of one distribution; parameters: the text of its row in the table, "loc=0 scale=1:ge0".
  Given(const arr_value* const* values, size_t n, std::string_view parameters) {
    count_ = n;
    if (std::none_of(values, values + n, is_set)) return;
    for (size_t k = 0; k < n; ++k) {
      const std::string_view word = parameters.substr(0, parameters.find(' '));
      names_.at(k) = word.substr(0, word.find_first_of("=:"));
      parameters.remove_prefix(std::min(parameters.size(), word.size() + 1));
    }
    take(values, n);
  }
  [[nodiscard]] arr::Parameters all() const { return {inputs_.data(), count_}; }

  // Runs the body, whose errors name arrays by their position among the arrays.
  template <class Body>
  decltype(auto) naming(Body&& body) const {
    return arr::renaming({{"x", arrays_[0]}, {"y", arrays_[1]}, {"z", arrays_[2]}}, std::forward<Body>(body));
  }

 private:
  static bool is_set(const arr_value* value) { return value != nullptr && value->kind != ARR_VALUE_NONE; }
  void take(const arr_value* const* values, size_t n) {
    size_t arrays = 0;
    for (size_t k = 0; k < n; ++k) {
      if (!is_set(values[k])) continue;
      operands_.add(values[k], names_.at(k).c_str());
      inputs_.at(k) = operands_.inputs().back();
      if (inputs_.at(k).array != nullptr) arrays_.at(arrays++) = names_.at(k);
    }
    count_ = n;
  }

  static constexpr size_t max_parameters = 3;
  std::array<std::string, max_parameters> names_;
  std::array<std::string_view, max_parameters> arrays_;
  Operands operands_;
  std::array<arr::Input, max_parameters> inputs_;
  size_t count_ = 0;
};

// Runs a body that draws by number, whose errors name the parameters of the distribution.
template <class Body>
decltype(auto) by_number(Body&& body) {
  return arr::renaming({{"dtype", "dtype"},
                        {"dst", "dst"},
                        {"shape", "shape"},
                        {"stream", "stream"},
                        {"distribution", "distribution"},
                        {"nparameters", "nparameters"},
                        {"x", "parameters"},
                        {"y", "parameters"},
                        {"z", "parameters"},
                        {arr::any_argument, "parameters", true}},
                       std::forward<Body>(body));
}

}  // namespace arr::capi
