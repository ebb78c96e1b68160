// SPDX-License-Identifier: MIT
// The CUDA backend's table of this family.
#include "backend/statistics.h"
#include "cuda/device/entry.h"
#include "cuda/statistics/calls.h"
#include "cuda/tables.h"

namespace arr::cuda {

const StatisticsApi statistics_api = {
    .quantiles = entry<quantiles, QuantileCall>,
};

}  // namespace arr::cuda
