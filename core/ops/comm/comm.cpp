// SPDX-License-Identifier: MIT
// Communicators of all engines: groups of calls, the time limit.
#include "ops/comm/comm.h"

#include <charconv>
#include <exception>
#include <utility>

#include "base/environment.h"
#include "base/log.h"

namespace arr {

namespace {

// ARR_COMM_TIMEOUT in seconds.
double default_timeout(double otherwise) noexcept {
  const std::string given = environment("ARR_COMM_TIMEOUT");
  if (given.empty()) return otherwise;
  double seconds = 0;
  const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), seconds);
  if (error == std::errc{} && end == given.data() + given.size() && seconds >= 0) return seconds;
  log_line(log_level::warning, "ARR_COMM_TIMEOUT=", given, ": expected seconds; ", otherwise, " are used");
  return otherwise;
}

}  // namespace

Comm::Comm(int32_t engine, const CommPlace& place, double timeout) noexcept
    : timeout_(default_timeout(timeout)), engine_(engine), place_(place) {}

void Comm::refuse_group() const {
  if (group_ == Group::none) return;
  fail(ARR_E_ARGUMENT, "argument comm: has an open group, expected arr_comm_group_end before");
}

void Comm::check_no_group() {
  const std::lock_guard lock(mutex_);
  refuse_group();
}

void Comm::run(CommCall call) {
  const std::lock_guard lock(mutex_);
  if (group_ != Group::none) return collect({&call, 1});
  const bool sends = call.kind == CommKind::send;
  if (call.root == place_.rank && (sends || call.kind == CommKind::recv)) {
    fail(ARR_E_ARGUMENT, "argument ", sends ? "receiver" : "sender", ": is this rank, ", call.root,
         ", expected another one, or a group");
  }
  run_one(std::move(call));
}

void Comm::run(std::vector<CommCall> calls) {
  if (calls.size() == 1) return run(std::move(calls[0]));
  const std::lock_guard lock(mutex_);
  if (group_ != Group::none) return collect(calls);
  start(std::move(calls));
  finish();
}

void Comm::run_alone(CommCall call) {
  const std::lock_guard lock(mutex_);
  refuse_group();
  run_one(std::move(call));
}

void Comm::run_beside(std::vector<CommCall> calls, const std::function<void()>& work) {
  const std::lock_guard lock(mutex_);
  refuse_group();
  start(std::move(calls));
  std::exception_ptr failure;
  try {
    proceed();
    work();
  } catch (...) {
    failure = std::current_exception();  // the calls still use their arrays
  }
  finish();
  if (failure) std::rethrow_exception(failure);
}

void Comm::collect(std::span<CommCall> calls) {
  if (group_ == Group::started) refuse_group();
  collected_.insert(collected_.end(), std::make_move_iterator(calls.begin()),
                    std::make_move_iterator(calls.end()));
}

void Comm::run_one(CommCall call) {
  std::vector<CommCall> one;
  one.push_back(std::move(call));
  start(std::move(one));
  finish();
}

void Comm::group_begin() {
  const std::lock_guard lock(mutex_);
  refuse_group();
  group_ = Group::open;
}

void Comm::group_start() {
  const std::lock_guard lock(mutex_);
  if (group_ != Group::open) {
    fail(ARR_E_ARGUMENT,
         "argument comm: has no open group that is not started, expected arr_comm_group_begin before");
  }
  group_ = Group::started;
  start(std::exchange(collected_, {}));
  proceed();
}

bool Comm::group_query() {
  const std::lock_guard lock(mutex_);
  if (group_ != Group::started) {
    fail(ARR_E_ARGUMENT, "argument comm: has no started group, expected arr_comm_group_start before");
  }
  return finished();
}

void Comm::group_end() {
  const std::lock_guard lock(mutex_);
  const Group before = std::exchange(group_, Group::none);
  if (before == Group::none) {
    fail(ARR_E_ARGUMENT, "argument comm: has no open group, expected arr_comm_group_begin before");
  }
  if (before == Group::open) start(std::exchange(collected_, {}));
  finish();
}

Ref<Comm> Comm::split(int32_t color, int32_t key) {
  if (color < 0) fail(ARR_E_ARGUMENT, "argument color: ", color, " is negative");
  const std::lock_guard lock(mutex_);
  refuse_group();
  Ref<Comm> made = make_split(color, key);
  made->set_timeout(timeout());
  return made;
}

Ref<Comm> Comm::shrink(const std::vector<int32_t>& excluded) {
  std::vector<bool> out(static_cast<size_t>(place_.size));
  for (const int32_t r : excluded) {
    if (r < 0 || r >= place_.size || r == place_.rank || out[static_cast<size_t>(r)]) {
      fail(ARR_E_ARGUMENT, "argument excluded: ", r, ", expected distinct ranks from 0 to ", place_.size - 1,
           " without this one, ", place_.rank);
    }
    out[static_cast<size_t>(r)] = true;
  }
  const std::lock_guard lock(mutex_);
  group_ = Group::none;  // calls of a group that failed are given up
  collected_.clear();
  Ref<Comm> made = make_shrunk(excluded);
  made->set_timeout(timeout());
  return made;
}

}  // namespace arr
