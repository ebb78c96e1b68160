// SPDX-License-Identifier: MIT
// Parses formulas such as "sqrt(a*a + b*b)" into expressions: a recursive-descent parser with Python's
// operators and precedences, limited in length and depth. As in Python, numbers stay weak: 2*pi*x is float32
// for a float32 x.
#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <optional>

#include "base/renaming.h"
#include "base/utf8.h"
#include "expr/op_numbers.h"
#include "ops/expression/expression.h"
#include "ops/expression/tokens.h"

namespace arr {

namespace {

// Binary operators by precedence; ** is parsed separately.
struct Infix {
  std::string_view spelling;
  int32_t level;
  int32_t op;
};
constexpr int32_t comparison_level = 4, not_level = 3;
constexpr Infix infix[] = {
    {"or", 1, op::logical_or},  {"and", 2, op::logical_and}, {"==", 4, op::equal},
    {"!=", 4, op::not_equal},   {"<=", 4, op::less_equal},   {">=", 4, op::greater_equal},
    {"<", 4, op::less},         {">", 4, op::greater},       {"|", 5, op::bitwise_or},
    {"^", 6, op::bitwise_xor},  {"&", 7, op::bitwise_and},   {"<<", 8, op::left_shift},
    {">>", 8, op::right_shift}, {"+", 9, op::add},           {"-", 9, op::subtract},
    {"*", 10, op::multiply},    {"/", 10, op::divide},       {"//", 10, op::floor_divide},
    {"%", 10, op::remainder},
};
// A parsed value: a number that has not been combined with an array, or a node.
struct Value {
  int32_t node = -1;
  Scalar number;
};

// Finds an op by its name or by NumPy's other names for it ("abs"), which the table lists after the name.
const OpInfo* find_function(std::string_view wanted) {
  if (const OpInfo* found = op_find(wanted)) return found;
  for (const OpInfo& o : all_ops()) {
    std::string_view rest = o.cupy;
    while (!rest.empty()) {
      std::string_view word = rest.substr(0, rest.find(' '));
      rest.remove_prefix(std::min(rest.size(), word.size() + 1));
      if (word.starts_with("cupy.") && word.substr(5) == wanted) return &o;
    }
  }
  return nullptr;
}

DType find_dtype(std::string_view wanted) {
  for (const DTypeInfo& d : dtype_table) {
    if (d.bytes != 0 && wanted == d.name) return d.dtype;
  }
  return DType::none;
}

class Parser {
 public:
  Parser(Expression& e, std::string_view text, std::span<const char* const> names)
      : e_(e), tokens_(text), given_(!names.empty()) {
    for (const char* n : names) names_.emplace_back(n);
    nodes_.assign(names_.size(), -1);
  }

  int32_t run() {
    Value v = binary(0);
    if (tokens_.token().kind != FormulaToken::Kind::end) tokens_.expected("an operator");
    int32_t node = node_of(v);
    e_.set_formula(std::move(names_), std::move(constants_));
    return node;
  }

 private:
  // ---------------------------------------------------------------------------------------------- values

  // Runs a function and adds the column to the text of its error; for a wrong dtype also a hint.
  template <class F>
  auto at(size_t column, const char* hint, F&& f) {
    try {
      return f();
    } catch (const Error& e) {
      if (e.status() == ARR_E_MEMORY) throw;
      formula_error(column, text(without_argument(e.text()), e.status() == ARR_E_DTYPE ? hint : ""));
    }
  }
  template <class F>
  auto at(size_t column, F&& f) {
    return at(column, "", f);
  }

  int32_t node_of(const Value& v) { return v.node >= 0 ? v.node : e_.constant(v.number, true); }

  Value apply(size_t column, const OpInfo& info, std::span<const Value> args, const char* hint = "") {
    return at(column, hint, [&] {
      if (std::all_of(args.begin(), args.end(), [](const Value& v) { return v.node < 0; })) {
        std::vector<Scalar> numbers;
        for (const Value& v : args) numbers.push_back(v.number);
        return Value{-1, fold_plain(info, numbers)};
      }
      int32_t nodes[3] = {};
      for (size_t i = 0; i < args.size(); ++i) nodes[i] = node_of(args[i]);
      return Value{e_.op(info.number, {nodes, args.size()}), {}};
    });
  }

