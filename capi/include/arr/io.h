/* SPDX-License-Identifier: MIT */
/* io.h - reads and writes files: .npy, .npz, tables of text, plain elements. */
#ifndef ARR_IO_H
#define ARR_IO_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* No file is trusted: every size is checked before memory is allocated. Files are written beside their place and then
 * renamed, so a failure leaves no partial file, and an existing file is replaced as a whole. */

/* -------------------------------------------------------------------------------------------- .npy files */

/** Reads a .npy file (format versions 1 to 3). Fortran order is kept. The file is not trusted: a closed grammar parses
 *  its header, and every size is checked before memory is allocated. Object arrays, bytes after the array and more than
 *  32 dimensions are errors. Element types may be written in all forms that NumPy reads ("f8" and "<d" for "<f8"),
 *  except "l", whose size depends on the system.
 *  @param[in,bytes=length] path  file name, UTF-8
 *  @param length  number of bytes of path; -1 if it is NUL-terminated
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] stream  the stream to work in; NULL selects the device's default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_IO, ARR_E_FORMAT, ARR_E_DTYPE, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_UNAVAILABLE
 *  @sync yes   @threads any   @since 0.1
 *  @cupy cupy.load */
ARR_API arr_status arr_load_npy(const char *path, int64_t length, const arr_device *device, arr_stream stream,
                                arr_array *out);

/** Writes a .npy file, in Fortran order if a is column-major. A failure leaves no partial file.
 *  @param a  the array
 *  @param[in,bytes=length] path  file name, UTF-8; an existing file is replaced
 *  @param length  number of bytes of path; -1 if it is NUL-terminated
 *  @param[in,null] stream  the stream to work in; NULL selects the device's default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_IO, ARR_E_DTYPE, ARR_E_MEMORY
 *  @sync yes   @threads any   @since 0.1
 *  @cupy cupy.save */
ARR_API arr_status arr_save_npy(arr_array a, const char *path, int64_t length, arr_stream stream);

/* -------------------------------------------------------------------------------------------- .npz files */

/** Writes arrays into a .npz file, a ZIP archive of .npy files.
 *  @param[in,bytes=length] path  file name, UTF-8; an existing file is replaced
 *  @param length  number of bytes of path; -1 if it is NUL-terminated
 *  @param n  number of arrays, 0 or more
 *  @param[in,null,len=n] arrays  the arrays, on any devices; may be NULL when n is 0
 *  @param[in,null,len=n] names  their names in the archive without ".npy", NUL-terminated UTF-8 without control
 *      characters, of which none leads out of the folder that the archive is unpacked in; of two names one is not the
 *      other with ".npy"; NULL or an empty name selects arr_0, arr_1 and so on, by position
 *  @param compressed  1: deflated by zlib; 0: stored
 *  @param[in,null] stream  the stream to work in; NULL selects the device's default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_IO, ARR_E_DTYPE, ARR_E_MEMORY
 *  @sync yes   @threads any   @since 0.1
 *  @cupy cupy.savez, cupy.savez_compressed */
ARR_API arr_status arr_savez(const char *path, int64_t length, int32_t n, const arr_array *arrays,
                             const char *const *names, int32_t compressed, arr_stream stream);

/** Reads one array of a .npz file, stored or deflated. Its checksum is compared.
 *  @param[in,bytes=length] path  file name, UTF-8
 *  @param length  number of bytes of path; -1 if it is NUL-terminated
 *  @param name  the array's name, NUL-terminated: one that arr_npz_names lists, or else with ".npy"
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] stream  the stream to work in; NULL selects the device's default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT also without such an array, ARR_E_IO, ARR_E_FORMAT, ARR_E_DTYPE, ARR_E_SHAPE,
 *      ARR_E_MEMORY, ARR_E_UNSUPPORTED for encrypted archives
 *  @sync yes   @threads any   @since 0.1
 *  @cupy cupy.load */
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
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_IO, ARR_E_FORMAT also where a name is not a line of UTF-8, ARR_E_MEMORY
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_npz_names(const char *path, int64_t length, int64_t capacity, char *names,
                                 int64_t *names_length, int64_t *count);

/* ---------------------------------------------------------------------------------------- tables of text */

/** Options of arr_loadtxt and arr_genfromtxt. Zero everything, then set struct_size. Texts are NUL-terminated. */
typedef struct arr_text_options {
  int64_t struct_size;   /* sizeof(arr_text_options) */
  const char *delimiter; /* between columns; NULL or empty: white space */
  const char
      *comments; /* the beginning of a comment, which ends with the line; NULL: "#"; empty: nothing does */
  const int64_t *columns; /* the columns to read, from 0; negative ones count from the end; NULL: all */
  const char *missing; /* arr_genfromtxt: texts of missing numbers, with commas between them; may be NULL */
  const arr_value
      *filling;        /* arr_genfromtxt: replaces missing numbers; NULL: nan, of integers -1, of bool 0 */
  int64_t ncolumns;    /* entries at columns */
  int64_t skip_rows;   /* lines before the table */
  int64_t skip_footer; /* rows at the end that are not read */
  int64_t max_rows;    /* rows to read at most; 0: all */
  int32_t dtype;       /* element type; 0: float64 */
  int32_t min_dims;    /* dimensions of the result at least, 0..2; axes of extent 1 go otherwise */
} arr_text_options;

