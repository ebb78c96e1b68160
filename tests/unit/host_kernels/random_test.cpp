// SPDX-License-Identifier: MIT
// Random kernels of barriers, shuffles, votes, divergence, loops around them and early returns: what the
// library computes (on fibers, or by the loop-fission pass) against a model that runs the same statements for
// all threads of a block, one statement after the other; and next to each a kernel without any of what makes
// threads wait, which must be a plain loop. Many kernels make one module: a compiler's start and the headers
// cost more than a kernel. ARR_RANDOM_KERNELS is their number, 75 when it is not set.
#include <algorithm>
#include <array>
#include <future>
#include <random>
#include <sstream>
#include <thread>

#include "support.h"

namespace arr::host_kernels::test {
namespace {

constexpr int threads = 96, variables = 3;
constexpr uint32_t inputs = 512;

struct Thread {
  std::array<uint32_t, variables> v;
  bool live;
};

enum class Waits { yes, no };

// One random program, written as CUDA and run by the model at the same time.
class Program {
 public:
  explicit Program(uint32_t seed, Waits waits = Waits::yes) : random_(seed), waits_(waits) {
    for (uint32_t t = 0; t < threads; t++) state_[t] = {{t * 7 + 1, 3, t ^ 21}, true};
    for (uint32_t i = 0; i < inputs; i++) input_[i] = i * 2654435761u >> 7;
    for (int i = 0; i < 18; i++) statement();
  }

  [[nodiscard]] std::string source(const std::string& kernel = "k") const {
    const char* shared = waits_ == Waits::yes ? "  __shared__ unsigned s[96];\n" : "";
    return "extern \"C\" __global__ void " + kernel + "(unsigned* o, const unsigned* in) {\n" + shared +
           "  unsigned t = threadIdx.x, v0 = t * 7 + 1, v1 = 3, v2 = t ^ 21;\n  unsigned* out = o + "
           "blockIdx.x * 96;\n" +
           text_.str() + "  out[t] = v0 + 3 * v1 + 5 * v2;\n}\n";
  }
  [[nodiscard]] const uint32_t* input() const { return input_.data(); }
  [[nodiscard]] std::vector<uint32_t> result() const {
    std::vector<uint32_t> out = early_;
    for (size_t t = 0; t < threads; t++)
      if (state_[t].live) out[t] = state_[t].v[0] + 3 * state_[t].v[1] + 5 * state_[t].v[2];
    return out;
  }

 private:
  uint32_t pick(uint32_t n) { return static_cast<uint32_t>(random_()) % n; }
  template <class F>
  void each(F f) {
    for (uint32_t t = 0; t < threads; t++)
      if (state_[t].live) f(t, state_[t].v);
  }

  static std::string name(uint32_t i) {
    std::ostringstream out;
    out << "v" << i;
    return out.str();
  }

  void statement() {
    const uint32_t a = pick(variables), b = pick(variables), n = pick(31) + 1;
    const std::string A = name(a), B = name(b), N = std::to_string(n);
    static constexpr std::array<uint32_t, 5> without_waits{0, 6, 7, 9, 10};
    const uint32_t kind =
        waits_ == Waits::yes ? pick(11) : without_waits[pick(static_cast<uint32_t>(without_waits.size()))];
    if (kind == 0) {
      text_ << "  if (" << B << " & 1) " << A << " += " << N << " * t; else " << A << " ^= " << B
            << " >> 1;\n";
      each([&](uint32_t t, auto& v) { (v[b] & 1) != 0 ? v[a] += n * t : v[a] ^= v[b] >> 1; });
    } else if (kind == 1) {
      exchange(a, b, n, A, B, N);
    } else if (kind == 2) {
      text_ << "  " << A << " += __shfl_xor_sync(~0u, " << B << ", " << N << ");\n";
      shuffle(a, b, [&](uint32_t lane) { return lane ^ n; });
    } else if (kind == 3) {
      text_ << "  " << A << " += __shfl_down_sync(~0u, " << B << ", " << N << ");\n";
      shuffle(a, b, [&](uint32_t lane) { return lane + n > 31 ? lane : lane + n; });
    } else if (kind == 4) {
      text_ << "  " << A << " ^= __ballot_sync(~0u, " << B << " % " << N << " == 0);\n";
      ballot(a, b, n);
    } else if (kind == 5) {
      text_ << "  " << A << " += __syncthreads_count((" << B << " & " << N << ") != 0);\n";
      uint32_t count = 0;
      each([&](uint32_t, auto& v) { count += (v[b] & n) != 0 ? 1u : 0u; });
      each([&](uint32_t, auto& v) { v[a] += count; });
    } else if (kind == 6) {
      text_ << "  for (unsigned q = 0; q < (t & 3); q++) " << A << " = " << A << " * 5 + " << B << ";\n";
      each([&](uint32_t t, auto& v) {
        for (uint32_t i = 0; i < (t & 3); i++) v[a] = v[a] * 5 + v[b];
      });
    } else if (kind == 7) {
      stride_loop(a, A);
    } else if (kind == 8) {
      text_ << "  if (t / 32 == " << n % 3 << ") " << A << " += __shfl_xor_sync(~0u, " << B << ", " << N
            << ");\n";
      shuffle(
          a, b, [&](uint32_t lane) { return lane ^ n; }, static_cast<int>(n % 3));
    } else if (kind == 9 && depth_ < 2) {
      repeat(n % 3 + 1);
    } else if (pick(3) == 0) {
      leave(a, n, A, N);
    }
  }

