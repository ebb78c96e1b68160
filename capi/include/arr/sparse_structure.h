/* SPDX-License-Identifier: MIT */
/* sparse_structure.h - parts of sparse matrices by indices. */
#ifndef ARR_SPARSE_STRUCTURE_H
#define ARR_SPARSE_STRUCTURE_H
#include "arr/indexing.h"
#include "arr/sparse.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------ indices */

/** Returns a[rows, columns] as a matrix. Each axis has a slice, an integer, a vector of integers or a mask; an array
 *  beside a slice selects whole rows or columns, in its order and as often as it names them. An integer leaves one row
 *  or column. Neighbouring rows of ARR_SPARSE_CSR, and columns of ARR_SPARSE_CSC, share the elements with a; others
 *  are copied.
 *  @param a  the matrix
 *  @param nindices  number of indices, 2 at most; further axes are not indexed
 *  @param[in,len=nindices] indices  the indices, as in arr_get_items, without ARR_INDEX_NEW_AXIS; one array at most,
 *      because two would select single elements (arr_sparse_elements)
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; of a's format, or in ARR_SPARSE_CSR if that is ARR_SPARSE_COO
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (an index is out of range), ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY,
 *      ARR_E_DEVICE
 *  @sync waits for the number of elements */
ARR_API arr_status arr_sparse_get_items(arr_sparse a, int32_t nindices, const arr_index *indices,
                                        arr_stream stream, arr_sparse *out);

/** Returns the elements at pairs of a row and a column, as an array: a[rows, cols] with two arrays. Elements of one row
 *  and column are added.
 *  @param a  the matrix
 *  @param[in,positions] rows  integers; negative ones count from the end
 *  @param[in,positions] cols  integers, which broadcast with rows
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; of the shape to which rows and cols broadcast
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (an index is out of range), ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY,
 *      ARR_E_DEVICE
 *  @sync waits for the check of the indices */
ARR_API arr_status arr_sparse_elements(arr_sparse a, arr_array rows, arr_array cols, arr_stream stream,
                                       arr_array *out);

/** Makes a matrix with a block in place of a[rows, columns]. If an array names a row or column several times, the last
 *  one wins.
 *  @param a  the matrix, which does not change
 *  @param nindices  number of indices, 2 at most; further axes are not indexed
 *  @param[in,len=nindices] indices  the indices, as in arr_sparse_get_items
 *  @param block  a matrix of the shape of the indexed elements; its elements are cast to the dtype of a by the
 *      same_kind rule
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; of a's format, canonical
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (an index is out of range), ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY,
 *      ARR_E_DEVICE
 *  @sync waits for the number of elements */
ARR_API arr_status arr_sparse_with_items(arr_sparse a, int32_t nindices, const arr_index *indices,
                                         arr_sparse block, arr_stream stream, arr_sparse *out);

/** Makes a matrix with values in place of the elements at pairs of a row and a column: rows of shape [m, 1] and cols
 *  of shape [n] name a block. If a pair occurs several times, the last value wins. Values that are 0 are not stored.
 *  @param a  the matrix, which does not change
 *  @param[in,positions] rows  integers; negative ones count from the end
 *  @param[in,positions] cols  integers, which broadcast with rows
 *  @param value  an array that broadcasts to the shape of rows and cols, cast by the same_kind rule; or a scalar, cast
 *      to the dtype of a, which must hold a weak number as in arr_full
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; of a's format, canonical
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (an index is out of range), ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY,
 *      ARR_E_DEVICE
 *  @sync waits for the number of elements */
ARR_API arr_status arr_sparse_with_elements(arr_sparse a, arr_array rows, arr_array cols,
                                            const arr_value *value, arr_stream stream, arr_sparse *out);

#ifdef __cplusplus
}
#endif
#endif
