/* SPDX-License-Identifier: MIT */
/* io.h - reads and writes files: .npy, .npz, tables of text, plain elements. */
#ifndef ARR_IO_H
#define ARR_IO_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* No file is trusted: every size is checked before memory is allocated. Files are written to a temporary name in the
 * same directory and then renamed, so a failure leaves no partial file, and an existing file is replaced as a whole. */

/* -------------------------------------------------------------------------------------------- .npy files */

/** Reads a .npy file (format versions 1 to 3). Fortran order is kept. The file is not trusted: a closed grammar
 *  parses its header, and every size is checked before memory is allocated. Object arrays, bytes after the array and
 *  more than 32 dimensions are errors. Dtypes may be written in all forms that NumPy reads ("f8" and "<d" for
 *  "<f8"), except "l", whose size depends on the system.
 *  @param[in,bytes=length] path  file name, UTF-8
 *  @param length  number of bytes of path; -1 if it is NUL-terminated
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_IO, ARR_E_FORMAT, ARR_E_DTYPE, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_UNAVAILABLE
 *  @sync yes */
ARR_API arr_status arr_load_npy(const char *path, int64_t length, const arr_device *device, arr_stream stream,
                                arr_array *out);

/** Writes a .npy file, in Fortran order if a is column-major. A failure leaves no partial file.
 *  @param a  the array
 *  @param[in,bytes=length] path  file name, UTF-8; an existing file is replaced
 *  @param length  number of bytes of path; -1 if it is NUL-terminated
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_IO, ARR_E_DTYPE, ARR_E_MEMORY
 *  @sync yes */
ARR_API arr_status arr_save_npy(arr_array a, const char *path, int64_t length, arr_stream stream);

/* -------------------------------------------------------------------------------------------- .npz files */

/** Writes arrays into a .npz file, a ZIP archive of .npy files.
 *  @param[in,bytes=length] path  file name, UTF-8; an existing file is replaced
 *  @param length  number of bytes of path; -1 if it is NUL-terminated
 *  @param n  number of arrays, 0 or more
 *  @param[in,null,len=n] arrays  the arrays, on any devices; may be NULL when n is 0
 *  @param[in,null,len=n] names  their names in the archive without ".npy", NUL-terminated UTF-8 without control
 *      characters; no name may lead out of the folder that the archive is unpacked in, and no name may be another
 *      one followed by ".npy"; NULL or an empty name selects arr_0, arr_1 and so on, by index
 *  @param compressed  true: deflated by zlib; false: stored
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_IO, ARR_E_DTYPE, ARR_E_MEMORY
 *  @sync yes */
ARR_API arr_status arr_savez(const char *path, int64_t length, int32_t n, const arr_array *arrays,
                             const char *const *names, bool compressed, arr_stream stream);

/** Reads one array of a .npz file, stored or deflated. Its checksum is verified.
 *  @param[in,bytes=length] path  file name, UTF-8
 *  @param length  number of bytes of path; -1 if it is NUL-terminated
 *  @param name  the array's name, NUL-terminated, as arr_npz_names lists it, with or without ".npy"
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT also without such an array, ARR_E_IO, ARR_E_FORMAT, ARR_E_DTYPE, ARR_E_SHAPE,
 *      ARR_E_MEMORY, ARR_E_UNSUPPORTED for encrypted archives
 *  @sync yes */
ARR_API arr_status arr_load_npz(const char *path, int64_t length, const char *name, const arr_device *device,
                                arr_stream stream, arr_array *out);

/** Returns the names of the arrays in a .npz file.
 *  @param[in,bytes=length] path  file name, UTF-8
 *  @param length  number of bytes of path; -1 if it is NUL-terminated
 *  @param capacity  number of bytes at names, including the terminating NUL
 *  @param[out,null,bytes=capacity] names  the names without ".npy", one per line, cut to fit; NULL to ask for the
 *      length only
 *  @param[out] names_length  number of bytes of the whole text without the NUL
 *  @param[out,null] count  number of arrays; may be NULL
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_IO, ARR_E_FORMAT also if a name is not a line of UTF-8, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_npz_names(const char *path, int64_t length, int64_t capacity, char *names,
                                 int64_t *names_length, int64_t *count);

/* ---------------------------------------------------------------------------------------- tables of text */

/** Options of arr_loadtxt and arr_genfromtxt. Zero everything, then set struct_size. Texts are NUL-terminated. */
typedef struct arr_text_options {
  int64_t struct_size;      /* sizeof(arr_text_options) */
  const char *delimiter;    /* between columns; NULL or empty: white space */
  const char *comments;     /* begins a comment, which ends with the line; NULL: "#"; empty: no comments */
  const int64_t *columns;   /* columns to read; negative values count from the end; NULL: all */
  const char *missing;      /* arr_genfromtxt: texts of missing numbers, separated by commas; may be NULL */
  const arr_value *filling; /* arr_genfromtxt: for missing numbers; NULL: nan, for integers -1, for bool 0 */
  int64_t ncolumns;         /* entries at columns */
  int64_t skip_rows;        /* lines to skip before the table */
  int64_t skip_footer;      /* rows to skip at the end */
  int64_t max_rows;         /* largest number of rows to read; 0: all */
  int32_t dtype;            /* dtype; 0: float64 */
  int32_t min_dims; /* least number of dimensions of the result, 0..2; other axes of extent 1 are removed */
} arr_text_options;

