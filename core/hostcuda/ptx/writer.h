// SPDX-License-Identifier: MIT
// Writes one instruction of PTX as C++. The members that write a family are in the file of its name:
// memory.cpp, conversions.cpp, textures.cpp, video.cpp, barriers.cpp, warp.cpp, matrices.cpp, fragments.cpp.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "hostcuda/ptx/instruction.h"
#include "hostcuda/ptx/table.h"

namespace arr::host_kernels {

inline bool one_of(std::string_view s, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), s) != list.end();
}

// A geometry of textures and surfaces: the coordinates within a layer, the length of the vector of
// coordinates, whose last one may be unused, and arr_host's shape.
struct PtxGeometry {
  std::string_view name;
  size_t coordinates, length;
  bool layered;
  std::string_view shape;
};

class PtxWriter {
 public:
  PtxWriter(const PtxInstruction& i, PtxNames& names);
  std::string run();

 private:
  enum class Fit { exact, wider };  // whether a register may be wider than the type

  [[nodiscard]] size_t count() const { return i_.operands.size(); }
  [[nodiscard]] char group() const { return types_.empty() ? ' ' : types_.back()->group; }
  std::string syncs(std::string code);
  std::string bad(std::string why = "");
  std::string done(std::string code) { return bad_ ? std::string() : std::move(code); }

  // Operands: a value of a C++ type, and an assignment.
  std::string value(size_t at, const std::string& type, Fit fit = Fit::exact);
  std::string value(const std::string& o, const std::string& type, Fit fit = Fit::exact);
  std::string number(const std::string& o, const std::string& type);
  std::string special(const std::string& o, const std::string& type);
  std::string address_of(const std::string& o, const std::string& type);
  std::string set(size_t at, const std::string& type, const std::string& code, Fit fit = Fit::exact);
  std::string set(const std::string& o, const std::string& type, const std::string& code,
                  Fit fit = Fit::exact);
  bool fits(const std::string& o, const std::string& type, Fit fit);
  std::string flushed(const std::string& code, const std::string& type) const;
  static std::vector<std::string> parts(const std::string& o);

  // instructions.cpp
  struct Family {
    std::string_view name, section;
    std::string (PtxWriter::*write)();
  };
  static const Family* find_family(std::string_view name);
  std::string fence();
  std::string trap();
  std::string sleep();
  std::string function();
  std::string call_of(const PtxFunction& row);
  [[nodiscard]] std::string kind(char c) const;
  std::string dot();
  std::string carry();

  // memory.cpp
  [[nodiscard]] PtxSpace space() const;
  [[nodiscard]] std::string memory_key() const;
  [[nodiscard]] std::string order() const;
  [[nodiscard]] bool is_inside(const PtxSymbol& symbol, const std::string& offset) const;
  std::string pointer(size_t at, PtxSpace space);
  std::string load();
  std::string store();
  std::string atomic();
  [[nodiscard]] std::string_view atomic_function(std::string_view op) const;
  std::string atomics_of_vector(std::string_view function, size_t lanes, bool result);
  std::string address();
  std::string is_space();
  std::string copy();

  // conversions.cpp
  std::string mov();
  std::string part_type(size_t n);
  std::string convert();
  std::string convert_bytes();
  std::string compare();
  std::string set_by_comparison();
  std::string comparison(size_t first, const std::string& type, std::string* opposite);
  std::string select();

  // textures.cpp
  std::string object(size_t at, size_t length, std::vector<std::string>& coordinates);
  std::string coordinates_text(size_t at, const std::string& type, const PtxGeometry& g,
                               const std::string& layer);
  std::string sample();
  std::string gather();
  std::string four(const std::string& call);
  std::string surface();
  std::string reduce_surface();
  std::string query();

  // video.cpp
  struct VideoCall {
    std::string function, second;  // of the parts; "add", "min" or "max" of its result and c
    bool clamps;
  };
  std::string part(std::string operand, const PtxType& type);
  std::string video();
  std::string video_of_one(const VideoCall& call);
  std::string video_of_lanes(const VideoCall& call, size_t lanes);
  std::string video_product();

  // barriers.cpp
  std::string barrier();
  std::string named_barrier();
  std::string cluster_barrier();
  std::string arrival_barrier();
  std::string arrive();
  std::string waits();
  std::string rank_in_cluster();
  std::string bulk_copy();
  std::string stack();

  // warp.cpp
  std::string warp();
  std::string shuffle();
  std::string vote();
  std::string match();

  // matrices.cpp
  std::string matrices();
  std::string product();
  std::string fragment();
  std::string fragment_product();
  std::string list(const std::string& name, const std::string& type,
                   const std::vector<std::string>& registers);

  const PtxInstruction& i_;
  PtxNames& r_;
  std::vector<const PtxType*> types_;
  std::string type_, key_, round_;  // the last type in C++; the name with modifiers that no member holds
  bool ftz_ = false, sat_ = false, approx_ = false, bad_ = false;
};

}  // namespace arr::host_kernels
