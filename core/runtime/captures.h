// SPDX-License-Identifier: MIT
// Work of one or several streams that is being captured into a graph.
#pragma once

#include <atomic>
#include <unordered_map>

#include "runtime/streams.h"
#include "runtime/vector_clock.h"

namespace arr {

// The streams of a capture, the memory that their work uses, and the order of that work. The memory is kept
// for the lifetime of the graph, which orders its launches itself.
class Captured : public Object {
 public:
  explicit Captured(Stream& origin);
  [[nodiscard]] bool began_in(const Stream& s);
  [[nodiscard]] bool ended();

  // Orders work in q's stream after the uses of the memory in other streams of the capture. Returns false if
  // q's stream has left the capture. Work that only reads waits only for writes, so branches of a graph may
  // read the same memory concurrently.
  bool keep(Buffer& buffer, const Queue& q, Use use);

  // The current position of a stream of the capture, for an event that is recorded.
  [[nodiscard]] VectorClock now(const Stream& s);
  // Adds the stream to the capture, after the event.
  void join(Stream& s, const Event& event, const VectorClock& at);
  // Makes a stream of the capture wait for the event.
  void wait(Stream& s, const Event& event, const VectorClock& at);

  struct Member {
    Ref<Stream> stream;
    VectorClock seen;   // uses that precede its next work
    int64_t count = 0;  // number of its uses of memory
  };
  // Returns its streams to normal use. The caller ends the capture in the backend, and keeps the streams
  // until then. Does not allocate, so it also works when memory has run out.
  [[nodiscard]] std::vector<Member> end() noexcept;
  std::vector<Ref<Buffer>> take();

 private:
  struct UsedBy {
    size_t member = 0;
    int64_t count = 0;
  };
  struct Uses {
    UsedBy written;             // the last write
    std::vector<UsedBy> reads;  // the last read of each stream since then
  };
  // Requires the lock. Returns the number of members if the stream is not one of them.
  size_t number_of(const Stream& s) const;
  Uses& uses_of(Buffer& buffer);
  void wait_for_use(const UsedBy& before, size_t member, const Queue& q);

  std::mutex mutex_;
  bool ended_ = false;
  std::vector<Member> members_;  // the stream in which the capture began is the first
  std::vector<Ref<Buffer>> all_;
  std::unordered_map<const Buffer*, Uses> uses_;
};

// Memory that a capture allocates has no values before the graph is launched; until then only captured work
// may use it. This state is stored outside of the buffers, because it is rare and every call checks it.
inline std::atomic<int64_t> unlaunched{0};  // number of buffers that have no values yet
void await_launch(const Buffer& memory, const Captured& made_in);
void end_await(const Buffer& memory) noexcept;  // the graph was launched, or the memory released
// Throws if memory has no values yet and was captured for another graph.
void refuse_unlaunched(const Buffer& memory, const Captured* made_in);
// Called before work in a stream, or the host itself (nullptr), uses the memory.
inline void check_launched(const Buffer& memory, const Stream* in) {
  if (unlaunched.load(std::memory_order_relaxed) == 0 || (in != nullptr && in->capturing())) return;
  refuse_unlaunched(memory, nullptr);
}

// The C API's functions of events. In a stream of a capture, recording an event marks a position in its work;
// a stream that waits for the event joins the capture.
void record_event(Event& event, const Queue& q);
void wait_event(Stream& stream, Event& event);
// ARR_EVENT_... flags.
Ref<Event> new_event(Device d, int32_t flags);
// Orders later work in `stream` after the current work in `other`. In captures it works like an event.
void wait_stream(Stream& stream, Stream& other);
// For functions that have no meaning for an event of a capture.
void refuse_captured(Event& event);

}  // namespace arr