/** Reads a table of numbers from a text file, with one row per line. Lines without a number are skipped. Each field
 *  must be a number of the dtype: every float64 that libarr, NumPy or C writes with 17 digits is read exactly.
 *  @param[in,bytes=length] path  file name, UTF-8
 *  @param length  number of bytes of path; -1 if it is NUL-terminated
 *  @param[in,null] options  the options; NULL selects the defaults
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, with the shape of numpy.loadtxt's result
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_IO, ARR_E_FORMAT with the line and the column of the error, ARR_E_DTYPE,
 *      ARR_E_MEMORY, ARR_E_UNAVAILABLE
 *  @sync yes */
ARR_API arr_status arr_loadtxt(const char *path, int64_t length, const arr_text_options *options,
                               const arr_device *device, arr_stream stream, arr_array *out);

/** Reads a table of numbers with missing values from a text file. It works like arr_loadtxt, except that a field
 *  that is empty, that options->missing lists, or that is not a number of the dtype becomes the filling value.
 *  @param[in,bytes=length] path  file name, UTF-8
 *  @param length  number of bytes of path; -1 if it is NUL-terminated
 *  @param[in,null] options  the options; NULL selects the defaults
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_IO, ARR_E_FORMAT for rows of different lengths, ARR_E_DTYPE, ARR_E_MEMORY,
 *      ARR_E_UNAVAILABLE
 *  @sync yes */
ARR_API arr_status arr_genfromtxt(const char *path, int64_t length, const arr_text_options *options,
                                  const arr_device *device, arr_stream stream, arr_array *out);

/** Options of arr_savetxt. Zero everything, then set struct_size. Texts are NUL-terminated. The format has one
 *  conversion of printf, or one for each number of a row: d, e, E, f, F, g, G, x, X, o, or s, which writes the shortest
 *  text that is read back as the same number. */
typedef struct arr_savetxt_options {
  int64_t struct_size;   /* sizeof(arr_savetxt_options) */
  const char *format;    /* conversions of printf; NULL: "%.18e" */
  const char *delimiter; /* between columns; NULL: " " */
  const char *newline;   /* after each row; NULL: "\n" */
  const char *header;    /* lines before the table; NULL or empty: none */
  const char *footer;    /* lines after the table; NULL or empty: none */
  const char *comments;  /* before each line of the header and the footer; NULL: "# " */
} arr_savetxt_options;

/** Writes a table of numbers as text: one line per row, or per element of a vector. The default format gives the
 *  same bytes as numpy.savetxt.
 *  @param a  a vector or a matrix
 *  @param[in,bytes=length] path  file name, UTF-8; an existing file is replaced
 *  @param length  number of bytes of path; -1 if it is NUL-terminated
 *  @param[in,null] options  the options; NULL selects the defaults
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_IO, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY
 *  @sync yes */
ARR_API arr_status arr_savetxt(arr_array a, const char *path, int64_t length,
                               const arr_savetxt_options *options, arr_stream stream);

/* --------------------------------------------------------------------------------------- plain elements */

/** Writes the elements in row-major order, as bytes or as the shortest texts that are read back as the same numbers.
 *  @param a  the array
 *  @param[in,bytes=length] path  file name, UTF-8; an existing file is replaced
 *  @param length  number of bytes of path; -1 if it is NUL-terminated
 *  @param[in,null] separator  the text between two elements; NULL or empty writes bytes
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_IO, ARR_E_MEMORY
 *  @sync yes */
ARR_API arr_status arr_tofile(arr_array a, const char *path, int64_t length, const char *separator,
                              arr_stream stream);

/** Reads elements that arr_tofile or another program has written.
 *  @param[in,bytes=length] path  file name, UTF-8
 *  @param length  number of bytes of path; -1 if it is NUL-terminated
 *  @param dtype  the dtype
 *  @param count  number of elements; -1 reads to the end of the file, which must hold a whole number of elements
 *  @param skip  number of bytes before the first element
 *  @param[in,null] separator  the text between two elements, in which spaces match any white space; NULL or empty
 *      reads bytes in the machine's byte order
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, a vector
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_IO, ARR_E_FORMAT, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNAVAILABLE
 *  @sync yes */
ARR_API arr_status arr_fromfile(const char *path, int64_t length, arr_dtype dtype, int64_t count,
                                int64_t skip, const char *separator, const arr_device *device,
                                arr_stream stream, arr_array *out);

/** Reads elements from text in memory.
 *  @param[in,null,bytes=nbytes] text  the text; may be NULL when nbytes is 0
 *  @param nbytes  number of bytes at text; -1 if it is NUL-terminated
 *  @param dtype  the dtype
 *  @param count  number of elements; -1 reads all
 *  @param separator  the text between two elements, not empty; spaces in it match any white space
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, a vector
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_FORMAT, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNAVAILABLE
 *  @sync yes */
ARR_API arr_status arr_fromstring(const char *text, int64_t nbytes, arr_dtype dtype, int64_t count,
                                  const char *separator, const arr_device *device, arr_stream stream,
                                  arr_array *out);

#ifdef __cplusplus
}
#endif
#endif
