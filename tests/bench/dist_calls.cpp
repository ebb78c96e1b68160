// SPDX-License-Identifier: MIT
// Distributed arrays beside the MPI that connects their ranks, and beside FFTW's transforms over it, in
// alternation:
//   mpiexec -n 2 build/bin/arr_bench_dist [--smoke]
// Rank 0 prints JSON: medians of the time of a call in ns, and the median of the ratios of neighbouring
// calls, peer to ours. FFTW is that of libfftw3_mpi.so.3, which is linked with Open MPI; with another MPI
// these cases are left out.
#include <complex>
#include <cstring>
#include <functional>

#include "mpi_opened.h"

namespace {

struct World {
  arr::Mpi m;
  arr_comm comm = nullptr;
  arr::MpiHandle raw = 0;
  int rank = 0, size = 0;
  int rounds = 0;
  bool first = true;
};

using Call = std::function<void()>;

double timed(const World& w, const Call& call) {
  w.m.MPI_Barrier(w.raw);
  const double start = now();
  call();
  w.m.MPI_Barrier(w.raw);
  return now() - start;
}

void compare(World* w, const char* name, int64_t n, const Call& ours, const Call& peer) {
  std::vector<double> mine, theirs, ratios;
  for (int r = -1; r < w->rounds; ++r) {
    const double a = timed(*w, ours), b = timed(*w, peer);
    if (r < 0) continue;  // the first call of each makes its plans
    mine.push_back(a);
    theirs.push_back(b);
    ratios.push_back(b / a);
  }
  if (w->rank != 0) return;
  std::printf("%s  {\"call\": \"%s\", \"n\": %lld, \"arr_ns\": %.0f, \"peer_ns\": %.0f, \"ratio\": %.3f}",
              w->first ? "" : ",\n", name, static_cast<long long>(n), median(mine), median(theirs),
              median(ratios));
  w->first = false;
}

arr_decomposition divided(arr_comm comm, std::vector<int64_t> shape, std::vector<int32_t> grid) {
  const auto ndim = static_cast<int32_t>(shape.size());
  arr_decomposition out = nullptr;
  check(arr_decomposition_create(comm, ndim, shape.data(), ndim, grid.data(), 0, nullptr, &out));
  return out;
}

arr_dist zeros(arr_decomposition by, arr_dtype dtype) {
  arr_dist out = nullptr;
  check(arr_dist_create(by, dtype, 0, nullptr, nullptr, &out));
  return out;
}

// Rows to columns of a square, beside one all_to_all of as many bytes.
void redistribution(World* w, int64_t n) {
  const arr_decomposition by_rows = divided(w->comm, {n, n}, {w->size, 1});
  const arr_decomposition by_columns = divided(w->comm, {n, n}, {1, w->size});
  const arr_dist rows = zeros(by_rows, ARR_FLOAT64), columns = zeros(by_columns, ARR_FLOAT64);
  const int64_t each = n * n / w->size / w->size;
  std::vector<double> in(static_cast<size_t>(each * w->size)), out(in.size());
  std::vector<int> counts(static_cast<size_t>(w->size), static_cast<int>(each)), at(counts.size());
  for (size_t r = 0; r < at.size(); ++r) at[r] = static_cast<int>(static_cast<int64_t>(r) * each);
  compare(
      w, "redistribute", n, [&] { check(arr_dist_assign(columns, rows, nullptr)); },
      [&] {
        w->m.MPI_Alltoallv(in.data(), counts.data(), at.data(), w->m.float64, out.data(), counts.data(),
                           at.data(), w->m.float64, w->raw);
      });
  for (const arr_dist a : {rows, columns}) arr_dist_release(a);
  for (const arr_decomposition d : {by_rows, by_columns}) arr_decomposition_release(d);
}

// The functions of FFTW's MPI library. Open MPI's communicators are addresses.
struct Fftw {
  void (*init)();
  ptrdiff_t (*local_size)(ptrdiff_t, ptrdiff_t, ptrdiff_t, void*, ptrdiff_t*, ptrdiff_t*);
  void* (*plan)(ptrdiff_t, ptrdiff_t, ptrdiff_t, void*, void*, void*, int, unsigned);
  void (*execute)(void*);
  void (*destroy)(void*);
  explicit Fftw(void* library) {
    const auto find = [&](auto* f, const char* name) {
      *f = reinterpret_cast<std::remove_pointer_t<decltype(f)>>(dlsym(library, name));
    };
    find(&init, "fftw_mpi_init");
    find(&local_size, "fftw_mpi_local_size_3d");
    find(&plan, "fftw_mpi_plan_dft_3d");
    find(&execute, "fftw_execute");
    find(&destroy, "fftw_destroy_plan");
  }
};

void transforms(World* w, const Fftw& fftw, int64_t n) {
  constexpr unsigned measure = 0, transposed_out = 1U << 30U;
  const arr_decomposition planes = divided(w->comm, {n, n, n}, {w->size, 1, 1});
  const arr_dist cube = zeros(planes, ARR_COMPLEX128);
  auto* comm = reinterpret_cast<void*>(w->raw);
  ptrdiff_t extent = 0, start = 0;
  const auto count = static_cast<size_t>(fftw.local_size(n, n, n, comm, &extent, &start));
  std::vector<std::complex<double>> in(count), out(count);
  for (const bool keep : {true, false}) {
    void* plan = fftw.plan(n, n, n, in.data(), out.data(), comm, -1, measure | (keep ? 0 : transposed_out));
    compare(
        w, keep ? "fftn" : "fftn, transposed", n,
        [&] {
          arr_dist spectrum = nullptr;
          check(arr_dist_fftn(cube, 0, nullptr, false, ARR_FFT_BACKWARD, keep, nullptr, &spectrum));
          arr_dist_release(spectrum);
        },
        [&] { fftw.execute(plan); });
    fftw.destroy(plan);
  }
  arr_dist_release(cube);
  arr_decomposition_release(planes);
}

}  // namespace

int main(int argc, char** argv) {
  const bool smoke = argc > 1 && std::strcmp(argv[1], "--smoke") == 0;
  World w;
  check(arr_set_threads(1));
  check(arr_comm_mpi(nullptr, &w.comm));
  w.m = opened();
  w.m.MPI_Comm_dup(w.m.comm_world, &w.raw);
  w.m.MPI_Comm_rank(w.raw, &w.rank);
  w.m.MPI_Comm_size(w.raw, &w.size);
  w.rounds = smoke ? 3 : 21;
  if (w.rank == 0)
    std::printf("{\"library\": \"%s\", \"ranks\": %d, \"calls\": [\n", w.m.path.c_str(), w.size);
  for (const int64_t n : smoke ? std::vector<int64_t>{64} : std::vector<int64_t>{128, 512, 2048, 4096})
    redistribution(&w, n);
  void* library = w.m.abi == arr::MpiAbi::open_mpi ? dlopen("libfftw3_mpi.so.3", RTLD_NOW) : nullptr;
  if (library != nullptr) {
    const Fftw fftw(library);
    fftw.init();
    for (const int64_t n : smoke ? std::vector<int64_t>{16} : std::vector<int64_t>{32, 64, 128, 192, 256})
      transforms(&w, fftw, n);
  }
  if (w.rank == 0) std::printf("\n]}\n");
  arr_comm_release(w.comm);
  return 0;
}
