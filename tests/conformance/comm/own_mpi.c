/* SPDX-License-Identifier: MIT */
/* own_mpi LIBRARY: a program that initialises MPI itself, as one that includes mpi.h, and gives its
 * communicators to libarr. No mpi.h is needed here: handles are words. Every rank prints "good". */
#include <arr/arr.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uintptr_t handle;

static void* library;

static void check(int good, const char* label) {
  if (good) return;
  fprintf(stderr, "FAILED %s: %s\n", label, arr_last_error());
  exit(1);
}

static void* function(const char* name) {
  void* found = dlsym(library, name);
  check(found != NULL, name);
  return found;
}

/* MPI_COMM_WORLD by the library's ABI. */
static handle world_of(const char* path) {
  void* symbol = dlsym(library, "ompi_mpi_comm_world");
  if (symbol != NULL) return (handle)symbol;
  return strstr(path, "libmpi_abi") != NULL ? 0x101 : 0x44000000;
}

/* The sum of all ranks' numbers; each of them has its rank + 1. */
static void check_sum(arr_comm comm, const char* label) {
  arr_comm_properties at = {.struct_size = sizeof at};
  check(arr_comm_info(comm, &at) == ARR_OK, label);
  int64_t one = 1, number = at.rank + 1, sum = 0;
  arr_array a = NULL;
  check(arr_wrap(&number, ARR_INT64, 1, &one, NULL, NULL, NULL, NULL, &a) == ARR_OK, label);
  check(arr_comm_all_reduce(comm, a, a, ARR_REDUCTION_SUM, NULL) == ARR_OK, label);
  check(arr_item_i64(a, 0, NULL, &sum) == ARR_OK, label);
  check(sum == at.size * (at.size + 1) / 2, label);
  arr_release(a);
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  library = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
  check(library != NULL, argv[1]);
  int (*init)(void*, void*) = (int (*)(void*, void*))function("MPI_Init");
  int (*finalize)(void) = (int (*)(void))function("MPI_Finalize");
  int (*split)(handle, int, int, handle*) = (int (*)(handle, int, int, handle*))function("MPI_Comm_split");
  int (*rank_of)(handle, int*) = (int (*)(handle, int*))function("MPI_Comm_rank");
  void* to_fortran = dlsym(library, "MPI_Comm_c2f");
  if (to_fortran == NULL) to_fortran = dlsym(library, "MPI_Comm_toint");

  const handle world = world_of(argv[1]);
  int rank = -1;
  check(init(NULL, NULL) == 0 && rank_of(world, &rank) == 0, "MPI_Init");
  arr_comm comm = NULL;
  check(arr_comm_from_mpi((int64_t)world, NULL, &comm) == ARR_OK, "arr_comm_from_mpi");
  check_sum(comm, "the world");

  handle half = 0;
  arr_comm part = NULL;
  check(split(world, rank % 2, -rank, &half) == 0, "MPI_Comm_split");
  check(arr_comm_from_mpi((int64_t)half, NULL, &part) == ARR_OK, "arr_comm_from_mpi of a part");
  check_sum(part, "a part");

  const int number = to_fortran != NULL ? ((int (*)(handle))to_fortran)(half) : (int)half;
  arr_comm fortran = NULL;
  check(arr_comm_from_mpi_fortran(number, NULL, &fortran) == ARR_OK, "arr_comm_from_mpi_fortran");
  check_sum(fortran, "Fortran's");

  check(arr_comm_release(part) == ARR_OK && arr_comm_release(fortran) == ARR_OK, "arr_comm_release");
  check(arr_comm_barrier(comm, NULL) == ARR_OK, "arr_comm_barrier");
  check(finalize() == 0, "MPI_Finalize");
  check(arr_comm_barrier(comm, NULL) == ARR_E_LOST, "a call after MPI_Finalize");
  check(arr_comm_release(comm) == ARR_OK, "arr_comm_release after MPI_Finalize");
  puts("good");
  return 0;
}
