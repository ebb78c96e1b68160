// SPDX-License-Identifier: MIT
// Work of one or several streams on its way into a graph.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "base/vector_clock.h"
#include "host/device/work.h"

namespace arr::host {

class Stream;

// A step of a graph, and the steps that it comes directly behind.
struct Step {
  Work work;
  std::vector<size_t> behind;
};

// The order of its calls is one that the graph may run in; what of it is needed shows in the picture, and at
// the end, when the stream where it began must be behind all of the work.
class Capture {
 public:
  explicit Capture(Stream& origin);

  // A point in the work: what comes before it, and the last steps of that.
  struct Point {
    VectorClock before;
    std::vector<size_t> last;
  };
  void add(const Stream& s, Work work);
  [[nodiscard]] Point now(const Stream& s);
  // The stream joins behind the point; one that has joined waits for it.
  void join(Stream& s, const Point& at);
  void wait(const Stream& s, const Point& at);
  // Its streams are ordinary again. Throws where the origin has not waited for one of them.
  std::vector<Step> end();

 private:
  // A stream counts that it joined, and its steps from then on.
  struct Member {
    Stream* stream;
    int64_t count;
    Point at;
  };
  // Of a step: whose it is, by number and count.
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
