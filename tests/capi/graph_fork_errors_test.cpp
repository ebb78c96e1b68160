// SPDX-License-Identifier: MIT
// Errors of captures over several streams, their end after one, and handles released meanwhile.
#include <string>

#include "forks.h"

namespace {

class ForkErrors : public arr_test::OfForks {};

TEST_P(ForkErrors, OneThatIsNotJoinedEndsTheCapture) {
  const struct {
    const char* name;
    bool work, partly;
  } cases[] = {{"work", true, false}, {"no work", false, false}, {"work behind the join", true, true}};
  for (const auto& c : cases) {
    for (const bool update : {false, true}) {
      arr_array x = array({1}), y = nullptr, z = nullptr;
      arr_graph graph = nullptr, made = nullptr;
      ARR_DOES(arr_graph_begin(main));
      y = add(x, x, main);
      ARR_DOES(arr_graph_end(main, &made));
      ARR_DOES(arr_graph_begin(main));
      ARR_DOES(wait(one, main));
      if (c.partly) {
        ARR_DOES(wait(main, one));
      }
      if (c.work) z = add(x, x, one);
      EXPECT_EQ(update ? arr_graph_update(made, main) : arr_graph_end(main, &graph), ARR_E_ARGUMENT)
          << c.name;
      EXPECT_NE(std::string(arr_last_error()).find("has not waited for all the work"), std::string::npos)
          << arr_last_error();
      EXPECT_EQ(graph, nullptr);
      expect_ordinary();
      EXPECT_EQ(arr_graph_end(main, &graph), ARR_E_ARGUMENT);
      // The graph is as it was.
      set(x, 7);
      ARR_DOES(arr_graph_launch(made, one));
      EXPECT_EQ(values(y, 1), std::vector<double>{14}) << c.name;
      ARR_DOES(arr_graph_release(made));
      for (arr_array a : {x, y, z}) arr_release(a);
    }
  }
}

TEST_P(ForkErrors, TheOriginEndsIt) {
  arr_array x = array({1});
  arr_graph graph = nullptr, other = nullptr;
  ARR_DOES(arr_graph_begin(two));
  arr_array w = add(x, x, two);
  ARR_DOES(arr_graph_end(two, &other));
  ARR_DOES(arr_graph_begin(main));
  ARR_DOES(wait(one, main));
  arr_array y = add(x, x, one);
  for (const bool update : {false, true}) {
    EXPECT_EQ(update ? arr_graph_update(other, one) : arr_graph_end(one, &graph), ARR_E_ARGUMENT);
    EXPECT_NE(std::string(arr_last_error()).find("joined the capture of another stream"), std::string::npos)
        << arr_last_error();
  }
  EXPECT_EQ(arr_graph_begin(one), ARR_E_ARGUMENT);
  EXPECT_EQ(arr_graph_launch(other, one), ARR_E_UNSUPPORTED);
  EXPECT_EQ(arr_stream_sync(one), ARR_E_ARGUMENT);
  bool done = false;
  EXPECT_EQ(arr_stream_query(one, &done), ARR_E_ARGUMENT);
  double none = 0;
  EXPECT_EQ(arr_get(y, ARR_ORDER_C, &none, 8, one), ARR_E_ARGUMENT);
  ARR_DOES(wait(main, one));
  ARR_DOES(arr_graph_end(main, &graph));
  ARR_DOES(arr_graph_launch(graph, main));
  EXPECT_EQ(values(y, 1), std::vector<double>{2});
  for (arr_array a : {x, y, w}) arr_release(a);
  ARR_DOES(arr_graph_release(graph));
  ARR_DOES(arr_graph_release(other));
}

TEST_P(ForkErrors, EventsOfOtherWorkAreRefused) {
  arr_array x = array({1});
  arr_graph first = nullptr, second = nullptr;
  arr_event outside = nullptr, inside = nullptr;
  ARR_DOES(arr_event_create(&device, ARR_EVENT_TIMING, &outside));
  ARR_DOES(arr_event_create(&device, ARR_EVENT_TIMING, &inside));
  ARR_DOES(arr_event_record(outside, two));
  ARR_DOES(arr_graph_begin(main));
  ARR_DOES(arr_graph_begin(two));
  arr_array y = add(x, x, main), z = add(x, x, two);
  ARR_DOES(arr_event_record(inside, main));
  EXPECT_EQ(arr_stream_wait_event(main, outside), ARR_E_UNSUPPORTED);
  EXPECT_EQ(arr_stream_wait_event(two, inside), ARR_E_ARGUMENT) << "two captures";
  EXPECT_NE(std::string(arr_last_error()).find("another capture"), std::string::npos) << arr_last_error();
  const auto refuse_reading = [&] {
    bool done = false;
    double ms = 0;
    EXPECT_EQ(arr_event_sync(inside), ARR_E_ARGUMENT);
    EXPECT_EQ(arr_event_query(inside, &done), ARR_E_ARGUMENT);
    EXPECT_EQ(arr_event_elapsed(outside, inside, &ms), ARR_E_ARGUMENT);
    EXPECT_EQ(arr_event_elapsed(inside, outside, &ms), ARR_E_ARGUMENT);
  };
  refuse_reading();
  // None of that harms the captures.
  ARR_DOES(arr_graph_end(main, &first));
  EXPECT_EQ(arr_stream_wait_event(one, inside), ARR_E_ARGUMENT) << "its capture has ended";
  EXPECT_EQ(arr_stream_wait_event(two, inside), ARR_E_UNSUPPORTED);
  refuse_reading();
  ARR_DOES(arr_graph_end(two, &second));
  for (arr_graph g : {first, second}) ARR_DOES(arr_graph_launch(g, nullptr));
  EXPECT_EQ(values(y, 1), std::vector<double>{2});
  EXPECT_EQ(values(z, 1), std::vector<double>{2});
  ARR_DOES(arr_event_record(inside, main));  // an event like any other
  ARR_DOES(arr_stream_wait_event(one, inside));
  ARR_DOES(arr_event_sync(inside));
  for (arr_array a : {x, y, z}) arr_release(a);
  for (arr_graph g : {first, second}) ARR_DOES(arr_graph_release(g));
  arr_event_release(outside);
  arr_event_release(inside);
  expect_ordinary();
}

TEST_P(ForkErrors, StreamsOfOtherWorkAreRefused) {
  arr_array x = array({1});
  arr_graph first = nullptr, second = nullptr;
  ARR_DOES(arr_graph_begin(main));
  ARR_DOES(arr_graph_begin(two));
  arr_array y = add(x, x, main), z = add(x, x, two);
  EXPECT_EQ(arr_stream_wait_stream(main, one), ARR_E_UNSUPPORTED);
  EXPECT_NE(std::string(arr_last_error()).find("outside"), std::string::npos) << arr_last_error();
  EXPECT_EQ(arr_stream_wait_stream(main, two), ARR_E_ARGUMENT);
  EXPECT_NE(std::string(arr_last_error()).find("another capture"), std::string::npos) << arr_last_error();
  ARR_DOES(arr_stream_wait_stream(main, main));
  // None of that harms the captures.
  ARR_DOES(arr_graph_end(main, &first));
  ARR_DOES(arr_graph_end(two, &second));
  ARR_DOES(arr_stream_wait_stream(main, two));
  for (arr_graph g : {first, second}) ARR_DOES(arr_graph_launch(g, nullptr));
  EXPECT_EQ(values(y, 1), std::vector<double>{2});
  EXPECT_EQ(values(z, 1), std::vector<double>{2});
  for (arr_array a : {x, y, z}) arr_release(a);
  for (arr_graph g : {first, second}) ARR_DOES(arr_graph_release(g));
  expect_ordinary();
}

TEST_P(ForkErrors, HandlesOfStreamsMayGo) {
  arr_array x = array({1, 2});
  arr_graph graph = nullptr;
  arr_stream member = nullptr, origin = nullptr;
  ARR_DOES(arr_stream_create(&device, 0, &member));
  ARR_DOES(arr_graph_begin(main));
  ARR_DOES(wait(member, main));
  arr_array y = add(x, x, member);
  ARR_DOES(wait(main, member));
  ARR_DOES(arr_stream_release(member));
  ARR_DOES(arr_graph_end(main, &graph));
  ARR_DOES(arr_graph_launch(graph, one));
  EXPECT_EQ(values(y, 2), (std::vector<double>{2, 4}));
  arr_release(y);
  ARR_DOES(arr_graph_release(graph));
  // The capture goes with its origin.
  ARR_DOES(arr_stream_create(&device, 0, &origin));
  ARR_DOES(arr_graph_begin(origin));
  y = add(x, x, origin);
  ARR_DOES(wait(one, origin));
  arr_array z = add(x, x, one);
  ARR_DOES(arr_stream_release(origin));
  for (arr_array a : {x, y, z}) arr_release(a);
  expect_ordinary();
}

ARR_ON_DEVICES(ForkErrors);

}  // namespace
