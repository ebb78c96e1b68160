// SPDX-License-Identifier: MIT
// Kernels without barriers: indexing, arguments, names, state, launch limits.
#include <algorithm>
#include <cmath>
#include <thread>

#include "support.h"

namespace arr::host_kernels::test {
namespace {

TEST(HostKernelLaunch, SaxpyTouchesEveryElementOnce) {
  const Kernel k = make(saxpy_source, "saxpy");
  EXPECT_FALSE(k.on_fibers);
  EXPECT_EQ(k.arg_bytes, (std::vector<uint32_t>{4, 4, 8, 8}));
  for (uint32_t n : {1u, 31u, 256u, 257u, 100003u})
    for (uint32_t threads : {1u, 7u, 256u, 1024u}) {
      std::vector<float> x(n), y(n + 1, -1.0f);
      for (uint32_t i = 0; i < n; i++) x[i] = float(i % 97), y[i] = float(i % 13);
      run(k, (n + threads - 1) / threads, threads, int(n), 2.0f, x.data(), y.data());
      for (uint32_t i = 0; i < n; i++) ASSERT_EQ(y[i], 2.0f * float(i % 97) + float(i % 13)) << i;
      EXPECT_EQ(y[n], -1.0f);
    }
}

TEST(HostKernelLaunch, IndicesInThreeDimensions) {
  const Kernel k = make(R"(
__global__ void where(unsigned* out) {
  unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  out[block * blockDim.x * blockDim.y * blockDim.z + thread] += blockIdx.x + 10 * blockIdx.y + 100 * blockIdx.z +
      1000 * threadIdx.x + 10000 * threadIdx.y + 100000 * threadIdx.z;
})",
                        "where");
  const uint32_t grid[3] = {3, 4, 2}, block[3] = {5, 2, 3};
  std::vector<uint32_t> out(24 * 30);
  run(k, {grid[0], grid[1], grid[2]}, {block[0], block[1], block[2]}, out.data());
  size_t i = 0;
  for (uint32_t bz = 0; bz < grid[2]; bz++)
    for (uint32_t by = 0; by < grid[1]; by++)
      for (uint32_t bx = 0; bx < grid[0]; bx++)
        for (uint32_t tz = 0; tz < block[2]; tz++)
          for (uint32_t ty = 0; ty < block[1]; ty++)
            for (uint32_t tx = 0; tx < block[0]; tx++)
              ASSERT_EQ(out[i++], bx + 10 * by + 100 * bz + 1000 * tx + 10000 * ty + 100000 * tz);
}

TEST(HostKernelLaunch, BlocksStartInIncreasingOrder) {
  const Kernel k = make(R"(
extern "C" __global__ void turn(unsigned* counter, unsigned* seen) { seen[blockIdx.x] = atomicAdd(counter, 1); })",
                        "turn");
  uint32_t counter = 0;
  std::vector<uint32_t> seen(5000);
  run(k, 5000, 1, &counter, seen.data());
  EXPECT_EQ(counter, 5000u);
  std::sort(seen.begin(), seen.end());
  for (uint32_t i = 0; i < 5000; i++) ASSERT_EQ(seen[i], i);
}

TEST(HostKernelLaunch, StructsByValueAndSmallTypes) {
  struct Params {
    int a;
    float b;
    int c[3];
  };
  const Kernel k = make(R"(
struct Params { int a; float b; int c[3]; };
extern "C" __global__ void f(int* o, const Params p, signed char s, bool negate, double d, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) o[i] = (p.a + (int)p.b + p.c[i % 3] + s + (int)d) * (negate ? -1 : 1);
})",
                        "f");
  EXPECT_EQ(k.arg_bytes, (std::vector<uint32_t>{8, sizeof(Params), 1, 1, 8, 4}));
  std::vector<int> out(100);
  run(k, 4, 32, out.data(), Params{5, 2.5f, {10, 20, 30}}, int8_t{-3}, true, 7.0, 100);
  for (int i = 0; i < 100; i++) EXPECT_EQ(out[size_t(i)], -(5 + 2 + 10 * (i % 3 + 1) - 3 + 7));
}

