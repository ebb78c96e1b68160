// SPDX-License-Identifier: MIT
// Reading .npy files: what is accepted, and files that are cut, changed, hostile or no files at all.
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>

#include "files.h"

namespace arr_test {
namespace {

using NpyRead = NoLeaks;

template <class T>
std::string bytes_of(std::initializer_list<T> values) {
  std::string out;
  for (T v : values) out.append(reinterpret_cast<const char*>(&v), sizeof v);
  return out;
}

std::string reversed(std::string bytes, size_t width) {
  for (size_t i = 0; i < bytes.size(); i += width) {
    std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(i),
                 bytes.begin() + static_cast<std::ptrdiff_t>(i + width));
  }
  return bytes;
}

TEST_F(NpyRead, VersionsOneToThree) {
  MemoryFile f;
  for (int version : {1, 2, 3}) {
    f.fill(npy_bytes("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }\n",
                     bytes_of({1.5, 2.5, -3.0, 4.0}), version));
    Handle a;
    ARR_TRY(load(f.path(), &a));
    EXPECT_EQ(shape_of(a), (Ints{2, 2}));
    EXPECT_EQ(values_of<double>(a), (std::vector<double>{1.5, 2.5, -3.0, 4.0}));
  }
}

TEST_F(NpyRead, FortranOrderIsKept) {
  MemoryFile f;
  f.fill(npy_bytes("{'descr': '<i4', 'fortran_order': True, 'shape': (2, 3), }\n",
                   bytes_of({1, 4, 2, 5, 3, 6})));
  Handle a;
  ARR_TRY(load(f.path(), &a));
  EXPECT_EQ(strides_of(a), (Ints{1, 2}));
  EXPECT_EQ(values_of<int32_t>(a), (std::vector<int32_t>{1, 2, 3, 4, 5, 6}));
}

TEST_F(NpyRead, BigEndianIsSwapped) {
  struct Case {
    const char* descr;
    std::string native;
    size_t width;  // of what is swapped: the parts of a complex number
  };
  const Case cases[] = {
      {"i2", bytes_of<int16_t>({1, -2}), 2},      {"u4", bytes_of<uint32_t>({1, 0x12345678}), 4},
      {"i8", bytes_of<int64_t>({1, -5}), 8},      {"f4", bytes_of({1.5F, -2.25F}), 4},
      {"f8", bytes_of({1.5, -2.25}), 8},          {"c8", bytes_of({1.F, 2.F, 3.F, 4.F}), 4},
      {"c16", bytes_of({1.0, 2.0, 3.0, 4.0}), 8}, {"i1", bytes_of<int8_t>({1, -2}), 1}};
  MemoryFile f;
  for (const Case& c : cases) {
    std::string end = std::string(c.descr) + "', 'fortran_order': False, 'shape': (2,), }\n";
    f.fill(npy_bytes("{'descr': '>" + end, reversed(c.native, c.width)));
    Handle a;
    ARR_TRY(load(f.path(), &a)) << c.descr;
    std::string got(c.native.size(), ' ');
    ARR_TRY(arr_get(a, ARR_ORDER_C, got.data(), static_cast<int64_t>(got.size()), nullptr));
    EXPECT_EQ(got, c.native) << c.descr;
  }
}

TEST_F(NpyRead, AnyByteIsATruthValue) {
  MemoryFile f;
  f.fill(npy_bytes("{'descr': '|b1', 'fortran_order': False, 'shape': (3,)}\n", std::string("\0\2\377", 3)));
  Handle a;
  ARR_TRY(load(f.path(), &a));
  EXPECT_EQ(values_of<uint8_t>(a), (std::vector<uint8_t>{0, 1, 1}));
}

struct HeaderCase {
  const char* dict;
  arr_status status;
  const char* part;
};

// Data: eight zero bytes each.
const HeaderCase header_cases[] = {
    {"{'shape':(1,),'fortran_order':False,'descr':'<f8'}", ARR_OK, ""},
    {" { \"descr\" : \"<f8\" , 'fortran_order' : True,\t'shape' : ( 1 , ) , } \n", ARR_OK, ""},
    {"{'descr': '=f8', 'fortran_order': False, 'shape': ()}", ARR_OK, ""},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (1L, 1L)}", ARR_OK, ""},
    {"{'descr': '<i1', 'fortran_order': False, 'shape': (8,)}", ARR_OK, ""},
    {"", ARR_E_FORMAT, "expected '{'"},
    {"{}", ARR_E_FORMAT, "no key 'descr'"},
    {"{'descr': '<f8', 'shape': (1,)}", ARR_E_FORMAT, "no key 'fortran_order'"},
    {"{'descr': '<f8', 'fortran_order': False}", ARR_E_FORMAT, "no key 'shape'"},
    {"{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (1,)}", ARR_E_FORMAT,
     "'descr' appears twice"},
    {"{'shape': (1,), 'shape': (1,), 'descr': '<f8', 'fortran_order': False}", ARR_E_FORMAT,
     "'shape' appears twice"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (1,), 'x': 1}", ARR_E_FORMAT, "unknown key 'x'"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (1,)} x", ARR_E_FORMAT, "after the closing brace"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (1,)", ARR_E_FORMAT, "expected '}'"},
    {"{'descr': '<f8' 'fortran_order': False, 'shape': (1,)}", ARR_E_FORMAT, "expected '}'"},
    {"{'descr': '<f8', 'fortran_order': 0, 'shape': (1,)}", ARR_E_FORMAT, "neither True nor False"},
    {"{'descr': '<f8', 'fortran_order': Falsehood, 'shape': (1,)}", ARR_E_FORMAT, "expected '}'"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (1)}", ARR_E_FORMAT, "expected a tuple"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': 1}", ARR_E_FORMAT, "expected '('"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (,)}", ARR_E_FORMAT, "expected an extent"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (1,,)}", ARR_E_FORMAT, "expected an extent"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (1 1)}", ARR_E_FORMAT, "expected ',' or ')'"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (-1,)}", ARR_E_FORMAT, "expected an extent"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (01,)}", ARR_E_FORMAT, "begins with 0"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (1.0,)}", ARR_E_FORMAT, "expected ',' or ')'"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (2,)}", ARR_E_FORMAT,
     "takes 16 bytes, the file has 8"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}", ARR_E_FORMAT,
     "takes 4 bytes, the file has 8"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (0,)}", ARR_E_FORMAT,
     "takes 0 bytes, the file has 8"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (9223372036854775808,)}", ARR_E_FORMAT,
     "beyond 2^63"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999999999,)}", ARR_E_FORMAT,
     "beyond 2^63"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (9223372036854775807,)}", ARR_E_FORMAT,
     "more than 2^63 bytes"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296)}", ARR_E_FORMAT,
     "more than 2^63"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296, 0)}", ARR_E_FORMAT, "2^63"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': "
     "(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
     "1,1,1)}",
     ARR_E_SHAPE, "more than 32 dimensions"},
    {"{'descr': '|O', 'fortran_order': False, 'shape': (1,)}", ARR_E_DTYPE, "Python objects"},
    {"{'descr': '<U2', 'fortran_order': False, 'shape': (1,)}", ARR_E_DTYPE, "'<U2' is not an element type"},
    {"{'descr': '<f16', 'fortran_order': False, 'shape': (1,)}", ARR_E_DTYPE,
     "'<f16' is not an element type"},
    {"{'descr': '|f8', 'fortran_order': False, 'shape': (1,)}", ARR_OK, ""},
    {"{'descr': 'f8', 'fortran_order': False, 'shape': (1,)}", ARR_OK, ""},
    {"{'descr': '<d', 'fortran_order': False, 'shape': (1,)}", ARR_OK, ""},
    {"{'descr': '?', 'fortran_order': False, 'shape': (8,)}", ARR_OK, ""},
    {"{'descr': 'float64', 'fortran_order': False, 'shape': (1,)}", ARR_OK, ""},
    {"{'descr': '<float64', 'fortran_order': False, 'shape': (1,)}", ARR_E_DTYPE,
     "'<float64' is not an element"},
    {"{'descr': '<', 'fortran_order': False, 'shape': (1,)}", ARR_E_DTYPE, "'<' is not an element type"},
    {"{'descr': 'bfloat16', 'fortran_order': False, 'shape': (4,)}", ARR_E_DTYPE, "is not an element type"},
    {"{'descr': '<l', 'fortran_order': False, 'shape': (1,)}", ARR_E_DTYPE, "platform-dependent size"},
    {"{'descr': '', 'fortran_order': False, 'shape': (1,)}", ARR_E_DTYPE, "'' is not an element type"},
    {"{'descr': [('x', '<f8')], 'fortran_order': False, 'shape': (1,)}", ARR_E_DTYPE, "structured"},
    {"{'descr': '<f8\\x00', 'fortran_order': False, 'shape': (1,)}", ARR_E_FORMAT, "escape"},
    {"{'descr': '<f8, 'fortran_order': False, 'shape': (1,)}", ARR_E_DTYPE, "is not an element type"},
    {"{'d\xc3\xa9scr': '<f8', 'fortran_order': False, 'shape': (1,)}", ARR_E_FORMAT, "beyond ASCII"},
    {"{'descr': '<f8", ARR_E_FORMAT, "does not end"},
    {"__import__('os').abort()", ARR_E_FORMAT, "expected '{'"},
};