  // Through global memory, as grid-stride loops go; some threads do not enter it.
  void stride_loop(uint32_t a, const std::string& A) {
    const uint32_t last = pick(2) == 0 ? pick(inputs) : pick(threads);
    text_ << "  for (unsigned j = t; j < " << last << "; j += 96) " << A << " = " << A << " * 3 + in[j];\n";
    each([&](uint32_t t, auto& v) {
      for (uint32_t j = t; j < last; j += threads) v[a] = v[a] * 3 + input_[j];
    });
  }

  // A loop that all threads run equally often. The model goes through it again from the same random numbers.
  void repeat(uint32_t times) {
    const std::string i(1, static_cast<char>('i' + depth_));
    const std::mt19937 start = random_;
    std::string body;
    depth_++;
    for (uint32_t k = 0; k < times; k++) {
      random_ = start;
      std::ostringstream before;
      before.swap(text_);
      for (int j = 0; j < 3; j++) statement();
      body = text_.str();
      text_.swap(before);
      each([&](uint32_t, auto& v) { v[0] += k; });
    }
    depth_--;
    text_ << "  for (unsigned " << i << " = 0; " << i << " < " << times << "; " << i << "++) {\n"
          << body << "  v0 += " << i << ";\n  }\n";
  }

  // Through shared memory; of a thread that has left, the value it left there.
  void exchange(uint32_t a, uint32_t b, uint32_t n, const std::string& A, const std::string& B,
                const std::string& N) {
    text_ << "  s[t] = " << B << "; __syncthreads(); " << A << " ^= s[(t + " << N
          << ") % 96]; __syncthreads();\n";
    each([&](uint32_t t, auto& v) { shared_[t] = v[b]; });
    each([&](uint32_t t, auto& v) { v[a] ^= shared_[(t + n) % threads]; });
  }

  template <class From>
  void shuffle(uint32_t a, uint32_t b, From from, int only_warp = -1) {
    const auto before = state_;
    each([&](uint32_t t, auto& v) {
      if (only_warp >= 0 && static_cast<int>(t / 32) != only_warp) return;
      const uint32_t source = t / 32 * 32 + from(t % 32);
      v[a] += before[before[source].live ? source : t].v[b];
    });
  }

  void ballot(uint32_t a, uint32_t b, uint32_t n) {
    std::array<uint32_t, threads / 32> bits{};
    each([&](uint32_t t, auto& v) { bits[t / 32] |= v[b] % n == 0 ? 1u << t % 32 : 0u; });
    each([&](uint32_t t, auto& v) { v[a] ^= bits[t / 32]; });
  }

  // Shared memory is defined only where it was written: leaving waits for the first exchange.
  void leave(uint32_t a, uint32_t n, const std::string& A, const std::string& N) {
    if (waits_ == Waits::yes) text_ << "  s[t] = " << A << "; __syncthreads();\n";
    text_ << "  if ((" << A << " ^ t) % 37 == " << N << ") { out[t] = " << A << "; return; }\n";
    each([&](uint32_t t, auto& v) { shared_[t] = v[a]; });
    for (uint32_t t = 0; t < threads; t++)
      if (state_[t].live && (state_[t].v[a] ^ t) % 37 == n) {
        early_[t] = state_[t].v[a];
        state_[t].live = false;
      }
  }

