// SPDX-License-Identifier: MIT
// PTX's barriers with a number or a count of threads, its mbarrier objects, and the memory through which the
// blocks of a cooperative launch meet. Embedded after ptx.h where a source has one. Others go on while a
// thread waits, which only fibers do.

namespace arr_ptx {

// The end of a phase orders the accesses before it and those after it.
ARR_INLINE void end_of_phase(const void* barrier) {
  (void)barrier;
#ifndef ARR_FISSION
  arr_runtime->access(arr_worker, barrier, 0, arr_host::access_phase, nullptr);
#endif
}

// A barrier with a number. What an earlier block has left in it does not count.
struct numbered {
  unsigned long long block;
  unsigned arrived, phase, yes, no, last_yes, last_no;
};
static thread_local numbered arr_numbered[16];
ARR_INLINE numbered& numbered_of(unsigned number) {
  numbered& b = arr_numbered[number & 15u];
  const unsigned long long block = arr_runtime->address(arr_worker, arr_host::address_block, 0);
  if (b.block != block) b = {block, 0, 0, 0, 0, 0, 0};
  return b;
}
// Warps count as a whole: the first lane of one that is not full stands for the lanes that it lacks.
ARR_INLINE unsigned threads_of_lane() {
  const unsigned n = blockDim.x * blockDim.y * blockDim.z, rest = n % 32;
  return rest != 0 && thread() == n - rest ? 33 - rest : 1;
}
// threads: 0 for all of the block. Returns the phase that it arrived in.
ARR_INLINE unsigned arrive_at(unsigned number, unsigned threads) {
  numbered& b = numbered_of(number);
  const unsigned phase = b.phase;
  b.arrived += threads_of_lane();
  if (b.arrived < (threads != 0 ? threads : 32 * warps())) return phase;
  b.arrived = 0;
  b.last_yes = b.yes, b.last_no = b.no;
  b.yes = b.no = 0;
  end_of_phase(&b);
  __atomic_store_n(&b.phase, phase + 1, __ATOMIC_RELAXED);
  return phase;
}
ARR_INLINE void meet_at(unsigned number, unsigned threads, ARR_LINE) {
  const unsigned phase = arrive_at(number, threads);
  arr_wait(&numbered_of(number).phase, ~0u, phase, arr_host::barrier_numbered, number & 15u, line);
}
ARR_INLINE const numbered& vote_at(unsigned number, unsigned threads, bool predicate, ARR_LINE) {
  numbered& b = numbered_of(number);
  (predicate ? b.yes : b.no)++;
  meet_at(number, threads, line);
  return b;
}

// An mbarrier object: bits 0 to 19 count the arrivals of a phase, 20 to 39 those that are missing, 40 to 61
// the bytes that copies have not brought yet; bit 62 is the phase.
typedef unsigned long long mbarrier;
constexpr mbarrier count_mask = 0xfffffu, byte_mask = 0x3fffffu, phase_bit = 1ull << 62;
ARR_INLINE mbarrier made_of(mbarrier expected, mbarrier missing, mbarrier bytes, mbarrier phase) {
  expected &= count_mask;
  missing &= count_mask;
  bytes &= byte_mask;
  if (missing == 0 && bytes == 0) missing = expected, phase ^= phase_bit;
  return expected | missing << 20 | bytes << 40 | (phase & phase_bit);
}
// Returns the object as it was, which is the token of an arrival.
ARR_INLINE mbarrier changed(mbarrier* m, unsigned arrivals, unsigned dropped, unsigned bytes) {
  const auto change = [=](mbarrier old) {
    return made_of(old - dropped, (old >> 20) - arrivals, (old >> 40) + bytes, old);
  };
  const mbarrier old = arr_update(m, change);
  if (((change(old) ^ old) & phase_bit) != 0) end_of_phase(m);
  return old;
}
ARR_INLINE void initialize(mbarrier* m, unsigned count) {
  __atomic_store_n(m, (count & count_mask) | (count & count_mask) << 20, __ATOMIC_RELAXED);
}
ARR_INLINE mbarrier arrive(mbarrier* m, unsigned count) { return changed(m, count, 0, 0); }
ARR_INLINE mbarrier arrive_and_drop(mbarrier* m, unsigned count) { return changed(m, count, count, 0); }
ARR_INLINE void expect_bytes(mbarrier* m, unsigned bytes) { changed(m, 0, 0, bytes); }
ARR_INLINE void complete_bytes(mbarrier* m, unsigned bytes) { changed(m, 0, 0, 0u - bytes); }
ARR_INLINE unsigned missing_of(mbarrier token) { return unsigned(token >> 20 & count_mask); }
ARR_INLINE bool has_ended(const mbarrier* m, mbarrier phase) {
  return ((__atomic_load_n(m, __ATOMIC_RELAXED) ^ phase) & phase_bit) != 0;
}
// Asked in a loop: so the others go on when the phase has not ended.
ARR_INLINE bool test_phase(const mbarrier* m, mbarrier phase) {
  if (has_ended(m, phase)) return true;
  arr_yield();
  return has_ended(m, phase);
}
ARR_INLINE bool test_token(const mbarrier* m, mbarrier token) { return test_phase(m, token); }
ARR_INLINE bool test_parity(const mbarrier* m, unsigned parity) {
  return test_phase(m, (parity & 1u) != 0 ? phase_bit : 0);
}

// The same address for all threads of a launch; 0: it is not cooperative.
__attribute__((noinline, const)) static unsigned long long memory_of_grid(arr_host::Worker* worker) {
  return arr_runtime->address(worker, arr_host::address_grid, 0);
}
ARR_INLINE unsigned long long grid_memory() { return memory_of_grid(arr_worker); }

}  // namespace arr_ptx