TEST_F(NpyRead, Headers) {
  MemoryFile f;
  for (const HeaderCase& c : header_cases) {
    SCOPED_TRACE(c.dict);
    f.fill(npy_bytes(c.dict, std::string(8, '\0')));
    Handle a;
    arr_status status = load(f.path(), &a);
    if (c.status == ARR_OK) {
      EXPECT_EQ(status, ARR_OK) << arr_last_error();
    } else {
      expect_failure(status, c.status, c.part);
      EXPECT_NE(std::string(arr_last_error()).find(f.path()), std::string::npos) << "the path is not named";
    }
  }
}

TEST_F(NpyRead, FrontOfTheFile) {
  MemoryFile f;
  Handle a;
  auto expect = [&](const std::string& bytes, const char* part) {
    f.fill(bytes);
    expect_failure(load(f.path(), &a), ARR_E_FORMAT, part);
  };
  expect("", "0 bytes are too few");
  expect(std::string("\x93NUMPX\x01\x00\x00\x00", 10), "does not begin with the magic bytes");
  expect(npy_bytes("{}", "", 4), "version 4.0");
  expect(npy_bytes("{}", "", 0), "version 0.0");
  expect(std::string("\x93NUMPY\x01\x07\x00\x00", 10), "version 1.7");
  expect(std::string("\x93NUMPY\x02\x00\x01\x00", 10), "inside the header's length");
  expect(std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12), "a header of 4294967295 bytes");
  expect(std::string("\x93NUMPY\x02\x00\x01\x00\x01\x00", 12) + std::string(70000, ' '),
         "a header of 65537 bytes");
  expect(std::string("\x93NUMPY\x01\x00\xff\xff", 10), "inside its header of 65535 bytes");
}