  Value number() {
    std::string_view s = tokens_.token().text;
    size_t column = tokens_.token().column;
    bool imaginary = s.back() == 'j' || s.back() == 'J';
    if (imaginary) s.remove_suffix(1);
    const char *first = s.data(), *last = first + s.size();
    Value v;
    bool hex = s.size() > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
    int64_t n = 0;
    auto as_int = std::from_chars(hex ? first + 2 : first, last, n, hex ? 16 : 10);
    if (as_int.ptr == last && !imaginary) {
      if (as_int.ec != std::errc()) formula_error(column, "the integer does not fit in 64 bits");
      v.number = scalar_of(n);
    } else {
      double x = 0;
      auto as_real = std::from_chars(first, last, x);
      bool range = as_real.ec == std::errc::result_out_of_range;
      if (as_real.ptr != last || hex || s.empty() || (as_real.ec != std::errc() && !range)) {
        formula_error(column, text("expected a number, got ", quoted(tokens_.token())));
      }
      if (range) formula_error(column, text(quoted(tokens_.token()), " does not fit in float64"));
      v.number = scalar_of(x);
      if (imaginary) v.number = {DType::complex128_, 0, std::bit_cast<uint64_t>(x)};
    }
    tokens_.next();
    return v;
  }

  Value variable(const FormulaToken& t) {
    auto found = std::find(names_.begin(), names_.end(), t.text);
    if (found == names_.end()) {
      if (auto c = constant(t.text)) {
        remember_constant(t.text, *c);
        return {-1, *c};
      }
      if (given_) formula_error(t.column, text(quoted(t), " is not one of the names"));
      names_.emplace_back(t.text);
      nodes_.push_back(-1);
      found = names_.end() - 1;
    }
    auto index = static_cast<size_t>(found - names_.begin());
    if (nodes_[index] < 0)
      nodes_[index] = at(t.column, [&] { return e_.input(static_cast<int32_t>(index)); });
    return {nodes_[index], {}};
  }

