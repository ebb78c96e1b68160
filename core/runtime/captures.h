// SPDX-License-Identifier: MIT
// Work of one or several streams that is being captured into a graph.
#pragma once

#include <atomic>
#include <unordered_map>

#include "base/vector_clock.h"
#include "runtime/streams.h"

namespace arr {

// The streams of a capture, the memory that their work uses, and the order between them on it. The memory is
// kept for as long as the graph is, which orders its own launches.
class Captured : public Object {
 public:
  explicit Captured(Stream& origin);
  [[nodiscard]] bool began_in(const Stream& s);
  [[nodiscard]] bool ended();

  // Orders work in q's stream behind what uses the memory in the other streams; false where that stream is
  // none of the capture any more. One that only reads waits for who has written alone, so that branches of a
  // graph may read the same.
  bool keep(Buffer& buffer, const Queue& q, Use use);

  // Where a stream of the capture is now, for an event that is recorded there.
  [[nodiscard]] VectorClock now(const Stream& s);
  // The stream joins, behind the event.
  void join(Stream& s, const Event& event, const VectorClock& at);
  // One that has joined waits for the event.
  void wait(Stream& s, const Event& event, const VectorClock& at);

  struct Member {
    Ref<Stream> stream;
    VectorClock seen;   // what comes before its next work
    int64_t count = 0;  // of its uses of memory
  };
  // From now on its streams are ordinary for the runtime; who called ends the capture in the backend, while
  // the streams are kept. Nothing is allocated: it ends also where there is no memory.
  [[nodiscard]] std::vector<Member> end() noexcept;
  std::vector<Ref<Buffer>> take();

 private:
  struct UsedBy {
    size_t member = 0;
    int64_t count = 0;
  };
  struct Uses {
    UsedBy written;             // last
    std::vector<UsedBy> reads;  // since then, the last of each stream
  };
  // Under the lock.
  size_t number_of(const Stream& s) const;  // all there are: none of them
  Uses& uses_of(Buffer& buffer);
  void behind(const UsedBy& before, size_t member, const Queue& q);

  std::mutex mutex_;
  bool ended_ = false;
  std::vector<Member> members_;  // the origin first
  std::vector<Ref<Buffer>> all_;
  std::unordered_map<const Buffer*, Uses> uses_;
};

// Memory that is taken in a capture has no values before its graph is launched; until then only work that is
// captured may use it. It is told beside the buffers: there is seldom any, and every call asks.
inline std::atomic<int64_t> unlaunched{0};  // how many buffers wait
void await_launch(const Buffer& memory, const Captured& made_in);
void end_await(const Buffer& memory) noexcept;  // it has been launched, or is released
// Throws where memory waits for another launch than of what was captured there.
void refuse_unlaunched(const Buffer& memory, const Captured* made_in);
// Before work in a stream, or the host itself (nullptr), uses the memory.
inline void check_launched(const Buffer& memory, const Stream* in) {
  if (unlaunched.load(std::memory_order_relaxed) == 0 || (in != nullptr && in->capturing())) return;
  refuse_unlaunched(memory, nullptr);
}

// What the C API does with events. In a stream of a capture an event is a mark in its work: a stream that
// waits for it joins the capture.
void record_event(Event& event, const Queue& q);
void wait_event(Stream& stream, Event& event);
// ARR_EVENT_... flags.
Ref<Event> new_event(Device d, int32_t flags);
// What is in `other` now comes before what is enqueued in `stream` from now on. In captures as with an event.
void wait_stream(Stream& stream, Stream& other);
// For what has no meaning for such a mark.
void refuse_captured(Event& event);

}  // namespace arr
