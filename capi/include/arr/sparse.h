/* SPDX-License-Identifier: MIT */
/* sparse.h - sparse matrices: parts, formats, products. */
#ifndef ARR_SPARSE_H
#define ARR_SPARSE_H
#include "arr/random.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A sparse matrix has a vector of stored elements, `data`, and vectors of integers that say where they are; all other
 * elements are 0. Stored elements may be 0 too. The names of formats and parts are SciPy's:
 *
 *   ARR_SPARSE_COO  data[k] is in row row[k] and column col[k]
 *   ARR_SPARSE_CSR  data[k] for indptr[i] <= k < indptr[i + 1] is in row i and column indices[k]
 *   ARR_SPARSE_CSC  data[k] for indptr[j] <= k < indptr[j + 1] is in column j and row indices[k]
 *
 * Several elements of one row and column are added. A matrix is canonical if there are none of these, and its elements
 * are in order: of rows and then of columns, or in CSC of columns and then of rows.
 *
 * No function changes a matrix: results are new matrices, which share parts with the operands where they can. Data may
 * have any type. Index arrays are int32, or int64 where an operand has int64, or an extent or the number of elements is
 * 2^31 or more; rows times columns is less than 2^63. The library never reads outside of an array, because indices are
 * checked when a matrix is made and cannot be written afterwards: as long as the matrix lives, arrays of the memory of
 * its indices are read-only (ARR_E_READONLY). */
typedef struct arr_sparse_s *arr_sparse;

#define ARR_SPARSE_COO 1 /* coordinates */
#define ARR_SPARSE_CSR 2 /* compressed rows */
#define ARR_SPARSE_CSC 3 /* compressed columns */

/** Makes a matrix of coordinates. Index arrays are copied unless they have the type that the matrix needs, are
 *  contiguous, and the library alone has their memory: it was not wrapped or imported, no address of it was given to
 *  the caller, and there is no other view of it. Data are copied only if they are not contiguous.
 *  @param rows  number of rows
 *  @param columns  number of columns
 *  @param data  [nnz] elements
 *  @param row  [nnz] integers, the row of each element, 0 to rows - 1
 *  @param col  [nnz] integers, the column of each element, 0 to columns - 1
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for the check of the indices */
ARR_API arr_status arr_sparse_coo(int64_t rows, int64_t columns, arr_array data, arr_array row, arr_array col,
                                  arr_stream stream, arr_sparse *out);

/** Makes a matrix of compressed rows. What is copied is told at arr_sparse_coo.
 *  @param rows  number of rows
 *  @param columns  number of columns
 *  @param data  [nnz] elements
 *  @param indices  [nnz] integers, the column of each element, 0 to columns - 1
 *  @param indptr  [rows + 1] integers, which begin with 0, do not decrease and end with nnz
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for the check of the indices */
ARR_API arr_status arr_sparse_csr(int64_t rows, int64_t columns, arr_array data, arr_array indices,
                                  arr_array indptr, arr_stream stream, arr_sparse *out);

/** Makes a matrix of compressed columns. What is copied is told at arr_sparse_coo.
 *  @param rows  number of rows
 *  @param columns  number of columns
 *  @param data  [nnz] elements
 *  @param indices  [nnz] integers, the row of each element, 0 to rows - 1
 *  @param indptr  [columns + 1] integers, which begin with 0, do not decrease and end with nnz
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for the check of the indices */
ARR_API arr_status arr_sparse_csc(int64_t rows, int64_t columns, arr_array data, arr_array indices,
                                  arr_array indptr, arr_stream stream, arr_sparse *out);

/** Makes a canonical matrix of the elements of an array that are not 0.
 *  @param a  [rows, columns] array, or with ARR_SPARSE_COO of 1 or more dimensions
 *  @param format  ARR_SPARSE_COO, ARR_SPARSE_CSR or ARR_SPARSE_CSC
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for the number of elements */
ARR_API arr_status arr_sparse_from_dense(arr_array a, int32_t format, arr_stream stream, arr_sparse *out);

