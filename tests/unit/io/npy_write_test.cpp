// SPDX-License-Identifier: MIT
// Writing .npy files: their bytes, any layout, and what happens to the file that was there.
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>

#include "files.h"

namespace arr_test {
namespace {

namespace fs = std::filesystem;
using NpyWrite = NoLeaks;

TEST_F(NpyWrite, BytesOfAFile) {
  Folder folder;
  Handle a = from_values<int16_t>(ARR_INT16, {3}, {1, 2, -1});
  ARR_TRY(save(a, folder / "a.npy"));
  std::string dict = "{'descr': '<i2', 'fortran_order': False, 'shape': (3,), }";
  std::string expected = std::string("\x93NUMPY\x01\x00\x76\x00", 10) + dict;
  expected += std::string(127 - expected.size(), ' ') + '\n';
  EXPECT_EQ(read_file(folder / "a.npy"), expected + std::string("\1\0\2\0\377\377", 6));
}

TEST_F(NpyWrite, RoundTripOfEveryTypeShapeAndOrder) {
  Folder folder;
  const std::string path = folder / "a.npy";
  int cases = 0;
  for (arr_dtype dtype = ARR_BOOL; dtype < ARR_BFLOAT16; ++dtype) {
    for (const Ints& shape :
         {Ints{}, Ints{0}, Ints{1}, Ints{7}, Ints{3, 5}, Ints{2, 3, 4}, Ints{2, 0, 3}, Ints{1, 4, 1}}) {
      for (int32_t order : {ARR_ORDER_C, ARR_ORDER_F}) {
        int64_t n = 1;
        for (int64_t extent : shape) n *= extent;
        Handle flat, a, b, same;
        ARR_TRY(arr_linspace(0, static_cast<double>(n), n, false, dtype, nullptr, nullptr, flat.out()));
        ARR_TRY(arr_reshape(flat, static_cast<int32_t>(shape.size()), shape.data(), order, nullptr, a.out()));
        ARR_TRY(save(a, path));
        ARR_TRY(load(path, &b));
        EXPECT_EQ(shape_of(b), shape);
        arr_dtype loaded = 0;
        ARR_TRY(arr_array_dtype(b, &loaded));
        EXPECT_EQ(loaded, dtype);
        int64_t bytes = 0;
        ARR_TRY(arr_nbytes(a, &bytes));
        std::string x(static_cast<size_t>(bytes), 'x'), y(static_cast<size_t>(bytes), 'y');
        ARR_TRY(arr_get(a, ARR_ORDER_C, x.data(), bytes, nullptr));
        ARR_TRY(arr_get(b, ARR_ORDER_C, y.data(), bytes, nullptr));
        EXPECT_EQ(x, y);
        int32_t before = 0, after = 0;
        ARR_TRY(arr_array_flags(a, &before));
        ARR_TRY(arr_array_flags(b, &after));
        EXPECT_EQ(before & (ARR_FLAG_C | ARR_FLAG_F), after & (ARR_FLAG_C | ARR_FLAG_F));
        ++cases;
      }
    }
  }
  EXPECT_EQ(cases, 14 * 8 * 2);
}

TEST_F(NpyWrite, Views) {
  Folder folder;
  const std::string path = folder / "a.npy";
  Handle a, b;
  std::vector<int32_t> values(24);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int32_t>(i);
  a = from_values(ARR_INT32, {4, 6}, values);
  Ints start{3, 1}, stop{INT64_MIN, INT64_MAX}, step{-2, 2}, wide{2, 4, 6};
  Handle slice, transposed, broadcast;
  ARR_TRY(arr_slice(a, 2, start.data(), stop.data(), step.data(), slice.out()));
  ARR_TRY(arr_transpose(slice, 0, nullptr, transposed.out()));
  ARR_TRY(arr_broadcast_to(a, 3, wide.data(), broadcast.out()));
  for (arr_array view : {arr_array(slice), arr_array(transposed), arr_array(broadcast)}) {
    ARR_TRY(save(view, path));
    ARR_TRY(load(path, &b));
    EXPECT_EQ(shape_of(b), shape_of(view));
    EXPECT_EQ(values_of<int32_t>(b), values_of<int32_t>(view));
  }
}

TEST_F(NpyWrite, BFloat16HasNoName) {
  Folder folder;
  int64_t n = 3;
  Handle a;
  ARR_TRY(arr_zeros(ARR_BFLOAT16, 1, &n, ARR_ORDER_C, nullptr, nullptr, a.out()));
  expect_failure(save(a, folder / "a.npy"), ARR_E_DTYPE, "bfloat16");
  EXPECT_TRUE(folder.names().empty());
}

TEST_F(NpyWrite, SymbolicLinkIsReplacedNotFollowed) {
  Folder folder;
  Handle a = from_values<int32_t>(ARR_INT32, {1}, {1}), b = from_values<int32_t>(ARR_INT32, {1}, {2}), c;
  ARR_TRY(save(a, folder / "target.npy"));
  fs::create_symlink("target.npy", folder / "link.npy");
  ARR_TRY(load(folder / "link.npy", &c));  // reading follows it
  ARR_TRY(save(b, folder / "link.npy"));
  EXPECT_FALSE(fs::is_symlink(folder / "link.npy"));
  ARR_TRY(load(folder / "target.npy", &c));
  EXPECT_EQ(values_of<int32_t>(c)[0], 1);
  ARR_TRY(load(folder / "link.npy", &c));
  EXPECT_EQ(values_of<int32_t>(c)[0], 2);
  EXPECT_EQ(folder.names(), (std::set<std::string>{"link.npy", "target.npy"}));
}

TEST_F(NpyWrite, PermissionsAreKept) {
  Folder folder;
  Handle a = from_values<int32_t>(ARR_INT32, {1}, {1});
  write_file(folder / "a.npy", "old");
  fs::permissions(folder / "a.npy", fs::perms::owner_read | fs::perms::owner_write);
  ARR_TRY(save(a, folder / "a.npy"));
  EXPECT_EQ(fs::status(folder / "a.npy").permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(NpyWrite, WhatIsNoPlaceForAFile) {
  Folder folder;
  Handle a = from_values<int32_t>(ARR_INT32, {1}, {1});
  ASSERT_EQ(mkfifo((folder / "fifo").c_str(), 0600), 0);
  fs::create_directory(folder / "folder");
  expect_failure(save(a, folder / "fifo"), ARR_E_IO, "is a FIFO");
  expect_failure(save(a, folder / "folder"), ARR_E_IO, "is a directory");
  expect_failure(save(a, folder / "folder/"), ARR_E_IO, "is a directory");
  expect_failure(save(a, folder / "none/a.npy"), ARR_E_IO, "its folder cannot be opened");
  expect_failure(save(a, "/dev/null"), ARR_E_IO, "is a device");
  expect_failure(save(a, folder / std::string(300, 'n').c_str()), ARR_E_IO, "too long");
  EXPECT_EQ(folder.names(), (std::set<std::string>{"fifo", "folder"}));
}

// A disk that is full, played by a limit on the size of files.
TEST_F(NpyWrite, FailedWriteLeavesTheOldFile) {
  Folder folder;
  write_file(folder / "a.npy", "old");
  int64_t n = 1000000;
  Handle a;
  ARR_TRY(arr_zeros(ARR_FLOAT64, 1, &n, ARR_ORDER_C, nullptr, nullptr, a.out()));
  rlimit before{}, small{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  auto* handler = std::signal(SIGXFSZ, SIG_IGN);
  for (rlim_t limit : {rlim_t{0}, rlim_t{100}, rlim_t{4096}, rlim_t{7999999}}) {
    small = {limit, before.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    arr_status status = save(a, folder / "a.npy");
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
    expect_failure(status, ARR_E_IO, "cannot be written: File too large");
    EXPECT_EQ(read_file(folder / "a.npy"), "old");
    EXPECT_EQ(folder.names(), (std::set<std::string>{"a.npy"}));
  }
  std::signal(SIGXFSZ, handler);
  ARR_TRY(save(a, folder / "a.npy"));
}

}  // namespace
}  // namespace arr_test