constexpr const char* names_source = R"(
namespace ns { namespace inner {
template <typename T, int K> struct Times { __device__ T operator()(T a) const { return a * K; } };
template <typename T, typename F> __global__ void apply(T* o, F f, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) o[i] = f(T(i));
}
__global__ void plain(int* o) { *o = 7; }
} }
extern "C" { __global__ void linked(int* o) { *o = 8; } }
static __global__ __launch_bounds__(128) void hidden(int* o) { *o = 9; }
template <typename T> __global__ void fill(T* o, T v) { o[threadIdx.x] = v; }
)";

TEST(HostKernelNames, PlainQualifiedAndTemplates) {
  const auto image = compile(names_source, {});
  int value = 0;
  for (const auto& [name, expected] : std::vector<std::pair<std::string, int>>{
           {"ns::inner::plain", 7}, {"plain", 7}, {"&ns::inner::plain", 7}, {"linked", 8}, {" hidden ", 9}}) {
    run(kernel(image, name), 1, 1, &value);
    EXPECT_EQ(value, expected) << name;
  }
  std::vector<double> out(10);
  struct Empty {};
  run(kernel(image, "ns::inner::apply<double, ns::inner::Times<double, 3>>"), 1, 32, out.data(), Empty{}, 10);
  for (size_t i = 0; i < 10; i++) EXPECT_EQ(out[i], 3.0 * double(i));
  std::vector<int64_t> wide(4);
  run(kernel(image, "fill<long long>"), 1, 4, wide.data(), int64_t{1} << 40);
  EXPECT_EQ(wide, std::vector<int64_t>(4, int64_t{1} << 40));
  // Name expressions of any operators.
  const auto scaled =
      compile("template <int N, class T> __global__ void mul(T* p) { p[threadIdx.x] *= N; }", {});
  for (const auto& [name, factor] :
       std::vector<std::pair<std::string, int>>{{"mul<(1>0)?5:6,int>", 5},
                                                {"mul<(7 % 4) == 3 && !0, int>", 1},
                                                {"mul<'a' - '(', int>", 57},
                                                {"mul<(6 ^ 3) | ~0 - 1, int>", -1}}) {
    std::vector<int> p(3, 1);
    run(kernel(scaled, name), 1, 3, p.data());
    EXPECT_EQ(p, std::vector<int>(3, factor)) << name;
  }
}

TEST(HostKernelNames, GivenWithTheSource) {
  const auto image = compile(names_source, {{}, {"fill<float>", "&fill<int>"}});
  const uint64_t before = counters().compiled;
  std::vector<float> out(4);
  run(kernel(image, "fill<float>"), 1, 4, out.data(), 2.5f);
  EXPECT_EQ(out, std::vector<float>(4, 2.5f));
  EXPECT_EQ(kernel(image, "fill<int>").arg_bytes[1], 4u);
  EXPECT_EQ(counters().compiled, before);
}

TEST(HostKernelNames, Errors) {
  const auto image = compile(names_source, {});
  const auto text_for = [&](const char* name) { return catch_error([&] { kernel(image, name); }); };
  EXPECT_EQ(text_for("fill").text, "kernel 'fill': a template; give its arguments, as in fill<float>");
  EXPECT_EQ(text_for("nothing").text,
            "kernel 'nothing': not in the source, which has ns::inner::apply, ns::inner::plain, linked, "
            "hidden, fill");
  EXPECT_EQ(text_for("nothing").status, ARR_E_ARGUMENT);
  EXPECT_EQ(text_for("").text, "kernel name: empty");
  EXPECT_EQ(text_for("a;b").text, "kernel name: not a name or a template's instance");
  EXPECT_EQ(text_for("a\nb").text, "kernel name: not a name or a template's instance");
  for (const char* unbalanced : {"f)", "f(", "f<(1]>", "f)(", "f<')>"})
    EXPECT_EQ(text_for(unbalanced).text, "kernel name: not a name or a template's instance");
  const auto overloaded =
      compile("__global__ void f(int* o) { *o = 1; }\n__global__ void f(float* o) { *o = 2; }\n", {});
  EXPECT_EQ(catch_error([&] { kernel(overloaded, "f"); }).text,
            "kernel 'f': the name is overloaded in the source; choose one by its parameters, as in (void "
            "(*)(float *, int))f");
  const auto twice =
      compile("namespace a { __global__ void f(int*) {} }\nnamespace b { __global__ void f(int*) {} }\n", {});
  EXPECT_EQ(catch_error([&] { kernel(twice, "f"); }).text,
            "kernel 'f': in more than one namespace of the source");
}