  std::mt19937 random_;
  Waits waits_;
  int depth_ = 0;
  std::array<uint32_t, inputs> input_{};
  std::ostringstream text_;
  std::array<Thread, threads> state_{};
  std::array<uint32_t, threads> shared_{};
  std::vector<uint32_t> early_ = std::vector<uint32_t>(threads);
};

constexpr uint32_t per_module = 25;

std::string kernel_name(uint32_t seed, Waits waits) { return text(waits == Waits::yes ? "k" : "l", seed); }

// The programs of seeds, of both kinds, as one source.
class Programs {
 public:
  Programs(uint32_t first, uint32_t count) {
    for (uint32_t seed = first; seed < first + count; seed++)
      for (const Waits waits : {Waits::yes, Waits::no})
        all.push_back({kernel_name(seed, waits), waits, Program(seed, waits)});
  }
  [[nodiscard]] std::string source() const {
    std::string text;
    for (const Named& one : all) text += one.program.source(one.name);
    return text;
  }
  struct Named {
    std::string name;  // says the seed
    Waits waits;
    Program program;
  };
  std::vector<Named> all;
};

// "" where `out`, of several blocks, is what the model says.
std::string difference(const Programs::Named& one, const std::vector<uint32_t>& out) {
  const std::vector<uint32_t> expected = one.program.result();
  for (size_t i = 0; i < out.size(); i++)
    if (out[i] != expected[i % threads])
      return text(one.name, ": of thread ", i, " is ", out[i], ", not ", expected[i % threads], "\n",
                  one.program.source(one.name));
  return {};
}

uint32_t count() {
  const char* text = std::getenv("ARR_RANDOM_KERNELS");
  return text != nullptr ? static_cast<uint32_t>(std::strtoul(text, nullptr, 10)) : 75;
}

class RandomKernels : public testing::TestWithParam<uint32_t> {
 protected:
  static Programs programs(uint32_t max_count = ~0U) {
    const uint32_t first = GetParam() * per_module;
    return {first, std::min({per_module, count() - first, max_count})};
  }
};

TEST_P(RandomKernels, EqualTheModel) {
  const Programs some = programs();
  const std::string source = some.source();
  Options options;
  options.effort = by_pass() ? Effort::quick : Effort::full;
  std::shared_ptr<Image> image;
  const Caught error = catch_error([&] { image = compile(source, options); });
  ASSERT_EQ(error.text, "") << error.log << "\n" << source;
  for (const Programs::Named& one : some.all) {
    const Kernel k = kernel(image, one.name);
    EXPECT_EQ(k.on_fibers, one.waits == Waits::yes && !by_pass()) << one.program.source(one.name);
    std::vector<uint32_t> out(threads * 4);
    run(k, 4, threads, out.data(), one.program.input());
    EXPECT_EQ(difference(one, out), "");
  }
}

// A thread that is older than an image finds its thread-local variables anew at its first use of them; the
// code that it is in must keep all its registers through that.
TEST(RandomKernel, RunOnThreadsThatAreOlder) {
  constexpr size_t n = 20;  // more images than a thread has places for when it starts
  std::vector<Program> programs;
  std::vector<Kernel> kernels;
  std::vector<std::vector<uint32_t>> out(n, std::vector<uint32_t>(threads));
  std::promise<void> all_loaded;
  const std::shared_future<void> loaded = all_loaded.get_future();
  std::vector<std::thread> older;
  for (size_t i = 0; i < n; i++)
    older.emplace_back([&, i] {
      loaded.wait();
      run(kernels[i], 1, threads, out[i].data(), programs[i].input());
    });
  for (uint32_t seed = 0; seed < n; seed++) {
    programs.emplace_back(seed);
    kernels.push_back(make(programs.back().source(), "k"));
  }
  all_loaded.set_value();
  for (std::thread& thread : older) thread.join();
  for (size_t i = 0; i < n; i++) EXPECT_EQ(out[i], programs[i].result()) << programs[i].source();
}

// With accesses checked; what the launch says.
std::string checked_run(const Kernel& k, const uint32_t* input, std::vector<uint32_t>& out) {
  uint32_t* o = out.data();
  void* args[] = {&o, &input};
  const Extent extents[] = {{reinterpret_cast<const char*>(o), out.size() * 4},
                            {reinterpret_cast<const char*>(input), inputs * 4}};
  const Size grid = 4, block = threads;
  return catch_error([&] { launch(k, grid.v, block.v, 0, args, 2, extents); }).text;
}

Options checked() {
  Options options;
  options.check = true;
  return options;
}

// Takes a few kernels of each module: the code that checks add is slow to compile.
TEST_P(RandomKernels, ChecksFindNothing) {
  const Programs some = programs(10);
  const std::shared_ptr<Image> image = compile(some.source(), checked());
  for (const Programs::Named& one : some.all) {
    std::vector<uint32_t> out(threads * 4);
    EXPECT_EQ(checked_run(kernel(image, one.name), one.program.input(), out), "")
        << one.program.source(one.name);
    EXPECT_EQ(difference(one, out), "");
  }
}

TEST(RandomKernel, ChecksFindTheBarrierThatIsMissing) {
  int tried = 0;
  for (uint32_t seed = 0; seed < 10; seed++) {
    const Program program(seed);
    std::string source = program.source();
    const std::string between = "; __syncthreads(); v";  // of an exchange through shared memory
    const size_t at = source.find(between);
    if (at == std::string::npos) continue;
    source.replace(at, between.size(), "; v");
    std::vector<uint32_t> out(threads * 4);
    const std::string found = checked_run(make(source, "k", checked()), program.input(), out);
    EXPECT_NE(found.find("race in shared memory s at offset "), std::string::npos) << found << "\n" << source;
    tried++;
  }
  EXPECT_GT(tried, 3);
}

INSTANTIATE_TEST_SUITE_P(Modules, RandomKernels, testing::Range(0u, (count() + per_module - 1) / per_module));

}  // namespace
}  // namespace arr::host_kernels::test
