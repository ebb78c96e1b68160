/* SPDX-License-Identifier: MIT */
/* io.h - files. */
#ifndef ARR_IO_H
#define ARR_IO_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Reads a .npy file (format versions 1 to 3). Fortran order is kept. The file is not trusted: its header is
 *  parsed by a closed grammar and every size is checked before memory is taken; object arrays are refused, as are
 *  bytes behind the array and more than 32 dimensions. Element types are taken in all forms that NumPy takes, "f8"
 *  and "<d" for "<f8", but for "l", whose size depends on the system.
 *  @param[in,bytes=length] path  file name, UTF-8
 *  @param length  bytes of path; -1 when NUL-terminated
 *  @param[in,null] device  where (NULL: the host)
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_IO, ARR_E_FORMAT, ARR_E_DTYPE, ARR_E_SHAPE, ARR_E_MEMORY,
 *          ARR_E_UNAVAILABLE
 *  @sync yes   @threads any   @since 0.1
 *  @cupy cupy.load */
ARR_API arr_status arr_load_npy(const char *path, int64_t length, const arr_device *device, arr_stream stream,
                                arr_array *out);

/** Writes a .npy file, in Fortran order when a is column-major. The file appears whole or not at all.
 *  @param a  the array
 *  @param[in,bytes=length] path  file name, UTF-8; an existing file is replaced
 *  @param length  bytes of path; -1 when NUL-terminated
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_IO, ARR_E_DTYPE, ARR_E_MEMORY
 *  @sync yes   @threads any   @since 0.1
 *  @cupy cupy.save */
ARR_API arr_status arr_save_npy(arr_array a, const char *path, int64_t length, arr_stream stream);

#ifdef __cplusplus
}
#endif
#endif
