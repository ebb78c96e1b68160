// SPDX-License-Identifier: MIT
// The work of the host backend: a function per call, threaded, which returns when the work is done.
// device/streams.h has the order of work. Exceptions are arr::Error.
#pragma once

#include <memory>
#include <string>

namespace arr {

// backend/<family>.h
struct BlocksCall;
struct CosineCall;
struct ElementwiseCall;
struct FftCall;
struct LinalgCall;
struct MatmulCall;
struct QuantileCall;
struct ReduceCall;
struct ScanCall;
struct ScatterCall;
struct SegmentsCall;
struct SortCall;
class PlanSet;

namespace host {

void elementwise(const ElementwiseCall& call);
void reduce(const ReduceCall& call);
void scan(const ScanCall& call);
void segments(const SegmentsCall& call);
void scatter(const ScatterCall& call);
void matmul(const MatmulCall& call);
void quantiles(const QuantileCall& call);
void weighted_quantiles(const QuantileCall& call);
void sort(const SortCall& call);
void blocks(const BlocksCall& call);
void linalg(const LinalgCall& call);
void fft(const FftCall& call);
void plan_fft(const FftCall& call, std::shared_ptr<PlanSet>* book);
void cosine(const CosineCall& call);

// Adds the BLAS library that was found to a report, a line per thing tried; false where there is none.
bool blas_report(std::string* report);
// The same of FFTW in both precisions.
bool fftw_report(std::string* report);

}  // namespace host

}  // namespace arr
