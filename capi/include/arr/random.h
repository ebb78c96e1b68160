/* SPDX-License-Identifier: MIT */
/* random.h - generators of random numbers; random integers, bits, permutations and samples. distributions.h has
 * the distributions, random_vectors.h has random vectors. */
#ifndef ARR_RANDOM_H
#define ARR_RANDOM_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A generator is a position in the stream of words of a bit generator, by default Philox4x32-10. A call uses the
 * words that its elements need, on any device. The numbers of threads and blocks have no effect, and bits,
 * integers and uniform numbers are the same on every device. */
typedef struct arr_generator_s *arr_generator;

/* Bit generators. Numbers of Philox are computed where they are used; the words of the others are written to
 * memory first, 16 from each state of a table that is computed on the host (Threefry needs no table). */
#define ARR_PHILOX4X32 0   /* Philox4x32-10 (Salmon, Moraes, Dror, Shaw; 2011) */
#define ARR_PCG64 1        /* PCG XSL RR 128/64 (O'Neill, 2014), like NumPy's PCG64 */
#define ARR_THREEFRY2X32 2 /* Threefry2x32-20 (in the same paper as Philox) */
#define ARR_MRG32K3A 3     /* MRG32k3a (L'Ecuyer, 1999); its numbers are spread over 32 bits */
#define ARR_XORWOW 4       /* XORWOW (Marsaglia, 2003) */

/** Creates a generator.
 *  @param nseed  number of words; 0 seeds from ARR_SEED, else from the system's entropy
 *  @param[in,len=nseed] seed  any numbers, used as unsigned bits; equal numbers make equal streams (keys are made from
 *      them as in NumPy's SeedSequence)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_generator_create(int32_t nseed, const int64_t *seed, arr_generator *out);

/** Creates a generator with a given bit generator.
 *  @param bit_generator  ARR_PHILOX4X32 or another bit generator
 *  @param nseed  number of words; 0 seeds from ARR_SEED, else from the system's entropy
 *  @param[in,len=nseed] seed  any numbers, as in arr_generator_create
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_generator_create_of(int32_t bit_generator, int32_t nseed, const int64_t *seed,
                                           arr_generator *out);

/** Releases a generator.
 *  @param[in,null] generator  may be NULL
 *  @return ARR_OK, ARR_E_HANDLE
 *  @sync no */
ARR_API arr_status arr_generator_release(arr_generator generator);

/** Seeds a generator again.
 *  @param[in,null] generator  the generator; NULL selects the process's generator
 *  @param nseed  number of words; 0 seeds from ARR_SEED, else from the system's entropy
 *  @param[in,len=nseed] seed  any numbers
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_generator_seed(arr_generator generator, int32_t nseed, const int64_t *seed);

/** Creates generators with independent streams, for threads, ranks or tasks. Every call returns different ones.
 *  @param[in,null] generator  the generator; NULL selects the process's generator
 *  @param n  number of generators
 *  @param[out,len=n] out  new references; all of them or none
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_generator_spawn(arr_generator generator, int32_t n, arr_generator *out);

/** Advances a generator as if numbers had been drawn.
 *  @param[in,null] generator  the generator; NULL selects the process's generator
 *  @param blocks  number of blocks of four 32-bit words (two numbers of PCG64). Numbers of at most 32 bits use a
 *      quarter of a block each, others half a block, and every call uses whole blocks. Steps of 2^48 blocks leave
 *      enough numbers for any use in between; negative numbers go back.
 *  @return ARR_OK, ARR_E_HANDLE
 *  @sync no */
ARR_API arr_status arr_generator_advance(arr_generator generator, int64_t blocks);

