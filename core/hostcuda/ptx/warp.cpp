// SPDX-License-Identifier: MIT
// Warp functions. PTX ISA: "Parallel Synchronization and Communication Instructions".
#include "hostcuda/ptx/writer.h"

namespace arr::host_kernels {

std::string PtxWriter::warp() {
  r_.syncs = true;
  if (i_.name == "activemask") return done(set(0, "unsigned", "__activemask()"));
  if (i_.name == "elect" && i_.has("sync") && count() == 2) {  // the lowest lane of the mask
    std::string to = i_.operands[0], predicate = "_";
    if (const size_t bar = to.find('|'); bar != std::string::npos)
      predicate = to.substr(bar + 1), to.erase(bar);
    return done("const unsigned arr_mask = " + value(1, "unsigned") +
                ", arr_first = unsigned(__builtin_ctz(arr_mask)); __syncwarp(arr_mask); " +
                set(to, "unsigned", "arr_first") + set(predicate, "bool", "arr_lane() == arr_first"));
  }
  if (i_.name == "vote") return vote();
  if (i_.name == "match") return match();
  if (i_.name == "redux" && types_.size() == 1 && types_[0]->bits == 32 && !i_.has("abs") && !i_.has("NaN"))
    for (const char* op : {"add", "min", "max", "and", "or", "xor"}) {
      const bool bitwise = op[0] == 'a' ? op[1] == 'n' : op[0] == 'o' || op[0] == 'x';
      if (!i_.has(op) || (group() != 'i' && !(bitwise && group() == 'b'))) continue;
      const std::string type = bitwise ? "unsigned" : type_;
      return done(
          set(0, type,
              std::string("__reduce_") + op + "_sync(" + value(2, "unsigned") + ", " + value(1, type) + ")"));
    }
  return i_.name == "shfl" ? shuffle() : "";
}

std::string PtxWriter::vote() {
  if (!i_.has("sync") || count() != 3) return "";
  const std::string mask = value(2, "unsigned"), p = value(1, "bool");
  if (i_.has("ballot")) return done(set(0, "unsigned", "__ballot_sync(" + mask + ", " + p + ")"));
  for (const char* kind : {"any", "all", "uni"})
    if (i_.has(kind))
      return done(set(0, "bool", std::string("__") + kind + "_sync(" + mask + ", " + p + ") != 0"));
  return "";
}

std::string PtxWriter::match() {
  if (!i_.has("sync") || count() != 3 || types_.size() != 1) return "";
  const std::string mask = value(2, "unsigned"), v = value(1, type_);
  if (i_.has("any")) return done(set(0, "unsigned", "__match_any_sync(" + mask + ", " + v + ")"));
  std::string to = i_.operands[0], predicate = "_";
  if (const size_t bar = to.find('|'); bar != std::string::npos)
    predicate = to.substr(bar + 1), to.erase(bar);
  if (!i_.has("all")) return "";
  return done("int arr_all = 0; const unsigned arr_same = __match_all_sync(" + mask + ", " + v +
              ", &arr_all); " + set(to, "unsigned", "arr_same") + set(predicate, "bool", "arr_all != 0"));
}

std::string PtxWriter::shuffle() {
  if (count() != 5 || !i_.has("sync")) return "";
  std::string to = i_.operands[0], predicate = "_";
  if (const size_t bar = to.find('|'); bar != std::string::npos)
    predicate = to.substr(bar + 1), to.erase(bar);
  for (const char* kind : {"up", "down", "bfly", "idx"})
    if (i_.has(kind))
      return done("bool arr_inside = false; " +
                  set(to, "unsigned",
                      std::string("arr_ptx::shfl_") + kind + "(" + value(1, "unsigned") + ", " +
                          value(2, "unsigned") + ", " + value(3, "unsigned") + ", " + value(4, "unsigned") +
                          ", arr_inside)") +
                  set(predicate, "bool", "arr_inside"));
  return "";
}

}  // namespace arr::host_kernels