/** Reads a table of numbers from a text file, with a row per line. Lines without a number are skipped. Each field must
 *  be a number of the element type: every float64 that libarr, NumPy or C write with 17 digits is read exactly.
 *  @param[in,bytes=length] path  file name, UTF-8
 *  @param length  number of bytes of path; -1 if it is NUL-terminated
 *  @param[in,null] options  NULL for the defaults
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] stream  the stream to work in; NULL selects the device's default stream
 *  @param[out] out  one new reference, with the shape of numpy.loadtxt's result
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_IO, ARR_E_FORMAT with the line and the column of what is wrong, ARR_E_DTYPE,
 *      ARR_E_MEMORY, ARR_E_UNAVAILABLE
 *  @sync yes   @threads any   @since 0.1
 *  @cupy cupy.loadtxt */
ARR_API arr_status arr_loadtxt(const char *path, int64_t length, const arr_text_options *options,
                               const arr_device *device, arr_stream stream, arr_array *out);

/** arr_loadtxt of a table with gaps: fields that are empty, are named as missing, or are no number of the element type
 *  become a filling value.
 *  @param[in,bytes=length] path  file name, UTF-8
 *  @param length  number of bytes of path; -1 if it is NUL-terminated
 *  @param[in,null] options  NULL for the defaults
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] stream  the stream to work in; NULL selects the device's default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_IO, ARR_E_FORMAT for rows of different lengths, ARR_E_DTYPE, ARR_E_MEMORY,
 *      ARR_E_UNAVAILABLE
 *  @sync yes   @threads any   @since 0.1
 *  @cupy cupy.genfromtxt */
ARR_API arr_status arr_genfromtxt(const char *path, int64_t length, const arr_text_options *options,
                                  const arr_device *device, arr_stream stream, arr_array *out);

/** Options of arr_savetxt. Zero everything, then set struct_size. Texts are NUL-terminated. */
typedef struct arr_savetxt_options {
  int64_t struct_size; /* sizeof(arr_savetxt_options) */
  const char
      *format; /* printf's conversion of a number, or one for each number of a row; NULL: "%.18e". d, e, E, f,
                            F, g, G, x, X, o, and s for the shortest text that is read as the same number */
  const char *delimiter; /* between columns; NULL: " " */
  const char *newline;   /* after a row; NULL: "\n" */
  const char *header;    /* lines before the table; NULL or empty: none */
  const char *footer;    /* lines after the table; NULL or empty: none */
  const char *comments;  /* before each line of the header and the footer; NULL: "# " */
} arr_savetxt_options;

/** Writes a table of numbers as text: a line per row, or per element of a vector. By default numpy.savetxt writes the
 *  same bytes.
 *  @param a  a vector or a matrix
 *  @param[in,bytes=length] path  file name, UTF-8; an existing file is replaced
 *  @param length  number of bytes of path; -1 if it is NUL-terminated
 *  @param[in,null] options  NULL for the defaults
 *  @param[in,null] stream  the stream to work in; NULL selects the device's default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_IO, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY
 *  @sync yes   @threads any   @since 0.1
 *  @cupy cupy.savetxt */
ARR_API arr_status arr_savetxt(arr_array a, const char *path, int64_t length,
                               const arr_savetxt_options *options, arr_stream stream);

/* --------------------------------------------------------------------------------------- plain elements */

/** Writes the elements in row-major order: their bytes, or the shortest texts that are read as the same numbers.
 *  @param a  the array
 *  @param[in,bytes=length] path  file name, UTF-8; an existing file is replaced
 *  @param length  number of bytes of path; -1 if it is NUL-terminated
 *  @param[in,null] separator  between the texts of two elements; NULL or empty writes bytes
 *  @param[in,null] stream  the stream to work in; NULL selects the device's default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_IO, ARR_E_MEMORY
 *  @sync yes   @threads any   @since 0.1
 *  @cupy cupy.ndarray.tofile */
ARR_API arr_status arr_tofile(arr_array a, const char *path, int64_t length, const char *separator,
                              arr_stream stream);

/** Reads elements that arr_tofile or another program has written.
 *  @param[in,bytes=length] path  file name, UTF-8
 *  @param length  number of bytes of path; -1 if it is NUL-terminated
 *  @param dtype  element type
 *  @param count  number of elements; -1 for all up to the end of the file, which must be whole
 *  @param skip  bytes before the first element
 *  @param[in,null] separator  between the texts of two elements, in which spaces stand for any white space; NULL or
 *      empty reads bytes in the machine's order
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] stream  the stream to work in; NULL selects the device's default stream
 *  @param[out] out  one new reference, a vector
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_IO, ARR_E_FORMAT, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNAVAILABLE
 *  @sync yes   @threads any   @since 0.1
 *  @cupy cupy.fromfile */
ARR_API arr_status arr_fromfile(const char *path, int64_t length, arr_dtype dtype, int64_t count,
                                int64_t skip, const char *separator, const arr_device *device,
                                arr_stream stream, arr_array *out);

/** Reads elements from text in memory.
 *  @param[in,null,bytes=nbytes] text  the text; may be NULL when nbytes is 0
 *  @param nbytes  number of bytes at text; -1 if it is NUL-terminated
 *  @param dtype  element type
 *  @param count  number of elements; -1 for all
 *  @param separator  between two elements, not empty; spaces in it stand for any white space
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] stream  the stream to work in; NULL selects the device's default stream
 *  @param[out] out  one new reference, a vector
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_FORMAT, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNAVAILABLE
 *  @sync yes   @threads any   @since 0.1
 *  @cupy cupy.fromstring */
ARR_API arr_status arr_fromstring(const char *text, int64_t nbytes, arr_dtype dtype, int64_t count,
                                  const char *separator, const arr_device *device, arr_stream stream,
                                  arr_array *out);

#ifdef __cplusplus
}
#endif
#endif
