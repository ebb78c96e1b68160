// SPDX-License-Identifier: MIT
// Captures (core/runtime/captures, graphs): captured work runs at launches, its memory stays, its order holds
// over several streams, and mistakes leave the capture as it was.
#include "backend/stream.h"
#include "runtime/graphs.h"
#include "support.h"

namespace arr {

namespace {

Ref<Stream> new_stream() {
  void* handle = nullptr;
  call(api<StreamApi>(Device{}).create, 0, 0, &handle);
  return make<Stream>(Device{}, handle, true);
}

class Captures : public testing::Test {
 protected:
  void TearDown() override { EXPECT_EQ(unlaunched.load(), 0); }
  void launch(Graph& graph) const { graph.launch(queue_for(Device{}, stream.get())); }
  const Ref<Stream> stream = new_stream();
  const Ref<Array> a = vector_of({1, 2, 3}), b = vector_of({10, 20, 30});
};

TEST_F(Captures, WorkRunsAtEachLaunch) {
  const Ref<Array> sum = vector_of({0, 0, 0});
  begin_capture(*stream);
  EXPECT_TRUE(stream->capturing());
  add_into(*sum, *sum, *a, stream.get());
  const Ref<Graph> graph = end_capture(*stream);
  EXPECT_FALSE(stream->capturing());
  EXPECT_EQ(values_of(*sum), (Values{0, 0, 0}));
  for (const double times : {1.0, 2.0, 3.0}) {
    launch(*graph);
    EXPECT_EQ(values_of(*sum), (Values{times, 2 * times, 3 * times}));
  }
}

TEST_F(Captures, ResultsHaveNoValuesBeforeALaunch) {
  begin_capture(*stream);
  const Ref<Array> sum = add(*a, *b, stream.get());
  EXPECT_EQ(unlaunched.load(), 1);
  const Ref<Graph> graph = end_capture(*stream);
  EXPECT_EQ(thrown_by([&] { values_of(*sum); }), ARR_E_ARGUMENT);
  EXPECT_EQ(thrown_by([&] { add(*sum, *a); }), ARR_E_ARGUMENT);
  launch(*graph);
  EXPECT_EQ(unlaunched.load(), 0);
  EXPECT_EQ(values_of(*sum), (Values{11, 22, 33}));
}

TEST_F(Captures, TheGraphKeepsItsMemory) {
  Ref<Array> operand = vector_of({5, 6, 7});
  begin_capture(*stream);
  Ref<Array> twice = add(*operand, *operand, stream.get());
  const Ref<Array> sum = add(*twice, *b, stream.get());
  const Ref<Graph> graph = end_capture(*stream);
  const char* memory = twice->data;
  twice = nullptr;
  operand = nullptr;
  const Ref<Array> other = vector_of({7, 7, 7});
  EXPECT_NE(other->data, memory);
  launch(*graph);
  EXPECT_EQ(values_of(*sum), (Values{20, 32, 44}));
  EXPECT_EQ(values_of(*other), (Values{7, 7, 7}));
}

TEST_F(Captures, AStreamJoinsByAnEvent) {
  const Ref<Stream> second = new_stream();
  const Ref<Event> forked = new_event(Device{}, 0), joined = new_event(Device{}, 0);
  begin_capture(*stream);
  const Ref<Array> sum = add(*a, *b, stream.get());
  record_event(*forked, queue_for(Device{}, stream.get()));
  wait_event(*second, *forked);
  EXPECT_TRUE(second->capturing());
  const Ref<Array> twice = add(*sum, *sum, second.get());
  EXPECT_EQ(thrown_by([&] { end_capture(*second); }), ARR_E_ARGUMENT);
  EXPECT_EQ(thrown_by([&] { refuse_captured(*forked); }), ARR_E_ARGUMENT);
  record_event(*joined, queue_for(Device{}, second.get()));
  wait_event(*stream, *joined);
  const Ref<Graph> graph = end_capture(*stream);
  EXPECT_FALSE(second->capturing());
  launch(*graph);
  EXPECT_EQ(values_of(*twice), (Values{22, 44, 66}));
}

TEST_F(Captures, AnAbortedCaptureLeavesNothing) {
  begin_capture(*stream);
  {
    const Ref<Array> sum = add(*a, *b, stream.get());
    abort_capture(*stream);
    EXPECT_FALSE(stream->capturing());
    EXPECT_EQ(thrown_by([&] { values_of(*sum); }), ARR_E_ARGUMENT);
  }
  abort_capture(*stream);  // there is none
  EXPECT_EQ(values_of(*add(*a, *b, stream.get())), (Values{11, 22, 33}));
}

TEST_F(Captures, AGraphTakesAnotherCapture) {
  const Ref<Array> to = vector_of({0, 0, 0});
  begin_capture(*stream);
  add_into(*to, *a, *b, stream.get());
  const Ref<Graph> graph = end_capture(*stream);
  begin_capture(*stream);
  add_into(*to, *b, *b, stream.get());
  graph->update(*stream);
  launch(*graph);
  EXPECT_EQ(values_of(*to), (Values{20, 40, 60}));
}

TEST_F(Captures, MistakesLeaveTheCapture) {
  EXPECT_EQ(thrown_by([&] { end_capture(*stream); }), ARR_E_ARGUMENT);
  begin_capture(*stream);
  const Ref<Graph> empty = end_capture(*stream);
  begin_capture(*stream);
  EXPECT_EQ(thrown_by([&] { begin_capture(*stream); }), ARR_E_ARGUMENT);
  EXPECT_EQ(thrown_by([&] { launch(*empty); }), ARR_E_UNSUPPORTED);
  const Ref<Array> sum = add(*a, *b, stream.get());
  const Ref<Graph> graph = end_capture(*stream);
  launch(*graph);
  EXPECT_EQ(values_of(*sum), (Values{11, 22, 33}));
}

}  // namespace

}  // namespace arr
