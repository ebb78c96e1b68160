// SPDX-License-Identifier: MIT
// The host's textures: entries of their table.
#pragma once

#include "backend/texture.h"

namespace arr::host {

int32_t texels_create(int32_t device, const TexelsFormat* format, void** texels, BackendError* e);
int32_t texels_copy(int32_t device, void* texels, void* dense, int32_t to_texels, void* stream,
                    BackendError* e);
int32_t texels_release(int32_t device, void* texels, void* stream, BackendError* e);
int32_t texture_create(int32_t device, const TextureCall* call, void** texture, uint64_t* object,
                       BackendError* e);
int32_t texture_release(int32_t device, void* texture, void* stream, BackendError* e);

}  // namespace arr::host
