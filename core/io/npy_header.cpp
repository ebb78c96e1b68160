// SPDX-License-Identifier: MIT
// The grammar of .npy headers:
//   header  = space "{" space [entry { "," space entry } ["," space]] "}" space
//   entry   = string space ":" space value space        with the keys descr, fortran_order, shape, once each
//   descr   = quoted ["<" | ">" | "=" | "|"] (letter digits | letter), or a dtype's name
//   shape   = "(" ")" | "(" number "," ")" | "(" number { "," number } [","] ")"      number = digits ["L"]
// Nothing is evaluated and no escapes are known; everything else is an error.
#include "io/npy_header.h"

#include <bit>
#include <utility>

namespace arr::io {

static_assert(std::endian::native == std::endian::little,
              "element bytes are little-endian here and in the file");

namespace {

class HeaderParser {
 public:
  explicit HeaderParser(std::string_view text) : text_(text) {}

  NpyHeader parse() {
    space();
    expect('{');
    space();
    while (!accept('}')) {
      entry();
      space();
      if (!accept(',')) {
        expect('}');
        break;
      }
      space();
    }
    space();
    if (at_ != text_.size()) wrong("text after the closing brace");
    if (!(seen_ & descr_bit)) fail(ARR_E_FORMAT, "header: no key 'descr'");
    if (!(seen_ & order_bit)) fail(ARR_E_FORMAT, "header: no key 'fortran_order'");
    if (!(seen_ & shape_bit)) fail(ARR_E_FORMAT, "header: no key 'shape'");
    return out_;
  }

 private:
  static constexpr uint32_t descr_bit = 1, order_bit = 2, shape_bit = 4;

