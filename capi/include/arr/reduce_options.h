/* SPDX-License-Identifier: MIT */
/* reduce_options.h - reductions by number, with options. */
#ifndef ARR_REDUCE_OPTIONS_H
#define ARR_REDUCE_OPTIONS_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Finds a reduction by its name.
 *  @param name  "sum" and so on, NUL-terminated
 *  @param[out] reduction  its number
 *  @return ARR_OK, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_reduction_find(const char *name, int32_t *reduction);

/** Lists the reductions of the library.
 *  @param[in,index] index  0, 1, ... in the order of the table
 *  @param[out,null] reduction  its number; may be NULL
 *  @param[out,null] name  static text; may be NULL
 *  @param[out,null] dtypes  bit d is set if the reduction takes arrays of dtype d; may be NULL
 *  @param[out,null] doc  one line of static text; may be NULL
 *  @return ARR_OK, ARR_E_ARGUMENT past the last entry
 *  @sync no */
ARR_API arr_status arr_reduction_info(int32_t index, int32_t *reduction, const char **name, int64_t *dtypes,
                                      const char **doc);

/** Options of arr_reduce. Zero everything, then set struct_size. */
typedef struct arr_reduce_options {
  int64_t struct_size; /* sizeof(arr_reduce_options) */
  arr_dtype dtype;     /* dtype of computation and result; means of integer dtypes use float64; 0: default */
  int32_t reserved;    /* must be 0 */
  const arr_value *initial; /* a scalar to combine with the elements; NULL: none */
  arr_array where;          /* a mask of bool that broadcasts; NULL: all elements count */
  double correction;        /* for var and std: subtracted from the number of elements */
} arr_reduce_options;

/** Computes any reduction of the table by its number, with options. mean, var and std with `where` take two passes.
 *  @param reduction  ARR_REDUCTION_... or a number from arr_reduction_find
 *  @param a  the array
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; NULL selects all
 *  @param keepdims  true: reduced axes stay with extent 1
 *  @param[in,null] options  the options; NULL selects the defaults
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_reduce(int32_t reduction, arr_array a, int32_t naxes, const int32_t *axes,
                              bool keepdims, const arr_reduce_options *options, arr_stream stream,
                              arr_array *out);

/** Writes the result of arr_reduce into an existing array of its shape; cast by the same_kind rule.
 *  @param[in,written] dst  the destination
 *  @param reduction  ARR_REDUCTION_... or a number from arr_reduction_find
 *  @param a  the array
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; NULL selects all
 *  @param keepdims  true: reduced axes stay with extent 1
 *  @param[in,null] options  the options; NULL selects the defaults
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no */
ARR_API arr_status arr_reduce_into(arr_array dst, int32_t reduction, arr_array a, int32_t naxes,
                                   const int32_t *axes, bool keepdims, const arr_reduce_options *options,
                                   arr_stream stream);

#ifdef __cplusplus
}
#endif
#endif