// Ten files of different kinds.
std::vector<std::string> seeds() {
  std::vector<std::string> out;
  Folder folder;
  const std::string path = folder / "seed.npy";
  struct Seed {
    arr_dtype dtype;
    Ints shape;
    int32_t order;
  };
  const Seed kinds[] = {{ARR_FLOAT64, {2, 3}, ARR_ORDER_C},   {ARR_FLOAT64, {2, 3}, ARR_ORDER_F},
                        {ARR_BOOL, {5}, ARR_ORDER_C},         {ARR_INT8, {}, ARR_ORDER_C},
                        {ARR_UINT64, {1, 1, 2}, ARR_ORDER_C}, {ARR_FLOAT16, {0, 4}, ARR_ORDER_C},
                        {ARR_COMPLEX128, {2}, ARR_ORDER_C},   {ARR_INT32, {2, 2, 2}, ARR_ORDER_F},
                        {ARR_FLOAT32, {11}, ARR_ORDER_C}};
  for (const Seed& s : kinds) {
    Handle a;
    EXPECT_EQ(arr_ones(s.dtype, static_cast<int32_t>(s.shape.size()), s.shape.data(), s.order, nullptr,
                       nullptr, a.out()),
              ARR_OK);
    EXPECT_EQ(save(a, path), ARR_OK) << arr_last_error();
    out.push_back(read_file(path));
  }
  out.push_back(
      npy_bytes("{'descr': '>c8', 'fortran_order': False, 'shape': (2L,), }\n", std::string(16, '\1'), 3));
  return out;
}

