/* SPDX-License-Identifier: MIT */
/* io.h - reads and writes .npy files. */
#ifndef ARR_IO_H
#define ARR_IO_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

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

#ifdef __cplusplus
}
#endif
#endif
