/* SPDX-License-Identifier: MIT */
/* sparse_structure.h - indexing and joining of sparse matrices; diagonals, triangles, Kronecker products. */
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

/** Replaces a[rows, columns] by a block, in a new matrix. If an array names a row or column several times, the last
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

/** Replaces the elements at pairs of a row and a column by values, in a new matrix: rows of shape [m, 1] and cols
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

/* ---------------------------------------------------------------------- diagonals, triangles, shapes */

/** Returns a diagonal of a matrix as an array. Elements of one row and column are added.
 *  @param a  the matrix
 *  @param k  the diagonal: 0 is the main one, 1 the one above it, -1 the one below it
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; a vector as long as the diagonal
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for the number of elements */
ARR_API arr_status arr_sparse_diagonal(arr_sparse a, int64_t k, arr_stream stream, arr_array *out);

/** Makes a matrix with values on a diagonal. Values that are 0 are not stored.
 *  @param a  the matrix, which does not change
 *  @param value  a number or an array of one element for the whole diagonal, or a vector for its first elements, of
 *      which those beyond the end are ignored; cast as in arr_sparse_with_elements
 *  @param k  the diagonal: 0 is the main one, 1 the one above it, -1 the one below it
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; of a's format, canonical
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for the number of elements */
ARR_API arr_status arr_sparse_with_diagonal(arr_sparse a, const arr_value *value, int64_t k,
                                            arr_stream stream, arr_sparse *out);

/** Makes a matrix of the elements on a diagonal and below it.
 *  @param a  the matrix
 *  @param k  the diagonal: 0 is the main one, 1 the one above it, -1 the one below it
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; of a's format
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for the number of elements */
ARR_API arr_status arr_sparse_tril(arr_sparse a, int64_t k, arr_stream stream, arr_sparse *out);

/** Makes a matrix of the elements on a diagonal and above it.
 *  @param a  the matrix
 *  @param k  the diagonal: 0 is the main one, 1 the one above it, -1 the one below it
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; of a's format
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for the number of elements */
ARR_API arr_status arr_sparse_triu(arr_sparse a, int64_t k, arr_stream stream, arr_sparse *out);

/** Makes a matrix of another shape, with the elements of a in row-major order.
 *  @param a  the matrix
 *  @param rows  number of rows; -1: as many as there are elements for, and so is columns
 *  @param columns  number of columns
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; of a's format
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits if the elements have to be sorted */
ARR_API arr_status arr_sparse_reshape(arr_sparse a, int64_t rows, int64_t columns, arr_stream stream,
                                      arr_sparse *out);

/* ------------------------------------------------------------------------------------ joining, products */

/** Joins matrices along an axis, in the type to which all promote.
 *  @param n  number of matrices, 1 or more
 *  @param[in,len=n] parts  the matrices
 *  @param axis  0: below each other, with as many columns; 1: beside each other, with as many rows
 *  @param format  ARR_SPARSE_COO, ARR_SPARSE_CSR or ARR_SPARSE_CSC
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; canonical if all parts are in that format and known to be canonical
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits if parts have to be converted */
ARR_API arr_status arr_sparse_concatenate(int32_t n, const arr_sparse *parts, int32_t axis, int32_t format,
                                          arr_stream stream, arr_sparse *out);

/** Joins a matrix of blocks. Blocks of one row have as many rows, those of one column as many columns.
 *  @param n  number of blocks, a multiple of columns
 *  @param[in,len=n] blocks  the blocks, row by row; NULL: zeros; each row and each column has a block
 *  @param columns  number of blocks beside each other
 *  @param format  ARR_SPARSE_COO, ARR_SPARSE_CSR or ARR_SPARSE_CSC
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits if blocks have to be converted */
ARR_API arr_status arr_sparse_block(int32_t n, const arr_sparse *blocks, int32_t columns, int32_t format,
                                    arr_stream stream, arr_sparse *out);

/** Joins matrices along the diagonal; all other elements are 0.
 *  @param n  number of matrices, 1 or more
 *  @param[in,len=n] parts  the matrices
 *  @param format  ARR_SPARSE_COO, ARR_SPARSE_CSR or ARR_SPARSE_CSC
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits if parts have to be converted */
ARR_API arr_status arr_sparse_block_diag(int32_t n, const arr_sparse *parts, int32_t format,
                                         arr_stream stream, arr_sparse *out);

/** Computes the Kronecker product: each element of a times the matrix b.
 *  @param a  [m, n] matrix
 *  @param b  [p, q] matrix
 *  @param format  ARR_SPARSE_COO, ARR_SPARSE_CSR or ARR_SPARSE_CSC
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; [m p, n q]
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for the number of elements of compressed formats */
ARR_API arr_status arr_sparse_kron(arr_sparse a, arr_sparse b, int32_t format, arr_stream stream,
                                   arr_sparse *out);

/** Computes the Kronecker sum of two square matrices: kron(I, a) + kron(b, I).
 *  @param a  [m, m] matrix
 *  @param b  [n, n] matrix
 *  @param format  ARR_SPARSE_COO, ARR_SPARSE_CSR or ARR_SPARSE_CSC
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; [m n, m n]
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for the number of elements */
ARR_API arr_status arr_sparse_kronsum(arr_sparse a, arr_sparse b, int32_t format, arr_stream stream,
                                      arr_sparse *out);

/** Computes the product of n matrices a by repeated squares, in ARR_SPARSE_CSR.
 *  @param a  a square matrix
 *  @param n  the exponent, 0 or more; 0 gives ones on the diagonal
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for the number of elements */
ARR_API arr_status arr_sparse_matrix_power(arr_sparse a, int64_t n, arr_stream stream, arr_sparse *out);

/* ----------------------------------------------------------------------------------- indices of extrema */

/** Returns the index of the largest element along an axis, or of all elements. Elements that are not stored count as
 *  zeros. Of equal elements the first one counts, and nan is an extremum, as in arr_argmax.
 *  @param a  the matrix, or an array of any number of dimensions
 *  @param axis  the axis, 0: of each column, 1: of each row; ARR_AXIS_NONE: of all elements in row-major order
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out,positions] out  one new reference; of the other axes, [columns], [rows] or [], of int64
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for the number of elements */
ARR_API arr_status arr_sparse_argmax(arr_sparse a, int32_t axis, arr_stream stream, arr_array *out);

/** Returns the index of the least element along an axis, or of all elements. Elements that are not stored count as
 *  zeros. Of equal elements the first one counts, and nan is an extremum, as in arr_argmin.
 *  @param a  the matrix, or an array of any number of dimensions
 *  @param axis  the axis, 0: of each column, 1: of each row; ARR_AXIS_NONE: of all elements in row-major order
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out,positions] out  one new reference; of the other axes, [columns], [rows] or [], of int64
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for the number of elements */
ARR_API arr_status arr_sparse_argmin(arr_sparse a, int32_t axis, arr_stream stream, arr_array *out);

#ifdef __cplusplus
}
#endif
#endif
