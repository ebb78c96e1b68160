// SPDX-License-Identifier: MIT
// Captures over several streams, on the host and over the fake CUDA, whose graphs run whatever may run later
// as late as they may: what joins, what orders, and that nothing stays behind.
#include <dlfcn.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <thread>

#include "forks.h"

namespace {

class Forks : public arr_test::OfForks {};

// The steps of a graph's picture, by how many steps they come directly behind and before.
struct Picture {
  std::map<std::string, int> in, out;
  explicit Picture(arr_graph graph) {
    const std::string path = testing::TempDir() + "/arr_forks_" + std::to_string(getpid()) + ".dot";
    EXPECT_EQ(arr_graph_dot(graph, path.c_str(), -1), ARR_OK) << arr_last_error();
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
      std::istringstream words(line.substr(0, line.find(';')));
      std::string from, arrow, to;
      if (!(words >> from >> arrow >> to) || arrow != "->") continue;
      ++out[from];
      ++in[to];
    }
    std::remove(path.c_str());
  }
  static int max_edges(const std::map<std::string, int>& edges) {
    int n = 0;
    for (const auto& [step, count] : edges) n = std::max(n, count);
    return n;
  }
};

TEST_P(Forks, ADiamondRunsItsBranches) {
  arr_array x = array({1});
  arr_graph graph = nullptr;
  ARR_DOES(arr_graph_begin(main));
  arr_array y = add(x, x, main), root = nullptr;
  ARR_DOES(wait(one, main));
  EXPECT_TRUE(capturing(one));
  EXPECT_FALSE(capturing(two));
  arr_array square = multiply(y, y, main);
  ARR_DOES(arr_sqrt(y, one, &root));
  ARR_DOES(wait(main, one));
  arr_array sum = add(square, root, main);
  ARR_DOES(arr_graph_end(main, &graph));
  // Both read what was made before the fork, and neither waits for the other.
  const Picture picture(graph);
  EXPECT_EQ(Picture::max_edges(picture.out), 2);
  EXPECT_EQ(Picture::max_edges(picture.in), 2);
  for (const double scale : {1.0, 4.0, 9.0}) {
    set(x, scale);
    ARR_DOES(arr_graph_launch(graph, scale == 4 ? two : main));
    EXPECT_EQ(values(sum, 1), std::vector<double>{4 * scale * scale + std::sqrt(2 * scale)});
  }
  for (arr_array a : {x, y, root, square, sum}) arr_release(a);
  ARR_DOES(arr_graph_release(graph));
  expect_ordinary();
}

TEST_P(Forks, StreamsJoinByWaitingForOneAnother) {
  arr_array x = array({1}), root = nullptr;
  arr_graph graph = nullptr;
  ARR_DOES(arr_graph_begin(main));
  arr_array y = add(x, x, main);
  ARR_DOES(arr_stream_wait_stream(one, main));
  EXPECT_TRUE(capturing(one));
  EXPECT_FALSE(capturing(two));
  ARR_DOES(arr_sqrt(y, one, &root));
  ARR_DOES(arr_stream_wait_stream(main, one));
  arr_array sum = add(y, root, main);
  ARR_DOES(arr_graph_end(main, &graph));
  for (const double scale : {1.0, 4.0}) {
    set(x, scale);
    ARR_DOES(arr_graph_launch(graph, main));
    EXPECT_EQ(values(sum, 1), std::vector<double>{2 * scale + std::sqrt(2 * scale)});
  }
  for (arr_array a : {x, y, root, sum}) arr_release(a);
  ARR_DOES(arr_graph_release(graph));
  expect_ordinary();
}

TEST_P(Forks, ForksMayFork) {
  arr_array x = array({2});
  arr_graph graph = nullptr;
  ARR_DOES(arr_graph_begin(main));
  ARR_DOES(wait(one, main));
  arr_array a = add(x, x, one);
  ARR_DOES(wait(two, one));
  arr_array b = multiply(a, a, two);
  arr_array c = add(a, x, one);
  ARR_DOES(wait(one, two));
  arr_array d = add(b, c, one);
  ARR_DOES(wait(main, one));
  ARR_DOES(wait(two, main));  // a second time
  arr_array e = multiply(d, x, two);
  ARR_DOES(wait(main, two));
  ARR_DOES(arr_graph_end(main, &graph));
  for (const double v : {2.0, 5.0}) {
    set(x, v);
    ARR_DOES(arr_graph_launch(graph, nullptr));
    EXPECT_EQ(values(e, 1), std::vector<double>{(4 * v * v + 3 * v) * v});
  }
  for (arr_array z : {x, a, b, c, d, e}) arr_release(z);
  ARR_DOES(arr_graph_release(graph));
  expect_ordinary();
}