/** Creates a generator far ahead in the same stream, for another thread, rank or task (NumPy's `jumped`). With each
 *  jump PCG64 advances by 210306068529402873165736369884012333108 numbers, as NumPy's does; MRG32k3a by 2^127 words, a
 *  stream of L'Ecuyer's RngStreams; XORWOW by 2^67 words, a sequence of cuRAND's; Philox and Threefry, whose counters
 *  have 64 bits, by 2^48 blocks, so that 65536 jumps return to the start.
 *  @param[in,null] generator  the generator, which is not changed; NULL selects the process's generator
 *  @param jumps  number of jumps; 0 for a copy
 *  @param[out] out  one new reference; the generators that it spawns follow from its starting position
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_generator_jumped(arr_generator generator, int64_t jumps, arr_generator *out);

/** State of a generator. Zero everything, then set struct_size. */
typedef struct arr_generator_state {
  int64_t struct_size;   /* sizeof(arr_generator_state) */
  int64_t bit_generator; /* ARR_PHILOX4X32 or another bit generator */
  int64_t word0;   /* the state before block 0, low words first: a key; for PCG64 its state and increment; */
  int64_t word1;   /* else six 32-bit words in the order of the authors */
  int64_t word2;   /* as above */
  int64_t word3;   /* as above */
  int64_t counter; /* the next block of four words: 64 bits, unsigned */
} arr_generator_state;

/** Returns the state of a generator, to continue later or elsewhere.
 *  @param[in,null] generator  the generator; NULL selects the process's generator
 *  @param[out] state  struct_size is read; the other fields are written
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_generator_get_state(arr_generator generator, arr_generator_state *state);

/** Sets the state of a generator. Generators that it spawns later still follow from its seed.
 *  @param[in,null] generator  the generator; NULL selects the process's generator
 *  @param state  a state from arr_generator_get_state, of the same bit generator
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_generator_set_state(arr_generator generator, const arr_generator_state *state);

/** Draws uniform bits: the words of the stream unchanged.
 *  @param[in,null] generator  the generator, which is advanced; NULL selects the process's generator
 *  @param dtype  an unsigned integer type; uint32 returns word after word, uint64 two words each, narrower types the
 *      low bits of a word; 0 selects uint64
 *  @param ndim  number of dimensions
 *  @param[in,len=ndim] shape  extents
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, in row-major order
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_random_bits(arr_generator generator, arr_dtype dtype, int32_t ndim,
                                   const int64_t *shape, const arr_device *device, arr_stream stream,
                                   arr_array *out);

/** Writes the result of arr_random_bits into an existing array: the same words, in row-major order of its elements.
 *  @param[in,written] dst  the destination, of unsigned integers
 *  @param[in,null] generator  the generator, which is advanced; NULL selects the process's generator
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no */
ARR_API arr_status arr_random_bits_into(arr_array dst, arr_generator generator, arr_stream stream);

/** Draws uniform integers; every integer is equally likely (Lemire: Fast random integer generation in an interval;
 *  2019).
 *  @param[in,null] generator  the generator, which is advanced; NULL selects the process's generator
 *  @param low  the least integer, an array or a number
 *  @param high  the greatest integer plus one, or the greatest, see endpoint; an array or a number. Elements of arrays
 *      are cut to the range of the dtype; where high is not above low the result is low
 *  @param endpoint  true: high itself is included; false: it is not
 *  @param dtype  integers or bool; 0 selects int64
 *  @param ndim  number of dimensions; -1 selects the shape that low and high broadcast to
 *  @param[in,len=ndim] shape  extents; low and high broadcast to them
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, in row-major order
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_random_integers(arr_generator generator, const arr_value *low, const arr_value *high,
                                       bool endpoint, arr_dtype dtype, int32_t ndim, const int64_t *shape,
                                       const arr_device *device, arr_stream stream, arr_array *out);

/** Writes the result of arr_random_integers into an existing array: the same numbers, in row-major order of its
 *  elements.
 *  @param[in,written] dst  the destination, of integers or bool
 *  @param[in,null] generator  the generator, which is advanced; NULL selects the process's generator
 *  @param low  the least integer, an array or a number
 *  @param high  the greatest integer plus one, or the greatest, see endpoint; an array or a number
 *  @param endpoint  true: high itself is included; false: it is not
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no */
ARR_API arr_status arr_random_integers_into(arr_array dst, arr_generator generator, const arr_value *low,
                                            const arr_value *high, bool endpoint, arr_stream stream);