/** Makes a matrix with ones on a diagonal, in ARR_SPARSE_CSR.
 *  @param rows  number of rows
 *  @param columns  number of columns
 *  @param k  the diagonal: 0 is the main one, 1 the one above it, -1 the one below it
 *  @param dtype  the dtype of the elements
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_sparse_eye(int64_t rows, int64_t columns, int64_t k, arr_dtype dtype,
                                  const arr_device *device, arr_stream stream, arr_sparse *out);

/** Makes a matrix of diagonals, in ARR_SPARSE_CSR. Its elements have the type to which those of the diagonals
 *  promote.
 *  @param rows  number of rows
 *  @param columns  number of columns
 *  @param n  number of diagonals, 1 or more
 *  @param[in,len=n] diagonals  vectors: element i of a diagonal k is in row i, or for k < 0 in row i - k; each is as
 *      long as its diagonal, or has one element, which is repeated
 *  @param[in,len=n] offsets  which diagonal each of them is, no two the same: 0 is the main one, 1 the one above it,
 *      -1 the one below it
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for the order of the elements */
ARR_API arr_status arr_sparse_diags(int64_t rows, int64_t columns, int32_t n, const arr_array *diagonals,
                                    const int64_t *offsets, arr_stream stream, arr_sparse *out);

/** Makes a canonical matrix of random elements at random indices, as scipy.sparse.random_array: the nearest integer to
 *  density * rows * columns of them, no two at the same indices. Floats are uniform in [0, 1), and so are the parts of
 *  complex numbers; integers are uniform over their range, and bool is true. For other distributions see
 *  arr_sparse_with_data. The matrix depends on the generator alone, not on the device or the number of threads.
 *  @param[in,null] generator  the generator, which is advanced; NULL selects the process's generator
 *  @param rows  number of rows
 *  @param columns  number of columns
 *  @param density  0 to 1
 *  @param format  ARR_SPARSE_COO, ARR_SPARSE_CSR or ARR_SPARSE_CSC
 *  @param dtype  the dtype of the elements
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_sparse_random(arr_generator generator, int64_t rows, int64_t columns, double density,
                                     int32_t format, arr_dtype dtype, const arr_device *device,
                                     arr_stream stream, arr_sparse *out);

/** Makes a canonical matrix of diagonals as SciPy's dia_array stores them, in ARR_SPARSE_CSR. Zeros are not stored.
 *  @param rows  number of rows
 *  @param columns  number of columns
 *  @param data  [n, m] elements: data[k, j] is in column j and row j - offsets[k]; those outside of the matrix are
 *      ignored
 *  @param offsets  [n] integers, no two the same: 0 is the main diagonal, 1 the one above it, -1 the one below it
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for the number of elements */
ARR_API arr_status arr_sparse_dia(int64_t rows, int64_t columns, arr_array data, arr_array offsets,
                                  arr_stream stream, arr_sparse *out);

/** Makes a canonical matrix of dense blocks as SciPy's bsr_array stores them, in ARR_SPARSE_CSR. All elements of the
 *  blocks are stored; those of equal blocks are added.
 *  @param rows  number of rows, a multiple of r
 *  @param columns  number of columns, a multiple of c
 *  @param data  [n, r, c] the blocks
 *  @param indices  [n] integers, the column of each block, counted in blocks
 *  @param indptr  [rows / r + 1] integers, which begin with 0, do not decrease and end with n: where the blocks of each
 *      row of blocks begin
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for the check of the indices */
ARR_API arr_status arr_sparse_bsr(int64_t rows, int64_t columns, arr_array data, arr_array indices,
                                  arr_array indptr, arr_stream stream, arr_sparse *out);

/** Returns the diagonals of a matrix that have stored elements, as SciPy's dia_array stores them. Elements of one row
 *  and column are added.
 *  @param a  the matrix
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out_data  one new reference; [n, columns]: element [k, j] is in column j and row j - offsets[k]
 *  @param[out] out_offsets  one new reference; [n] int64, ascending
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for the number of diagonals */
ARR_API arr_status arr_sparse_to_dia(arr_sparse a, arr_stream stream, arr_array *out_data,
                                     arr_array *out_offsets);

