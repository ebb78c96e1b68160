// SPDX-License-Identifier: MIT
// Collective operations and messages of libarr beside the same calls of the same MPI, in alternation:
//   mpiexec -n 2 build/bin/arr_bench_mpi [--smoke]
// Rank 0 prints JSON: medians of the time of a call in ns, and of the differences of neighbouring batches.
#include <cstring>

#include "mpi_opened.h"

namespace {

struct Setting {
  const arr::Mpi& m;
  arr::MpiHandle raw = 0;
  arr_comm comm = nullptr, limited = nullptr;
  arr_array src = nullptr, dst = nullptr;
  double *in = nullptr, *out = nullptr;
  int n = 0, rank = 0, size = 0;
};

enum class Way { raw, own, limited };

void all_reduce(const Setting& s, Way way) {
  if (way == Way::raw) {
    s.m.MPI_Allreduce(s.in, s.out, s.n, s.m.float64, s.m.sum, s.raw);
  } else {
    check(
        arr_comm_all_reduce(way == Way::own ? s.comm : s.limited, s.dst, s.src, ARR_REDUCTION_SUM, nullptr));
  }
}

void broadcast(const Setting& s, Way way) {
  if (way == Way::raw) {
    s.m.MPI_Bcast(s.out, s.n, s.m.float64, 0, s.raw);
  } else {
    check(arr_comm_broadcast(way == Way::own ? s.comm : s.limited, s.dst, 0, nullptr));
  }
}

void send(const Setting& s, Way way, int to) {
  if (way == Way::raw) {
    s.m.MPI_Send(s.in, s.n, s.m.float64, to, 0, s.raw);
  } else {
    check(arr_comm_send(way == Way::own ? s.comm : s.limited, s.src, to, nullptr));
  }
}

void receive(const Setting& s, Way way, int from) {
  alignas(8) char status[64];
  if (way == Way::raw) {
    s.m.MPI_Recv(s.out, s.n, s.m.float64, from, 0, s.raw, status);
  } else {
    check(arr_comm_recv(way == Way::own ? s.comm : s.limited, s.dst, from, nullptr));
  }
}

// There and back: two calls on each side.
void ping_pong(const Setting& s, Way way) {
  if (s.rank > 1) return;
  if (s.rank == 0) send(s, way, 1);
  receive(s, way, 1 - s.rank);
  if (s.rank == 1) send(s, way, 0);
}

struct Workload {
  const char* name;
  void (*run)(const Setting&, Way);
};
constexpr Workload workloads[] = {
    {"all_reduce", all_reduce}, {"broadcast", broadcast}, {"ping_pong", ping_pong}};

double batch(const Setting& s, const Workload& w, Way way, int64_t repeats) {
  s.m.MPI_Barrier(s.raw);
  const double start = now();
  for (int64_t i = 0; i < repeats; ++i) w.run(s, way);
  return (now() - start) / static_cast<double>(repeats);
}

void measure(const Setting& s, const Workload& w, int rounds, int64_t repeats, bool first) {
  std::vector<double> times[3], above[3];
  for (int r = 0; r < rounds; ++r) {
    double t[3];
    for (size_t way = 0; way < 3; ++way)
      t[way] = batch(s, w, static_cast<Way>((way + static_cast<size_t>(r)) % 3), repeats);
    std::rotate(t, t + (3 - r % 3) % 3, t + 3);
    for (size_t way = 0; way < 3; ++way) {
      times[way].push_back(t[way]);
      above[way].push_back(t[way] - t[0]);
    }
  }
  if (s.rank != 0) return;
  std::printf(
      "%s  {\"call\": \"%s\", \"bytes\": %lld, \"raw_ns\": %.0f, \"arr_ns\": %.0f, \"above_ns\": %.0f, "
      "\"ratio\": %.3f, "
      "\"limited_above_ns\": %.0f}",
      first ? "" : ",\n", w.name, 8LL * s.n, median(times[0]), median(times[1]), median(above[1]),
      median(times[1]) / median(times[0]), median(above[2]));
}

arr_array vector_of(int n) {
  const int64_t shape[] = {n};
  arr_array a = nullptr;
  check(arr_zeros(ARR_FLOAT64, 1, shape, ARR_ORDER_C, nullptr, nullptr, &a));
  return a;
}

double* memory_of(arr_array a) {
  void* data = nullptr;
  check(arr_data(a, &data));
  return static_cast<double*>(data);
}

}  // namespace

int main(int argc, char** argv) {
  const bool smoke = argc > 1 && std::strcmp(argv[1], "--smoke") == 0;
  arr_comm comm = nullptr, limited = nullptr;
  check(arr_comm_mpi(nullptr, &comm));
  check(arr_comm_duplicate(comm, &limited));
  check(arr_comm_set_timeout(limited, 600));
  const arr::Mpi m = opened();
  Setting s{m};
  s.comm = comm;
  s.limited = limited;
  s.m.MPI_Comm_dup(s.m.comm_world, &s.raw);
  s.m.MPI_Comm_rank(s.raw, &s.rank);
  s.m.MPI_Comm_size(s.raw, &s.size);
  if (s.rank == 0)
    std::printf("{\"library\": \"%s\", \"ranks\": %d, \"calls\": [\n", s.m.path.c_str(), s.size);
  bool first = true;
  for (const int n : {1, 128, 8192, 1 << 17, 1 << 21}) {
    s.n = n;
    s.src = vector_of(n);
    s.dst = vector_of(n);
    s.in = memory_of(s.src);
    s.out = memory_of(s.dst);
    const int rounds = smoke ? 3 : n > 8192 ? 201 : 301;
    const int64_t repeats = smoke || n > 8192 ? 2 : 200;
    for (const Workload& w : workloads) {
      measure(s, w, rounds, repeats, first);
      first = false;
    }
    arr_release(s.src);
    arr_release(s.dst);
  }
  if (s.rank == 0) std::printf("\n]}\n");
  arr_comm_release(limited);
  arr_comm_release(comm);
  return 0;
}
