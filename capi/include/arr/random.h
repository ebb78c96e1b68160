/* SPDX-License-Identifier: MIT */
/* random.h - generators of random numbers, integers, bits and order. The distributions are in distributions.h,
 * vectors of them in random_vectors.h. */
#ifndef ARR_RANDOM_H
#define ARR_RANDOM_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A generator is a place in the stream of words of a bit generator, Philox4x32-10 unless another is asked for. A call
 * takes the words that its elements need, whatever device it works on; the number of threads and the grid change
 * nothing, and bits, integers and uniform numbers are the same on every device. */
typedef struct arr_generator_s *arr_generator;

/* Bit generators. Numbers of the first are made where they are used; the others' words are made in memory first, 16
 * from each state of a table that is computed on the host (none for Threefry). */
#define ARR_PHILOX4X32 \
  0 /* Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3; 2011) */
#define ARR_PCG64 \
  1 /* PCG XSL RR 128/64 (O'Neill, 2014): seeds, words and uniform numbers are those of NumPy's PCG64 */
#define ARR_THREEFRY2X32 2 /* Threefry2x32-20 (in the same paper as Philox) */
#define ARR_MRG32K3A 3     /* L'Ecuyer's of 1999, its numbers spread over 32 bits */
#define ARR_XORWOW 4       /* Marsaglia's of 2003 */

/** A generator.
 *  @param nseed  number of words; 0: seeded from ARR_SEED, else the system's entropy
 *  @param[in,len=nseed] seed  any numbers, their bits without a sign; equal ones give equal streams (as NumPy's
 *      SeedSequence makes keys of them)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_MEMORY
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.random.default_rng, cupy.random.Generator, cupy.random.BitGenerator, cupy.random.Philox4x3210,
 *  cupy.random.RandomState */
ARR_API arr_status arr_generator_create(int32_t nseed, const int64_t *seed, arr_generator *out);

/** A generator of another kind.
 *  @param bit_generator  ARR_PHILOX4X32 ...
 *  @param nseed  number of words; 0: seeded from ARR_SEED, else the system's entropy
 *  @param[in,len=nseed] seed  any numbers, as for arr_generator_create
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_MEMORY
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.random.XORWOW, cupy.random.MRG32k3a, cupy.random.XORWOW.random_raw, cupy.random.MRG32k3a.random_raw,
 *  cupy.random.XORWOW.state, cupy.random.MRG32k3a.state */
ARR_API arr_status arr_generator_create_of(int32_t bit_generator, int32_t nseed, const int64_t *seed,
                                           arr_generator *out);

/** Ends a generator.
 *  @param[in,null] generator  may be NULL
 *  @return ARR_OK, ARR_E_HANDLE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_generator_release(arr_generator generator);

/** Starts a generator anew.
 *  @param[in,null] generator  NULL: the process's own
 *  @param nseed  number of words; 0: from ARR_SEED, else the system's entropy
 *  @param[in,len=nseed] seed  any numbers
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_MEMORY
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.random.seed, cupy.random.RandomState.seed, cupy.random.reset_states */
ARR_API arr_status arr_generator_seed(arr_generator generator, int32_t nseed, const int64_t *seed);

