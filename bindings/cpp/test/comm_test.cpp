// SPDX-License-Identifier: MIT
// Communicators in C++.
#include <unistd.h>

#include <arr/arr.hpp>

#include <string>
#include <vector>

#include "ranks.h"

using std::vector;

namespace {

vector<double> numbers(const arr::array& a) { return a.to_vector<double>(); }

TEST(CppComm, Collectives) {
  on_ranks(3, [](const arr::comm& c) {
    const double r = c.rank();
    EXPECT_EQ(c.size(), 3);
    const arr::array mine{r, 2 * r};
    EXPECT_EQ(numbers(c.all_reduce(mine)), (vector<double>{3, 6}));
    arr::array most = arr::zeros(2), all = arr::zeros(6), part = arr::zeros(2), turned = arr::zeros(3);
    c.all_reduce(most, mine, ARR_REDUCTION_MAX);
    EXPECT_EQ(numbers(most), (vector<double>{2, 4}));
    c.all_gather(all, mine);
    EXPECT_EQ(numbers(all), (vector<double>{0, 0, 1, 2, 2, 4}));
    c.reduce_scatter(part, all);
    EXPECT_EQ(numbers(part), (vector<double>{3 * r, 6 * r}));
    c.all_to_all(turned, arr::array{10 * r, 10 * r + 1, 10 * r + 2});
    EXPECT_EQ(numbers(turned), (vector<double>{r, 10 + r, 20 + r}));
    if (c.rank() == 0) c.scatter(part, all, 0);
    if (c.rank() != 0) c.scatter(part);
    EXPECT_EQ(numbers(part), (vector<double>{r, 2 * r}));
    arr::array first{r};
    c.broadcast(first, 2);
    EXPECT_EQ(numbers(first), (vector<double>{2}));
    if (c.rank() == 1) c.gather(mine, all, 0, {}, 1);
    if (c.rank() != 1) c.gather(mine, {}, 0, {}, 1);
    if (c.rank() == 0) c.reduce(mine, most);
    if (c.rank() != 0) c.reduce(mine);
    EXPECT_EQ(numbers(c.rank() == 0 ? most : all),
              c.rank() == 0 ? (vector<double>{3, 6}) : (vector<double>{0, 0, 1, 2, 2, 4}));
    c.barrier();
  });
}

TEST(CppComm, MessagesAndGroups) {
  on_ranks(2, [](const arr::comm& c) {
    const int32_t r = c.rank(), other = 1 - r;
    arr::array mine = arr::full({4}, double(r)), got = arr::zeros(4);
    c.send_recv(got, mine, other, other);
    EXPECT_EQ(numbers(got), vector<double>(4, other));
    {
      const arr::comm_group g(c);
      c.recv(got, other);
      c.send(mine, other);
      g.start();
      while (!g.done()) std::this_thread::yield();
    }
    EXPECT_EQ(numbers(got), vector<double>(4, other));
    c.exchange_halo(mine, 0, {2}, 1, {1});
    EXPECT_EQ(numbers(mine), (vector<double>{double(other), double(r), double(r), double(other)}));
    const arr::comm alone = c.split(r), both = c.duplicate();
    EXPECT_EQ(alone.size(), 1);
    EXPECT_EQ(both.rank(), r);
  });
}

TEST(CppComm, Sparse) {
  on_ranks(2, [](const arr::comm& c) {
    const int32_t r = c.rank();
    const arr::sparse own =
                          arr::sparse_scale(ARR_OP_MULTIPLY, arr::sparse_eye(2, 2, 0, arr::float64), r + 1.0),
                      none;
    const auto values = [](const arr::sparse& a) { return numbers(arr::sparse_to_dense(a)); };
    EXPECT_EQ(values(arr::comm_sparse_reduce(c, own)), (vector<double>{3, 0, 0, 3}));
    EXPECT_EQ(values(arr::comm_sparse_broadcast(c, 1, r == 1 ? own : none)), (vector<double>{2, 0, 0, 2}));
    const vector<arr::sparse> all = arr::comm_sparse_all_to_all(c, {&own, nullptr});
    EXPECT_EQ(all[0].get() != nullptr, r == 0);
    if (r == 0) {
      EXPECT_EQ(values(all[1]), (vector<double>{2, 0, 0, 2}));
      arr::comm_sparse_send(c, own, 1);
    } else {
      EXPECT_EQ(values(arr::comm_sparse_recv(c, 0)), (vector<double>{1, 0, 0, 1}));
    }
  });
}

// Two ranks of GPUs, whose id comes by TCP.
TEST(CppComm, Nccl) {
  if (arr::device_count(ARR_CUDA) < 2) GTEST_SKIP() << "fewer than two GPUs";
  const std::string token = "a secret of this test",
                    address = "127.0.0.1:" + std::to_string(20000 + getpid() % 30000);
  on_ranks(2, [&](const arr::comm& host) {
    const int32_t r = host.rank();
    const std::string id = arr::comm::nccl_id_tcp(2, r, address, token, 60);
    const arr::device gpu = arr::device::cuda(r);
    const arr::comm c = arr::comm::nccl(2, r, id, gpu), over = host.nccl_with(gpu);
    const arr::array mine = arr::full({3}, double(r + 1)).to(gpu);
    EXPECT_EQ(numbers(c.all_reduce(mine)), vector<double>(3, 3));
    EXPECT_EQ(numbers(over.all_reduce(mine, ARR_REDUCTION_MAX)), vector<double>(3, 2));
  });
  EXPECT_EQ(arr::comm::nccl_id().size(), 128U);
  EXPECT_EQ(arr::comm::nccl_id_file(1, 0, "/nonexistent/alone").size(), 128U);
  EXPECT_THROW(arr::comm::nccl_id_file(2, 1, "/nonexistent/meeting", 1), arr::error);
}

TEST(CppComm, Failures) {
  const vector<arr::comm> comms = arr::comm::local(2);
  comms[0].set_timeout(0.05);
  EXPECT_EQ(comms[0].timeout(), 0.05);
  try {
    comms[0].barrier();
    FAIL();
  } catch (const arr::error& e) {
    EXPECT_EQ(e.status(), ARR_E_LOST);
    EXPECT_STREQ(
        e.what(),
        "arr_comm_barrier: the communicator has failed: rank 0 of 2 waited 0.05 s in arr_comm_barrier for "
        "rank 1 to call a collective operation");
  }
  EXPECT_TRUE(comms[1].failed());
  EXPECT_EQ(comms[0].shrink({1}).size(), 1);
  arr::array a{1.0};
  EXPECT_THROW(comms[1].all_to_all(a, a, 0, {1, 0}, {1}), arr::error);
  EXPECT_THROW(comms[1].exchange_halo(a, 0, {2, 1}, 1), arr::error);
  comms[1].abort();
}

TEST(CppComm, SparseMatrices) {
  on_ranks(2, [](const arr::comm& c) {
    // Rows of [[4, 1, 0], [1, 4, 1], [0, 1, 4]]: two, and one.
    const bool first = c.rank() == 0;
    const arr::array dense =
        first ? arr::array{{4.0, 1.0, 0.0}, {1.0, 4.0, 1.0}} : arr::array{{0.0, 1.0, 4.0}};
    const arr::dist_sparse a(c, arr::sparse(dense));
    const arr::array x = first ? arr::array{1.0, 2.0} : arr::array{3.0};
    const vector<double> y = first ? vector<double>{6, 12} : vector<double>{14};
    EXPECT_EQ(numbers(a * x), y);
    EXPECT_EQ(numbers(a(x, ARR_MATRIX_ADJOINT)), y);
    arr::array dst = arr::zeros_like(x);
    arr::dist_sparse_matmul_into(dst, a, x);
    EXPECT_EQ(numbers(dst), y);
    EXPECT_EQ(a.info().whole_rows, 3);
    EXPECT_EQ(a.info().received, 1);
    EXPECT_EQ(a.block().nnz(), first ? 4 : 1);
    const vector<double> got = numbers(arr::solve_cg(a.op(), dst).x);
    for (size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], first ? 1.0 + double(i) : 3.0, 1e-4);
    const arr::linop over = arr::linop_over(arr::linop::diagonal(x), c);
    EXPECT_EQ(numbers(over * x), first ? (vector<double>{1, 4}) : (vector<double>{9}));
  });
}

}  // namespace