constexpr const char* instances_source = R"(
template <class T, int N> __global__ void k(T* x) { x[0] = N; }
template <class T, class U> __global__ void two(T* x, U y) { x[0] = y; }
template <class T, class = decltype(T::member)> __global__ void picky(T* x) { x[0] = T(); }
template <class T> __global__ void o(T* x) { x[0] = 1; }
template <class T> __global__ void o(T* x, int n) { x[0] = n; }
namespace inner { template <template <class> class T> __global__ void of(T<int>* x) {} }
)";

struct InstanceCase {
  const char *name, *by_clang, *by_gcc;
};
void PrintTo(const InstanceCase& c, std::ostream* out) { *out << c.name; }
class Instance : public testing::TestWithParam<InstanceCase> {};

// The error has the compiler's own sentence about arguments that do not fit, whenever the kernel is named.
TEST_P(Instance, SaysWhatIsWrong) {
  const InstanceCase& c = GetParam();
  const std::string right = std::string("kernel '") + c.name + "': " + (by_pass() ? c.by_clang : c.by_gcc);
  const Caught at_once = catch_error([&] { compile(instances_source, {{}, {c.name}}); });
  const Caught later = catch_error([&] { kernel(compile(instances_source, {}), c.name); });
  EXPECT_EQ(at_once.text.substr(0, right.size()), right);
  EXPECT_EQ(later.text.substr(0, right.size()), right);
  EXPECT_EQ(at_once.text, later.text);
  EXPECT_EQ(at_once.status, ARR_E_ARGUMENT);
  EXPECT_EQ(later.status, ARR_E_ARGUMENT);
}

constexpr InstanceCase instance_cases[] = {
    {"k<Undefined, 4>", "use of undeclared identifier 'Undefined'",
     "'Undefined' was not declared in this scope"},
    {"k<half, 4>", "use of undeclared identifier 'half'", "'half' was not declared in this scope"},
    {"k<float, M>", "use of undeclared identifier 'M'", "'M' was not declared in this scope"},
    {"k<float>", "couldn't infer template argument 'N'", "couldn't deduce template parameter 'N'"},
    {"k<4, float>", "invalid explicitly-specified argument for template parameter 'T'",
     "type/value mismatch at argument 1 in template parameter list for 'template<class T, int N> void "
     "k(T*)'; "
     "expected a type, got '4'"},
    {"k<float, 4, 5>", "too many template arguments for function template 'k'",
     "wrong number of template arguments (3, should be 2)"},
    {"two<float>", "couldn't infer template argument 'U'", "couldn't deduce template parameter 'U'"},
    {"picky<int>", "substitution failure [with T = int]: type 'int' cannot be used prior to '::'",
     "'member' is not a member of 'int'"},
    {"inner::of<int>", "invalid explicitly-specified argument for template parameter 'T'",
     "type/value mismatch at argument 1 in template parameter list for"},
    {"nothing<int>", "not in the source, which has k, two, picky, o, inner::of",
     "not in the source, which has k, two, picky, o, inner::of"},
    {"inner::nothing<int>", "not in the source, which has k,", "not in the source, which has k,"},
    {"o<int>", "the name is overloaded in the source; choose one by its parameters",
     "the name is overloaded in the source; choose one by its parameters"},
    {"k", "a template; give its arguments, as in k<float>", "a template; give its arguments, as in k<float>"},
};
INSTANTIATE_TEST_SUITE_P(Table, Instance, testing::ValuesIn(instance_cases),
                         [](const auto& c) { return std::to_string(c.index); });

