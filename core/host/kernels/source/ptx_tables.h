// SPDX-License-Identifier: MIT
// PTX's types, instructions and special registers with what they are in C++.
#pragma once

#include <string_view>

namespace arr::host_kernels {

inline constexpr std::string_view ptx_types[][2] = {{"u8", "unsigned char"},
                                                    {"b8", "unsigned char"},
                                                    {"s8", "signed char"},
                                                    {"u16", "unsigned short"},
                                                    {"b16", "unsigned short"},
                                                    {"s16", "short"},
                                                    {"f16", "unsigned short"},
                                                    {"bf16", "unsigned short"},
                                                    {"u32", "unsigned"},
                                                    {"b32", "unsigned"},
                                                    {"s32", "int"},
                                                    {"u64", "unsigned long long"},
                                                    {"b64", "unsigned long long"},
                                                    {"s64", "long long"},
                                                    {"f32", "float"},
                                                    {"f64", "double"},
                                                    {"pred", "bool"},
                                                    {"f16x2", "unsigned"},
                                                    {"bf16x2", "unsigned"}};

// Instructions that are functions of their operands: the name with the modifiers that count, and the types of
// the result and of the operands. T: the instruction's type; W: twice as wide; U: u32; I: s32; P: a
// predicate.
struct PtxFunction {
  std::string_view name, kinds;
};
inline constexpr PtxFunction ptx_functions[] = {{"add", "TTT"},          {"sub", "TTT"},
                                                {"mul", "TTT"},          {"add.rn", "TTT"},
                                                {"sub.rn", "TTT"},       {"mul.rn", "TTT"},
                                                {"mul.lo", "TTT"},       {"mul.hi", "TTT"},
                                                {"mul.wide", "WTT"},     {"mul24.lo", "TTT"},
                                                {"mad.lo", "TTTT"},      {"mad.hi", "TTTT"},
                                                {"mad.wide", "WTTW"},    {"mad24.lo", "TTTT"},
                                                {"mad", "TTTT"},         {"fma.rn", "TTTT"},
                                                {"mad.rn", "TTTT"},      {"div", "TTT"},
                                                {"div.rn", "TTT"},       {"rem", "TTT"},
                                                {"neg", "TT"},           {"abs", "TT"},
                                                {"min", "TTT"},          {"max", "TTT"},
                                                {"and", "TTT"},          {"or", "TTT"},
                                                {"xor", "TTT"},          {"not", "TT"},
                                                {"cnot", "TT"},          {"shl", "TTU"},
                                                {"shr", "TTU"},          {"bfe", "TTUU"},
                                                {"bfi", "TTTUU"},        {"popc", "UT"},
                                                {"clz", "UT"},           {"brev", "TT"},
                                                {"bfind", "UT"},         {"bfind.shiftamt", "UT"},
                                                {"sad", "TTTT"},         {"selp", "TTTP"},
                                                {"lop3", "UUUUU"},       {"prmt", "UUUU"},
                                                {"prmt.f4e", "UUUU"},    {"prmt.b4e", "UUUU"},
                                                {"prmt.rc8", "UUUU"},    {"prmt.ecl", "UUUU"},
                                                {"prmt.ecr", "UUUU"},    {"prmt.rc16", "UUUU"},
                                                {"shf.l.wrap", "UUUU"},  {"shf.r.wrap", "UUUU"},
                                                {"shf.l.clamp", "UUUU"}, {"shf.r.clamp", "UUUU"},
                                                {"copysign", "TTT"},     {"rcp", "TT"},
                                                {"rcp.rn", "TT"},        {"sqrt", "TT"},
                                                {"sqrt.rn", "TT"},       {"rsqrt", "TT"},
                                                {"ex2", "TT"},           {"lg2", "TT"},
                                                {"sin", "TT"},           {"cos", "TT"},
                                                {"tanh", "TT"}};

struct PtxSpecial {
  std::string_view name, code;
};
inline constexpr PtxSpecial ptx_specials[] = {{"tid.x", "threadIdx.x"},
                                              {"tid.y", "threadIdx.y"},
                                              {"tid.z", "threadIdx.z"},
                                              {"ntid.x", "blockDim.x"},
                                              {"ntid.y", "blockDim.y"},
                                              {"ntid.z", "blockDim.z"},
                                              {"ctaid.x", "blockIdx.x"},
                                              {"ctaid.y", "blockIdx.y"},
                                              {"ctaid.z", "blockIdx.z"},
                                              {"nctaid.x", "gridDim.x"},
                                              {"nctaid.y", "gridDim.y"},
                                              {"nctaid.z", "gridDim.z"},
                                              {"laneid", "arr_lane()"},
                                              {"warpid", "arr_ptx::warp()"},
                                              {"nwarpid", "arr_ptx::warps()"},
                                              {"smid", "0u"},
                                              {"nsmid", "1u"},
                                              {"gridid", "0ull"},
                                              {"clock", "unsigned(clock64())"},
                                              {"clock_hi", "unsigned(clock64() >> 32)"},
                                              {"clock64", "(unsigned long long)clock64()"},
                                              {"globaltimer", "arr_ptx::nanoseconds()"},
                                              {"globaltimer_lo", "unsigned(arr_ptx::nanoseconds())"},
                                              {"globaltimer_hi", "unsigned(arr_ptx::nanoseconds() >> 32)"},
                                              {"lanemask_eq", "(1u << arr_lane())"},
                                              {"lanemask_lt", "((1u << arr_lane()) - 1u)"},
                                              {"lanemask_le", "((2u << arr_lane()) - 1u)"},
                                              {"lanemask_gt", "~((2u << arr_lane()) - 1u)"},
                                              {"lanemask_ge", "~((1u << arr_lane()) - 1u)"}};

// Instructions with no effect here: memory is coherent, copies are made at once, kernels run in their order.
inline constexpr std::string_view ptx_nothing[] = {"prefetch",      "prefetchu",      "discard",
                                                   "applypriority", "griddepcontrol", "setmaxnreg"};

// Modifiers that change no result here.
inline constexpr std::string_view ptx_idle[] = {
    "ftz",     "approx",  "full",  "aligned", "weak", "volatile",   "relaxed", "acquire",
    "release", "acq_rel", "cta",   "gpu",     "sys",  "gl",         "cluster", "global",
    "shared",  "const",   "local", "param",   "nc",   "ca",         "cg",      "cs",
    "cv",      "lu",      "wb",    "wt",      "sync", "shared::cta"};

}  // namespace arr::host_kernels
