// SPDX-License-Identifier: MIT
// Captures the work of one or several streams into a graph.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "host/device/work.h"

namespace arr::host {

class Stream;

// A step of a graph, and the earlier steps that it waits for.
struct Step {
  Work work;
  std::vector<size_t> depends_on;
};

// The graph runs its steps in the order of the calls. A capture records which step waits for which, as
// streams wait in the order that the runtime computes. That is used to draw the graph, and to check at the
// end of the capture that the origin stream has waited for all of the work.
class Capture {
 public:
  explicit Capture(Stream& origin);

  // A point in the work. For each stream of the capture: the number of steps up to its last one for which the
  // next step waits, or 0.
  using Point = std::vector<size_t>;
  void add(const Stream& s, Work work);
  [[nodiscard]] Point now(const Stream& s);
  // join: the stream joins the capture after the point. wait: a stream that has joined waits for the point.
  void join(Stream& s, const Point& at);
  void wait(const Stream& s, const Point& at);
  // Ends the capture of all its streams. Throws if the origin has not waited for one of them.
  std::vector<Step> end();

 private:
  struct Member {
    Stream* stream;
    Point at;
  };
  Member& member(const Stream& s);  // guarded by the lock
  void add_step(Member& m, Work work, const Point& after);

  std::mutex mutex_;
  std::vector<Member> members_;  // the origin is the first
  std::vector<Step> steps_;      // until the end also a step without work for each stream that joined
};

}  // namespace arr::host
