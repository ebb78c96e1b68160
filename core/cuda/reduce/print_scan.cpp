// SPDX-License-Identifier: MIT
// Scans as CUDA C++ text. Blocks that share a row each take a tile of it, in the order in which they begin,
// and look back at what the tiles before theirs have left in memory: a single pass, in an order of
// combination that the shape fixes (docs/decisions/0006). Blocks that share columns begin from the results of
// the parts before, which two launches have made ready (see scan.cpp).
#include <algorithm>

#include "base/checked.h"
#include "cuda/codegen/print.h"

namespace arr::cuda {

namespace {

// A result of a tile for the others to find: up to 32 bits and the news that it is there in one word, which
// is written at once; wider ones behind a flag.
constexpr const char narrow_room[] = R"(
struct arr_room {
  volatile unsigned long long* words;
  ARR_FN arr_room(char* at, long long) : words((volatile unsigned long long*)at) {}
  ARR_FN void leave(long long at, A a) const {
    unsigned bits = 0;
    ARR_COPY(&bits, &a, sizeof(A));
    words[at] = 1ull << 32 | bits;
  }
  ARR_FN A take(long long at) const {
    unsigned long long word = 0;
    while ((word = words[at]) == 0) {
    }
    const unsigned bits = (unsigned)word;
    A a;
    ARR_COPY(&a, &bits, sizeof(A));
    return a;
  }
};
)";
constexpr const char wide_room[] = R"(
struct arr_room {
  static constexpr int words = (int)(sizeof(A) / 8);
  volatile unsigned* there;
  volatile unsigned long long* values;
  ARR_FN arr_room(char* at, long long slots)
      : there((volatile unsigned*)at), values((volatile unsigned long long*)(at + (slots * 4 + 15) / 16 * 16)) {}
  ARR_FN void leave(long long at, A a) const {
    unsigned long long w[words];
    ARR_COPY(w, &a, sizeof(A));
    for (int i = 0; i < words; ++i) values[at * words + i] = w[i];
    __threadfence();
    there[at] = 1;
  }
  ARR_FN A take(long long at) const {
    while (there[at] == 0) {
    }
    __threadfence();
    unsigned long long w[words];
    for (int i = 0; i < words; ++i) w[i] = values[at * words + i];
    A a;
    ARR_COPY(&a, w, sizeof(A));
    return a;
  }
};
)";
// What is in front of a tile, from its total; all threads of the first warp call it. Tiles make groups of 32,
// and these groups of 32. Behind the tiles' own results lie those of whole groups, then those of all up to
// the end of each group of groups.
constexpr const char look_back[] = R"(
ARR_FN A arr_up_to(A a, int lane) {
#pragma unroll
  for (int d = 1; d < 32; d <<= 1) {
    const A t = arr_shuffle_up(a, d);
    if (lane >= d) a = arr_join(t, a);
  }
  return a;
}
ARR_FN A arr_ahead(arr_room room, long long first, long long tile, long long tiles, A total) {
  const int lane = threadIdx.x, own = (int)(tile & 31), group = (int)(tile >> 5 & 31);
  const long long groups = first + tiles, ends = groups + (tiles >> 5);
  if (lane == 0) room.leave(first + tile, total);
  A a = total;
  if (lane < own) a = room.take(first + tile - own + lane);
  a = arr_up_to(a, lane);
  A ahead = arr_shuffle(a, own > 0 ? own - 1 : 0), whole = arr_shuffle(a, 31);
  bool some = own > 0;
  if (own == 31 && lane == 0) room.leave(groups + (tile >> 5), whole);
  if (group > 0) {
    a = whole;
    if (lane < group) a = room.take(groups + (tile >> 5) - group + lane);
    a = arr_up_to(a, lane);
    const A before = arr_shuffle(a, group - 1);
    ahead = some ? arr_join(before, ahead) : before;
    some = true;
    whole = arr_shuffle(a, 31);
  }
  if (tile >= 1024) {
    const A before = room.take(ends + (tile >> 10) - 1);
    ahead = some ? arr_join(before, ahead) : before;
    whole = arr_join(before, whole);
  }
  if (own == 31 && group == 31 && lane == 0) room.leave(ends + (tile >> 10), whole);
  return ahead;
}
)";
constexpr int64_t room_head = 16;
int64_t slots_of(int64_t tiles) { return tiles + (tiles >> 5) + (tiles >> 10); }

class Scan {
 public:
  Scan(const ReductionInfo& r, const Program& map, DType acc, DType out, const ScanShape& s)
      : r_(r), map_(map), acc_(acc), out_type_(out), s_(s), w_(scan_words(s)) {}

