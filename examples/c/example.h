/* SPDX-License-Identifier: MIT */
/* example.h - common to the C examples: stops with the library's own text when a call fails. */
#ifndef EXAMPLE_H
#define EXAMPLE_H
#include <arr/arr.h>
#include <stdio.h>
#include <stdlib.h>

static inline void check(arr_status status) {
  if (status == ARR_OK) return;
  fprintf(stderr, "%s\n", arr_last_error());
  exit(1);
}

static inline void print(const char* name, arr_array a) {
  char text[2048];
  int64_t length;
  check(arr_format(a, 0, sizeof text, text, &length));
  printf("%s =\n%s\n", name, text);
}

/* The text of a file, to be freed. */
static inline char* read_text(const char* path) {
  FILE* file = fopen(path, "rb");
  char* text = calloc(1, 65536);
  if (file == NULL || text == NULL || fread(text, 1, 65535, file) == 0) {
    fprintf(stderr, "%s: cannot be read\n", path);
    exit(1);
  }
  fclose(file);
  return text;
}
#endif