// Streams of a capture may use the same arrays without an event between them.
TEST_P(Forks, ArraysOrderTheStreams) {
  arr_array x = array({1}), y = array({10});
  arr_graph graph = nullptr;
  ARR_DOES(arr_graph_begin(main));
  ARR_DOES(wait(one, main));
  ARR_DOES(wait(two, main));
  arr_array sum = add(x, y, one);
  ARR_DOES(arr_multiply_into(y, x, x, two));            // behind its reader
  arr_array twice = add(sum, sum, two);                 // behind its writer
  arr_array product = multiply(y, twice, main);         // behind both of the last
  ARR_DOES(arr_add_into(twice, product, sum, one));     // behind reader and writer
  ARR_DOES(arr_add_into(product, twice, twice, main));  // the origin has waited for one by this
  ARR_DOES(wait(main, two));
  ARR_DOES(arr_graph_end(main, &graph));
  for (int round = 0; round < 3; ++round) {
    const double v = 1 + round;
    set(x, v);
    set(y, 10);
    ARR_DOES(arr_graph_launch(graph, main));
    const double s = v + 10, p = v * v * 2 * s, t = p + s;
    EXPECT_EQ(values(twice, 1), std::vector<double>{t}) << round;
    EXPECT_EQ(values(product, 1), std::vector<double>{2 * t}) << round;
  }
  for (arr_array a : {x, y, sum, twice, product}) arr_release(a);
  ARR_DOES(arr_graph_release(graph));
}

TEST_P(Forks, UpdatesTakeForkedWork) {
  arr_array x = array({3}), a = nullptr, b = nullptr, c = nullptr, old[3] = {};
  arr_graph graph = nullptr;
  for (const int form : {0, 0, 1, 2}) {  // alike, then with other branches
    ARR_DOES(arr_graph_begin(main));
    ARR_DOES(wait(one, main));
    a = add(x, x, one);
    if (form == 1) {
      ARR_DOES(wait(two, main));
    }
    b = multiply(x, x, form == 1 ? two : main);
    if (form == 2) {
      ARR_DOES(arr_multiply_into(b, b, b, main));
    }
    if (form == 1) {
      ARR_DOES(wait(main, two));
    }
    ARR_DOES(wait(main, one));
    c = add(a, b, main);
    ARR_DOES(graph == nullptr ? arr_graph_end(main, &graph) : arr_graph_update(graph, main));
    for (arr_array o : old) arr_release(o);
    for (const double v : {3.0, 4.0}) {
      set(x, v);
      ARR_DOES(arr_graph_launch(graph, two));
      EXPECT_EQ(values(c, 1), std::vector<double>{2 * v + (form == 2 ? v * v * v * v : v * v)}) << form;
    }
    old[0] = a, old[1] = b, old[2] = c;
  }
  for (arr_array o : {x, a, b, c}) arr_release(o);
  ARR_DOES(arr_graph_release(graph));
}

// A stream that has not joined runs what it is given, whatever arrays that is, behind what was there before.
TEST_P(Forks, StreamsOutsideWorkAsUsual) {
  arr_array x = nullptr, y = nullptr;
  arr_graph graph = nullptr;
  const int64_t n = 1;
  arr_value v{};
  arr_value_f64(&v, 5);
  ARR_DOES(arr_stream_host_function(
      main, [](void*) { std::this_thread::sleep_for(std::chrono::milliseconds(30)); }, nullptr));
  ARR_DOES(arr_full(ARR_FLOAT64, 1, &n, ARR_ORDER_C, &v, &device, main, &x));
  ARR_DOES(arr_graph_begin(main));
  ARR_DOES(arr_multiply_into(x, x, x, main));
  y = add(x, x, two);
  EXPECT_FALSE(capturing(two));
  ARR_DOES(arr_stream_sync(two));
  EXPECT_EQ(values(y, 1), std::vector<double>{10});
  ARR_DOES(arr_graph_end(main, &graph));
  ARR_DOES(arr_graph_launch(graph, one));
  EXPECT_EQ(values(x, 1), std::vector<double>{25});
  for (arr_array a : {x, y}) arr_release(a);
  ARR_DOES(arr_graph_release(graph));
}

