// SPDX-License-Identifier: MIT
#include "hostcuda/run/deadlock.h"

#include <map>
#include <tuple>
#include <vector>

#include "base/error.h"
#include "hostcuda/run/warp.h"

namespace arr::host_kernels {
namespace {

const char* barrier_name(int kind) {
  switch (kind) {
    case arr_host::barrier_sync:
      return "__syncthreads";
    case arr_host::barrier_count:
      return "__syncthreads_count";
    case arr_host::barrier_and:
      return "__syncthreads_and";
    case arr_host::barrier_grid:
      return "grid.sync";
    case arr_host::barrier_numbered:
      return "barrier ";
    case arr_host::barrier_phase:
      return "cuda::barrier";
    case arr_host::barrier_value:
      return "cuda::atomic";
    default:
      return "__syncthreads_or";
  }
}

const char* warp_name(int op) {
  switch (op) {
    case arr_host::warp_sync:
      return "__syncwarp";
    case arr_host::warp_shuffle:
      return "__shfl_sync";
    case arr_host::warp_ballot:
      return "__ballot_sync";
    case arr_host::warp_match_any:
      return "__match_any_sync";
    case arr_host::warp_match_all:
      return "__match_all_sync";
    case arr_host::tile_count:
    case arr_host::tile_shuffle:
      return "a function of a tile of several warps";
    default:
      return "__reduce_sync";
  }
}

// "0-15,17"
std::string ranges(const std::vector<int>& sorted) {
  TextStream out;
  for (size_t i = 0; i < sorted.size();) {
    size_t end = i + 1;
    while (end < sorted.size() && sorted[end] == sorted[end - 1] + 1) end++;
    out << (i > 0 ? "," : "") << sorted[i];
    if (end > i + 1) out << "-" << sorted[end - 1];
    i = end;
  }
  return out.str();
}

}  // namespace

std::string deadlock_text(const arr_host::Worker& w) {
  // line, operation, mask (0 at a barrier) or the number of the barrier, in a warp function -> threads
  std::map<std::tuple<unsigned, int, unsigned, bool>, std::vector<int>> sites;
  for (int t = 0; t < w.warps * 32; t++) {
    const uint32_t bit = 1u << (t & 31);
    if ((w.live[t >> 5] & bit) == 0) continue;
    const bool in_warp = (w.in_warp[t >> 5] & bit) != 0;
    const unsigned detail = in_warp                                      ? w.wait_mask[t]
                            : w.wait_op[t] == arr_host::barrier_numbered ? w.source[t]
                                                                         : 0;
    sites[{w.wait_line[t], w.wait_op[t], detail, in_warp}].push_back(t);
  }
  TextStream out;
  out << "kernel '" << w.kernel_name << "': block (" << w.block_index.x << "," << w.block_index.y << ","
      << w.block_index.z << ") cannot go on:";
  const char* separator = " ";
  for (const auto& [site, threads] : sites) {
    const auto& [line, op, detail, in_warp] = site;
    out << separator << (threads.size() == 1 ? "thread " : "threads ") << ranges(threads)
        << (threads.size() == 1 ? " waits at " : " wait at ") << (in_warp ? warp_name(op) : barrier_name(op));
    if (in_warp && !is_tile(op)) out << "(mask 0x" << std::hex << detail << std::dec << ")";
    if (!in_warp && op == arr_host::barrier_numbered) out << detail;
    out << " in line " << line;
    separator = ", ";
  }
  return out.str();
}

}  // namespace arr::host_kernels