  std::string print() {
    out_ = print_body(map_);
    out_ += text("struct arr_params { unsigned long long w[", w_.count, "]; };\ntypedef ", cpp_type(acc_),
                 " A;\ntypedef ", cpp_type(out_type_), " O;\nARR_FN A arr_join(A a, A b) { return ",
                 r_.combine, "; }\n");
    if (looks_back()) out_ += text(item_size(acc_) <= 4 ? narrow_room : wide_room, look_back);
    out_ += text("extern \"C\" __global__ void __launch_bounds__(", block_threads,
                 ") arr_kernel(const __grid_constant__ arr_params p) {\n",
                 "  const long long sequences = (long long)p.w[0], length = (long long)p.w[1];\n");
    if (s_.kind == ScanShape::columns) {
      columns();
    } else {
      rows();
    }
    return out_ + "}\n";
  }

 private:
  const char* index() const { return s_.wide ? "long long" : "int"; }
  bool looks_back() const { return s_.split && s_.kind == ScanShape::rows; }

  // Where sequence o begins.
  void begin(const char* indent) {
    out_ += print_split(indent, "o", "k", s_.kept, w_.extent, s_.wide);
    out_ += text(indent, "to = (char*)p.w[", scan_output_word, "] + ",
                 print_offset("k", s_.kept, w_.output, s_.wide), ";\n");
    for (size_t k = 0; k < s_.access.size(); ++k) {
      if (s_.access[k] == Access::immediate) continue;
      out_ += text(indent, "q", k, " = (const char*)p.w[", w_.pointer[k], "] + ",
                   print_offset("k", s_.kept, w_.stride[k], s_.wide), ";\n");
    }
  }
  void variables() {
    out_ += "  char* to = nullptr;\n";
    for (size_t k = 0; k < s_.access.size(); ++k) {
      const char* type = cpp_type(map_.inputs[k]);
      if (s_.access[k] == Access::immediate) {
        out_ += text("  const ", type, " s", k, " = arr_word<", type, ">(p.w + ", w_.pointer[k], ");\n");
      } else {
        out_ += text("  const char* q", k, " = nullptr;\n");
      }
    }
    out_ += "  A before = A(0);\n";
  }
  // The part from `from` to `end` of a sequence; `any`: there is something in front of it.
  void part(const char* length, const char* number) {
    out_ += text("  const ", index(), " part = ", length, ", from = (", index(), ")", number,
                 " * part;\n  const ", index(), " end = (long long)from + part < length ? ",
                 "from + part : (", index(), ")length;\n  bool any = ", number, " > 0;\n");
  }
  void whole() {
    out_ += text("  const ", index(), " from = 0, end = (", index(), ")length;\n  bool any = false;\n");
  }

  // The map of element `at` into `to`.
  std::string element(const char* at, const std::string& to) const {
    std::string args;
    for (size_t k = 0; k < s_.access.size(); ++k) {
      if (s_.access[k] == Access::immediate) {
        args += text("s", k, ", ");
      } else {
        args += text("*(const ", cpp_type(map_.inputs[k]), "*)(q", k, " + ", at, " * (", index(), ")p.w[",
                     w_.stride[k] + s_.kept, "]), ");
      }
    }
    return text("arr_body(", args, to, ");\n");
  }
  std::string store(const char* at, const char* value) const {
    return text("*(O*)(to + ", at, " * (", index(), ")p.w[", w_.output + s_.kept, "]) = arr_cast<O>(", value,
                ");\n");
  }

  // A thread per sequence: neighbouring threads read neighbouring elements.
  void columns() {
    variables();
    if (s_.split) {
      part(text("(", index(), ")p.w[", scan_part_word, "]").c_str(), "blockIdx.y");
    } else {
      whole();
    }
    out_ += text("  const long long o = (long long)blockIdx.x * ", block_threads,
                 " + threadIdx.x;\n  if (o >= sequences) return;\n");
    begin("  ");
    if (s_.split) {
      out_ += text("  if (any) before = ((const A*)p.w[", scan_carry_word,
                   "])[(long long)(blockIdx.y - 1) * sequences + o];\n");
    }
    out_ += text("#pragma unroll 4\n  for (", index(), " j = from; j < end; ++j) {\n    A m;\n    ",
                 element("j", "m"), "    before = any ? arr_join(before, m) : m;\n    any = true;\n    ",
                 store("j", "before"), "  }\n");
  }

