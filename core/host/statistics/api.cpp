// SPDX-License-Identifier: MIT
// The host's table of this family.
#include "backend/statistics.h"

#include "host/device/streams.h"
#include "host/statistics/calls.h"
#include "host/tables.h"

namespace arr::host {

const StatisticsApi statistics_api = {
    .quantiles = entry<quantiles, QuantileCall>,
};

}  // namespace arr::host
