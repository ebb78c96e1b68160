// SPDX-License-Identifier: MIT
// graph.h on the host and over the fake CUDA: captured work runs when it is launched, results
// follow their inputs, memory stays the graph's own, what cannot be captured says so.
#include <cmath>
#include <fstream>
#include <iterator>

#include "graphs.h"

namespace {

class Graphs : public arr_test::OfGraphs {
 protected:
  void SetUp() override {
    OfGraphs::SetUp();
    if (IsSkipped()) return;
    ARR_DOES(arr_stream_create(&device, 0, &stream));
  }
  void TearDown() override { arr_stream_release(stream); }
  arr_stream stream = nullptr;
};

TEST_P(Graphs, LaunchesRunTheWorkOnTheSameMemory) {
  arr_release(array({1}));
  const int64_t before = in_use();
  arr_array x = array({1, 2, 3, 4}, {2, 2}), y = array({10, 20, 30, 40}, {2, 2});
  arr_array sum = nullptr, root = nullptr, product = nullptr, total = nullptr;
  arr_graph graph = nullptr;
  ARR_DOES(arr_graph_begin(stream));
  int32_t flags = 0, priority = 0;
  bool capturing = false;
  ARR_DOES(arr_stream_details(stream, &flags, &priority, &capturing));
  EXPECT_TRUE(capturing);
  ARR_DOES(arr_add(x, y, stream, &sum));
  ARR_DOES(arr_sqrt(sum, stream, &root));
  ARR_DOES(arr_matmul(x, y, stream, &product));
  ARR_DOES(arr_sum(product, 0, nullptr, false, stream, &total));
  arr_release(sum);  // a temporary now, which the graph keeps
  // Nothing of it can be waited for or read.
  EXPECT_EQ(arr_stream_sync(stream), ARR_E_ARGUMENT);
  double none = 0;
  EXPECT_EQ(arr_get(total, ARR_ORDER_C, &none, 8, stream), ARR_E_ARGUMENT);
  EXPECT_EQ(arr_graph_begin(stream), ARR_E_ARGUMENT);
  ARR_DOES(arr_graph_end(stream, &graph));
  EXPECT_EQ(arr_graph_end(stream, &graph), ARR_E_ARGUMENT);
  ARR_DOES(arr_graph_upload(graph, stream));

  // Arrays made after the capture may have none of its memory.
  arr_array other[8];
  for (arr_array& o : other) o = array({7, 7, 7, 7}, {2, 2});
  ARR_DOES(arr_graph_launch(graph, stream));
  EXPECT_EQ(values(root, 4),
            (std::vector<double>{std::sqrt(11), std::sqrt(22), std::sqrt(33), std::sqrt(44)}));
  EXPECT_EQ(values(product, 4), (std::vector<double>{70, 100, 150, 220}));
  EXPECT_EQ(values(total, 1), std::vector<double>{540});
  set(x, 1);
  ARR_DOES(arr_graph_launch(graph, nullptr));  // in another stream
  EXPECT_EQ(values(product, 4), (std::vector<double>{40, 60, 40, 60}));
  EXPECT_EQ(values(total, 1), std::vector<double>{200});
  for (arr_array o : other) {
    EXPECT_EQ(values(o, 4), (std::vector<double>{7, 7, 7, 7}));
    arr_release(o);
  }
  for (arr_array a : {x, y, root, product, total}) arr_release(a);
  ARR_DOES(arr_graph_launch(graph, stream));  // it has its inputs all the same
  ARR_DOES(arr_stream_sync(stream));
  EXPECT_GT(in_use(), before);
  ARR_DOES(arr_graph_release(graph));
  EXPECT_EQ(arr_graph_release(graph), ARR_E_HANDLE);
  EXPECT_EQ(in_use(), before);
}

TEST_P(Graphs, EveryKindOfWorkIsKept) {
  arr_array x = array({4, 1, 3, 2}), two = array({2}, {1}), sums = nullptr, middle = nullptr, copy = nullptr,
            top = nullptr;
  arr_graph graph = nullptr;
  ARR_DOES(arr_graph_begin(stream));
  ARR_DOES(arr_cumsum(x, ARR_AXIS_NONE, ARR_FLOAT64, stream, &sums));
  ARR_DOES(arr_median(x, 0, nullptr, false, stream, &middle));
  ARR_DOES(arr_argmax(x, 0, nullptr, false, stream, &top));
  ARR_DOES(arr_copy(sums, ARR_ORDER_C, stream, &copy));
  ARR_DOES(arr_graph_end(stream, &graph));
  for (const double scale : {1.0, 2.0}) {
    ARR_DOES(arr_graph_launch(graph, stream));
    EXPECT_EQ(values(copy, 4), (std::vector<double>{4 * scale, 5 * scale, 8 * scale, 10 * scale}));
    EXPECT_EQ(values(middle, 1), (std::vector<double>{2.5 * scale}));
    int64_t index = -1;
    ARR_DOES(arr_get(top, ARR_ORDER_C, &index, 8, nullptr));
    EXPECT_EQ(index, 0);
    ARR_DOES(arr_multiply_into(x, x, two, stream));
  }
  for (arr_array a : {x, two, sums, middle, copy, top}) arr_release(a);
  ARR_DOES(arr_graph_release(graph));
}

// An array of a capture is refused by whatever is not captured, until its graph has been launched.
TEST_P(Graphs, ResultsHaveNoValuesBeforeALaunch) {
  arr_release(array({777, 777}));  // whose memory may be used again
  arr_array x = array({4, 9}), root = nullptr, view = nullptr, other = nullptr;
  arr_graph graph = nullptr;
  const auto refused = [&](arr_array a) {
    double v[2] = {-1, -1};
    arr_value one{};
    arr_value_f64(&one, 1);
    const int64_t first = 0;
    arr_array none = nullptr;
    void* address = nullptr;
    EXPECT_EQ(arr_get(a, ARR_ORDER_C, v, 16, nullptr), ARR_E_ARGUMENT);
    EXPECT_NE(std::string(arr_last_error()).find("first launch of its graph"), std::string::npos)
        << arr_last_error();
    EXPECT_EQ(v[0], -1);
    EXPECT_EQ(arr_item(a, 1, &first, &one), ARR_E_ARGUMENT);
    EXPECT_EQ(arr_array_sync(a), ARR_E_ARGUMENT);
    EXPECT_EQ(arr_sqrt(a, nullptr, &none), ARR_E_ARGUMENT);
    EXPECT_EQ(arr_sum(a, 0, nullptr, false, nullptr, &none), ARR_E_ARGUMENT);
    EXPECT_EQ(arr_cumsum(a, 0, ARR_FLOAT64, nullptr, &none), ARR_E_ARGUMENT);
    EXPECT_EQ(arr_sqrt_into(x, a, nullptr), ARR_E_ARGUMENT);
    EXPECT_EQ(arr_fill(a, &one, nullptr), ARR_E_ARGUMENT);
    ARR_DOES(arr_data(a, &address));  // it is only asked where it lies
  };
  ARR_DOES(arr_graph_begin(stream));
  ARR_DOES(arr_sqrt(x, stream, &root));
  refused(root);
  ARR_DOES(arr_add(root, root, stream, &other));  // in the capture it is as good as any
  ARR_DOES(arr_graph_end(stream, &graph));
  ARR_DOES(arr_flip(root, 0, nullptr, &view));
  for (arr_array a : {root, view, other}) refused(a);
  EXPECT_EQ(values(x, 2), (std::vector<double>{4, 9}));
  ARR_DOES(arr_graph_launch(graph, stream));
  EXPECT_EQ(values(view, 2), (std::vector<double>{3, 2}));
  EXPECT_EQ(values(other, 2), (std::vector<double>{4, 6}));
  set(root, 1);
  ARR_DOES(arr_graph_release(graph));
  for (arr_array a : {root, view, other}) arr_release(a);
  // One graph reads what the other makes: it has to wait.
  arr_graph second = nullptr;
  ARR_DOES(arr_graph_begin(stream));
  ARR_DOES(arr_sqrt(x, stream, &root));
  ARR_DOES(arr_graph_end(stream, &graph));
  ARR_DOES(arr_graph_begin(stream));
  ARR_DOES(arr_add(root, root, stream, &other));
  ARR_DOES(arr_graph_end(stream, &second));
  EXPECT_EQ(arr_graph_launch(second, stream), ARR_E_ARGUMENT);
  for (arr_array a : {root, other}) refused(a);
  ARR_DOES(arr_graph_launch(graph, stream));
  ARR_DOES(arr_graph_launch(second, nullptr));
  EXPECT_EQ(values(other, 2), (std::vector<double>{4, 6}));
  for (arr_graph g : {graph, second}) ARR_DOES(arr_graph_release(g));
  for (arr_array a : {root, other}) arr_release(a);
  // A graph that is never launched leaves nothing either.
  ARR_DOES(arr_graph_begin(stream));
  ARR_DOES(arr_sqrt(x, stream, &root));
  ARR_DOES(arr_graph_end(stream, &graph));
  ARR_DOES(arr_graph_release(graph));
  refused(root);
  arr_release(root);
  arr_array again = array({5, 6});  // and its memory is as good as any
  EXPECT_EQ(values(again, 2), (std::vector<double>{5, 6}));
  for (arr_array a : {x, again}) arr_release(a);
}

TEST_P(Graphs, UpdateReplacesTheWork) {
  arr_release(array({1}));
  const int64_t before = in_use();
  arr_array a = array({1, 2}), b = array({10, 20}), first = nullptr, second = nullptr, third = nullptr;
  arr_graph graph = nullptr;
  ARR_DOES(arr_graph_begin(stream));
  ARR_DOES(arr_add(a, b, stream, &first));
  ARR_DOES(arr_graph_end(stream, &graph));
  ARR_DOES(arr_graph_launch(graph, nullptr));
  // The same form on other memory, then another form.
  ARR_DOES(arr_graph_begin(stream));
  ARR_DOES(arr_add(b, b, stream, &second));
  ARR_DOES(arr_graph_update(graph, stream));
  EXPECT_EQ(arr_graph_update(graph, stream), ARR_E_ARGUMENT) << "nothing is being captured";
  set(first, 0);
  ARR_DOES(arr_graph_launch(graph, stream));
  EXPECT_EQ(values(second, 2), (std::vector<double>{20, 40}));
  EXPECT_EQ(values(first, 2), (std::vector<double>{0, 0}));
  ARR_DOES(arr_graph_begin(stream));
  ARR_DOES(arr_subtract(b, a, stream, &third));
  ARR_DOES(arr_multiply_into(third, third, third, stream));
  ARR_DOES(arr_graph_update(graph, stream));
  ARR_DOES(arr_graph_launch(graph, stream));
  EXPECT_EQ(values(third, 2), (std::vector<double>{81, 324}));
  for (arr_array x : {a, b, first, second, third}) arr_release(x);
  ARR_DOES(arr_graph_release(graph));
  EXPECT_EQ(in_use(), before);
}

TEST_P(Graphs, NativeHandles) {
  arr_graph graph = nullptr;
  arr_array a = array({1}), b = nullptr;
  ARR_DOES(arr_graph_begin(stream));
  ARR_DOES(arr_sqrt(a, stream, &b));
  ARR_DOES(arr_graph_end(stream, &graph));
  void *native = nullptr, *executable = nullptr;
  EXPECT_EQ(arr_graph_native(graph, &native, &executable), host() ? ARR_E_UNSUPPORTED : ARR_OK);
  EXPECT_EQ(native == nullptr, host());
  EXPECT_EQ(executable == nullptr, host());
  arr_release(a);
  arr_release(b);
  ARR_DOES(arr_graph_release(graph));
}

TEST_P(Graphs, HostMemoryIsReadAtTheCapture) {
  arr_graph graph = nullptr;
  arr_array a = nullptr, twice = nullptr;
  std::vector<double> data = {1, 2, 3};
  const int64_t n = 3;
  ARR_DOES(arr_graph_begin(stream));
  ARR_DOES(arr_from_host(data.data(), 24, ARR_FLOAT64, 1, &n, ARR_ORDER_C, &device, stream, &a));
  data = {0, 0, 0};
  ARR_DOES(arr_add(a, a, stream, &twice));
  ARR_DOES(arr_graph_end(stream, &graph));
  ARR_DOES(arr_graph_launch(graph, stream));
  EXPECT_EQ(values(twice, 3), (std::vector<double>{2, 4, 6}));
  const std::string path = testing::TempDir() + "/arr_graph.dot";
  ARR_DOES(arr_graph_dot(graph, path.c_str(), -1));
  std::ifstream in(path);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}).find("digraph"), 0U);
  std::remove(path.c_str());
  EXPECT_EQ(arr_graph_dot(graph, "/nowhere/at/all", -1), ARR_E_IO);
  arr_release(a);
  arr_release(twice);
  ARR_DOES(arr_graph_release(graph));
}

ARR_ON_DEVICES(Graphs);

}  // namespace