  // `lanes` threads per sequence. A step takes `each` times that many elements: each warp as many next to
  // each other, 32 times `vector` of them at once and `vector` next to each other of a thread, so that
  // neighbouring threads read and write neighbouring elements.
  void rows() {
    variables();
    out_ += text("  const int lane = threadIdx.x % ", s_.lanes, ", row = threadIdx.x / ", s_.lanes, ";\n");
    if (looks_back()) {
      // Blocks wait for tiles with lower numbers only, which other blocks have already begun.
      out_ += text("  __shared__ unsigned taken;\n  if (threadIdx.x == 0) taken = atomicAdd((unsigned*)p.w[",
                   scan_carry_word, "], 1u);\n  __syncthreads();\n  const unsigned tiles = (unsigned)p.w[",
                   scan_part_word, "], tile = taken % tiles;\n  const long long o = taken / tiles;\n");
      part(std::to_string(s_.lanes * s_.each).c_str(), "tile");
    } else {
      out_ += text("  const long long o = (long long)blockIdx.x * ", block_threads / s_.lanes, " + row;\n");
      whole();
    }
    out_ += "  const bool mine = o < sequences;\n  if (mine) {\n";
    begin("    ");
    out_ += "  }\n";
    if (s_.lanes > 32) out_ += text("  __shared__ A parts[", block_threads / 32, "];\n");
    // The bound, not base, stops short of a step that would overflow.
    out_ +=
        text("#pragma unroll 1\n  for (", index(), " base = from; base < end; base += ", s_.lanes * s_.each,
             ") {\n    const ", index(), " warp = base + lane / 32 * ", 32 * s_.each, ";\n    A v[", s_.each,
             "], lead[", groups(), "], sum = A(0), front = A(0);\n    bool some = false;\n");
    each_group(true);
    load();
    warp();
    out_ += "    }\n";
    if (s_.lanes > 32) warps();
    if (looks_back()) ahead();
    // What is in front of the warp's elements.
    out_ +=
        "    if (any) {\n      front = some ? arr_join(before, front) : before;\n      some = true;\n    }\n";
    each_group(false);
    put();
    out_ += "    }\n    before = any ? arr_join(before, sum) : sum;\n    any = true;\n  }\n";
  }
  int32_t width() const { return std::min(s_.lanes, 32); }
  int32_t groups() const { return s_.each / s_.vector; }
  // The loop over the groups of elements side by side, j this thread's first; left where a warp has none.
  void each_group(bool leave) {
    const int32_t all = width() * s_.vector;
    out_ += text("#pragma unroll\n    for (int i = 0; i < ", groups(), "; ++i) {\n");
    if (leave) out_ += text("      if (warp + i * ", all, " >= end) break;\n");
    out_ += text("      const ", index(), " j = warp + i * ", all, " + lane % ", width(), " * ", s_.vector,
                 ";\n");
  }

