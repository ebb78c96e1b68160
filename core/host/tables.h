// SPDX-License-Identifier: MIT
// The tables of the host backend. Each is filled in the folder of its family.
#pragma once

#include "backend/tables.h"

namespace arr::host {

extern const DeviceApi device_api;
extern const StreamApi stream_api;
extern const MemoryApi memory_api;
extern const PoolApi pool_api;
extern const GraphApi graph_api;
extern const LibraryApi library_api;
extern const KernelApi kernel_api;
extern const TextureApi texture_api;
extern const ElementwiseApi elementwise_api;
extern const ReduceApi reduce_api;
extern const IndexingApi indexing_api;
extern const SortingApi sorting_api;
extern const LinalgApi linalg_api;
extern const FftApi fft_api;

}  // namespace arr::host
