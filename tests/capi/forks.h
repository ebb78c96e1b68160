// SPDX-License-Identifier: MIT
// Parts that tests of captures over several streams share: three streams, and that nothing stays behind.
#pragma once

#include "graphs.h"

namespace arr_test {

class OfForks : public OfGraphs {
 protected:
  void SetUp() override {
    OfGraphs::SetUp();
    if (IsSkipped()) return;
    for (arr_stream& s : streams) ARR_DOES(arr_stream_create(&device, 0, &s));
    arr_release(array({1}));
    before = in_use();
    objects = arr_live_objects();
  }
  void TearDown() override {
    if (before >= 0) {
      EXPECT_EQ(in_use(), before);
      EXPECT_EQ(arr_live_objects(), objects);
    }
    for (arr_stream s : streams) arr_stream_release(s);
  }
  // Orders the waiter's next work after the work that is in `first` now; in a capture it joins by that.
  arr_status wait(arr_stream waiter, arr_stream first) const {
    arr_event e = nullptr;
    EXPECT_EQ(arr_event_create(&device, 0, &e), ARR_OK);
    EXPECT_EQ(arr_event_record(e, first), ARR_OK) << arr_last_error();
    const arr_status r = arr_stream_wait_event(waiter, e);
    arr_event_release(e);
    return r;
  }
  static bool capturing(arr_stream s) {
    int32_t flags = 0, priority = 0;
    bool yes = false;
    EXPECT_EQ(arr_stream_details(s, &flags, &priority, &yes), ARR_OK) << arr_last_error();
    return yes;
  }
  [[nodiscard]] arr_array add(arr_array a, arr_array b, arr_stream s) const {
    arr_array c = nullptr;
    EXPECT_EQ(arr_add(a, b, s, &c), ARR_OK) << arr_last_error();
    return c;
  }
  [[nodiscard]] arr_array multiply(arr_array a, arr_array b, arr_stream s) const {
    arr_array c = nullptr;
    EXPECT_EQ(arr_multiply(a, b, s, &c), ARR_OK) << arr_last_error();
    return c;
  }
  // Fails unless the child's streams work.
  void expect_ordinary() {
    for (arr_stream s : streams) {
      EXPECT_FALSE(capturing(s));
      arr_array a = array({3}), b = add(a, a, s);
      EXPECT_EQ(arr_stream_sync(s), ARR_OK) << arr_last_error();
      EXPECT_EQ(values(b, 1), std::vector<double>{6});
      arr_release(a);
      arr_release(b);
    }
  }
  arr_stream streams[3] = {};
  arr_stream& main = streams[0];
  arr_stream& one = streams[1];
  arr_stream& two = streams[2];
  int64_t before = -1, objects = 0;
};

}  // namespace arr_test
