// SPDX-License-Identifier: MIT
// Streams and events over a fake that runs work as late as it may, so that a missing wait shows.
#include <thread>

#include "backend/interface.h"
#include "support.h"

namespace arr::cuda_test {
namespace {

class Streams : public CudaTest {
 protected:
  void SetUp() override {
    CudaTest::SetUp();
    Memory warm(4);  // opens the device
    arr_fake_cuda_set("defer", 1);
    for (void*& s : streams_) ARR_WORKS(cuda().stream->create(0, 0, &s, &error));
  }
  void TearDown() override {
    for (void* s : streams_) {
      BackendError e;
      EXPECT_EQ(cuda().stream->destroy(0, s, &e), ARR_OK) << e.text;
    }
  }
  // to[i] = from[i] + from[i], enqueued on a stream.
  static void twice(const Memory& from, const Memory& to, void* stream) {
    const int64_t n = 1000, stride = 4;
    const Operand operands[] = {
        {from.data(), &stride, {}}, {from.data(), &stride, {}}, {to.data(), &stride, {}}};
    const DType types[] = {DType::int32_, DType::int32_};
    ElementwiseCall call{&single_op(*op_find("add"), types, DType::int32_), 1, &n, operands};
    BackendError e;
    ASSERT_EQ(cuda().elementwise->elementwise(0, &call, stream, &e), ARR_OK) << e.text;
  }
  void* streams_[2] = {};
};

const std::vector<int32_t> ones(1000, 1);

TEST_F(Streams, WorkIsInOrder) {
  Memory a(bytes_of(ones)), b(4000);
  twice(a, b, streams_[0]);
  twice(b, a, streams_[0]);
  int32_t done = 1;
  ARR_WORKS(cuda().stream->query(0, streams_[0], &done, &error));
  EXPECT_EQ(done, 0);
  ARR_WORKS(cuda().stream->sync(0, streams_[0], &error));
  ARR_WORKS(cuda().stream->query(0, streams_[0], &done, &error));
  EXPECT_EQ(done, 1);
  EXPECT_EQ(values_of<int32_t>(a.get())[999], 4);
}

TEST_F(Streams, OneStreamWaitsForAnother) {
  Memory a(bytes_of(ones)), b(4000), c(4000);
  twice(a, b, streams_[0]);
  ARR_WORKS(cuda().stream->wait_stream(0, streams_[1], streams_[0], &error));
  twice(b, c, streams_[1]);
  ARR_WORKS(cuda().stream->sync(0, streams_[1], &error));
  EXPECT_EQ(values_of<int32_t>(c.get())[0], 4);
}

TEST_F(Streams, TheFakeShowsAMissingWait) {
  Memory a(bytes_of(ones)), b(bytes_of(std::vector<int32_t>(1000, 100))), c(4000);
  twice(a, b, streams_[0]);
  twice(b, c, streams_[1]);
  ARR_WORKS(cuda().stream->sync(0, streams_[1], &error));
  EXPECT_EQ(values_of<int32_t>(c.get())[0], 200);
}

TEST_F(Streams, EventsRecordAPoint) {
  void* event = nullptr;
  ARR_WORKS(cuda().stream->event_create(0, 0, &event, &error));
  Memory a(bytes_of(ones)), b(4000), c(4000);
  twice(a, b, streams_[0]);
  ARR_WORKS(cuda().stream->event_record(0, event, streams_[0], &error));
  twice(b, c, streams_[0]);
  int32_t done = 1;
  ARR_WORKS(cuda().stream->event_query(0, event, &done, &error));
  EXPECT_EQ(done, 0);
  ARR_WORKS(cuda().stream->event_sync(0, event, &error));
  ARR_WORKS(cuda().stream->event_query(0, event, &done, &error));
  EXPECT_EQ(done, 1);
  ARR_WORKS(cuda().stream->query(0, streams_[0], &done, &error));
  EXPECT_EQ(done, 0);  // the work after the event still waits
  ARR_WORKS(cuda().stream->wait_event(0, streams_[1], event, &error));
  twice(b, a, streams_[1]);
  ARR_WORKS(cuda().device->sync(0, &error));
  EXPECT_EQ(values_of<int32_t>(a.get())[5], 4);
  ARR_WORKS(cuda().stream->event_destroy(0, event, &error));
}

TEST_F(Streams, EventsTimeWork) {
  void *start = nullptr, *stop = nullptr;
  ARR_WORKS(cuda().stream->event_create(0, 1, &start, &error));
  ARR_WORKS(cuda().stream->event_create(0, 1, &stop, &error));
  BackendError e;
  double ms = -1;
  EXPECT_EQ(cuda().stream->event_elapsed(0, start, stop, &ms, &e), ARR_E_ARGUMENT);  // never recorded
  Memory a(bytes_of(ones)), b(4000);
  ARR_WORKS(cuda().stream->event_record(0, start, streams_[0], &error));
  twice(a, b, streams_[0]);
  ARR_WORKS(cuda().stream->event_record(0, stop, streams_[0], &error));
  EXPECT_EQ(cuda().stream->event_elapsed(0, start, stop, &ms, &e), ARR_E_ARGUMENT);  // not reached
  ARR_WORKS(cuda().stream->event_sync(0, stop, &error));
  ARR_WORKS(cuda().stream->event_elapsed(0, start, stop, &ms, &error));
  EXPECT_GE(ms, 0);
  ARR_WORKS(cuda().stream->event_destroy(0, start, &error));
  ARR_WORKS(cuda().stream->event_destroy(0, stop, &error));
}

TEST_F(Streams, WrapsANativeStream) {
  void *native = nullptr, *wrapped = nullptr, *again = nullptr;
  ARR_WORKS(cuda().stream->native(0, streams_[0], &native, &error));
  ARR_WORKS(cuda().stream->wrap(0, native, &wrapped, &error));
  ARR_WORKS(cuda().stream->native(0, wrapped, &again, &error));
  EXPECT_EQ(native, again);
  Memory a(bytes_of(ones)), b(4000);
  twice(a, b, streams_[0]);
  twice(b, a, wrapped);
  int64_t streams = arr_fake_cuda_live("streams");
  ARR_WORKS(cuda().stream->destroy(0, wrapped, &error));
  EXPECT_EQ(arr_fake_cuda_live("streams"), streams);  // the native one stays its owner's
  ARR_WORKS(cuda().stream->sync(0, streams_[0], &error));
  EXPECT_EQ(values_of<int32_t>(a.get())[0], 4);
}

// Memory that a stream released in a capture that it joined is reused after its earlier work.
TEST_F(Streams, MemoryOfAForkComesBackBehindItsWork) {
  void *origin = streams_[0], *branch = streams_[1], *event = nullptr, *graph = nullptr, *block = nullptr,
       *again = nullptr;
  const std::vector<int32_t> hundreds(1000, 100);
  Memory a(bytes_of(ones)), b(bytes_of(hundreds));
  ARR_WORKS(cuda().stream->event_create(0, 0, &event, &error));
  ARR_WORKS(cuda().memory->allocate(0, 4000, branch, &block, &error));
  ARR_WORKS(cuda().memory->copy_on_device(0, block, a.data(), 4000, branch, &error));
  ARR_WORKS(cuda().memory->release(0, block, 4000, branch, &error));
  ARR_WORKS(cuda().graph->capture_begin(0, origin, &error));
  ARR_WORKS(cuda().stream->event_record(0, event, origin, &error));
  ARR_WORKS(cuda().graph->capture_join(0, branch, event, origin, &error));
  ARR_WORKS(cuda().memory->allocate(0, 4000, branch, &again, &error));
  ASSERT_EQ(again, block);
  ARR_WORKS(cuda().memory->release(0, again, 4000, branch, &error));
  ARR_WORKS(cuda().stream->wait_stream(0, origin, branch, &error));
  ARR_WORKS(cuda().graph->capture_end(0, origin, &graph, &error));
  ARR_WORKS(cuda().graph->release(0, graph, origin, &error));
  ARR_WORKS(cuda().memory->allocate(0, 4000, origin, &again, &error));
  ASSERT_EQ(again, block);
  ARR_WORKS(cuda().memory->copy_on_device(0, again, b.data(), 4000, origin, &error));
  ARR_WORKS(cuda().stream->sync(0, origin, &error));
  ARR_WORKS(cuda().device->sync(0, &error));
  std::vector<char> host(4000);
  ARR_WORKS(cuda().memory->copy_to_host(0, host.data(), again, 4000, origin, &error));
  EXPECT_EQ(values_of<int32_t>(host), hundreds);
  ARR_WORKS(cuda().memory->release(0, again, 4000, origin, &error));
  ARR_WORKS(cuda().stream->event_destroy(0, event, &error));
}

TEST_F(Streams, ManySplitReductionsShareTickets) {
  const int64_t n = 100000, stride = 4;
  Memory in(bytes_of(std::vector<int32_t>(n, 1))), out(8 * 16);
  const Operand operand = {in.data(), &stride, {}};
  for (int i = 0; i < 16; ++i) {
    ReduceCall call;
    call.reduction = reduction_info(1);
    call.map = &single_cast(DType::int32_, DType::int64_);
    call.acc = call.out = DType::int64_;
    call.ndim = 1;
    call.shape = &n;
    call.operands = &operand;
    call.output = {out.data() + 8 * i, nullptr, {}};
    ARR_WORKS(cuda().reduce->reduce(0, &call, streams_[i % 2], &error));
  }
  ARR_WORKS(cuda().device->sync(0, &error));
  for (int64_t sum : values_of<int64_t>(out.get())) EXPECT_EQ(sum, n);
}

TEST_F(Streams, CopiesFromTheHostAreDoneOnReturn) {
  std::vector<int32_t> host(1000, 5);
  Memory a(4000, streams_[0]);
  ARR_WORKS(cuda().memory->copy_from_host(0, a.data(), host.data(), 4000, streams_[0], &error));
  std::fill(host.begin(), host.end(), 6);
  EXPECT_EQ(values_of<int32_t>(a.get())[0], 5);
}

// A thread without a context keeps device 0's; another thread's choice comes back after each call.
TEST_F(CudaTest, OnlyAChosenContextIsGivenBack) {
  Memory warm(4);  // opens the device
  std::thread([] {
    const int64_t gets = arr_fake_cuda_calls("cuCtxGetCurrent"),
                  pushes = arr_fake_cuda_calls("cuCtxPushCurrent_v2");
    for (int i = 0; i < 3; ++i) ARR_WORKS(cuda().stream->sync(0, nullptr, &error));
    EXPECT_EQ(arr_fake_cuda_calls("cuCtxGetCurrent"), gets + 3);
    EXPECT_EQ(arr_fake_cuda_calls("cuCtxPushCurrent_v2"), pushes + 1);
    EXPECT_EQ(arr_fake_cuda_calls("cuCtxPopCurrent_v2"), 0);
  }).join();
  arr_fake_cuda_set("devices", 2);
  std::thread([] {
    ARR_WORKS(cuda().stream->sync(1, nullptr, &error));  // opens it
    const int64_t pushes = arr_fake_cuda_calls("cuCtxPushCurrent_v2"),
                  pops = arr_fake_cuda_calls("cuCtxPopCurrent_v2");
    ARR_WORKS(cuda().stream->sync(1, nullptr, &error));
    EXPECT_EQ(arr_fake_cuda_calls("cuCtxPushCurrent_v2"), pushes + 1);
    EXPECT_EQ(arr_fake_cuda_calls("cuCtxPopCurrent_v2"), pops + 1);
  }).join();
}

}  // namespace
}  // namespace arr::cuda_test