/** Divides a matrix into dense blocks, and returns those that have stored elements, as SciPy's bsr_array stores them.
 *  Elements of one row and column are added.
 *  @param a  the matrix
 *  @param block_rows  number of rows of a block, which divides that of the matrix
 *  @param block_columns  number of columns of a block, which divides that of the matrix
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out_data  one new reference; [n, block_rows, block_columns]
 *  @param[out] out_indices  one new reference; [n] integers, the column of each block, counted in blocks
 *  @param[out] out_indptr  one new reference; [rows / block_rows + 1] integers, where the blocks of each row of blocks
 *      begin; the last one is n
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for the number of blocks */
ARR_API arr_status arr_sparse_to_bsr(arr_sparse a, int64_t block_rows, int64_t block_columns,
                                     arr_stream stream, arr_array *out_data, arr_array *out_indices,
                                     arr_array *out_indptr);

/** Properties of a matrix. */
typedef struct arr_sparse_properties {
  int64_t struct_size; /* sizeof(arr_sparse_properties); set by the caller */
  int64_t format;      /* ARR_SPARSE_COO, ARR_SPARSE_CSR or ARR_SPARSE_CSC */
  int64_t rows;        /* number of rows */
  int64_t columns;     /* number of columns */
  int64_t nnz;         /* number of stored elements */
  int64_t dtype;       /* type of the elements */
  int64_t index_dtype; /* ARR_INT32 or ARR_INT64 */
} arr_sparse_properties;

/** Returns the properties of a matrix.
 *  @param a  the matrix
 *  @param[in,out] properties  struct_size is read; the other fields are written
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_sparse_info(arr_sparse a, arr_sparse_properties *properties);

#define ARR_SPARSE_PART_DATA 0    /* [nnz] the stored elements */
#define ARR_SPARSE_PART_ROW 1     /* [nnz] coordinates: the row of each element */
#define ARR_SPARSE_PART_COL 2     /* [nnz] coordinates: the column of each element */
#define ARR_SPARSE_PART_INDICES 3 /* [nnz] compressed: the index of each element in its row or column */
#define ARR_SPARSE_PART_INDPTR 4  /* compressed: begin of each row or column; the last one is nnz */

/** Returns a part of a matrix, without a copy. Index arrays are read-only. Data can be written, which changes the
 *  matrix and all matrices that share them.
 *  @param a  the matrix
 *  @param part  ARR_SPARSE_PART_DATA, or a part that the format has
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_sparse_part(arr_sparse a, int32_t part, arr_array *out);

/** Makes a matrix of the same elements with other values. Indices are shared.
 *  @param a  the matrix
 *  @param data  [nnz] values of any dtype, in the order of ARR_SPARSE_PART_DATA; copied only if not contiguous
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_sparse_with_data(arr_sparse a, arr_array data, arr_stream stream, arr_sparse *out);

/** Returns whether a matrix is canonical. Found out at most once for a matrix.
 *  @param a  the matrix
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] canonical  the answer
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits */
ARR_API arr_status arr_sparse_is_canonical(arr_sparse a, arr_stream stream, bool *canonical);

/** Makes an array of all elements of a matrix.
 *  @param a  the matrix
 *  @param order  ARR_ORDER_C or ARR_ORDER_F
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; [rows, columns], or the shape of arr_sparse_shape
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_sparse_to_dense(arr_sparse a, int32_t order, arr_stream stream, arr_array *out);

/** Converts a matrix to another format. Compressed formats are canonical afterwards, so that elements of one row and
 *  column are added; a matrix that has the format already is returned as it is.
 *  @param a  the matrix
 *  @param format  ARR_SPARSE_COO, ARR_SPARSE_CSR or ARR_SPARSE_CSC
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for the number of elements */
ARR_API arr_status arr_sparse_convert(arr_sparse a, int32_t format, arr_stream stream, arr_sparse *out);

/** Converts the elements of a matrix to another dtype. Indices are shared.
 *  @param a  the matrix
 *  @param dtype  the new dtype
 *  @param casting  ARR_CAST_SAME_KIND, ... as for arr_astype
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_sparse_astype(arr_sparse a, arr_dtype dtype, int32_t casting, arr_stream stream,
                                     arr_sparse *out);

/** Makes the canonical matrix of the same format: elements are in order, and those of one row and column are added,
 *  bool by or, integers modulo 2^bits. A canonical matrix is returned as it is.
 *  @param a  the matrix
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for the number of elements */
ARR_API arr_status arr_sparse_sum_duplicates(arr_sparse a, arr_stream stream, arr_sparse *out);

