// SPDX-License-Identifier: MIT
// The work of the host backend (arr::host_backend) behind the seam: always there, threaded. streams.h has the
// order of work.
// Exceptions are arr::Error.
#pragma once

#include "backend/linalg.h"
#include "backend/low.h"
#include "backend/row_pipeline.h"
#include "backend/sorting.h"

namespace arr::host {

void elementwise(const ElementwiseCall& call);
void reduce(const ReduceCall& call);
void scan(const ScanCall& call);
void segments(const SegmentsCall& call);
void scatter(const ScatterCall& call);
void matmul(const MatmulCall& call);
void quantiles(const QuantileCall& call);
void weighted_quantiles(const QuantileCall& call);
void blocks(const BlocksCall& call);
void linalg(const LinalgCall& call);
void fft(const FftCall& call);
void plan_fft(const FftCall& call, std::shared_ptr<PlanBook>* book);
void cosine(const CosineCall& call);

// What was found of the BLAS library, a line per thing tried; false where there is none.
bool blas_report(std::string* report);
// The same of FFTW in both precisions.
bool fftw_report(std::string* report);

// What the low-level interface needs (backend/low.h).
extern const LowLevel low_level;

}  // namespace arr::host