// Scratch memory, counters and handles of the vendor's libraries are each branch's own.
TEST_P(Forks, BranchesShareNoScratch) {
  const int64_t n = 100000;
  std::vector<double> data(n);
  for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<double>(i % 7);
  arr_array x = array(data), m = array({1, 2, 3, 4}, {2, 2}), sums[2] = {}, scans[2] = {}, products[2] = {};
  arr_graph graph = nullptr;
  int64_t (*live)(const char*) = nullptr;
  if (!host()) {
    void* fake = dlopen(ARR_FAKE_CUDA, RTLD_NOW | RTLD_NOLOAD);
    ASSERT_NE(fake, nullptr);
    live = reinterpret_cast<int64_t (*)(const char*)>(dlsym(fake, "arr_fake_cuda_live"));
  }
  for (arr_stream s : {main, one}) {  // which have handles of their own by this
    arr_array product = nullptr;
    ARR_DOES(arr_matmul(m, m, s, &product));
    arr_release(product);
  }
  const int64_t handles = host() ? 0 : live("handles"), graphs = host() ? 0 : live("graphs");
  ARR_DOES(arr_graph_begin(main));
  ARR_DOES(wait(one, main));
  for (const int i : {0, 1}) {
    arr_stream s = i == 0 ? main : one;
    ARR_DOES(arr_sum(x, 0, nullptr, false, s, &sums[i]));
    ARR_DOES(arr_cumsum(x, ARR_AXIS_NONE, ARR_FLOAT64, s, &scans[i]));
    ARR_DOES(arr_matmul(m, m, s, &products[i]));
  }
  ARR_DOES(wait(main, one));
  ARR_DOES(arr_graph_end(main, &graph));
  if (!host()) {
    EXPECT_EQ(live("handles"), handles + 2);
  }
  for (const double v : {1.0, 3.0}) {
    set(x, v);
    set(m, v);
    ARR_DOES(arr_graph_launch(graph, two));
    for (const int i : {0, 1}) {
      EXPECT_EQ(values(sums[i], 1), std::vector<double>{v * static_cast<double>(n)});
      EXPECT_EQ(values(scans[i], static_cast<size_t>(n)).back(), v * static_cast<double>(n));
      EXPECT_EQ(values(products[i], 4), std::vector<double>(4, 2 * v * v));
    }
  }
  for (const int i : {0, 1}) {
    for (arr_array a : {sums[i], scans[i], products[i]}) arr_release(a);
  }
  arr_release(x);
  arr_release(m);
  ARR_DOES(arr_graph_release(graph));
  if (!host()) {
    EXPECT_EQ(live("handles"), handles);
  }
  if (!host()) {
    EXPECT_EQ(live("graphs"), graphs);
  }
}

TEST_P(Forks, ThreadsWorkInStreamsOfOneCapture) {
  arr_array x = array({1});
  arr_array ends[2] = {};
  arr_graph graph = nullptr;
  ARR_DOES(arr_graph_begin(main));
  ARR_DOES(wait(one, main));
  ARR_DOES(wait(two, main));
  std::vector<std::thread> threads;
  for (const int t : {0, 1}) {
    threads.emplace_back([&, t] {
      arr_stream s = t == 0 ? one : two;
      arr_array last = add(x, x, s);
      for (int i = 0; i < 50; ++i) {
        arr_array next = add(last, x, s);
        arr_release(last);
        last = next;
      }
      ends[t] = last;
    });
  }
  for (std::thread& t : threads) t.join();
  ARR_DOES(wait(main, one));
  ARR_DOES(wait(main, two));
  arr_array sum = add(ends[0], ends[1], main);
  ARR_DOES(arr_graph_end(main, &graph));
  set(x, 2);
  ARR_DOES(arr_graph_launch(graph, main));
  EXPECT_EQ(values(sum, 1), std::vector<double>{2 * 52 * 2});
  for (arr_array a : {x, ends[0], ends[1], sum}) arr_release(a);
  ARR_DOES(arr_graph_release(graph));
}

// A graph that ends while its last stream is being captured leaves nothing in the other graph.
TEST_P(Forks, AGraphMayGoDuringACapture) {
  const double data[] = {1, 2, 3};
  const int64_t n = 3;
  arr_graph gone = nullptr, graph = nullptr;
  arr_array a = nullptr;
  ARR_DOES(arr_graph_begin(main));
  ARR_DOES(arr_from_host(data, 24, ARR_FLOAT64, 1, &n, ARR_ORDER_C, &device, main, &a));
  ARR_DOES(arr_graph_end(main, &gone));
  ARR_DOES(arr_graph_launch(gone, one));
  ARR_DOES(arr_graph_begin(main));
  ARR_DOES(wait(one, main));
  ARR_DOES(arr_graph_release(gone));
  arr_array b = add(a, a, one);
  ARR_DOES(wait(main, one));
  ARR_DOES(arr_graph_end(main, &graph));
  for (int round = 0; round < 3; ++round) ARR_DOES(arr_graph_launch(graph, main));
  EXPECT_EQ(values(b, 3), (std::vector<double>{2, 4, 6}));
  arr_release(a);
  arr_release(b);
  ARR_DOES(arr_graph_release(graph));
}

ARR_ON_DEVICES(Forks);

}  // namespace
