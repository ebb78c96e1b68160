// SPDX-License-Identifier: MIT
// Barriers of blocks and clusters, mbarrier objects, copies that they wait for, and memory on the stack. PTX
// ISA: "Parallel Synchronization and Communication Instructions", "Data Movement and Conversion
// Instructions: Asynchronous copy", "Stack Manipulation Instructions".
#include <algorithm>

#include "base/error.h"
#include "hostcuda/ptx/writer.h"

namespace arr::host_kernels {

// bar.sync, barrier.sync, bar.red.op, bar.arrive and bar.warp.sync. The barrier 0 of all threads of a block
// is __syncthreads().
std::string PtxWriter::barrier() {
  if (i_.has("warp"))
    return i_.has("sync") && count() == 1 ? done(syncs("__syncwarp(" + value(0, "unsigned") + ");")) : "";
  if (i_.has("cluster")) return cluster_barrier();
  const bool reduces = i_.has("red");
  const size_t at = reduces ? 1 : 0, min_operands = reduces ? 3 : 1;
  if (count() < min_operands || count() > min_operands + 1) return bad("too few operands"), "";
  if (count() > min_operands || i_.has("arrive") || i_.operands[at] != "0") return named_barrier();
  if (!reduces) return i_.has("sync") ? syncs("__syncthreads();") : "";
  const std::string p = std::string("(").append(value(2, "bool")).append(")");
  if (i_.has("popc")) return done(syncs(set(0, "unsigned", "unsigned(__syncthreads_count" + p + ")")));
  for (const char* op : {"and", "or"})
    if (i_.has(op)) return done(syncs(set(0, "bool", std::string("__syncthreads_") + op + p + " != 0")));
  return "";
}

// With a number other than 0, or a count of threads.
std::string PtxWriter::named_barrier() {
  r_.components.insert(ShimComponent::ptx_barriers);
  r_.syncs = true;
  const bool reduces = i_.has("red");
  const size_t at = reduces ? 1 : 0;  // of the number; a vote has one operand before it and one after
  const std::string threads = count() > 2 * at + 1 ? value(at + 1, "unsigned") : "0u";
  const std::string where = text(value(at, "unsigned"), ", ", threads);
  if (i_.has("arrive")) return count() == 2 ? done("arr_ptx::arrive_at(" + where + ");") : "";
  if (!reduces) return i_.has("sync") ? done("arr_ptx::meet_at(" + where + ");") : "";
  const std::string votes =
      text("const auto& arr_votes = arr_ptx::vote_at(", where, ", ", value(count() - 1, "bool"), "); ");
  if (i_.has("popc")) return done(votes + set(0, "unsigned", "arr_votes.last_yes"));
  if (i_.has("and")) return done(votes + set(0, "bool", "arr_votes.last_no == 0"));
  return i_.has("or") ? done(votes + set(0, "bool", "arr_votes.last_yes != 0")) : "";
}

// Each block is a cluster: a waiting thread has arrived, so it is enough that all wait.
std::string PtxWriter::cluster_barrier() {
  if (i_.name != "barrier" || count() != 0) return "";
  return i_.has("arrive") ? ";" : i_.has("wait") ? syncs("__syncthreads();") : "";
}

// mapa and getctarank, where each block is a cluster.
std::string PtxWriter::rank_in_cluster() {
  if (i_.name == "mapa" && count() == 3) return done(set(0, type_, value(1, type_)));
  if (i_.name == "getctarank" && count() == 2) return done(set(0, "unsigned", "0u"));
  return "";
}

std::string PtxWriter::arrival_barrier() {
  const std::string op = i_.modifiers.empty() ? "" : i_.modifiers[0];
  const bool known = std::all_of(i_.modifiers.begin(), i_.modifiers.end(), [&](const std::string& m) {
    return one_of(m, {"shared", "shared::cta", "shared::cluster", "b64", "release", "acquire", "relaxed",
                      "cta", "cluster", "parity", "noComplete", "expect_tx"}) ||
           m == op;
  });
  if (!known || !i_.has("b64")) return "";
  r_.components.insert(ShimComponent::ptx_barriers);
  if (one_of(op, {"arrive", "arrive_drop"})) return arrive();
  if (one_of(op, {"test_wait", "try_wait"})) return waits();
  if (op == "pending_count" && count() == 2)
    return done(set(0, "unsigned", text("arr_ptx::missing_of(", value(1, "unsigned long long"), ")")));
  const std::string m = "(arr_ptx::mbarrier*)" + (op == "pending_count" ? "" : pointer(0, space()));
  if (op == "inval") return count() == 1 ? done("(void)" + m + ";") : "";
  if (count() != 2) return "";
  const std::string call = op == "init"          ? "initialize"
                           : op == "expect_tx"   ? "expect_bytes"
                           : op == "complete_tx" ? "complete_bytes"
                                                 : "";
  return call.empty() ? "" : done(text("arr_ptx::", call, "(", m, ", ", value(1, "unsigned"), ");"));
}

// mbarrier.arrive.b64 token, [m], count. With expect_tx the number is that of bytes, and one thread arrives.
std::string PtxWriter::arrive() {
  if (count() < 1 || count() > 3) return "";
  // The token may be missing, as that of a barrier of a cluster.
  const bool token = i_.operands[0][0] != '[';
  const size_t at = token ? 1 : 0;
  const std::string m = "(arr_ptx::mbarrier*)" + pointer(at, space());
  const bool bytes = i_.has("expect_tx");
  if (count() > at + 2 || (bytes && count() != at + 2)) return "";
  const std::string number = count() > at + 1 ? value(at + 1, "unsigned") : "1u";
  const std::string call =
      text(i_.modifiers[0] == "arrive" ? "arr_ptx::arrive(" : "arr_ptx::arrive_and_drop(", m, ", ",
           bytes ? "1u" : number, ")");
  const std::string first = bytes ? text("arr_ptx::expect_bytes(", m, ", ", number, "); ") : std::string();
  return done(first + (token ? set(0, "unsigned long long", call) : call + ";"));
}

// mbarrier.try_wait.parity.b64 p, [m], parity, time: in a loop, as a volatile load may be; see may_wait() in
// compile/build.cpp.
std::string PtxWriter::waits() {
  if (count() < 3 || count() > 4 || (count() == 4 && i_.modifiers[0] == "test_wait")) return "";
  r_.syncs = true;
  const bool parity = i_.has("parity");
  const std::string phase = parity ? value(2, "unsigned") : value(2, "unsigned long long");
  return done(set(0, "bool",
                  text("/* volatile */ arr_ptx::test_", parity ? "parity" : "token",
                       "((const arr_ptx::mbarrier*)", pointer(1, space()), ", ", phase, ")")));
}

// cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [to], [from], size, [m]: a copy that is
// made at once. cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32: each number is added by an
// atomic.
std::string PtxWriter::bulk_copy() {
  if (one_of("commit_group", {i_.modifiers.back()}) || i_.has("wait_group")) return ";";
  if (i_.has("prefetch") && !i_.has("tensor")) return ";";
  const bool reduces = i_.modifiers[0] == "reduce";
  std::vector<PtxSpace> spaces;
  std::string op;
  for (size_t k = reduces ? 3 : 2; k < i_.modifiers.size(); k++) {
    const std::string& m = i_.modifiers[k];
    if (m == "global")
      spaces.push_back(PtxSpace::global);
    else if (one_of(m, {"shared::cta", "shared::cluster"}))
      spaces.push_back(PtxSpace::shared);
    else if (reduces && op.empty() && one_of(m, {"add", "min", "max", "inc", "dec", "and", "or", "xor"}))
      op = m;
    else if (!one_of(m, {"mbarrier::complete_tx::bytes", "bulk_group", "L2::cache_hint"}) &&
             !(reduces && (m == "noftz" || find_ptx_type(m) != nullptr)))
      return "";
  }
  const bool counts = i_.has("mbarrier::complete_tx::bytes");
  const size_t expected = 3 + (counts ? 1U : 0U) + (i_.has("L2::cache_hint") ? 1U : 0U);
  if (spaces.size() != 2 || counts == i_.has("bulk_group") || count() != expected) return "";
  const std::string_view function = reduces ? atomic_function(op) : "";
  if (reduces && (function.empty() || spaces[1] != PtxSpace::shared)) return "";
  const std::string size = value(2, "unsigned"), to = pointer(0, spaces[0]), from = pointer(1, spaces[1]);
  std::string code =
      reduces ? text("arr_ptx::reduce((", type_, "*)", to, ", (const ", type_, "*)", from, ", ", size,
                     ", [](auto* arr_to, auto arr_by) { ", function, "(arr_to, arr_by); }); ")
              : text("arr_ptx::copy((void*)", to, ", (const void*)", from, ", ", size, ", ", size, "); ");
  if (counts) {
    r_.components.insert(ShimComponent::ptx_barriers);
    code +=
        text("arr_ptx::complete_bytes((arr_ptx::mbarrier*)", pointer(3, PtxSpace::shared), ", ", size, ");");
  }
  return done(code);
}

// alloca.u64 address, size, align; stacksave.u64 mark; stackrestore.u64 mark
std::string PtxWriter::stack() {
  if (!r_.checked() || types_.size() != 1 || key_ != i_.name || types_[0]->name != "u64") return "";
  r_.stack = true;
  if (i_.name == "alloca" && (count() == 2 || count() == 3))
    return done(set(0, type_,
                    text("arr_stack.take(", value(1, type_), ", ",
                         count() == 3 ? value(2, "unsigned") : std::string("16u"), ")")));
  if (count() != 1) return "";
  if (i_.name == "stacksave") return done(set(0, type_, "arr_stack.mark()"));
  return done(text("arr_stack.restore(", value(0, type_), ");"));
}

}  // namespace arr::host_kernels