/** Removes stored elements that are 0.
 *  @param a  the matrix
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for the number of elements */
ARR_API arr_status arr_sparse_eliminate_zeros(arr_sparse a, arr_stream stream, arr_sparse *out);

/** Returns the transpose of a matrix, which shares its parts: compressed rows become compressed columns, and the
 *  other way round.
 *  @param a  the matrix
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_SHAPE, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_sparse_transpose(arr_sparse a, arr_sparse *out);

/** Computes a x, the product with a vector or a dense matrix, in the type to which both promote. The terms of an
 *  element are added in an order that depends only on the matrix; 16-bit floats are added in float32, and bool by or.
 *  If a is not in ARR_SPARSE_CSR, the order of its rows is found with the first product and kept.
 *  @param a  [m, n] matrix
 *  @param x  [n] or [n, k] array
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; [m] or [m, k], contiguous in C order
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_sparse_matmul(arr_sparse a, arr_array x, arr_stream stream, arr_array *out);

/** Computes alpha a x + beta dst in an existing array; otherwise as arr_sparse_matmul. As in BLAS, dst is not read
 *  without beta or if it is 0, and a and x are not read if alpha is 0; nan and inf have no effect then. Without factors
 *  the product is written to dst at once if dst is contiguous in C order, has the type of the product and shares no
 *  memory with the operands; otherwise it is made first.
 *  @param[in,written] dst  [m] or [m, k]; the result is cast to its dtype by the same_kind rule
 *  @param a  [m, n] matrix
 *  @param x  [n] or [n, k] array; may share memory with dst
 *  @param[in,null] alpha  a number; NULL selects 1
 *  @param[in,null] beta  a number; NULL selects 0
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no */
ARR_API arr_status arr_sparse_matmul_into(arr_array dst, arr_sparse a, arr_array x, const arr_value *alpha,
                                          const arr_value *beta, arr_stream stream);

/** Computes x a, the product of a vector or a dense matrix with a sparse one; otherwise as arr_sparse_matmul.
 *  @param x  [m] or [k, m] array
 *  @param a  [m, n] matrix
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; [n] or [k, n]
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_sparse_rmatmul(arr_array x, arr_sparse a, arr_stream stream, arr_array *out);

/** Computes the product of two sparse matrices, in ARR_SPARSE_CSR and canonical, in the type to which both
 *  promote. Elements whose terms add up to 0 are not stored.
 *  @param a  [m, n] matrix
 *  @param b  [n, k] matrix
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; [m, k]
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for the number of elements */
ARR_API arr_status arr_sparse_product(arr_sparse a, arr_sparse b, arr_stream stream, arr_sparse *out);

/* ------------------------------------------------------------------ element-wise operations, reductions */

/** Computes an op of each element of a matrix. Elements of one row and column are added first.
 *  @param op  number from arr_op_find of an op with one operand; ARR_E_UNSUPPORTED if op(0) is not 0, because the
 *      result would be dense
 *  @param a  the matrix
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; of a's format
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DTYPE, ARR_E_UNSUPPORTED, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits if it is not known whether a is canonical */
ARR_API arr_status arr_sparse_unary(int32_t op, arr_sparse a, arr_stream stream, arr_sparse *out);

/** Computes an op of the elements of two matrices of one shape. Elements that are 0 are not stored. A product has
 *  elements where both matrices have one, so that nan times an element that is not stored is 0.
 *  @param op  number from arr_op_find of an op with two operands; ARR_E_UNSUPPORTED if op(0, 0) is not 0, because the
 *      result would be dense
 *  @param a  the first operand
 *  @param b  the second operand
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; ARR_SPARSE_CSR
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_UNSUPPORTED, ARR_E_MEMORY,
 *      ARR_E_DEVICE
 *  @sync waits for the number of elements */
