// SPDX-License-Identifier: MIT
// Captures the work of several streams in the order of its calls.
#include "host/device/capture.h"

#include <algorithm>
#include <utility>

#include "backend/graph.h"
#include "host/device/streams.h"

namespace arr::host {

namespace {

// Throws if a step neither precedes the point nor precedes a step that does.
void check_all_before(const Capture::Point& point, const std::vector<Step>& steps) {
  std::vector<bool> before(steps.size());
  for (const size_t count : point) {
    if (count != 0) before[count - 1] = true;
  }
  for (size_t i = steps.size(); i-- > 0;) {
    if (!before[i]) fail(ARR_E_ARGUMENT, unjoined_capture);
    for (const size_t k : steps[i].depends_on) before[k] = true;
  }
}

// Removes steps without work: steps that waited for one of them wait for the steps that it waited for.
std::vector<Step> only_work(std::vector<Step> all) {
  std::vector<Step> steps;
  std::vector<std::vector<size_t>> kept;  // for each step of `all` its indices in `steps`
  for (Step& s : all) {
    std::vector<size_t> after;
    for (const size_t k : s.depends_on) after.insert(after.end(), kept[k].begin(), kept[k].end());
    std::sort(after.begin(), after.end());
    after.erase(std::unique(after.begin(), after.end()), after.end());
    if (s.work.run == nullptr) {
      kept.push_back(std::move(after));
      continue;
    }
    kept.push_back({steps.size()});
    steps.push_back({std::move(s.work), std::move(after)});
  }
  return steps;
}

}  // namespace

Capture::Capture(Stream& origin) { members_.push_back({&origin, {}}); }

Capture::Member& Capture::member(const Stream& s) {
  for (Member& m : members_) {
    if (m.stream == &s) return m;
  }
  fail(ARR_E_ARGUMENT, "argument stream: its capture has ended");
}

void Capture::add_step(Member& m, Work work, const Point& after) {
  const auto number = static_cast<size_t>(&m - members_.data());
  Point at(number + 1);
  at[number] = steps_.size() + 1;
  std::vector<size_t> depends_on;
  for (const size_t count : after) {
    if (count != 0) depends_on.push_back(count - 1);
  }
  steps_.push_back({std::move(work), std::move(depends_on)});
  m.at = std::move(at);
}

void Capture::add(const Stream& s, Work work) {
  const std::lock_guard lock(mutex_);
  Member& m = member(s);
  add_step(m, std::move(work), m.at);
}

Capture::Point Capture::now(const Stream& s) {
  const std::lock_guard lock(mutex_);
  return member(s).at;
}

void Capture::join(Stream& s, const Point& at) {
  const std::lock_guard lock(mutex_);
  members_.push_back({&s, {}});
  try {
    add_step(members_.back(), {}, at);
  } catch (...) {
    members_.pop_back();
    throw;
  }
}

void Capture::wait(const Stream& s, const Point& at) {
  const std::lock_guard lock(mutex_);
  Point& own = member(s).at;
  if (own.size() < at.size()) own.resize(at.size());
  for (size_t i = 0; i < at.size(); ++i) own[i] = std::max(own[i], at[i]);
}

std::vector<Step> Capture::end() {
  const std::lock_guard lock(mutex_);
  const std::vector<Member> all = std::exchange(members_, {});
  std::vector<Step> steps = std::exchange(steps_, {});
  for (const Member& m : all) m.stream->leave();
  if (all.size() == 1) return steps;
  check_all_before(all.front().at, steps);
  return only_work(std::move(steps));
}

}  // namespace arr::host
