// SPDX-License-Identifier: MIT
// Work of one or several streams that is being captured into a graph.
#pragma once

#include <atomic>
#include <unordered_map>

#include "runtime/streams.h"
#include "runtime/vector_clock.h"

namespace arr {

// The streams of a capture, the memory that their work uses, and the order between them on it. The memory is
// kept for as long as the graph is, which orders its own launches.
class Captured : public Object {
 public:
  explicit Captured(Stream& origin);
  [[nodiscard]] bool began_in(const Stream& s);
  [[nodiscard]] bool ended();

  // Orders work in q's stream after the uses of the memory in the capture's other streams. Returns false
  // where q's stream has left the capture. Work that only reads waits only for writes, so that branches of a
  // graph may read the same memory.
  bool keep(Buffer& buffer, const Queue& q, Use use);

  // The position of a stream of the capture, for an event that is recorded there.
  [[nodiscard]] VectorClock now(const Stream& s);
  // The stream joins the capture, after the event.
  void join(Stream& s, const Event& event, const VectorClock& at);
  // A stream of the capture waits for the event.
  void wait(Stream& s, const Event& event, const VectorClock& at);

  struct Member {
    Ref<Stream> stream;
    VectorClock seen;   // the uses that come before its next work
    int64_t count = 0;  // of its uses of memory
  };
  // Makes its streams ordinary again for the runtime. The caller ends the capture in the backend, and keeps
  // the streams until then. Allocates nothing, so that it works also where there is no memory.
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
  void wait_for_use(const UsedBy& before, size_t member, const Queue& q);

  std::mutex mutex_;
  bool ended_ = false;
  std::vector<Member> members_;  // the origin first
  std::vector<Ref<Buffer>> all_;
  std::unordered_map<const Buffer*, Uses> uses_;
};

// Memory that is taken in a capture has no values before its graph is launched; until then only work that is
// captured may use it. It is kept outside of the buffers, because there is seldom any and every call checks.
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

// The C API's functions of events. In a stream of a capture an event is a mark in its work: a stream that
// waits for it joins the capture.
void record_event(Event& event, const Queue& q);
void wait_event(Stream& stream, Event& event);
// ARR_EVENT_... flags.
Ref<Event> new_event(Device d, int32_t flags);
// Orders later work in `stream` after the present work in `other`. In captures it works like an event.
void wait_stream(Stream& stream, Stream& other);
// For what has no meaning for such a mark.
void refuse_captured(Event& event);

}  // namespace arr