ARR_API arr_status arr_sparse_binary(int32_t op, arr_sparse a, arr_sparse b, arr_stream stream,
                                     arr_sparse *out);

/** Computes an op of each stored element and a number, or the element of an array that broadcasts to the matrix's
 *  shape: a vector of n scales the columns of a matrix of n, and one of shape [m, 1] scales the rows. Elements of one
 *  row and column are added first. Elements that are not stored stay 0, even if x is 0, inf or nan there.
 *  @param op  number from arr_op_find; for an array multiply or divide, for a number an op with op(0, x) = 0;
 *      ARR_E_UNSUPPORTED for others, because the result would be dense
 *  @param a  the first operand
 *  @param x  the second operand, an array or a scalar, weak or not
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; of a's format
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_UNSUPPORTED, ARR_E_MEMORY,
 *      ARR_E_DEVICE
 *  @sync waits if it is not known whether a is canonical */
ARR_API arr_status arr_sparse_scale(int32_t op, arr_sparse a, const arr_value *x, arr_stream stream,
                                    arr_sparse *out);

/** Reduces a matrix along an axis, or all its elements. Elements that are not stored count as zeros.
 *  @param reduction  ARR_REDUCTION_... or a number from arr_reduction_find: sum, prod, mean, min, max, any, all,
 *      count_nonzero, nansum, nanprod, nanmin, nanmax, and the sums and extrema of magnitudes; ARR_E_UNSUPPORTED for
 *      others
 *  @param a  the matrix
 *  @param axis  0 reduces each column, 1 each row, ARR_AXIS_NONE all elements; see arr_sparse_reduce_axes
 *  @param dtype  the dtype of the computation and of the result; 0 selects that of arr_reduce
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; [columns], [rows] or []
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_UNSUPPORTED, ARR_E_MEMORY,
 *      ARR_E_DEVICE
 *  @sync waits if the elements have to be sorted or added first */
ARR_API arr_status arr_sparse_reduce(int32_t reduction, arr_sparse a, int32_t axis, arr_dtype dtype,
                                     arr_stream stream, arr_array *out);

/** Computes a norm of a matrix, or of each of its rows or columns, as scipy.sparse.linalg.norm. Elements of one row and
 *  column are added first.
 *  @param a  the matrix
 *  @param kind  ARR_NORM_... of arr/products.h: the default is the Frobenius norm of a matrix, the 2-norm of a row;
 *      ARR_NORM_NUC is ARR_E_UNSUPPORTED
 *  @param ord  order for ARR_NORM_P. Of a matrix: 1 and -1 for the largest and smallest column sum of magnitudes, inf
 *      and -inf for row sums; 2 and -2 are ARR_E_UNSUPPORTED, see arr_svds. Of rows and columns: 0 counts the nonzero
 *      elements, inf and -inf select the largest and smallest magnitude, and other positive numbers are powers
 *  @param axis  ARR_AXIS_NONE for the matrix, 0 for each column, 1 for each row
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; real: [], [columns] or [rows]; float64 for integers and bool
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_UNSUPPORTED, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits if the elements have to be sorted or added first */
ARR_API arr_status arr_sparse_norm(arr_sparse a, int32_t kind, double ord, int32_t axis, arr_stream stream,
                                   arr_array *out);

/** Returns a matrix as text, as str() of a SciPy sparse array does: its format, dtype and shape, then a line for each
 *  stored element. Long matrices are shown by the first and last elements.
 *  @param a  the matrix
 *  @param max_elements  the largest number of elements to show; 0: 50
 *  @param capacity  number of bytes at text, including the terminating NUL
 *  @param[out,null,bytes=capacity] text  the text, cut to fit; NULL to ask for the length only
 *  @param[out] length  number of bytes of the whole text without the NUL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync yes */
ARR_API arr_status arr_sparse_format(arr_sparse a, int64_t max_elements, int64_t capacity, char *text,
                                     int64_t *length);

/** Writes the text of arr_sparse_format and a new line to the standard output.
 *  @param a  the matrix
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_IO
 *  @sync yes */
ARR_API arr_status arr_sparse_print(arr_sparse a);

