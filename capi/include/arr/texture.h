/* SPDX-License-Identifier: MIT */
/* texture.h - textures and surfaces for kernels: arguments of tex1D, tex2D, tex3D, tex1Dfetch, surf2Dread,
 * surf2Dwrite and similar functions. The host reads and filters as the CUDA C++ Programming Guide defines it. */
#ifndef ARR_TEXTURE_H
#define ARR_TEXTURE_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct arr_texels_s *arr_texels;   /* memory of texels, in an order of the device's choice */
typedef struct arr_texture_s *arr_texture; /* a texture or a surface, as an argument of a kernel */

/* ---------------------------------------------------------------------------------------------- memory of texels */

#define ARR_TEXELS_SURFACE 1 /* flag: surfaces can be made of it, so that kernels can write it */
/** flag: the first extent counts layers: tex1DLayered, tex2DLayered, texCubemapLayered */
#define ARR_TEXELS_LAYERED 2
/** flag: the first extent counts the faces of cubes: texCubemap, texCubemapLayered */
#define ARR_TEXELS_CUBE 4
#define ARR_TEXELS_GATHER 8 /* flag: for tex2Dgather; two dimensions */

/** Creates uninitialised memory of texels with one, two or three dimensions (CUDA's "CUDA array"). Layers have one
 *  or two dimensions. The faces of a cube are square and come in the order +x, -x, +y, -y, +z, -z.
 *  @param dtype  the dtype of a channel: int8, int16, int32, uint8, uint16, uint32, float16 or float32
 *  @param channels  number of channels of a texel, 1, 2 or 4: float, float2, float4 in kernels
 *  @param ndim  number of dimensions, from 1 to 3
 *  @param[in,len=ndim] shape  extents in texels, each >= 1, in row-major order: width; height, width; depth, height,
 *      width. With flags: layers, width; layers, height, width; 6, size, size for a cube; 6 * layers, size, size
 *  @param flags  a sum of ARR_TEXELS_..., or 0
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_SHAPE (also if an extent is beyond the device's limits), ARR_E_DTYPE,
 *      ARR_E_MEMORY, ARR_E_UNAVAILABLE, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_texels_create(arr_dtype dtype, int32_t channels, int32_t ndim, const int64_t *shape,
                                     int32_t flags, const arr_device *device, arr_texels *out);

/** Returns the type, shape and flags of memory of texels.
 *  @param t  the texels
 *  @param[out,null] dtype  the dtype of a channel; may be NULL
 *  @param[out,null] channels  number of channels of a texel; may be NULL
 *  @param[out,null] ndim  number of dimensions; may be NULL
 *  @param[out,null,len=3] shape  extents in row-major order, followed by zeros; may be NULL
 *  @param[out,null] flags  ARR_TEXELS_...; may be NULL
 *  @return ARR_OK, ARR_E_HANDLE
 *  @sync no */
ARR_API arr_status arr_texels_info(arr_texels t, arr_dtype *dtype, int32_t *channels, int32_t *ndim,
                                   int64_t *shape, int32_t *flags);

/** Fills texels from an array of the same shape, with the channels as a last axis if there are several.
 *  @param t  the texels
 *  @param a  an array of their dtype, in any layout, on any device
 *  @param[in,null] stream  a stream of the texels' device; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_LOST
 *  @sync only for an array of another device */
ARR_API arr_status arr_texels_copy_from(arr_texels t, arr_array a, arr_stream stream);

/** Copies texels into an array of the same shape, with the channels as a last axis if there are several.
 *  @param t  the texels
 *  @param[in,written] a  an array of their dtype, in any layout, on any device; it is written
 *  @param[in,null] stream  a stream of the texels' device; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_READONLY, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_LOST
 *  @sync only for an array of another device */
ARR_API arr_status arr_texels_copy_to(arr_texels t, arr_array a, arr_stream stream);

/** Releases texels. Textures and surfaces of them stay valid. NULL is allowed.
 *  @param[in,null] t  the texels
 *  @return ARR_OK, ARR_E_HANDLE
 *  @sync no   @threads any, also finalizers */
ARR_API arr_status arr_texels_release(arr_texels t);

/* ------------------------------------------------------------------------------------------ textures and surfaces */

/* Address modes: the meaning of a coordinate outside of the texture. */
#define ARR_ADDRESS_CLAMP 0  /* the texel at the edge */
#define ARR_ADDRESS_WRAP 1   /* the texture is repeated; normalized coordinates only */
#define ARR_ADDRESS_MIRROR 2 /* the texture is repeated, every second copy reversed; normalized only */
#define ARR_ADDRESS_BORDER 3 /* the border colour */

#define ARR_FILTER_POINT 0  /* the texel that contains the coordinate */
#define ARR_FILTER_LINEAR 1 /* interpolated between the 2, 4 or 8 nearest texels; floats only */

