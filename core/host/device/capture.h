// SPDX-License-Identifier: MIT
// Captures the work of one or several streams into a graph.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "base/vector_clock.h"
#include "host/device/work.h"

namespace arr::host {

class Stream;

// A step of a graph, and the steps that it directly depends on.
struct Step {
  Work work;
  std::vector<size_t> depends_on;
};

// The graph runs its steps in the order of the calls. The dependencies are needed for the drawing of the
// graph, and at the end of the capture to check that the origin stream has waited for all of the work.
class Capture {
 public:
  explicit Capture(Stream& origin);

  // A point in the work: the steps before it, and those of them that no other of them depends on.
  struct Point {
    VectorClock before;
    std::vector<size_t> last;
  };
  void add(const Stream& s, Work work);
  [[nodiscard]] Point now(const Stream& s);
  // join: the stream joins the capture after the point. wait: a stream that has joined waits for the point.
  void join(Stream& s, const Point& at);
  void wait(const Stream& s, const Point& at);
  // Ends the capture of all its streams. Throws if the origin has not waited for one of them.
  std::vector<Step> end();

 private:
  // A stream of the capture. Its count is the number of its steps, plus one for joining.
  struct Member {
    Stream* stream;
    int64_t count;
    Point at;
  };
  // The position of a step: the number of its member, and the count of the member at the step.
  struct Place {
    size_t member;
    int64_t count;
  };
  Member& member(const Stream& s);  // under the lock
  void merge(Point* to, const Point& from) const;

  std::mutex mutex_;
  std::vector<Member> members_;  // the origin first
  std::vector<Step> steps_;
  std::vector<Place> places_;  // of the steps
};

}  // namespace arr::host
