/* SPDX-License-Identifier: MIT */
/* Operands and indices that the macros of arr/easy.h and arr/indexing.h do not take: each line marked
 * `refused`, and no other. */
#include <arr/easy.h>

void operands(arr_array a, const double* numbers, const char* text) {
  arr_value v = ARR_VALUE(a);
  v = ARR_VALUE(2);
  v = ARR_VALUE(numbers); /* refused */
  v = ARR_VALUE(text);    /* refused */
  v = ARR_VALUE("2");     /* refused */
  v = ARR_VALUE(NULL);    /* refused */
  v = ARR_VALUE(&a);      /* refused */
  v = ARR_VALUE(v);       /* refused */
  v = *ARR_V(&v);         /* refused */
  v = *ARR_TYPED(0.5L);   /* refused */
  v = *ARR_TYPED(a);      /* refused */
  v = *ARR_INTEGER(2);
  v = *ARR_INTEGER(0.5);     /* refused */
  v = *ARR_INTEGER(numbers); /* refused */
  arr_index i = ARR_INDEX(1);
  i = ARR_INDEX(0.5);       /* refused */
  i = ARR_SLICE(0.5, 2);    /* refused */
  i = ARR_SLICE(0, 2.5);    /* refused */
  i = ARR_STEPS(0, 2, 0.5); /* refused */
  arr_array out;
  ARR_GET(a, &out, 1, ARR_ALL(), a);
  ARR_GET(a, &out, 0.5);  /* refused */
  ARR_GET(a, &out, text); /* refused */
  (void)v, (void)i;
}
