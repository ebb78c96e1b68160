/* SPDX-License-Identifier: MIT */
/* pad.h - padding of arrays. */
#ifndef ARR_PAD_H
#define ARR_PAD_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ARR_PAD_CONSTANT 0    /* constant values */
#define ARR_PAD_EDGE 1        /* the outermost element */
#define ARR_PAD_LINEAR_RAMP 2 /* a linear ramp from the outermost element to an end value */
#define ARR_PAD_MAXIMUM 3     /* the largest element along the axis */
#define ARR_PAD_MEAN 4        /* the mean along the axis; for integers rounded, halves to even */
#define ARR_PAD_MINIMUM 5     /* the smallest element along the axis */
#define ARR_PAD_REFLECT 6     /* reflected about the outermost element, which is not repeated */
#define ARR_PAD_SYMMETRIC 7 /* reflected about the edge of the array, so the outermost element is repeated */
#define ARR_PAD_WRAP 8      /* the elements of the other end */
#define ARR_PAD_EMPTY 9     /* uninitialised */
#define ARR_PAD_MEDIAN 10   /* the median along the axis; for integers rounded, halves to even */

/** Options of arr_pad. Zero everything, then set struct_size. A list has 0 entries for the default, 1 for all
 *  sides, 2 for before and after of every axis, or 2 for each axis. */
typedef struct arr_pad_options {
  int64_t struct_size;         /* sizeof(arr_pad_options) */
  const arr_value *values;     /* CONSTANT: the numbers; LINEAR_RAMP: the end values; by default 0 */
  const int64_t *stat_lengths; /* MAXIMUM, MEAN, MEDIAN, MINIMUM: elements used at each end; by default all */
  int32_t nvalues;             /* entries at values */
  int32_t nlengths;            /* entries at stat_lengths */
  int32_t odd;      /* REFLECT, SYMMETRIC: 1: twice the outermost element minus the reflected one; else 0 */
  int32_t reserved; /* must be 0 */
} arr_pad_options;

/** Returns an array padded along each axis. Axes are padded one after the other, so the corners depend on the
 *  padding of the axes before. Widths beyond the extent repeat the reflection or the wrap.
 *  @param a  the array
 *  @param n  number of entries at widths: 1 for all sides, 2 for before and after of every axis, or 2 for each axis
 *  @param[in,null,len=n] widths  numbers of elements, each >= 0; may be NULL if n is 0
 *  @param mode  ARR_PAD_...
 *  @param[in,null] options  the options; NULL selects the defaults
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_pad(arr_array a, int32_t n, const int64_t *widths, int32_t mode,
                           const arr_pad_options *options, arr_stream stream, arr_array *out);

#ifdef __cplusplus
}
#endif
#endif
