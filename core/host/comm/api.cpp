// SPDX-License-Identifier: MIT
// The host's table of this family. It is empty: ranks of the host are connected by the core.
#include "backend/comm.h"

#include "host/tables.h"

namespace arr::host {

const CommApi comm_api = {};

}  // namespace arr::host
