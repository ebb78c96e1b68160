/* SPDX-License-Identifier: MIT */
/* mpiexec -n RANKS ./distributed NAME N STEPS: runs a program on as many processes; without mpiexec on one.
 * Prints its number and the seconds that it took. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "distributed.h"

static double seconds(void) {
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    arr_status (*run)(arr_comm, int64_t, int, double*);
  } programs[] = {{"heat", heat}, {"cg", cg}, {"fft", fft}};
  arr_comm comm = NULL;
  arr_comm_properties at = {.struct_size = sizeof at};
  double number = 0;
  arr_status s = argc == 4 ? arr_comm_mpi(NULL, &comm) : ARR_E_ARGUMENT;
  if (s == ARR_E_UNAVAILABLE) s = arr_comm_local(1, NULL, &comm);
  if (s == ARR_OK) s = arr_comm_info(comm, &at);
  for (size_t i = 0; i < sizeof programs / sizeof programs[0] && s == ARR_OK; ++i) {
    if (strcmp(argv[1], programs[i].name) != 0) continue;
    const double begin = seconds();
    s = programs[i].run(comm, atoll(argv[2]), atoi(argv[3]), &number);
    if (at.rank == 0 && s == ARR_OK)
      printf("%s: %.15g in %.4f s on %d\n", argv[1], number, seconds() - begin, at.size);
  }
  if (s != ARR_OK) fprintf(stderr, "rank %d: %s\n", at.rank, arr_last_error());
  arr_comm_release(comm);
  return s == ARR_OK ? 0 : 1;
}