TEST_F(NpyRead, CutAtEveryByte) {
  MemoryFile f;
  for (const std::string& seed : seeds()) {
    Handle a;
    f.fill(seed);
    ARR_TRY(load(f.path(), &a));
    for (size_t length = 0; length < seed.size(); ++length) {
      f.fill(seed.substr(0, length));
      arr_array untouched = nullptr;
      arr_status status = arr_load_npy(f.path().c_str(), -1, nullptr, nullptr, &untouched);
      ASSERT_EQ(status, ARR_E_FORMAT) << length << " of " << seed.size() << ": " << arr_last_error();
      ASSERT_EQ(untouched, nullptr);
    }
  }
}

TEST_F(NpyRead, EveryByteChangedToEveryOther) {
  MemoryFile f;
  int64_t accepted = 0, refused = 0;
  for (const std::string& seed : seeds()) {
    f.fill(seed);
    for (size_t at = 0; at < seed.size(); ++at) {
      for (int change = 1; change < 256; ++change) {
        f.put(at, static_cast<char>(seed[at] ^ change));
        Handle a;
        arr_status status = load(f.path(), &a);
        ASSERT_TRUE(status == ARR_OK || status == ARR_E_FORMAT || status == ARR_E_DTYPE) << arr_last_error();
        (status == ARR_OK ? accepted : refused)++;
      }
      f.put(at, seed[at]);
    }
  }
  EXPECT_GT(accepted, 1000);  // changed data and blanks
  EXPECT_GT(refused, 100000);
}

TEST_F(NpyRead, NotARegularFile) {
  Folder folder;
  Handle a;
  const std::string fifo = folder / "fifo";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  expect_failure(load(fifo, &a), ARR_E_IO, "is a FIFO");
  expect_failure(load(folder / "", &a), ARR_E_IO, "is a directory");
  expect_failure(load("/dev/zero", &a), ARR_E_IO, "is a device");
  expect_failure(load(folder / "none.npy", &a), ARR_E_IO, "No such file");
  expect_failure(load("", &a), ARR_E_ARGUMENT, "empty");
}

TEST_F(NpyRead, Paths) {
  Folder folder;
  Handle a = from_values<int32_t>(ARR_INT32, {2}, {1, 2}), b;
  const std::string path = folder / "a.npy", longer = path + "junk";
  ARR_TRY(save(a, path));
  ARR_TRY(arr_load_npy(longer.c_str(), static_cast<int64_t>(path.size()), nullptr, nullptr, b.out()));
  EXPECT_EQ(values_of<int32_t>(b), (std::vector<int32_t>{1, 2}));
  const std::string nul = path + std::string("\0x", 2);
  expect_failure(arr_load_npy(nul.data(), static_cast<int64_t>(nul.size()), nullptr, nullptr, b.out()),
                 ARR_E_ARGUMENT, "NUL inside");
  expect_failure(arr_load_npy(nullptr, -1, nullptr, nullptr, b.out()), ARR_E_ARGUMENT, "path");
  expect_failure(load("/nonexistent/%n%s\n" + std::string(9000, 'x'), &a), ARR_E_IO, "%n%s?xxx");
  EXPECT_LT(std::strlen(arr_last_error()), 400U);
}

// A load returns the whole file or an error, also while another thread writes it.
TEST_F(NpyRead, FileThatGrowsAndShrinks) {
  Folder folder;
  const std::string path = folder / "a.npy";
  std::string whole = npy_bytes("{'descr': '|i1', 'fortran_order': False, 'shape': (1000000,)}\n",
                                std::string(1000000, '\3'));
  write_file(path, whole);
  std::atomic<bool> stop{false};
  std::thread other([&] {
    for (int i = 0; !stop; ++i) {
      auto length = static_cast<off_t>(whole.size()) + (i % 3 == 0 ? 0 : i % 3 == 1 ? 1000 : -1000);
      if (truncate(path.c_str(), length) != 0) break;
    }
  });
  for (int i = 0; i < 300; ++i) {
    Handle a;
    arr_status status = load(path, &a);
    EXPECT_TRUE(status == ARR_OK || status == ARR_E_FORMAT || status == ARR_E_IO) << arr_last_error();
  }
  stop = true;
  other.join();
}

}  // namespace
}  // namespace arr_test
