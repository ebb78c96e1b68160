// SPDX-License-Identifier: MIT
// The interface of the runtime and a compiled kernel image. Included by the runtime and embedded before every
// kernel source, so it has plain types only, no headers, C++17.
#pragma once

namespace arr_host {

constexpr unsigned abi_version = 11;

struct Dim {
  unsigned x, y, z;
};

struct Worker;  // the runtime's state of one OS thread

// Runs one thread of a block; called on a separate fiber.
typedef void (*Body)(void* const* args, unsigned thread);

// A run of consecutive blocks of one launch, for one OS thread.
struct Range {
  Dim grid, block;
  unsigned long long first, last;  // linear block numbers, last excluded
  void* dynamic_shared;
  void* const* args;  // one pointer per kernel parameter
  Worker* worker;
};

enum Barrier {
  barrier_sync,
  barrier_count,
  barrier_and,
  barrier_or,
  barrier_grid,
  barrier_numbered,  // the rest by `wait`: PTX's barriers with a number, cuda::barrier, cuda::atomic
  barrier_phase,
  barrier_value
};

enum WarpOp {
  warp_sync,
  warp_shuffle,
  warp_ballot,
  warp_match_any,
  warp_match_all,
  warp_add,
  warp_and,
  warp_or,
  warp_xor,
  warp_min_signed,
  warp_max_signed,
  warp_min_unsigned,
  warp_max_unsigned,
  warp_active,
  tile_count,  // of several warps: source is how many, and 256 times the rank to read from
  tile_shuffle
};

// In images made with the loop-fission pass: what a thread does next. A plain number is the piece of the
// kernel it may run; with one of these bits it waits before that piece.
enum Piece {
  piece_waits_in_warp = 0x20000000,
  piece_waits_at_barrier = 0x40000000,
  piece_number = 0x0fffffff,
  piece_ended = 0x7fffffff
};
enum Step { step_alone = 1, step_whole_warps = 2 };  // see arr_fission_step

// With ARR_CHECK=1, what is done to memory; see checks.h. access_phase: no access, but the end of a phase of
// a cuda::barrier, which orders those before it and those after it. access_taken, access_given_back: of
// memory that PTX's alloca gives, around which are access_margin bytes of nobody.
enum Access { access_read, access_write, access_atomic, access_phase, access_taken, access_given_back };
constexpr unsigned access_margin = 256;

// The address spaces of a kernel, and the questions to `address`: the space of an address, and the conversion
// of an address in shared memory to a number (which PTX uses on a GPU) and back. For PTX also the memory
// through which the blocks of a cooperative launch meet (0: the launch is not one), and a number that no
// other block of the thread has.
enum Space { space_global, space_shared, space_local };
enum Address { address_space, address_to_shared, address_from_shared, address_grid, address_block };

// The kind of texture that a function expects: the number of its coordinates within a layer (1 to 3), and
// whether there are layers, or the faces of cubes. gather: tex2Dgather, with a channel for the layer.
enum Shape { shape_layered = 8, shape_cube = 16, shape_gather = 32 };

// The behaviour of a surface function outside of its surface, with CUDA's numbers.
enum Boundary { boundary_zero, boundary_clamp, boundary_trap };
// The kinds of access; those after surface_write change whole numbers of 4 or 8 bytes in one step.
enum SurfaceWork {
  surface_read,
  surface_write,
  surface_add,
  surface_min,
  surface_max,
  surface_min_unsigned,
  surface_max_unsigned,
  surface_and,
  surface_or
};
struct SurfaceAccess {
  int shape, x, y, z;  // x in bytes; by_texel: in texels, whose channel says the sign for min and max
  int layer;           // or the face
  int bytes, boundary, work;
  void* value;  // that is written, or read
  int by_texel;
};
// Questions about a texture or surface. An extent that there is not is 0; the channels' type and order have
// OpenCL's numbers, as PTX has them.
enum Query {
  query_width,
  query_height,
  query_depth,
  query_layers,
  query_normalized,
  query_type,
  query_order,
  query_filter,
  query_address_0,
  query_address_1,
  query_address_2
};

// Services of the runtime. A table of pointers, so that an image opened RTLD_LOCAL needs no symbol of ours.
struct Runtime {
  int (*run_block)(Worker*, unsigned threads, Body, void* const* args, Dim block_index);  // 0: it failed
  void (*sync)(Worker*, unsigned line);                                                   // __syncthreads
  int (*barrier)(Worker*, int kind, int predicate, unsigned line);
  unsigned long long (*warp)(Worker*, int op, unsigned mask, unsigned long long value, unsigned source,
                             unsigned line);
  void (*yield)(Worker*);
  // Lets other threads of the block and of the processor go on: a thread asks again for what others write.
  void (*rest)(Worker*);
  // Waits until the bits of `mask` in *word are not those of `value`; it may return earlier where another
  // block may write the word. `number` is that of a barrier that has one.
  void (*wait)(Worker*, const unsigned* word, unsigned mask, unsigned value, int kind, unsigned number,
               unsigned line);
  void (*fail)(Worker*, const char* what, unsigned line, Dim block_index, Dim thread_index);  // never returns
  // For images made with the pass. Memory that stays until the next call, 64-byte aligned.
  void* (*context)(Worker*, unsigned long long bytes);
  // Called when every thread waits or has ended: lets go on those whose wait is over and returns the piece to
  // run, -1 when the block has ended. A warp's `live` lanes are kept here; `sites`: operation and line of the
  // wait before each piece; a mask of 0 asks for the lanes that wait at the same site.
  int (*release)(Worker*, int* next, unsigned* masks, unsigned* live, unsigned threads, const int* sites,
                 Dim block_index);
  // With ARR_CHECK=1: `code` is about to access memory. Does not return when it may not.
  void (*access)(Worker*, const void* address, unsigned long long bytes, int access, const void* code);
  // Textures and surfaces. Null, or what is wrong with the call, which ends the kernel. `four`: the channels'
  // bits, integers widened to 32; texel: of tex1Dfetch.
  const char* (*texture)(unsigned long long texture, int shape, int layer, float x, float y, float z,
                         unsigned* four);
  const char* (*texel)(unsigned long long texture, int index, unsigned* four);
  const char* (*surface)(unsigned long long surface, const SurfaceAccess* access);
  const char* (*query)(unsigned long long object, int is_surface, int what, unsigned* answer);
  // True if all blocks of the launch are alive at once. With `meet` it returns when one thread of each block
  // has called it; it does not return if that cannot happen.
  int (*grid)(Worker*, int meet, unsigned line, Dim block_index, Dim thread_index);
  // ~0: not in shared memory.
  unsigned long long (*address)(Worker*, int asked, unsigned long long address);
  // With ARR_KERNEL_TIMEOUT: called now and then by code that runs. Does not return when the time is over.
  void (*passed)(const void* code);
};

enum ArgType : unsigned { arg_pointer = 256, arg_readonly = 512 };

struct Entry {
  void (*loop)(const Range*);   // threads in a vectorisable loop; null when it was not wanted
  void (*fiber)(const Range*);  // each thread on a fiber; null when it was not wanted
  Body body;                    // what `fiber` runs; its code range locates sync sites
  const char* name;
  unsigned nargs;
  const unsigned* arg_bytes;
  const unsigned* arg_types;   // dtype of the value or of what a pointer points at (0: none), and flags
  const char* const* refusal;  // why the pass has no loop form of it; null: not asked; points to null: it has
};

struct Variable {
  const char* name;
  void* address;
  unsigned long long bytes;
  unsigned plain;  // numbers: holds no pointer
};

// One per __syncthreads or warp function that survived dead-code elimination. kind 0 only keeps the
// section from being empty.
struct Site {
  int code_offset;  // of the call, from this field's address
  int kind;
};

struct Image {
  unsigned abi;
  unsigned n_entries, n_variables;
  const Entry* entries;
  const Variable* variables;
  const Site* sites_begin;
  const Site* sites_end;
  void (*bind)(const Runtime*);
};

}  // namespace arr_host