  // v: this thread's elements of the group, combined one after another; m: all of them. Only the last step of
  // a sequence lacks elements, and those come last.
  void load() {
    bool packs = false;
    for (Access a : s_.access) packs = packs || a == Access::contiguous;
    out_ += text("#pragma unroll\n      for (int k = 0; k < ", s_.vector, "; ++k) v[i * ", s_.vector,
                 " + k] = A(0);\n");
    if (packs) {
      out_ += text("      if (mine && j + ", s_.vector - 1, " < end) {\n");
      std::string args;
      for (size_t k = 0; k < s_.access.size(); ++k) {
        const char* type = cpp_type(map_.inputs[k]);
        if (s_.access[k] == Access::immediate) {
          args += text("s", k, ", ");
        } else if (s_.access[k] == Access::contiguous) {
          const std::string pack = text("arr_pack<", type, ", ", s_.vector, ">");
          out_ += text("        const ", pack, " a", k, " = *(const ", pack, "*)((const ", type, "*)q", k,
                       " + j);\n");
          args += text("a", k, ".v[k], ");
        } else {
          args += text("*(const ", type, "*)(q", k, " + (j + k) * (", index(), ")p.w[",
                       w_.stride[k] + s_.kept, "]), ");
        }
      }
      out_ += text("#pragma unroll\n        for (int k = 0; k < ", s_.vector, "; ++k) arr_body(", args,
                   "v[i * ", s_.vector, " + k]);\n      } else ");
    } else {
      out_ += "      ";
    }
    out_ += text("if (mine) {\n#pragma unroll\n        for (int k = 0; k < ", s_.vector,
                 "; ++k) {\n          if (j + k < end) ",
                 element("(j + k)", text("v[i * ", s_.vector, " + k]")), "        }\n      }\n");
    if (s_.vector > 1) {
      out_ += text("#pragma unroll\n      for (int k = 1; k < ", s_.vector, "; ++k) v[i * ", s_.vector,
                   " + k] = arr_join(v[i * ", s_.vector, " + k - 1], v[i * ", s_.vector, " + k]);\n");
    }
    out_ += text("      A m = v[i * ", s_.vector, " + ", s_.vector - 1, "];\n");
  }
  // lead[i]: what is in front of this thread's elements within the warp's of this step, if there is
  // something; sum: all of these so far.
  void warp() {
    const int32_t w = width();
    if (w == 1) {
      out_ += "      lead[i] = sum;\n      sum = i == 0 ? m : arr_join(sum, m);\n";
      return;
    }
    out_ += text("#pragma unroll\n      for (int d = 1; d < ", w, "; d <<= 1) {\n",
                 "        const A t = arr_shuffle_up(m, d);\n        if (lane % ", w,
                 " >= d) m = arr_join(t, m);\n      }\n",
                 "      const A t = arr_shuffle_up(m, 1), all = arr_shuffle(m, threadIdx.x % 32 / ", w, " * ",
                 w, " + ", w - 1, ");\n      lead[i] = i == 0 ? t : lane % ", w,
                 " == 0 ? sum : arr_join(sum, t);\n      sum = i == 0 ? all : arr_join(sum, all);\n");
  }
  // front: the sum of the warps before this one, if there are some; sum: of all warps.
  void warps() {
    const int32_t count = s_.lanes / 32;
    out_ +=
        text("    __syncthreads();\n    if (lane % 32 == 0) parts[threadIdx.x / 32] = sum;\n",
             "    __syncthreads();\n    A all = parts[row * ", count, "];\n#pragma unroll\n",
             "    for (int w = 1; w < ", count, "; ++w) {\n      if (w == lane / 32) {\n",
             "        front = all;\n        some = true;\n      }\n      all = arr_join(all, parts[row * ",
             count, " + w]);\n    }\n    sum = all;\n");
  }
  // before: what the tiles in front of this one leave.
  void ahead() {
    out_ += text(
        "    __shared__ A found;\n    if (threadIdx.x < 32) {\n      const long long slots = tiles + (tiles ",
        ">> 5) + (tiles >> 10);\n      const arr_room room((char*)p.w[", scan_carry_word, "] + ", room_head,
        ", sequences * slots);\n      const A a = arr_ahead(room, o * slots, tile, tiles, sum);\n",
        "      if (threadIdx.x == 0) found = a;\n    }\n    __syncthreads();\n    before = found;\n");
  }
  // The results of a group.
  void put() {
    const int32_t w = width();
    out_ += text("      if (!mine || j >= end) break;\n      const bool led = i > 0",
                 w == 1 ? std::string() : text(" || lane % ", w, " > 0"),
                 ";\n      const A l = some ? led ? arr_join(front, lead[i]) : front : lead[i];\n",
                 "      const bool has = some || led;\n");
    const std::string value =
        text("(has ? arr_join(l, v[i * ", s_.vector, " + k]) : v[i * ", s_.vector, " + k])");
    if (s_.packed) {
      const std::string pack = text("arr_pack<O, ", s_.vector, ">");
      out_ += text("      if (j + ", s_.vector - 1, " < end) {\n        ", pack, " r;\n#pragma unroll\n",
                   "        for (int k = 0; k < ", s_.vector, "; ++k) r.v[k] = arr_cast<O>", value,
                   ";\n        *(", pack, "*)((O*)to + j) = r;\n        continue;\n      }\n");
    }
    out_ += text("#pragma unroll\n      for (int k = 0; k < ", s_.vector,
                 "; ++k) {\n        if (j + k < end) ", store("(j + k)", value.c_str()), "      }\n");
  }

  const ReductionInfo& r_;
  const Program& map_;
  const DType acc_, out_type_;
  const ScanShape& s_;
  const Words w_;
  std::string out_;
};

}  // namespace

Words scan_words(const ScanShape& s) {
  Words w;
  w.extent = scan_part_word + 1;
  w.output = w.extent + 2 * s.kept;
  w.count = w.output + s.kept + 1;
  w.add_operands(s.access, s.kept + 1);
  return w;
}

ScanRoom scan_room(DType acc, int64_t sequences, int64_t tiles) {
  const int64_t slots = checked::mul(sequences, slots_of(tiles), "the tiles of a scan"),
                item = item_size(acc);
  if (item <= 4) return {room_head + slots * 8, room_head + slots * 8};
  const int64_t flags = room_head + (slots * 4 + 15) / 16 * 16;
  return {flags + slots * item, flags};
}

std::string print_scan(const ReductionInfo& r, const Program& map, DType acc, DType out, const ScanShape& s) {
  return Scan(r, map, acc, out, s).print();
}

}  // namespace arr::cuda