/** Generators with streams of their own, for threads, ranks or tasks; others with every call.
 *  @param[in,null] generator  NULL: the process's own
 *  @param n  how many
 *  @param[out,len=n] out  new references; all of them or none
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_MEMORY
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_generator_spawn(arr_generator generator, int32_t n, arr_generator *out);

/** Moves a generator on as if numbers had been drawn.
 *  @param[in,null] generator  NULL: the process's own
 *  @param blocks  of four words of 32 bits (two numbers of PCG64); numbers of at most 32 bits take a quarter of one
 *  each, others half of one, and every call takes whole ones. 2^48 leaves room for any use in between; negative ones go
 *  back.
 *  @return ARR_OK, ARR_E_HANDLE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_generator_advance(arr_generator generator, int64_t blocks);

/** A generator of the same stream far ahead, for another thread, rank or task (NumPy's `jumped`). PCG64 goes
 *  210306068529402873165736369884012333108 numbers on with each jump, as NumPy's; MRG32k3a 2^127 words, a stream of
 *  L'Ecuyer's RngStreams; XORWOW 2^67 words, a sequence of cuRAND's; Philox and Threefry, whose counters have 64 bits,
 *  2^48 blocks: 65536 jumps come back to where they began.
 *  @param[in,null] generator  NULL: the process's own; stays where it is
 *  @param jumps  how many, 0 for a copy
 *  @param[out] out  one new reference; what it spawns follows from the place it starts at
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_MEMORY
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_generator_jumped(arr_generator generator, int64_t jumps, arr_generator *out);

/** Where a generator is. Zero everything, then set struct_size. */
typedef struct arr_generator_state {
  int64_t struct_size;   /* sizeof(arr_generator_state) */
  int64_t bit_generator; /* ARR_PHILOX4X32 ... */
  int64_t
      word0; /* what the state was in front of block 0, low words first: a key; PCG64: state and increment; */
  int64_t word1;   /* else six words of 32 bits in the order of the authors */
  int64_t word2;   /* as above */
  int64_t word3;   /* as above */
  int64_t counter; /* the next block of four words: 64 bits, without a sign */
} arr_generator_state;

/** The state, to continue from later or elsewhere.
 *  @param[in,null] generator  NULL: the process's own
 *  @param[out] state  struct_size is read, the rest written
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.random.Philox4x3210.state, cupy.random.get_random_state */
ARR_API arr_status arr_generator_get_state(arr_generator generator, arr_generator_state *state);

/** Continues from a state. What is spawned later still follows from the seed.
 *  @param[in,null] generator  NULL: the process's own
 *  @param state  as arr_generator_get_state gave it, of the same bit generator
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.random.set_random_state */
ARR_API arr_status arr_generator_set_state(arr_generator generator, const arr_generator_state *state);

/** Uniform bits: the words of the stream as they are.
 *  @param[in,null] generator  whose numbers are used up; NULL: the process's own
 *  @param dtype  unsigned integers; uint32 gives word after word, uint64 two words each, narrower ones the low bits of
 *  a word; 0: uint64
 *  @param ndim  number of dimensions
 *  @param[in,len=ndim] shape  extents
 *  @param[in,null] device  where (NULL: the host)
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference, in row-major order
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.random.BitGenerator.random_raw, cupy.random.Philox4x3210.random_raw, cupy.random.bytes */
ARR_API arr_status arr_random_bits(arr_generator generator, arr_dtype dtype, int32_t ndim,
                                   const int64_t *shape, const arr_device *device, arr_stream stream,
                                   arr_array *out);

/** arr_random_bits into an existing array: the same words, in row-major order of its elements.
 *  @param[in,written] dst  written: unsigned integers
 *  @param[in,null] generator  whose numbers are used up; NULL: the process's own
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_random_bits_into(arr_array dst, arr_generator generator, arr_stream stream);

/** Uniform integers, every one equally likely (Lemire: Fast random integer generation in an interval; 2019).
 *  @param[in,null] generator  whose numbers are used up; NULL: the process's own
 *  @param low  the least, an array or a number
 *  @param high  one more than the greatest, or the greatest; an array or a number. Elements of arrays are
 *  cut to what the dtype holds; where high is not above low the number is low.
 *  @param endpoint  1: high itself may come
 *  @param dtype  integers or bool; 0: int64
 *  @param ndim  number of dimensions; -1: of the shape that low and high broadcast to
 *  @param[in,len=ndim] shape  extents, to which low and high broadcast
 *  @param[in,null] device  where (NULL: the host)
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference, in row-major order
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.random.randint, cupy.random.Generator.integers, cupy.random.random_integers,
 *  cupy.random.RandomState.randint, cupy.random.RandomState.tomaxint */
ARR_API arr_status arr_random_integers(arr_generator generator, const arr_value *low, const arr_value *high,
                                       int32_t endpoint, arr_dtype dtype, int32_t ndim, const int64_t *shape,
                                       const arr_device *device, arr_stream stream, arr_array *out);

