// SPDX-License-Identifier: MIT
// Captures the work of several streams in the order of its calls.
#include "host/device/capture.h"

#include <algorithm>
#include <utility>

#include "backend/graph.h"
#include "host/device/streams.h"

namespace arr::host {

Capture::Capture(Stream& origin) { members_.push_back({&origin, 0, {}}); }

Capture::Member& Capture::member(const Stream& s) {
  for (Member& m : members_) {
    if (m.stream == &s) return m;
  }
  fail(ARR_E_ARGUMENT, "argument stream: its capture has ended");
}

void Capture::add(const Stream& s, Work work) {
  const std::lock_guard lock(mutex_);
  Member& m = member(s);
  const auto number = static_cast<size_t>(&m - members_.data());
  places_.reserve(places_.size() + 1);
  std::vector<size_t> last = {steps_.size()};
  m.at.before.cover(number, m.count + 1);
  steps_.push_back({std::move(work), std::move(m.at.last)});
  places_.push_back({number, ++m.count});
  m.at.last = std::move(last);
}

Capture::Point Capture::now(const Stream& s) {
  const std::lock_guard lock(mutex_);
  return member(s).at;
}

// Drops steps that another of them depends on.
void Capture::merge(Point* to, const Point& from) const {
  const auto covered = [&](size_t step, const Point& by) {
    return by.before.covers(places_[step].member, places_[step].count);
  };
  std::vector<size_t> last;
  for (const size_t step : to->last) {
    if (!covered(step, from)) last.push_back(step);
  }
  for (const size_t step : from.last) {
    const bool same = std::find(to->last.begin(), to->last.end(), step) != to->last.end();
    if (same || !covered(step, *to)) last.push_back(step);
  }
  to->before.merge(from.before);
  to->last = std::move(last);
}

void Capture::join(Stream& s, const Point& at) {
  const std::lock_guard lock(mutex_);
  Point from = at;
  from.before.cover(members_.size(), 1);
  members_.push_back({&s, 1, std::move(from)});
}

void Capture::wait(const Stream& s, const Point& at) {
  const std::lock_guard lock(mutex_);
  merge(&member(s).at, at);
}

std::vector<Step> Capture::end() {
  const std::lock_guard lock(mutex_);
  const std::vector<Member> all = std::exchange(members_, {});
  std::vector<Step> steps = std::exchange(steps_, {});
  for (const Member& m : all) m.stream->leave();
  for (size_t i = 1; i < all.size(); ++i) {
    if (all.front().at.before.covers(i, all[i].count)) continue;
    fail(ARR_E_ARGUMENT, unjoined_capture);
  }
  return steps;
}

}  // namespace arr::host
