// SPDX-License-Identifier: MIT
#include "runtime/trace.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <vector>

#include "arr/stream.h"
#include "backend/stream.h"
#include "base/fork.h"
#include "base/per_thread.h"
#include "base/utf8.h"
#include "runtime/nvtx.h"

namespace arr {

namespace {

// Milliseconds of an event are measured from a first event, whose host time is known.
struct Clock {
  Device device;
  const Backend* backend;
  void* first;
  int64_t at;
};

struct Record {
  enum Kind : uint8_t { scope, work, mark, range } kind;
  int64_t begin, end;  // nanoseconds
  int64_t thread;
  std::string name, shape;
  int64_t bytes;
  Device device;
  const Backend* backend;
  uint64_t stream;
  void *start, *stop;  // events, if the device records times
  uint32_t color = 0;
  int64_t id = 0;  // number of a range that need not nest
};

struct Trace {
  ProcessMutex mutex;
  int64_t begin = 0, lost = 0;
  std::vector<Record> records;
  ProcessMutex clocks_mutex;  // taken first; one thread at a time starts a clock
  std::vector<Clock> clocks;
};
constexpr size_t max_records = size_t{1} << 20;

Trace& trace() {
  static auto* t = new Trace;  // never destroyed: threads may still record at exit
  return *t;
}

int64_t nanoseconds() noexcept {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

int64_t this_thread() noexcept {
  static std::atomic<int64_t> next{1};
  thread_local const int64_t mine = next++;
  return mine;
}

// Returns false if the record is dropped.
bool add(Record r) noexcept {
  Trace& t = trace();
  const std::lock_guard lock(t.mutex);
  if (!tracing()) return false;
  if (t.records.size() >= max_records) {
    ++t.lost;
    return false;
  }
  try {
    t.records.push_back(std::move(r));
    return true;
  } catch (const std::bad_alloc&) {
    ++t.lost;
    return false;
  }
}

void drop(const Backend& backend, Device device, void* event) {
  BackendError ignored;
  if (event != nullptr) api<StreamApi>(backend).event_destroy(device.index, event, &ignored);
}

// An event with a time, after the queue's current work; nullptr if the device has no such events.
void* event_behind(const Queue& q) {
  BackendError ignored;
  void* event = nullptr;
  if (api<StreamApi>(q).event_create(q.index(), ARR_EVENT_TIMING, &event, &ignored) != ARR_OK) return nullptr;
  if (api<StreamApi>(q).event_record(q.index(), event, q.handle(), &ignored) == ARR_OK) return event;
  drop(*q.backend, q.device, event);
  return nullptr;
}

// The device's clock begins with its first record.
void start_clock(const Queue& q) {
  Trace& t = trace();
  const std::lock_guard lock(t.clocks_mutex);
  for (const Clock& c : t.clocks) {
    if (c.device == q.device) return;
  }
  t.clocks.reserve(t.clocks.size() + 1);
  void* first = event_behind(q);
  BackendError ignored;
  if (first == nullptr || api<StreamApi>(q).event_sync(q.index(), first, &ignored) != ARR_OK) {
    return drop(*q.backend, q.device, first);
  }
  t.clocks.push_back({q.device, q.backend, first, nanoseconds()});
}

// Replaces the host's times by the device's.
void settle(const std::vector<Clock>& clocks, Record* r) {
  for (const Clock& c : clocks) {
    if (!(c.device == r->device) || r->start == nullptr || r->stop == nullptr) continue;
    BackendError ignored;
    double begin = 0, end = 0;
    if (api<StreamApi>(*c.backend).event_sync(c.device.index, r->stop, &ignored) != ARR_OK) continue;
    if (api<StreamApi>(*c.backend).event_elapsed(c.device.index, c.first, r->start, &begin, &ignored) !=
        ARR_OK)
      continue;
    if (api<StreamApi>(*c.backend).event_elapsed(c.device.index, c.first, r->stop, &end, &ignored) != ARR_OK)
      continue;
    r->begin = c.at + static_cast<int64_t>(begin * 1e6);
    r->end = c.at + static_cast<int64_t>(end * 1e6);
  }
}

void quote(std::string* out, std::string_view s) {
  *out += '"';
  for (const char c : as_utf8(s)) {
    if (c == '"' || c == '\\') *out += '\\';
    *out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  *out += '"';
}

std::string microseconds(int64_t ns) {
  std::string digits = std::to_string(ns % 1000);
  return std::to_string(ns / 1000) + "." + std::string(3 - digits.size(), '0') + digits;
}

std::string color_text(uint32_t color) {
  char digits[] = "#00000000";
  for (int i = 8; i > 0; --i, color >>= 4) digits[i] = "0123456789abcdef"[color & 15];
  return digits;
}

// Threads of the process are one group of lines; each device is another group with a line per stream. Work
// that began before the trace is shown from its beginning.
void write_record(std::string* out, const Record& r, int64_t origin, const char* phase) {
  const int64_t process = r.kind == Record::work ? 1000000 + r.device.type * 100 + r.device.index : getpid();
  const int64_t begin = std::max<int64_t>(r.begin - origin, 0), end = std::max(r.end - origin, begin);
  *out += R"({"name":)";
  quote(out, r.name);
  *out += text(R"(,"ph":")", phase, R"(","ts":)", microseconds(*phase == 'e' ? end : begin));
  if (r.kind == Record::mark) {
    *out += R"(,"s":"t")";
  } else if (r.kind == Record::range) {
    *out += text(R"(,"cat":"range","id":)", r.id);
  } else {
    *out += text(R"(,"dur":)", microseconds(end - begin));
  }
  *out += text(R"(,"pid":)", process, R"(,"tid":)",
               r.kind == Record::work ? r.stream : static_cast<uint64_t>(r.thread));
  if (r.kind == Record::work) {
    *out += R"(,"args":{"shape":)";
    quote(out, r.shape);
    *out += text(R"(,"bytes":)", r.bytes, "}");
  } else if (r.color != 0) {
    *out += text(R"(,"args":{"color":")", color_text(r.color), R"("})");
  }
  *out += "},\n";
}

// A range that need not nest is written as two records.
void write(std::string* out, const Record& r, int64_t origin) {
  if (r.kind != Record::range) return write_record(out, r, origin, r.kind == Record::mark ? "i" : "X");
  write_record(out, r, origin, "b");
  write_record(out, r, origin, "e");
}

void write_group(std::string* out, int64_t process, const std::string& name) {
  *out += text(R"({"name":"process_name","ph":"M","pid":)", process, R"(,"args":{"name":)");
  quote(out, name);
  *out += "}},\n";
}

// Allocates nothing: the end of a range cannot fail.
void add_scope(Record::Kind kind, std::string name, int64_t begin, int64_t end, uint32_t color = 0) noexcept {
  add({kind, begin, end, this_thread(), std::move(name), {}, 0, {}, nullptr, 0, nullptr, nullptr, color});
}

struct Range {
  std::string name;
  int64_t begin;
  uint32_t color;
  uint64_t nvtx = 0;  // NVTX's number, for ranges that were started by number
};
std::vector<Range>& ranges() { return per_thread<std::vector<Range>>(); }

// Ranges that were started by number and have not ended.
struct Started {
  ProcessMutex mutex;
  int64_t next = 1;
  std::map<int64_t, Range> ranges;
};
Started& started() {
  static auto* s = new Started;  // never destroyed: threads may still end theirs at exit
  return *s;
}

}  // namespace

void trace_begin() {
  Trace& t = trace();
  const std::lock_guard lock(t.mutex);
  if (tracing()) fail(ARR_E_ARGUMENT, "there is a trace already; end it first");
  t.begin = nanoseconds();
  t.lost = 0;
  t.records.clear();
  trace_flag() = true;
}

std::string trace_end() {
  Trace& t = trace();
  std::vector<Record> records;
  std::vector<Clock> clocks;
  int64_t origin = 0, lost = 0;
  {
    const std::scoped_lock lock(t.clocks_mutex, t.mutex);
    if (!tracing()) fail(ARR_E_ARGUMENT, "there is no trace; begin one first");
    trace_flag() = false;
    records.swap(t.records);
    clocks.swap(t.clocks);
    origin = t.begin;
    lost = t.lost;
  }
  std::string out = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n";
  write_group(&out, getpid(), "threads");
  write_group(&out, 1000000 + ARR_HOST * 100, "host");
  for (const Clock& c : clocks) {
    write_group(&out, 1000000 + c.device.type * 100 + c.device.index, device_text(c.device));
  }
  for (Record& r : records) {
    settle(clocks, &r);
    write(&out, r, origin);
  }
  for (const Record& r : records) {
    for (void* event : {r.start, r.stop}) {
      if (event != nullptr) drop(*r.backend, r.device, event);
    }
  }
  for (const Clock& c : clocks) drop(*c.backend, c.device, c.first);
  out += text(R"({"name":"lost","ph":"M","pid":)", getpid(), R"(,"args":{"records":)", lost, "}}\n]}\n");
  return out;
}

int64_t TraceCall::now() noexcept { return nanoseconds(); }

void TraceCall::finish() noexcept {
  try {
    add_scope(Record::scope, name_, begin_, nanoseconds());
  } catch (const std::bad_alloc&) {
    // The record is missing then; the call itself has succeeded.
  }
}

void range_push(std::string_view name, uint32_t color) {
  ranges().push_back({std::string(name), nanoseconds(), color});
  nvtx_push(ranges().back().name.c_str(), color);
}

void range_pop() {
  if (ranges().empty()) fail(ARR_E_ARGUMENT, "no range is open on this thread");
  Range range = std::move(ranges().back());
  ranges().pop_back();
  nvtx_pop();
  if (tracing()) add_scope(Record::scope, std::move(range.name), range.begin, nanoseconds(), range.color);
}

void range_mark(std::string_view name, uint32_t color) {
  std::string own(name);
  nvtx_mark(own.c_str(), color);
  const int64_t at = nanoseconds();
  if (tracing()) add_scope(Record::mark, std::move(own), at, at, color);
}

int64_t range_start(std::string_view name, uint32_t color) {
  std::map<int64_t, Range> made;
  made.emplace(0, Range{std::string(name), nanoseconds(), color});
  auto node = made.extract(0);
  node.mapped().nvtx = nvtx_start(node.mapped().name.c_str(), color);
  Started& s = started();
  const std::lock_guard lock(s.mutex);
  node.key() = s.next;
  s.ranges.insert(std::move(node));
  return s.next++;
}

void range_end(int64_t id) {
  Started& s = started();
  Range range;
  {
    const std::lock_guard lock(s.mutex);
    const auto at = s.ranges.find(id);
    if (at == s.ranges.end())
      fail(ARR_E_ARGUMENT, "argument id: ", id, " is not a range that has been started");
    range = std::move(at->second);
    s.ranges.erase(at);
  }
  nvtx_end(range.nvtx);
  if (!tracing()) return;
  add({Record::range,
       range.begin,
       nanoseconds(),
       this_thread(),
       std::move(range.name),
       {},
       0,
       {},
       nullptr,
       0,
       nullptr,
       nullptr,
       range.color,
       id});
}

TraceSpan::TraceSpan(const Queue& q, TraceWork work) : queue_(q), work_(std::move(work)), begin_(0) {
  // Captured work has no time yet, and must not wait.
  if (!q.synchronous && !q.stream->capturing()) {
    start_clock(q);
    start_ = event_behind(q);
  }
  begin_ = nanoseconds();
}

TraceSpan::~TraceSpan() {
  const int64_t end = nanoseconds();
  if (start_ != nullptr && !cancelled_) stop_ = event_behind(queue_);
  const auto stream = static_cast<uint64_t>(reinterpret_cast<uintptr_t>(queue_.handle()));
  if (!cancelled_ &&
      add({Record::work, begin_, end, this_thread(), std::move(work_.name), std::move(work_.shape),
           work_.bytes, queue_.device, queue_.backend, stream, start_, stop_}))
    return;
  for (void* event : {start_, stop_}) drop(*queue_.backend, queue_.device, event);
}

}  // namespace arr