/** Draws random numbers of a distribution by its number, like the functions of distributions.h.
 *  @param[in,null] generator  the generator, which is advanced; NULL selects the process's generator
 *  @param distribution  ARR_DISTRIBUTION_NORMAL or another distribution
 *  @param nparameters  number of given parameters; the others have their defaults
 *  @param[in,len=nparameters] parameters  arrays or numbers; kind 0 selects the default
 *  @param dtype  the dtype of the result; 0 selects float64, or int64 for distributions of integers
 *  @param ndim  number of dimensions; -1 selects the shape that the parameters broadcast to
 *  @param[in,len=ndim] shape  extents; the parameters broadcast to them
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, in row-major order
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_random_draw(arr_generator generator, int32_t distribution, int32_t nparameters,
                                   const arr_value *parameters, arr_dtype dtype, int32_t ndim,
                                   const int64_t *shape, const arr_device *device, arr_stream stream,
                                   arr_array *out);

/** Writes the result of arr_random_draw into an existing array: the same numbers, in row-major order of its
 *  elements.
 *  @param[in,written] dst  the destination
 *  @param[in,null] generator  the generator, which is advanced; NULL selects the process's generator
 *  @param distribution  ARR_DISTRIBUTION_NORMAL or another distribution
 *  @param nparameters  number of given parameters; the others have their defaults
 *  @param[in,len=nparameters] parameters  arrays or numbers; kind 0 selects the default
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no */
ARR_API arr_status arr_random_draw_into(arr_array dst, arr_generator generator, int32_t distribution,
                                        int32_t nparameters, const arr_value *parameters, arr_stream stream);

/* ------------------------------------------------------------------------------------- order and choice */

/* Each element of a permutation is computed independently, on any device: up to 64 elements by swaps, which make
 * every permutation equally likely; more elements by a keyed network that cannot be distinguished from that. */

/** Returns the numbers 0 to n - 1 in random order, or the first of them.
 *  @param[in,null] generator  the generator, which is advanced; NULL selects the process's generator
 *  @param n  number of numbers to permute
 *  @param count  number of numbers to return; n for all
 *  @param dtype  the dtype of the result; the numbers are cast to it; 0 selects int64
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out,positions] out  one new reference: a vector of count different numbers
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_random_permutation(arr_generator generator, int64_t n, int64_t count, arr_dtype dtype,
                                          const arr_device *device, arr_stream stream, arr_array *out);

/** Writes the result of arr_random_permutation into an existing array: as many of the numbers as it has elements, in
 *  row-major order.
 *  @param[in,written,positions] dst  the destination; the numbers are cast to its dtype
 *  @param[in,null] generator  the generator, which is advanced; NULL selects the process's generator
 *  @param n  number of numbers to permute, at least the number of elements of dst
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no */
ARR_API arr_status arr_random_permutation_into(arr_array dst, arr_generator generator, int64_t n,
                                               arr_stream stream);

/** Returns the slices of an array along an axis in random order.
 *  @param[in,null] generator  the generator, which is advanced; NULL selects the process's generator
 *  @param a  the array
 *  @param axis  the axis
 *  @param independent  true: an order for each 1-D slice along the axis (NumPy's permuted); false: one order for whole
 *      slices (NumPy's permutation)
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, in row-major order
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_random_permuted(arr_generator generator, arr_array a, int32_t axis, bool independent,
                                       arr_stream stream, arr_array *out);

/** Writes the result of arr_random_permuted into an existing array: the same order.
 *  @param[in,written] dst  the destination, of a's shape; the elements are cast to its dtype by the same_kind rule; may
 *      share memory with a
 *  @param[in,null] generator  the generator, which is advanced; NULL selects the process's generator
 *  @param a  the array
 *  @param axis  the axis
 *  @param independent  true: an order for each 1-D slice along the axis; false: one order for whole slices
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no */
ARR_API arr_status arr_random_permuted_into(arr_array dst, arr_generator generator, arr_array a, int32_t axis,
                                            bool independent, arr_stream stream);