  [[noreturn]] void wrong(const char* what) const { fail(ARR_E_FORMAT, "header: at byte ", at_, ": ", what); }
  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool accept(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (accept(c)) return;
    char what[] = "expected ' '";
    what[10] = c;
    wrong(what);
  }
  void space() {
    while (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r') ++at_;
  }

  std::string_view quoted() {
    char quote = peek();
    if (quote != '\'' && quote != '"') wrong("expected a quoted string");
    size_t start = ++at_;
    while (peek() != quote) {
      char c = peek();
      if (c < 0x20 || c > 0x7e || c == '\\')
        wrong("a string that does not end, or has an escape or a character beyond ASCII");
      ++at_;
    }
    return text_.substr(start, at_++ - start);
  }

  void entry() {
    std::string_view key = quoted();
    uint32_t bit = key == "descr"           ? descr_bit
                   : key == "fortran_order" ? order_bit
                   : key == "shape"         ? shape_bit
                                            : 0;
    if (bit == 0) fail(ARR_E_FORMAT, "header: unknown key '", key.substr(0, 40), "'");
    if (seen_ & bit) fail(ARR_E_FORMAT, "header: key '", key, "' appears twice");
    seen_ |= bit;
    space();
    expect(':');
    space();
    if (bit == descr_bit) descr();
    if (bit == order_bit) fortran_order();
    if (bit == shape_bit) shape();
  }

  void descr() {
    if (peek() == '[' || peek() == '(') fail(ARR_E_DTYPE, "descr: a structured type; libarr has none");
    std::string_view d = quoted();
    auto unknown = [&] {
      fail(ARR_E_DTYPE, "descr: '", d.substr(0, 40), "' is not an element type of libarr");
    };
    if (d.size() >= 2 && d[1] == 'O')
      fail(ARR_E_DTYPE, "descr: '", d.substr(0, 40), "' is an array of Python objects");
    // NumPy always writes a byte order. Without one, or with '|', it reads the machine's.
    const bool ordered = !d.empty() && std::string_view("<>=|").find(d[0]) != std::string_view::npos;
    const std::string_view kind = ordered ? d.substr(1) : d;
    if (kind == "l" || kind == "L" || kind == "p" || kind == "P") {
      fail(ARR_E_DTYPE, "descr: '", d, "' has a platform-dependent size and cannot be read portably");
    }
    for (int32_t n = 1; n < dtype_limit; ++n) {
      if (!is_dtype(n)) continue;
      const DTypeInfo& t = info(static_cast<DType>(n));
      const std::string_view own = t.npy;
      if (own.empty()) continue;
      const bool letter = kind.size() == 1 && kind[0] == letter_of(t.dtype);
      if (own.substr(1) != kind && !letter && (ordered || t.name != d)) continue;
      out_.dtype = t.dtype;
      out_.swapped = ordered && d[0] == '>' && t.bytes > 1;
      return;
    }
    unknown();
  }

  // NumPy's one-letter codes.
  static char letter_of(DType d) {
    constexpr std::pair<DType, char> letters[] = {
        {DType::bool_, '?'},      {DType::int8_, 'b'},      {DType::uint8_, 'B'},   {DType::int16_, 'h'},
        {DType::uint16_, 'H'},    {DType::int32_, 'i'},     {DType::uint32_, 'I'},  {DType::int64_, 'q'},
        {DType::uint64_, 'Q'},    {DType::float16_, 'e'},   {DType::float32_, 'f'}, {DType::float64_, 'd'},
        {DType::complex64_, 'F'}, {DType::complex128_, 'D'}};
    for (const auto& [dtype, letter] : letters) {
      if (dtype == d) return letter;
    }
    return 0;
  }

  void fortran_order() {
    std::string_view rest = text_.substr(at_);
    bool yes = rest.starts_with("True"), no = rest.starts_with("False");
    if (!yes && !no) wrong("fortran_order is neither True nor False");
    at_ += yes ? 4 : 5;
    out_.order = yes ? Order::F : Order::C;
  }

  int64_t number() {
    size_t start = at_;
    int64_t n = 0;
    for (; peek() >= '0' && peek() <= '9'; ++at_) {
      if (!checked::mul(n, int64_t{10}, &n) || !checked::add(n, int64_t{peek() - '0'}, &n)) {
        wrong("an extent beyond 2^63");
      }
    }
    if (at_ == start) wrong("expected an extent: a number that is not negative");
    if (at_ - start > 1 && text_[start] == '0') wrong("an extent that begins with 0");
    accept('L');  // Python 2 wrote long integers like this
    return n;
  }

  void shape() {
    expect('(');
    space();
    bool comma = true;
    while (!accept(')')) {
      if (!comma) wrong("expected ',' or ')'");
      if (out_.ndim == max_ndim) fail(ARR_E_SHAPE, "shape: more than ", max_ndim, " dimensions");
      out_.shape[out_.ndim++] = number();
      space();
      comma = accept(',');
      space();
    }
    if (out_.ndim == 1 && !comma) wrong("shape is a number in brackets, expected a tuple");
  }

  std::string_view text_;
  size_t at_ = 0;
  uint32_t seen_ = 0;
  NpyHeader out_;
};

}  // namespace

NpyHeader parse_npy_header(std::string_view text) { return HeaderParser(text).parse(); }

std::string npy_preamble(const NpyHeader& h) {
  std::string tuple = "(";
  for (int32_t i = 0; i < h.ndim; ++i)
    tuple += text(i > 0 ? " " : "", h.shape[i], i + 1 < h.ndim || h.ndim == 1 ? "," : "");
  tuple += ")";
  std::string dict =
      text("{'descr': '", info(h.dtype).npy, "', 'fortran_order': ", h.order == Order::F ? "True" : "False",
           ", 'shape': ", tuple, ", }");
  // Like NumPy, leaves space for the slowest extent to grow to 21 digits.
  if (h.ndim > 0) {
    size_t digits = std::to_string(h.shape[h.order == Order::F ? h.ndim - 1 : 0]).size();
    dict.append(21 - digits, ' ');
  }
  constexpr size_t front = npy_magic_bytes + 2, align = 64;
  size_t length = dict.size() + 1;
  length += align - (front + length) % align;
  dict.resize(length - 1, ' ');
  std::string out("\x93NUMPY\x01\x00", npy_magic_bytes);
  out += static_cast<char>(length & 0xff);
  out += static_cast<char>(length >> 8);
  return out + dict + '\n';
}

}  // namespace arr::io