/** arr_random_integers into an existing array: the same numbers, in row-major order of its elements.
 *  @param[in,written] dst  written: integers or bool
 *  @param[in,null] generator  whose numbers are used up; NULL: the process's own
 *  @param low  the least, an array or a number
 *  @param high  one more than the greatest, or the greatest; an array or a number
 *  @param endpoint  1: high itself may come
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_random_integers_into(arr_array dst, arr_generator generator, const arr_value *low,
                                            const arr_value *high, int32_t endpoint, arr_stream stream);

/** Random numbers of a distribution by its number, as the functions of distributions.h.
 *  @param[in,null] generator  whose numbers are used up; NULL: the process's own
 *  @param distribution  ARR_DISTRIBUTION_NORMAL ...
 *  @param nparameters  how many are given; the others have their defaults
 *  @param[in,len=nparameters] parameters  arrays or numbers; kind 0: the default
 *  @param dtype  of the result; 0: float64, int64 for whole numbers
 *  @param ndim  number of dimensions; -1: of the shape that the parameters broadcast to
 *  @param[in,len=ndim] shape  extents, to which the parameters broadcast
 *  @param[in,null] device  where (NULL: the host)
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference, in row-major order
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_random_draw(arr_generator generator, int32_t distribution, int32_t nparameters,
                                   const arr_value *parameters, arr_dtype dtype, int32_t ndim,
                                   const int64_t *shape, const arr_device *device, arr_stream stream,
                                   arr_array *out);

/** arr_random_draw into an existing array: the same numbers, in row-major order of its elements.
 *  @param[in,written] dst  written
 *  @param[in,null] generator  whose numbers are used up; NULL: the process's own
 *  @param distribution  ARR_DISTRIBUTION_NORMAL ...
 *  @param nparameters  how many are given; the others have their defaults
 *  @param[in,len=nparameters] parameters  arrays or numbers; kind 0: the default
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_random_draw_into(arr_array dst, arr_generator generator, int32_t distribution,
                                        int32_t nparameters, const arr_value *parameters, arr_stream stream);

/* ------------------------------------------------------------------------------------- order and choice */

/* A place of a permutation finds out by itself what comes there, on any device: up to 64 elements by swaps, where every
 * permutation is equally likely; more of them by a keyed network, which cannot be told from that. */

/** The numbers 0 .. n-1 in random order, or the first of them.
 *  @param[in,null] generator  whose numbers are used up; NULL: the process's own
 *  @param n  how many there are
 *  @param count  how many are wanted, n for all
 *  @param dtype  of the result, cast to it; 0: int64
 *  @param[in,null] device  where (NULL: the host)
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference: a vector of count different numbers
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_random_permutation(arr_generator generator, int64_t n, int64_t count, arr_dtype dtype,
                                          const arr_device *device, arr_stream stream, arr_array *out);

/** arr_random_permutation into an existing array: as many of the numbers as it has elements, in row-major order of
 *  them.
 *  @param[in,written] dst  written; the numbers are cast to its dtype
 *  @param[in,null] generator  whose numbers are used up; NULL: the process's own
 *  @param n  how many there are, no fewer than dst has elements
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_random_permutation_into(arr_array dst, arr_generator generator, int64_t n,
                                               arr_stream stream);

/** The slices of an array along an axis in random order.
 *  @param[in,null] generator  whose numbers are used up; NULL: the process's own
 *  @param a  the array
 *  @param axis  the axis; negative values count from the end
 *  @param apart  0: one order of whole slices (NumPy's permutation); 1: an order of its own for each line along the
 *  axis (NumPy's permuted)
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference, in row-major order
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.random.permutation, cupy.random.RandomState.permutation */
ARR_API arr_status arr_random_permuted(arr_generator generator, arr_array a, int32_t axis, int32_t apart,
                                       arr_stream stream, arr_array *out);

