// SPDX-License-Identifier: MIT
// The host's table of this family.
#include "backend/sorting.h"

#include "host/device/streams.h"
#include "host/sorting/calls.h"
#include "host/tables.h"

namespace arr::host {

const SortingApi sorting_api = {
    .sort = entry<sort, SortCall>,
};

}  // namespace arr::host
