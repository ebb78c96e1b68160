// SPDX-License-Identifier: MIT
// Streams that join a capture, and the order of work on memory within the capture.
#include "runtime/captures.h"

#include <algorithm>

#include "backend/graph.h"
#include "backend/stream.h"
#include "base/fork.h"

namespace arr {

namespace {

// The position in a capture at which an event was recorded.
struct CapturedMark final : public Object {
  CapturedMark(Ref<Captured> capture, VectorClock when) : in(std::move(capture)), at(std::move(when)) {}
  Ref<Captured> in;
  VectorClock at;
};

struct Unlaunched {
  ProcessMutex mutex;
  std::unordered_map<const Buffer*, const Captured*> all;
};

// Never destroyed: memory may be released after static objects.
Unlaunched& waiting() {
  static auto* w = new Unlaunched;
  return *w;
}

[[noreturn]] void marks_nothing() {
  fail(ARR_E_ARGUMENT,
       "argument event: was recorded in a stream whose work was being captured, so it does not mark work "
       "that runs");
}

}  // namespace

void await_launch(const Buffer& memory, const Captured& made_in) {
  const std::lock_guard lock(waiting().mutex);
  if (waiting().all.try_emplace(&memory, &made_in).second) unlaunched.fetch_add(1, std::memory_order_relaxed);
}

void end_await(const Buffer& memory) noexcept {
  if (unlaunched.load(std::memory_order_relaxed) == 0) return;
  const std::lock_guard lock(waiting().mutex);
  if (waiting().all.erase(&memory) != 0) unlaunched.fetch_sub(1, std::memory_order_relaxed);
}

void refuse_unlaunched(const Buffer& memory, const Captured* made_in) {
  {
    const std::lock_guard lock(waiting().mutex);
    const auto at = waiting().all.find(&memory);
    if (at == waiting().all.end() || at->second == made_in) return;
  }
  fail(ARR_E_ARGUMENT,
       "an array was made by captured work, and has no values before the first launch of its graph");
}

Captured::Captured(Stream& origin) { members_.push_back({Ref<Stream>::share(&origin), {}, 0}); }

bool Captured::began_in(const Stream& s) {
  const std::lock_guard lock(mutex_);
  return !ended_ && members_.front().stream.get() == &s;
}

bool Captured::ended() {
  const std::lock_guard lock(mutex_);
  return ended_;
}

size_t Captured::number_of(const Stream& s) const {
  size_t i = 0;
  while (i < members_.size() && members_[i].stream.get() != &s) ++i;
  return i;
}

Captured::Uses& Captured::uses_of(Buffer& buffer) {
  const auto [at, fresh] = uses_.try_emplace(&buffer);
  if (fresh) {
    try {
      all_.push_back(Ref<Buffer>::share(&buffer));
    } catch (...) {
      uses_.erase(at);
      throw;
    }
  }
  return at->second;
}

// Waits for that use and earlier work of the other stream. Later work is not included, because another thread
// may be enqueuing it.
void Captured::wait_for_use(const UsedBy& before, size_t member, const Queue& q) {
  VectorClock& seen = members_[member].seen;
  if (before.member == member || seen.covers(before.member, before.count)) return;
  call(api<StreamApi>(q).wait_stream, q.index(), q.handle(), members_[before.member].stream->handle());
  seen.cover(before.member, before.count);
}

bool Captured::keep(Buffer& buffer, const Queue& q, Use use) {
  {
    // Memory without an earlier use gets q's stream as its last user.
    const std::lock_guard lock(buffer.use_mutex);
    if (!buffer.last_use) buffer.last_use = Ref<Object>::share(q.stream);
  }
  const std::lock_guard lock(mutex_);
  const size_t member = number_of(*q.stream);
  if (ended_ || member == members_.size()) return false;
  Uses& uses = uses_of(buffer);
  wait_for_use(uses.written, member, q);
  Member& m = members_[member];
  if (use == Use::write) {
    for (const UsedBy& r : uses.reads) wait_for_use(r, member, q);
    uses.reads.clear();
    uses.written = {member, ++m.count};
  } else {
    const auto mine = std::find_if(uses.reads.begin(), uses.reads.end(),
                                   [&](const UsedBy& r) { return r.member == member; });
    if (mine == uses.reads.end()) {
      uses.reads.push_back({member, ++m.count});
    } else {
      mine->count = ++m.count;
    }
  }
  m.seen.cover(member, m.count);
  return true;
}

VectorClock Captured::now(const Stream& s) {
  const std::lock_guard lock(mutex_);
  const size_t member = number_of(s);
  return member == members_.size() ? VectorClock{} : members_[member].seen;
}

void Captured::join(Stream& s, const Event& event, const VectorClock& at) {
  const std::lock_guard lock(mutex_);
  if (ended_) marks_nothing();
  members_.reserve(members_.size() + 1);
  VectorClock seen = at;
  const Device d = s.device();
  call(api<GraphApi>(d).capture_join, d.index, s.handle(), event.handle(), members_.front().stream->handle());
  members_.push_back({Ref<Stream>::share(&s), std::move(seen), 0});
  s.enter(Ref<Captured>::share(this));
}

void Captured::wait(Stream& s, const Event& event, const VectorClock& at) {
  const std::lock_guard lock(mutex_);
  const size_t member = number_of(s);
  if (ended_ || member == members_.size()) marks_nothing();
  const Device d = s.device();
  call(api<StreamApi>(d).wait_event, d.index, s.handle(), event.handle());
  members_[member].seen.merge(at);
}

std::vector<Captured::Member> Captured::end() noexcept {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  std::vector<Member> members = std::exchange(members_, {});
  uses_.clear();
  for (const Member& m : members) m.stream->leave();
  return members;
}

std::vector<Ref<Buffer>> Captured::take() {
  const std::lock_guard lock(mutex_);
  return std::move(all_);
}

// ------------------------------------------------------------------------------------------- events

void record_event(Event& event, const Queue& q) {
  const std::lock_guard lock(event.mutex);
  const Ref<Captured> capture = q.stream->captured();
  Ref<CapturedMark> mark;
  if (capture) mark = make<CapturedMark>(capture, capture->now(*q.stream));
  call(api<StreamApi>(q).event_record, q.index(), event.handle(), q.handle());
  event.mark = std::move(mark);
}

void wait_event(Stream& stream, Event& event) {
  const std::lock_guard lock(event.mutex);
  const auto* mark = static_cast<const CapturedMark*>(event.mark.get());
  const Ref<Captured> capture = stream.captured();
  if (mark != nullptr && !capture) return mark->in->join(stream, event, mark->at);
  if (mark != nullptr && mark->in.get() == capture.get()) return capture->wait(stream, event, mark->at);
  if (mark != nullptr && !mark->in->ended()) {
    fail(ARR_E_ARGUMENT,
         "argument event: was recorded in another capture than the stream's, and two captures cannot become "
         "one graph");
  }
  if (capture) {
    fail(ARR_E_UNSUPPORTED,
         "argument event: was recorded outside of the stream's capture, and a graph can wait only for "
         "captured work");
  }
  const Device d = stream.device();
  call(api<StreamApi>(d).wait_event, d.index, stream.handle(), event.handle());
}

Ref<Event> new_event(Device d, int32_t flags) {
  void* handle = nullptr;
  call(api<StreamApi>(d).event_create, d.index, flags, &handle);
  try {
    return make<Event>(d, handle);
  } catch (...) {
    BackendError ignored;
    api<StreamApi>(d).event_destroy(d.index, handle, &ignored);
    throw;
  }
}

namespace {

// True if the two streams work for one graph or one is about to join it; false if both run as usual.
bool in_capture(Stream& stream, Stream& other) {
  const Ref<Captured> here = stream.captured(), there = other.captured();
  if (!here && !there) return false;
  if (!there) {
    fail(ARR_E_UNSUPPORTED,
         "argument other: its work is outside of the stream's capture, and a graph can wait only for "
         "captured work");
  }
  if (here && here.get() != there.get()) {
    fail(ARR_E_ARGUMENT,
         "argument other: is in another capture than the stream, and two captures cannot become one graph");
  }
  if (!(stream.device() == other.device())) {
    fail(ARR_E_UNSUPPORTED, "argument other: is being captured on ", device_text(other.device()),
         ", the stream is on ", device_text(stream.device()), "; a graph is of one device");
  }
  return true;
}

}  // namespace

void wait_stream(Stream& stream, Stream& other) {
  const Device d = stream.device(), first = other.device();
  if (d.type != first.type) {
    fail(ARR_E_ARGUMENT, "argument other: is on ", device_text(first), ", the stream on ", device_text(d),
         "; where neither can wait for the other, arr_stream_sync does");
  }
  if (&stream == &other) return;
  const bool captured = in_capture(stream, other);
  if (!captured && d == first) {
    return call(api<StreamApi>(d).wait_stream, d.index, stream.handle(), other.handle());
  }
  const Ref<Event> event = new_event(first, 0);
  record_event(*event, queue_for(first, &other));
  wait_event(stream, *event);
}

void refuse_captured(Event& event) {
  const std::lock_guard lock(event.mutex);
  if (event.mark) marks_nothing();
}

}  // namespace arr