/** Shuffles an array in place, like arr_random_permuted.
 *  @param a  the array; it is written
 *  @param[in,null] generator  the generator, which is advanced; NULL selects the process's generator
 *  @param axis  the axis
 *  @param independent  true: an order for each 1-D slice along the axis; false: one order for whole slices
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no */
ARR_API arr_status arr_random_shuffle(arr_array a, arr_generator generator, int32_t axis, bool independent,
                                      arr_stream stream);

/** Draws random indices below n.
 *  @param[in,null] generator  the generator, which is advanced; NULL selects the process's generator
 *  @param n  number of indices to choose from
 *  @param replace  true: an index may occur again; false: each occurs at most once
 *  @param[in,null] weights  a vector of n probabilities, whose sum is 1 within the square root of the type's epsilon
 *      (float64: 1.5e-8, float32: 3.5e-4); NULL makes all equally likely
 *  @param ndim  number of dimensions of the result
 *  @param[in,len=ndim] shape  extents
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out,positions] out  one new reference, of int64
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for the weights, which the host checks */
ARR_API arr_status arr_random_choice(arr_generator generator, int64_t n, bool replace, arr_array weights,
                                     int32_t ndim, const int64_t *shape, const arr_device *device,
                                     arr_stream stream, arr_array *out);

/** Writes the result of arr_random_choice into an existing array: the same indices, in row-major order of its
 *  elements.
 *  @param[in,written,positions] dst  the destination, of int64
 *  @param[in,null] generator  the generator, which is advanced; NULL selects the process's generator
 *  @param n  number of indices to choose from
 *  @param replace  true: an index may occur again; false: each occurs at most once
 *  @param[in,null] weights  a vector of n probabilities, whose sum is 1 within the square root of the type's epsilon
 *      (float64: 1.5e-8, float32: 3.5e-4); NULL makes all equally likely
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync waits for the weights, which the host checks */
ARR_API arr_status arr_random_choice_into(arr_array dst, arr_generator generator, int64_t n, bool replace,
                                          arr_array weights, arr_stream stream);

/** Draws random slices of an array along an axis.
 *  @param[in,null] generator  the generator, which is advanced; NULL selects the process's generator
 *  @param a  the array, with at least one dimension
 *  @param axis  the axis
 *  @param replace  true: a slice may occur again; false: each occurs at most once
 *  @param[in,null] weights  a vector with a probability for each slice, whose sum is 1 as in arr_random_choice; NULL
 *      makes all equally likely
 *  @param ndim  number of dimensions that replace the axis
 *  @param[in,len=ndim] shape  extents
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, in row-major order
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for the weights, which the host checks */
ARR_API arr_status arr_random_sample(arr_generator generator, arr_array a, int32_t axis, bool replace,
                                     arr_array weights, int32_t ndim, const int64_t *shape, arr_stream stream,
                                     arr_array *out);

/** Writes the result of arr_random_sample into an existing array: the same slices, in row-major order of the chosen.
 *  @param[in,written] dst  the destination; the elements are cast to its dtype by the same_kind rule. Its dimensions
 *      are a's, with any number of others in place of the axis; may share memory with a
 *  @param[in,null] generator  the generator, which is advanced; NULL selects the process's generator
 *  @param a  the array, with at least one dimension
 *  @param axis  the axis
 *  @param replace  true: a slice may occur again; false: each occurs at most once
 *  @param[in,null] weights  a vector with a probability for each slice, whose sum is 1 as in arr_random_choice; NULL
 *      makes all equally likely
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync waits for the weights, which the host checks */
ARR_API arr_status arr_random_sample_into(arr_array dst, arr_generator generator, arr_array a, int32_t axis,
                                          bool replace, arr_array weights, arr_stream stream);

#ifdef __cplusplus
}
#endif
#endif
