// SPDX-License-Identifier: MIT
#include "hostcuda/run/phases.h"

#include <sched.h>

namespace arr::host_kernels {
namespace {

using arr_host::Worker;

bool has_ended(const Worker& w, int t) {
  const unsigned now = __atomic_load_n(w.word[t], __ATOMIC_ACQUIRE);
  return ((now ^ static_cast<unsigned>(w.value[t])) & w.wait_mask[t]) != 0;
}

bool is_of_block(Worker& w, int t) {
  if (w.wait_op[t] == arr_host::barrier_numbered) return true;
  return address(&w, arr_host::address_space, reinterpret_cast<uintptr_t>(w.word[t])) ==
         arr_host::space_shared;
}

template <class Rule>
int release_if(Worker& w, Rule rule) {
  int first = main_context;
  for (int k = w.warps - 1; k >= 0 && w.phase_waits != 0; k--) {
    uint32_t released = 0;
    for (uint32_t rest = w.in_phase[k]; rest != 0; rest &= rest - 1)
      if (const int t = lowest(k, rest); rule(t)) released |= bit_of(t);
    if (released == 0) continue;
    w.in_phase[k] &= ~released;
    w.run[k] |= released;
    w.phase_waits -= std::popcount(released);
    first = lowest(k, released);
  }
  return first;
}

}  // namespace

int end_phases(Worker& w) {
  return release_if(w, [&](int t) { return has_ended(w, t); });
}

int ask_again(Worker& w) {
  const int first = release_if(w, [&](int t) { return !is_of_block(w, t); });
  if (first != main_context) sched_yield();
  return first;
}

}  // namespace arr::host_kernels
