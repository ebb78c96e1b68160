// SPDX-License-Identifier: MIT
// PTX's types, instructions and special registers with what they are in C++. Sections are those of NVIDIA's
// "Parallel Thread Execution ISA", chapter "Instruction Set", by their titles.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string_view>

namespace arr::host_kernels {

// group: the letter by which rows below name types. i: whole numbers of 16 to 64 bits; b: their bits; w: 128
// bits, which are moved only; t: two floats.
struct PtxType {
  std::string_view name, code;
  int bits;
  char group;
};
inline constexpr PtxType ptx_types[] = {{"u8", "unsigned char", 8, 'o'},
                                        {"b8", "unsigned char", 8, 'o'},
                                        {"s8", "signed char", 8, 'o'},
                                        {"u16", "unsigned short", 16, 'i'},
                                        {"b16", "unsigned short", 16, 'b'},
                                        {"b128", "unsigned __int128", 128, 'w'},
                                        {"s16", "short", 16, 'i'},
                                        {"f16", "arr_ptx::half", 16, 'h'},
                                        {"bf16", "arr_ptx::bfloat", 16, 'h'},
                                        {"u32", "unsigned", 32, 'i'},
                                        {"b32", "unsigned", 32, 'b'},
                                        {"s32", "int", 32, 'i'},
                                        {"u64", "unsigned long long", 64, 'i'},
                                        {"b64", "unsigned long long", 64, 'b'},
                                        {"s64", "long long", 64, 'i'},
                                        {"f32", "float", 32, 'f'},
                                        {"f64", "double", 64, 'd'},
                                        {"pred", "bool", 1, 'p'},
                                        {"u16x2", "arr_ptx::halfwords<unsigned short>", 32, 'q'},
                                        {"s16x2", "arr_ptx::halfwords<short>", 32, 'q'},
                                        {"f32x2", "arr_ptx::floats2", 64, 't'},
                                        {"f16x2", "arr_ptx::half2", 32, 'h'},
                                        {"bf16x2", "arr_ptx::bfloat2", 32, 'h'}};
// Null where there is no type of that name.
const PtxType* find_ptx_type(std::string_view name);

// Instructions that are functions of their operands: the name with the modifiers that count; the types of the
// result and of the operands (T: the instruction's type; W: twice as wide; U: u32; I: s32; P: a predicate);
// the groups of types it is for; modifiers that it may have besides (z: ftz, s: sat, r: a rounding, a: approx
// or full, which are exact here, c: cc).
struct PtxFunction {
  std::string_view name, kinds, groups, modifiers, section;
};
constexpr std::string_view ptx_integers = "Integer Arithmetic Instructions",
                           ptx_extended = "Extended-Precision Integer Arithmetic Instructions",
                           ptx_floats = "Floating Point Instructions",
                           ptx_halves = "Half Precision Floating Point Instructions",
                           ptx_selection = "Comparison and Selection Instructions",
                           ptx_logic = "Logic and Shift Instructions",
                           ptx_movement = "Data Movement and Conversion Instructions",
                           ptx_textures = "Texture Instructions", ptx_surfaces = "Surface Instructions",
                           ptx_flow = "Control Flow Instructions",
                           ptx_communication = "Parallel Synchronization and Communication Instructions",
                           ptx_matrices = "Warp Level Matrix Multiply-Accumulate Instructions",
                           ptx_stack = "Stack Manipulation Instructions", ptx_video = "Video Instructions",
                           ptx_miscellaneous = "Miscellaneous Instructions";
constexpr bool is_ptx_section(std::string_view section) {
  for (const std::string_view known :
       {ptx_integers, ptx_extended, ptx_floats, ptx_halves, ptx_selection, ptx_logic, ptx_movement,
        ptx_textures, ptx_surfaces, ptx_flow, ptx_communication, ptx_matrices, ptx_stack, ptx_video,
        ptx_miscellaneous})
    if (section == known) return true;
  return false;
}
// True if each row names a section of the document.
template <class Row, size_t N>
constexpr bool cites_sections(const Row (&rows)[N]) {
  for (const Row& row : rows)
    if (!is_ptx_section(row.section)) return false;
  return true;
}
// The row of a name; null where there is none.
template <class Row, size_t N>
const Row* find_ptx_row(const Row (&rows)[N], std::string_view name) {
  for (const Row& row : rows)
    if (row.name == name) return &row;
  return nullptr;
}
inline constexpr PtxFunction ptx_functions[] = {{"add", "TTT", "i", "", ptx_integers},
                                                {"add.sat", "TTT", "i", "", ptx_integers},
                                                {"sub", "TTT", "i", "", ptx_integers},
                                                {"sub.sat", "TTT", "i", "", ptx_integers},
                                                {"mul.lo", "TTT", "i", "", ptx_integers},
                                                {"mul.hi", "TTT", "i", "", ptx_integers},
                                                {"mul.wide", "WTT", "i", "", ptx_integers},
                                                {"mul24.lo", "TTT", "i", "", ptx_integers},
                                                {"mul24.hi", "TTT", "i", "", ptx_integers},
                                                {"mad.lo", "TTTT", "i", "", ptx_integers},
                                                {"mad.hi", "TTTT", "i", "", ptx_integers},
                                                {"mad.wide", "WTTW", "i", "", ptx_integers},
                                                {"mad24.lo", "TTTT", "i", "", ptx_integers},
                                                {"mad24.hi", "TTTT", "i", "", ptx_integers},
                                                {"sad", "TTTT", "i", "", ptx_integers},
                                                {"div", "TTT", "i", "", ptx_integers},
                                                {"rem", "TTT", "i", "", ptx_integers},
                                                {"neg", "TT", "i", "", ptx_integers},
                                                {"abs", "TT", "i", "", ptx_integers},
                                                {"min", "TTT", "i", "", ptx_integers},
                                                {"max", "TTT", "i", "", ptx_integers},
                                                {"add", "TTT", "q", "", ptx_integers},
                                                {"min", "TTT", "q", "", ptx_integers},
                                                {"max", "TTT", "q", "", ptx_integers},
                                                {"min.relu", "TTT", "q", "", ptx_integers},
                                                {"max.relu", "TTT", "q", "", ptx_integers},
                                                {"min.relu", "TTT", "i", "", ptx_integers},
                                                {"max.relu", "TTT", "i", "", ptx_integers},
                                                {"popc", "UT", "b", "", ptx_integers},
                                                {"clz", "UT", "b", "", ptx_integers},
                                                {"brev", "TT", "b", "", ptx_integers},
                                                {"bfind", "UT", "i", "", ptx_integers},
                                                {"bfind.shiftamt", "UT", "i", "", ptx_integers},
                                                {"bfe", "TTUU", "i", "", ptx_integers},
                                                {"bfi", "TTTUU", "b", "", ptx_integers},
                                                {"szext.wrap", "TTU", "i", "", ptx_integers},
                                                {"szext.clamp", "TTU", "i", "", ptx_integers},
                                                {"bmsk.wrap", "UUU", "b", "", ptx_integers},
                                                {"bmsk.clamp", "UUU", "b", "", ptx_integers},
                                                {"fns", "UUUI", "b", "", ptx_integers},
                                                {"and", "TTT", "bp", "", ptx_logic},
                                                {"or", "TTT", "bp", "", ptx_logic},
                                                {"xor", "TTT", "bp", "", ptx_logic},
                                                {"not", "TT", "bp", "", ptx_logic},
                                                {"cnot", "TT", "b", "", ptx_logic},
                                                {"lop3", "UUUUU", "b", "", ptx_logic},
                                                {"shl", "TTU", "b", "", ptx_logic},
                                                {"shr", "TTU", "bi", "", ptx_logic},
                                                {"shf.l.wrap", "UUUU", "b", "", ptx_logic},
                                                {"shf.r.wrap", "UUUU", "b", "", ptx_logic},
                                                {"shf.l.clamp", "UUUU", "b", "", ptx_logic},
                                                {"shf.r.clamp", "UUUU", "b", "", ptx_logic},
                                                {"prmt", "UUUU", "b", "", ptx_movement},
                                                {"prmt.f4e", "UUUU", "b", "", ptx_movement},
                                                {"prmt.b4e", "UUUU", "b", "", ptx_movement},
                                                {"prmt.rc8", "UUUU", "b", "", ptx_movement},
                                                {"prmt.ecl", "UUUU", "b", "", ptx_movement},
                                                {"prmt.ecr", "UUUU", "b", "", ptx_movement},
                                                {"prmt.rc16", "UUUU", "b", "", ptx_movement},
                                                {"selp", "TTTP", "bifd", "", ptx_selection},
                                                {"add", "TTT", "fd", "rzs", ptx_floats},
                                                {"sub", "TTT", "fd", "rzs", ptx_floats},
                                                {"mul", "TTT", "fd", "rzs", ptx_floats},
                                                {"fma", "TTTT", "fd", "rzs", ptx_floats},
                                                {"mad", "TTTT", "fd", "rzs", ptx_floats},
                                                {"add", "TTT", "t", "rz", ptx_floats},
                                                {"sub", "TTT", "t", "rz", ptx_floats},
                                                {"mul", "TTT", "t", "rz", ptx_floats},
                                                {"fma", "TTTT", "t", "rz", ptx_floats},
                                                {"div", "TTT", "fd", "rza", ptx_floats},
                                                {"rcp", "TT", "fd", "rza", ptx_floats},
                                                {"sqrt", "TT", "fd", "rza", ptx_floats},
                                                {"rsqrt", "TT", "fd", "za", ptx_floats},
                                                {"neg", "TT", "fd", "z", ptx_floats},
                                                {"abs", "TT", "fd", "z", ptx_floats},
                                                {"min", "TTT", "fd", "z", ptx_floats},
                                                {"max", "TTT", "fd", "z", ptx_floats},
                                                {"min.NaN", "TTT", "f", "z", ptx_floats},
                                                {"max.NaN", "TTT", "f", "z", ptx_floats},
                                                {"min.xorsign.abs", "TTT", "f", "z", ptx_floats},
                                                {"max.xorsign.abs", "TTT", "f", "z", ptx_floats},
                                                {"copysign", "TTT", "fd", "", ptx_floats},
                                                {"testp.finite", "PT", "fd", "", ptx_floats},
                                                {"testp.infinite", "PT", "fd", "", ptx_floats},
                                                {"testp.number", "PT", "fd", "", ptx_floats},
                                                {"testp.notanumber", "PT", "fd", "", ptx_floats},
                                                {"testp.normal", "PT", "fd", "", ptx_floats},
                                                {"testp.subnormal", "PT", "fd", "", ptx_floats},
                                                {"ex2", "TT", "f", "za", ptx_floats},
                                                {"lg2", "TT", "f", "za", ptx_floats},
                                                {"sin", "TT", "f", "za", ptx_floats},
                                                {"cos", "TT", "f", "za", ptx_floats},
                                                {"tanh", "TT", "fh", "a", ptx_floats},
                                                {"ex2", "TT", "h", "za", ptx_halves},
                                                {"add", "TTT", "h", "nzs", ptx_halves},
                                                {"sub", "TTT", "h", "nzs", ptx_halves},
                                                {"mul", "TTT", "h", "nzs", ptx_halves},
                                                {"fma", "TTTT", "h", "nzs", ptx_halves},
                                                {"fma.relu", "TTTT", "h", "nz", ptx_halves},
                                                {"neg", "TT", "h", "z", ptx_halves},
                                                {"abs", "TT", "h", "z", ptx_halves},
                                                {"min", "TTT", "h", "z", ptx_halves},
                                                {"max", "TTT", "h", "z", ptx_halves},
                                                {"min.NaN", "TTT", "h", "z", ptx_halves},
                                                {"max.NaN", "TTT", "h", "z", ptx_halves}};
static_assert(cites_sections(ptx_functions));

struct PtxSpecial {
  std::string_view name, code;
};
inline constexpr PtxSpecial ptx_specials[] = {
    {"tid.x", "threadIdx.x"},
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
    {"clusterid.x", "blockIdx.x"},  // each block is one
    {"clusterid.y", "blockIdx.y"},
    {"clusterid.z", "blockIdx.z"},
    {"nclusterid.x", "gridDim.x"},
    {"nclusterid.y", "gridDim.y"},
    {"nclusterid.z", "gridDim.z"},
    {"cluster_ctaid.x", "0u"},
    {"cluster_ctaid.y", "0u"},
    {"cluster_ctaid.z", "0u"},
    {"cluster_nctaid.x", "1u"},
    {"cluster_nctaid.y", "1u"},
    {"cluster_nctaid.z", "1u"},
    {"cluster_ctarank", "0u"},
    {"cluster_nctarank", "1u"},
    {"is_explicit_cluster", "false"},
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
    {"reserved_smem_offset_begin", "ptx_reserved"},
    {"reserved_smem_offset_end", "ptx_reserved + ptx_reserved_bytes"},
    {"reserved_smem_offset_cap", "ptx_reserved_bytes"},
    {"reserved_smem_offset_0", "ptx_reserved"},
    {"reserved_smem_offset_1", "ptx_reserved"},
    {"envreg1", "unsigned(arr_ptx::grid_memory() >> 32)"},
    {"envreg2", "unsigned(arr_ptx::grid_memory())"},
    {"lanemask_eq", "(1u << arr_lane())"},
    {"lanemask_lt", "((1u << arr_lane()) - 1u)"},
    {"lanemask_le", "((2u << arr_lane()) - 1u)"},
    {"lanemask_gt", "~((2u << arr_lane()) - 1u)"},
    {"lanemask_ge", "~((1u << arr_lane()) - 1u)"}};

// Beginnings of the names of special registers without a host form.
inline constexpr std::string_view ptx_absent[] = {
    "envreg", "pm", "total_smem", "aggr_smem", "dynamic_smem", "reserved_smem", "current_graph"};

// Instructions with no effect here: memory is coherent, copies are made at once, kernels run in their order.
struct PtxNothing {
  std::string_view name, section;
};
inline constexpr PtxNothing ptx_nothing[] = {
    {"prefetch", ptx_movement},      {"prefetchu", ptx_movement},           {"discard", ptx_movement},
    {"applypriority", ptx_movement}, {"griddepcontrol", ptx_communication}, {"setmaxnreg", ptx_miscellaneous},
    {"pmevent", ptx_miscellaneous},  {"brkpt", ptx_miscellaneous}};
static_assert(cites_sections(ptx_nothing));

// Modifiers of accesses to memory that change no result here: orders and scopes, caches, proxies.
inline constexpr std::string_view ptx_idle[] = {"weak",
                                                "volatile",
                                                "relaxed",
                                                "acquire",
                                                "release",
                                                "acq_rel",
                                                "cta",
                                                "gpu",
                                                "sys",
                                                "gl",
                                                "cluster",
                                                "global",
                                                "shared",
                                                "const",
                                                "local",
                                                "param",
                                                "nc",
                                                "ca",
                                                "cg",
                                                "cs",
                                                "cv",
                                                "lu",
                                                "wb",
                                                "wt",
                                                "sync",
                                                "aligned",
                                                "mmio",
                                                "shared::cta",
                                                "shared::cluster",
                                                "noftz",
                                                "sc",
                                                "level",
                                                "param::entry",
                                                "param::func"};

}  // namespace arr::host_kernels