/** Writes a matrix to a .npz file in the layout of scipy.sparse.save_npz, which SciPy reads as a sparse array. A
 *  failure leaves no partial file.
 *  @param a  the matrix
 *  @param[in,bytes=length] path  file name, UTF-8; ".npz" is not appended
 *  @param length  number of bytes of path; -1 if it is NUL-terminated
 *  @param compressed  deflates the arrays
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE for bfloat16, ARR_E_IO, ARR_E_MEMORY
 *  @sync yes */
ARR_API arr_status arr_sparse_save_npz(arr_sparse a, const char *path, int64_t length, bool compressed,
                                       arr_stream stream);

/** Reads a matrix in COO, CSR or CSC from a .npz file of arr_sparse_save_npz or scipy.sparse.save_npz. Checksums and
 *  indices are verified.
 *  @param[in,bytes=length] path  file name, UTF-8
 *  @param length  number of bytes of path; -1 if it is NUL-terminated
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT also for indices out of range, ARR_E_IO, ARR_E_FORMAT, ARR_E_DTYPE, ARR_E_SHAPE,
 *      ARR_E_MEMORY, ARR_E_UNSUPPORTED for other formats and encrypted archives
 *  @sync yes */
ARR_API arr_status arr_sparse_load_npz(const char *path, int64_t length, const arr_device *device,
                                       arr_stream stream, arr_sparse *out);

/** Writes a matrix to a MatrixMarket file of coordinates, as scipy.io.mmwrite: one line for each stored element. Floats
 *  are written so that they are read back as the same numbers. A failure leaves no partial file. The format: R. F.
 *  Boisvert, R. Pozo, K. Remington, The Matrix Market exchange formats, NISTIR 5935, 1996.
 *  @param a  the matrix
 *  @param[in,bytes=length] path  file name, UTF-8
 *  @param length  number of bytes of path; -1 if it is NUL-terminated
 *  @param symmetry  ARR_MTX_GENERAL writes all elements; ARR_MTX_SYMMETRIC, ARR_MTX_SKEW_SYMMETRIC and
 *      ARR_MTX_HERMITIAN write the lower triangle of a matrix that has the symmetry, which is not checked
 *  @param[in,null] comment  lines after the first one, each of which gets a "%"; NULL or empty: none
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE for a symmetric matrix that is not square, ARR_E_IO,
 *      ARR_E_MEMORY
 *  @sync yes */
ARR_API arr_status arr_sparse_save_mtx(arr_sparse a, const char *path, int64_t length, int32_t symmetry,
                                       const char *comment, arr_stream stream);

#define ARR_MTX_GENERAL 0        /* all elements are stored */
#define ARR_MTX_SYMMETRIC 1      /* a[i, j] = a[j, i] */
#define ARR_MTX_SKEW_SYMMETRIC 2 /* a[i, j] = -a[j, i] */
#define ARR_MTX_HERMITIAN 3      /* a[i, j] is the conjugate of a[j, i] */

/** Reads a MatrixMarket file of coordinates or of an array. All symmetries are expanded. Reals give float64, complex
 *  numbers complex128, integers int64, unsigned integers uint64, and patterns ones in float64, as scipy.io.mmread.
 *  @param[in,bytes=length] path  file name, UTF-8
 *  @param length  number of bytes of path; -1 if it is NUL-terminated
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; ARR_SPARSE_COO, with the elements in the order of the file; the elements of an
 *      array that are not 0
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_IO, ARR_E_FORMAT with the line of the error, ARR_E_SHAPE, ARR_E_MEMORY
 *  @sync yes */
ARR_API arr_status arr_sparse_load_mtx(const char *path, int64_t length, const arr_device *device,
                                       arr_stream stream, arr_sparse *out);

/** Returns a new handle of a matrix.
 *  @param a  the matrix
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_sparse_retain(arr_sparse a, arr_sparse *out);

/** Releases a handle of a matrix.
 *  @param[in,null] a  may be NULL
 *  @return ARR_OK, ARR_E_HANDLE
 *  @sync no   @threads any, also finalizers */
ARR_API arr_status arr_sparse_release(arr_sparse a);

#ifdef __cplusplus
}
#endif
#endif
