// SPDX-License-Identifier: MIT
// Names of the backend interface, for headers that only pass them on.
#pragma once

namespace arr {

struct Backend;
struct BackendError;

}  // namespace arr
