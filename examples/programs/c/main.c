/* SPDX-License-Identifier: MIT */
/* programs FOLDER NAME ... - runs programs on FOLDER/NAME.npy, and writes FOLDER/NAME_result.npy. */
#include <stdio.h>
#include <string.h>

#include "programs.h"

static const struct {
  const char* name;
  arr_status (*run)(arr_array, arr_array*);
} programs[] = {{"cg", cg},
                {"pca", pca},
                {"heat", heat},
                {"kmeans", kmeans},
                {"navier_stokes", navier_stokes},
                {"monte_carlo", monte_carlo},
                {"rk4", rk4},
                {"blur", blur},
                {"pagerank", pagerank},
                {"poisson", poisson}};

static arr_status run(const char* folder, const char* name) {
  char path[4096];
  ARR_SCOPE(in, out);
  snprintf(path, sizeof path, "%s/%s.npy", folder, name);
  ARR_DO(arr_load_npy(path, -1, NULL, NULL, &in));
  for (size_t i = 0; i < sizeof programs / sizeof programs[0]; ++i) {
    if (strcmp(programs[i].name, name) == 0) ARR_DO(programs[i].run(in, &out));
  }
  snprintf(path, sizeof path, "%s/%s_result.npy", folder, name);
  ARR_RETURN(arr_save_npy(out, path, -1, NULL));
}

int main(int argc, char** argv) {
  for (int i = 2; i < argc; ++i) {
    if (run(argv[1], argv[i]) != ARR_OK) return fprintf(stderr, "%s: %s\n", argv[i], arr_last_error()), 1;
  }
  return 0;
}