// A type that the headers have may be named by the kernel's name only.
TEST(HostKernelNames, TypesThatOnlyTheNameHas) {
  const std::string source =
      "template <class T, class S> __global__ void cast(T* o, const S* s) { o[threadIdx.x] = "
      "(T)s[threadIdx.x]; }\n";
  const std::string half = "#include <cuda_fp16.h>\n", bfloat = "#include <cuda_bf16.h>\n";
  for (const std::string& headers : {half, bfloat, half + bfloat, bfloat + half})
    for (const char* name : {"cast<__half, float>", "cast<half2, half2>", "cast<__nv_bfloat16, float>",
                             "cast<__nv_bfloat16, half>"}) {
      if (headers == half && std::string(name).find("bfloat") != std::string::npos) continue;
      EXPECT_EQ(catch_error([&] { compile(headers + source, {{}, {name}}); }).text, "") << headers << name;
    }
  EXPECT_EQ(catch_error([&] { compile(source, {{}, {"cast<cudaTextureObject_t, long>"}}); }).text, "");
  EXPECT_EQ(catch_error([&] {
              compile("__global__ void k(float* o, cudaTextureObject_t t) { *o = READ(t, 0); }",
                      {{"-DREAD=tex1Dfetch<float>"}, {}});
            }).text,
            "");
}

TEST(HostKernelNames, LeftOutByTheConditionOrMadeByAMacro) {
  const auto image = compile(R"(
#if 0
__global__ void gone(int* o) { this is not C++ }
#endif
#define FILL(name, value) extern "C" __global__ void name(int* o) { *o = value; }
FILL(made, 42)
__global__ void here(int* o) { *o = 1; }
)",
                             {});
  int value = 0;
  run(kernel(image, "made"), 1, 1, &value);
  EXPECT_EQ(value, 42);
  run(kernel(image, "here"), 1, 1, &value);
  EXPECT_EQ(value, 1);
  EXPECT_EQ(catch_error([&] { kernel(image, "gone"); }).status, ARR_E_ARGUMENT);
}

constexpr const char* state_source = R"(
__constant__ int lut[4] = {3, 5, 7, 11}, scale;
__device__ unsigned calls;
namespace deep { __device__ double total = 0.5; }
extern "C" __global__ void look(int* o) { o[threadIdx.x] = lut[threadIdx.x & 3] * (scale + 1); atomicAdd(&calls, 1); }
template <class T> __global__ void other(T* o) { *o = T(calls); }
)";

TEST(HostKernelState, ConstantAndDeviceVariables) {
  const auto image = compile(state_source, {{}, {"look", "other<int>"}});
  std::vector<int> out(8);
  run(kernel(image, "look"), 1, 8, out.data());
  EXPECT_EQ(out, (std::vector<int>{3, 5, 7, 11, 3, 5, 7, 11}));
  const Global lut = global(*image, "lut"), scale = global(*image, "scale"), total = global(*image, "total");
  ASSERT_EQ(lut.bytes, 16u);
  ASSERT_EQ(scale.bytes, 4u);
  EXPECT_EQ(*static_cast<double*>(total.address), 0.5);
  static_cast<int*>(lut.address)[2] = 100;
  *static_cast<int*>(scale.address) = 9;
  run(kernel(image, "look"), 1, 8, out.data());
  EXPECT_EQ(out, (std::vector<int>{30, 50, 1000, 110, 30, 50, 1000, 110}));
  int seen = 0;
  run(kernel(image, "other<int>"), 1, 1, &seen);
  EXPECT_EQ(seen, 16);
  EXPECT_EQ(catch_error([&] { global(*image, "none"); }).text,
            "variable 'none': no __device__ or __constant__ variable of the source");
}