#define ARR_READ_ELEMENT 0    /* numbers unchanged; float16 as float */
#define ARR_READ_NORMALIZED 1 /* 8- and 16-bit integers as floats in 0..1, or in -1..1 for signed integers */

/** Options for reading a texture. Zero everything, then set struct_size. */
typedef struct arr_texture_options {
  int64_t struct_size;    /* sizeof(arr_texture_options) */
  int32_t address_x;      /* ARR_ADDRESS_... of the last axis of the shape */
  int32_t address_y;      /* the same for the second-to-last axis; ignored if there is none */
  int32_t address_z;      /* the same for the third-to-last axis; ignored if there is none */
  int32_t filter;         /* ARR_FILTER_... */
  int32_t read;           /* ARR_READ_... */
  int32_t normalized;     /* 1: coordinates run from 0 to 1 along each axis; 0: in texels. Cubes: always 1 */
  int32_t srgb;           /* 1: sRGB to linear, except the 4th channel; needs normalized uint8, 4 channels */
  int32_t max_anisotropy; /* 0..16, for texture look-ups with gradients; the host takes 0 and 1 */
  double border_r;        /* border colour: the first channel; 0 if integers are read unchanged */
  double border_g;        /* border colour: the second channel */
  double border_b;        /* border colour: the third channel */
  double border_a;        /* border colour: the fourth channel */
} arr_texture_options;

/** Creates a texture of texels, for tex1D, tex2D or tex3D, or for the functions of their flags. It keeps the texels
 *  alive. The address modes and the filter apply within a layer or a face; a layer outside becomes the nearest one.
 *  @param t  the texels
 *  @param[in,null] options  the options; NULL selects the defaults
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DTYPE, ARR_E_UNAVAILABLE, ARR_E_UNSUPPORTED, ARR_E_MEMORY,
 *      ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_texture_create(arr_texels t, const arr_texture_options *options, arr_texture *out);

/** Creates a texture of an array's own memory. It keeps the memory alive. With one dimension it is for tex1Dfetch,
 *  without filter, address modes and normalized coordinates; elements outside are zeros. With two dimensions it is
 *  for tex2D. The elements of a row must be contiguous. On a GPU the first element must be at a multiple of 512
 *  bytes, and rows must start at multiples of 32 bytes, as in arrays of arr_create_pitched. A kernel that reads the
 *  texture sees what was written before its launch.
 *  @param a  an array of a dtype that texels can have
 *  @param channels  number of channels of a texel, 1, 2 or 4; for 2 and 4 the last axis has that extent
 *  @param[in,null] options  the options; NULL selects the defaults
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (also if the memory does not meet these conditions), ARR_E_SHAPE,
 *      ARR_E_DTYPE, ARR_E_UNAVAILABLE, ARR_E_UNSUPPORTED, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_texture_of_array(arr_array a, int32_t channels, const arr_texture_options *options,
                                        arr_texture *out);

/** Creates a surface of texels, for surf1Dread, surf2Dwrite and similar functions, whose x counts bytes. It keeps
 *  the texels alive.
 *  @param t  texels made with ARR_TEXELS_SURFACE
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_surface_create(arr_texels t, arr_texture *out);

/** Returns the options of a texture.
 *  @param t  the texture
 *  @param[in,out] options  struct_size must be set; the other fields are filled in, with zeros for a surface
 *  @param[out,null] surface  true for a surface, false for a texture; may be NULL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_texture_info(arr_texture t, arr_texture_options *options, bool *surface);

/** Returns the cudaTextureObject_t or cudaSurfaceObject_t as an address, for structs and arrays of textures. A launch
 *  that gets the object in this way does not know the texture: the texture must live until the kernel has run, and work
 *  in other streams is not ordered with it.
 *  @param t  the texture
 *  @param[out] native  the 64 bits of the object, borrowed
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_texture_native(arr_texture t, void **native);

/** Sets v to a texture or a surface, as an argument of a kernel. The kernel takes a cudaTextureObject_t or a
 *  cudaSurfaceObject_t; a kernel of arr/user_kernel.h takes it for a parameter of a placeholder's type or uint64.
 *  The call takes no reference. The texture may be released after the launch.
 *  @param[out,null] v  the value to set; NULL is ignored
 *  @param t  the texture; its handle is checked when v is used
 *  @return nothing
 *  @sync no */
ARR_API void arr_value_texture(arr_value *v, arr_texture t);

/** Releases a texture or a surface. Launches that use it go on. NULL is allowed.
 *  @param[in,null] t  the texture
 *  @return ARR_OK, ARR_E_HANDLE
 *  @sync no   @threads any, also finalizers */
ARR_API arr_status arr_texture_release(arr_texture t);

#ifdef __cplusplus
}
#endif
#endif