  // Notes named constants, so that errors about the inputs can say that the name is a constant.
  void remember_constant(std::string_view name, const Scalar& value) {
    const std::string of = std::string(name) + " is the constant ";
    if (constants_.find(of) != std::string::npos || value.dtype != DType::float64_) return;
    constants_ += (constants_.empty() ? "" : ", ") + of + decimal(std::bit_cast<double>(value.lo));
  }
  static std::string decimal(double x) {
    std::array<char, 32> digits{};
    return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), x).ptr};
  }

  static std::optional<Scalar> constant(std::string_view name) {
    if (name == "pi") return scalar_of(3.14159265358979323846);
    if (name == "e") return scalar_of(2.71828182845904523536);
    if (name == "inf") return scalar_of(__builtin_inf());
    if (name == "nan") return scalar_of(__builtin_nan(""));
    if (name == "True" || name == "False") return Scalar{DType::bool_, name == "True" ? 1U : 0U, 0};
    return std::nullopt;
  }

  // name(value, value, ...): an op, a cast, or index(axis).
  Value function(const FormulaToken& name) {
    Value args[3];
    size_t n = 0;
    tokens_.require("(");
    if (!tokens_.sees(")")) {
      do {
        if (n == std::size(args))
          formula_error(tokens_.token().column, text(quoted(name), " with more than 3 operands"));
        args[n++] = binary(0);
      } while (tokens_.take(","));
    }
    tokens_.require(")");
    auto operands = [&](int32_t wanted) {
      if (n != static_cast<size_t>(wanted)) {
        formula_error(name.column, text(name.text, " takes ", wanted,
                                        wanted == 1 ? " operand, got " : " operands, got ", n));
      }
    };
    if (DType d = find_dtype(name.text); d != DType::none) {
      operands(1);
      return at(name.column, [&] {
        if (args[0].node >= 0) return Value{e_.cast(args[0].node, d), {}};
        return Value{e_.constant(fit_plain(args[0].number, d), false), {}};
      });
    }
    if (name.text == "index") {
      operands(1);
      auto axis = static_cast<int64_t>(args[0].number.lo);
      if (args[0].node >= 0 || args[0].number.dtype != DType::int64_ || axis < -max_ndim ||
          axis >= max_ndim) {
        formula_error(name.column, "index takes the number of an axis");
      }
      return {at(name.column, [&] { return e_.index(static_cast<int32_t>(axis)); }), {}};
    }
    const OpInfo* info = find_function(name.text);
    if (info == nullptr) formula_error(name.column, text(quoted(name), " is the name of no operation"));
    operands(info->nin);
    return apply(name.column, *info, {args, n});
  }

  // --------------------------------------------------------------------------------------------- grammar

  void deeper(size_t column) {
    if (++depth_ > max_parse_depth) {
      formula_error(column, text("nested more than ", max_parse_depth, " deep"));
    }
  }

  static const Infix* find_infix(const FormulaToken& t) {
    if (t.kind != FormulaToken::Kind::sign && t.kind != FormulaToken::Kind::name) return nullptr;
    for (const Infix& i : infix) {
      if (i.spelling == t.text) return &i;
    }
    return nullptr;
  }

  // Operators with at least the precedence `level`.
  Value binary(int32_t level) {
    deeper(tokens_.token().column);
    Value left = level <= not_level ? negation() : unary();
    bool compared = false;
    for (const Infix* i = find_infix(tokens_.token()); i != nullptr && i->level >= level;
         i = find_infix(tokens_.token())) {
      size_t column = tokens_.token().column;
      if (i->level == comparison_level && compared) {
        formula_error(column, "comparisons do not chain: write (a < b) & (b < c)");
      }
      compared = i->level == comparison_level;
      tokens_.next();
      const Value both[2] = {left, binary(i->level + 1)};
      left = apply(column, *op_info(i->op), both, i->op == op::bitwise_xor ? power_hint : "");
    }
    --depth_;
    return left;
  }

  Value negation() {
    if (!tokens_.sees("not")) return unary();
    size_t column = tokens_.token().column;
    tokens_.next();
    const Value v = binary(not_level);
    return apply(column, *op_info(op::logical_not), {&v, 1});
  }

  Value unary() {
    static constexpr std::pair<std::string_view, int32_t> prefixes[] = {
        {"-", op::negative}, {"+", op::positive}, {"~", op::invert}};
    for (auto [spelling, number] : prefixes) {
      if (!tokens_.sees(spelling)) continue;
      size_t column = tokens_.token().column;
      deeper(column);
      tokens_.next();
      const Value v = unary();
      --depth_;
      return apply(column, *op_info(number), {&v, 1});
    }
    Value base = atom();
    size_t column = tokens_.token().column;
    if (!tokens_.take("**")) return base;
    deeper(column);
    const Value both[2] = {base, unary()};
    --depth_;
    return apply(column, *op_info(op::power), both);
  }

  Value atom() {
    const FormulaToken t = tokens_.token();
    if (t.kind == FormulaToken::Kind::number) return number();
    if (t.kind == FormulaToken::Kind::name && t.text != "not" && find_infix(t) == nullptr) {
      tokens_.next();
      return tokens_.sees("(") ? function(t) : variable(t);
    }
    if (!tokens_.take("(")) tokens_.expected("a value");
    Value v = binary(0);
    tokens_.require(")");
    return v;
  }

  Expression& e_;
  FormulaTokens tokens_;
  bool given_;
  std::vector<std::string> names_;
  std::string constants_;
  std::vector<int32_t> nodes_;
  int32_t depth_ = 0;
};

// Throws unless the names are valid in a formula and different.
void check_names(std::span<const char* const> names) {
  for (size_t i = 0; i < names.size(); ++i) {
    const std::string_view n = names[i];
    bool good = !n.empty() && is_letter(n[0]) && n != "and" && n != "or" && n != "not";
    for (char c : n) good = good && (is_letter(c) || is_digit(c));
    if (!good) fail(ARR_E_ARGUMENT, "argument vars: \"", cut(n, 32), "\" at position ", i, " is not a name");
    if (std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i), n) !=
        names.begin() + static_cast<std::ptrdiff_t>(i)) {
      fail(ARR_E_ARGUMENT, "argument vars: the name ", n, " is used twice");
    }
  }
}

}  // namespace

int32_t parse(Expression& e, std::string_view formula, std::span<const char* const> names) {
  if (formula.size() > static_cast<size_t>(max_parse_bytes)) {
    fail(ARR_E_ARGUMENT, "argument text: ", formula.size(), " bytes, at most ", max_parse_bytes);
  }
  if (names.size() > static_cast<size_t>(Expression::max_inputs)) {
    fail(ARR_E_ARGUMENT, "argument nvars: ", names.size(), ", at most ", Expression::max_inputs, " inputs");
  }
  check_names(names);
  return Parser(e, formula, names).run();
}

}  // namespace arr