/** arr_random_permuted into an existing array: the same order.
 *  @param[in,written] dst  written, of a's shape; the elements are cast to its dtype by the same_kind rule. May share
 *      memory with a
 *  @param[in,null] generator  whose numbers are used up; NULL: the process's own
 *  @param a  the array
 *  @param axis  the axis; negative values count from the end
 *  @param apart  0: one order of whole slices; 1: an order of its own for each line along the axis
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_random_permuted_into(arr_array dst, arr_generator generator, arr_array a, int32_t axis,
                                            int32_t apart, arr_stream stream);

/** arr_random_permuted in place.
 *  @param a  changed
 *  @param[in,null] generator  whose numbers are used up; NULL: the process's own
 *  @param axis  the axis; negative values count from the end
 *  @param apart  0: one order of whole slices; 1: an order of its own for each line along the axis
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.random.shuffle, cupy.random.RandomState.shuffle */
ARR_API arr_status arr_random_shuffle(arr_array a, arr_generator generator, int32_t axis, int32_t apart,
                                      arr_stream stream);

/** Random indices below n.
 *  @param[in,null] generator  whose numbers are used up; NULL: the process's own
 *  @param n  how many there are to choose from
 *  @param replace  1: an index may come again; 0: each comes once at most
 *  @param[in,null] weights  a vector of n probabilities, 1 in all within the root of what parts numbers of their type
 *  about 1 (float64: 1.5e-8, float32: 3.5e-4); NULL: all alike
 *  @param ndim  number of dimensions of the result
 *  @param[in,len=ndim] shape  extents
 *  @param[in,null] device  where (NULL: the host)
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference, of int64
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for the weights, which are looked at on the host   @threads any   @since 0.1 */
ARR_API arr_status arr_random_choice(arr_generator generator, int64_t n, int32_t replace, arr_array weights,
                                     int32_t ndim, const int64_t *shape, const arr_device *device,
                                     arr_stream stream, arr_array *out);

/** arr_random_choice into an existing array: the same indices, in row-major order of its elements.
 *  @param[in,written] dst  written: int64
 *  @param[in,null] generator  whose numbers are used up; NULL: the process's own
 *  @param n  how many there are to choose from
 *  @param replace  1: an index may come again; 0: each comes once at most
 *  @param[in,null] weights  a vector of n probabilities, 1 in all within the root of what parts numbers of their type
 *  about 1 (float64: 1.5e-8, float32: 3.5e-4); NULL: all alike
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync waits for the weights, which are looked at on the host   @threads any   @since 0.1 */
ARR_API arr_status arr_random_choice_into(arr_array dst, arr_generator generator, int64_t n, int32_t replace,
                                          arr_array weights, arr_stream stream);

/** Random slices of an array along an axis.
 *  @param[in,null] generator  whose numbers are used up; NULL: the process's own
 *  @param a  the array, with a dimension at least
 *  @param axis  the axis; negative values count from the end
 *  @param replace  1: a slice may come again; 0: each comes once at most
 *  @param[in,null] weights  a vector of a probability for each slice, 1 in all as for arr_random_choice; NULL: all
 *      alike
 *  @param ndim  number of dimensions that stand in the place of the axis
 *  @param[in,len=ndim] shape  extents
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference, in row-major order
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for the weights, which are looked at on the host   @threads any   @since 0.1
 *  @cupy cupy.random.choice, cupy.random.RandomState.choice */
ARR_API arr_status arr_random_sample(arr_generator generator, arr_array a, int32_t axis, int32_t replace,
                                     arr_array weights, int32_t ndim, const int64_t *shape, arr_stream stream,
                                     arr_array *out);

/** arr_random_sample into an existing array: the same slices, in row-major order of the chosen.
 *  @param[in,written] dst  written; the elements are cast to its dtype by the same_kind rule. Its dimensions are a's,
 *  and in the place of the axis any number of others. May share memory with a
 *  @param[in,null] generator  whose numbers are used up; NULL: the process's own
 *  @param a  the array, with a dimension at least
 *  @param axis  the axis; negative values count from the end
 *  @param replace  1: a slice may come again; 0: each comes once at most
 *  @param[in,null] weights  a vector of a probability for each slice, 1 in all as for arr_random_choice; NULL: all
 *      alike
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync waits for the weights, which are looked at on the host   @threads any   @since 0.1 */
ARR_API arr_status arr_random_sample_into(arr_array dst, arr_generator generator, arr_array a, int32_t axis,
                                          int32_t replace, arr_array weights, arr_stream stream);

#ifdef __cplusplus
}
#endif
#endif