TEST(HostKernelState, EachCompileHasItsOwnVariables) {
  const auto a = compile(state_source, {{}, {"look"}}), b = compile(state_source, {{}, {"look"}});
  EXPECT_NE(global(*a, "lut").address, global(*b, "lut").address);
  std::vector<int> out(1);
  run(kernel(a, "look"), 1, 1, out.data());
  EXPECT_EQ(*static_cast<unsigned*>(global(*a, "calls").address), 1u);
  EXPECT_EQ(*static_cast<unsigned*>(global(*b, "calls").address), 0u);
  EXPECT_EQ(catch_error([&] { kernel(a, "other<int>"); }).text,
            "kernel 'other<int>': not among those compiled (the source has look, other); in a source with "
            "__device__ or __constant__ variables every name must be given when it is compiled");
}

TEST(HostKernelLaunch, LimitsAndArguments) {
  const Kernel k = make(saxpy_source, "saxpy");
  float x = 0;
  int n = 1;
  float a = 1;
  float* p = &x;
  void* args[] = {&n, &a, &p, &p};
  const auto refused = [&](Size grid, Size block, uint64_t shared, void* const* v, int nargs) {
    const Caught c = catch_error([&] { launch(k, grid.v, block.v, shared, v, nargs); });
    EXPECT_EQ(c.status, ARR_E_ARGUMENT);
    return c.text;
  };
  const std::string grid_rule = ", each must be at least 1 and at most (2147483647,65535,65535)";
  EXPECT_EQ(refused({0}, {1}, 0, args, 4), "kernel 'saxpy': grid (0,1,1)" + grid_rule);
  EXPECT_EQ(refused({1, 65536}, {1}, 0, args, 4), "kernel 'saxpy': grid (1,65536,1)" + grid_rule);
  EXPECT_EQ(refused({1}, {1, 1, 65}, 0, args, 4),
            "kernel 'saxpy': block (1,1,65), each must be at least 1 and at most (1024,1024,64)");
  EXPECT_EQ(refused({1}, {33, 32}, 0, args, 4),
            "kernel 'saxpy': block (33,32,1) has 1056 threads, the max is 1024");
  EXPECT_EQ(refused({1}, {1}, 49153, args, 4),
            "kernel 'saxpy': 49153 bytes of dynamic shared memory, the max is 49152");
  EXPECT_EQ(refused({1}, {1}, 0, args, 3), "kernel 'saxpy': 3 arguments, it has 4 parameters");
  void* missing[] = {&n, &a, nullptr, &p};
  EXPECT_EQ(refused({1}, {1}, 0, missing, 4), "kernel 'saxpy': argument 2 is NULL");
  EXPECT_EQ(refused({1}, {1}, 0, nullptr, 4), "kernel 'saxpy': argument 0 is NULL");
}

// 2^31 threads along x, which the ordinary loop is compiled not to expect.
TEST(HostKernelLaunch, MoreThreadsThanAnInt) {
  const Kernel k = make(R"(
extern "C" __global__ void top(unsigned long long* o) {
  unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 2147483646ull + 1024) *o = i;
})",
                        "top");
  uint64_t out = 0;
  run(k, (1u << 21) + 1, 1024, &out);
  EXPECT_EQ(out, (uint64_t{1} << 31) + 1023);
}

TEST(HostKernelLaunch, SixteenThreadsAtOnce) {
  const auto image = compile(saxpy_source, {});
  const Kernel k = kernel(image, "saxpy");
  std::vector<std::thread> threads;
  std::vector<int> wrong(16);
  for (size_t t = 0; t < 16; t++)
    threads.emplace_back([&, t] {
      std::vector<float> x(5000, float(t)), y(5000);
      for (int round = 0; round < 50; round++) run(k, 20, 256, 5000, 1.0f, x.data(), y.data());
      for (float v : y) wrong[t] += v != 50.0f * float(t) ? 1 : 0;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(16));
}

}  // namespace
}  // namespace arr::host_kernels::test
