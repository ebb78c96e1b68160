// SPDX-License-Identifier: MIT
// The host's table of this family.
#include "backend/indexing.h"

#include "host/device/streams.h"
#include "host/indexing/calls.h"
#include "host/tables.h"

namespace arr::host {

const IndexingApi indexing_api = {
    .scatter = entry<scatter, ScatterCall>,
};

}  // namespace arr::host
