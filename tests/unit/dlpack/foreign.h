/* SPDX-License-Identifier: MIT */
/* foreign.h - DLPack tensors as another library would make and read them: by byte offsets, without libarr's
 * declarations. */
#ifndef ARR_TEST_FOREIGN_H
#define ARR_TEST_FOREIGN_H
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The fields of a tensor. */
typedef struct foreign_fields {
  int versioned;
  uint32_t major, minor;
  uint64_t flags;
  void* data;
  int32_t device_type, device_id, ndim;
  uint8_t code, bits;
  uint16_t lanes;
  int64_t *shape, *strides;
  uint64_t byte_offset;
} foreign_fields;

/** Record of a tensor's deletion. */
typedef struct foreign_owner {
  int deletions;
  int no_deleter;            /* the struct's deleter is NULL; free it with foreign_free */
  void (*hook)(void* extra); /* called by the deleter; may be NULL */
  void* extra;
} foreign_owner;

/** A tensor with these fields; shape and strides are used as they are, not copied. */
void* foreign_make(const foreign_fields* fields, foreign_owner* owner);
/** Frees a tensor that nobody took. */
void foreign_free(void* tensor, int versioned);
/** The fields of somebody else's tensor. */
void foreign_read(const void* tensor, int versioned, foreign_fields* fields);
/** Calls the deleter at its fixed offset; gives 0 where it is NULL. */
int foreign_delete(void* tensor, int versioned);
/** Overwrites what a careless consumer might. */
void foreign_spoil(void* tensor, int versioned);
/** Puts the deleter that counts in *owner where a versioned tensor of another major has it. */
void foreign_put_front(void* at, uint32_t major, foreign_owner* owner);

#ifdef __cplusplus
}
#endif
#endif
