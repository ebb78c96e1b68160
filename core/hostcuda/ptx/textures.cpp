// SPDX-License-Identifier: MIT
// Textures and surfaces by their objects ("Unified mode"): calls of shim/ptx_textures.h. PTX ISA: "Texture
// Instructions", "Surface Instructions".
#include <algorithm>
#include <string>

#include "base/error.h"
#include "hostcuda/ptx/writer.h"

namespace arr::host_kernels {
namespace {

constexpr PtxGeometry geometries[] = {
    {"1d", 1, 1, false, "1"},
    {"2d", 2, 2, false, "2"},
    {"3d", 3, 4, false, "3"},
    {"a1d", 1, 2, true, "1 | arr_host::shape_layered"},
    {"a2d", 2, 4, true, "2 | arr_host::shape_layered"},
    {"cube", 3, 4, false, "2 | arr_host::shape_cube"},
    {"acube", 3, 4, true, "2 | arr_host::shape_cube | arr_host::shape_layered"}};

const PtxGeometry* geometry_of(const PtxInstruction& i) {
  for (const PtxGeometry& g : geometries)
    if (i.has(g.name)) return &g;
  return nullptr;
}

bool only(const PtxInstruction& i, std::initializer_list<std::string_view> allowed, const PtxGeometry& g) {
  return std::all_of(i.modifiers.begin(), i.modifiers.end(), [&](const std::string& m) {
    return m == g.name || find_ptx_type(m) != nullptr ||
           std::find(allowed.begin(), allowed.end(), m) != allowed.end();
  });
}

}  // namespace

// [object, {x, y}]: C++ of the object, and the registers; none where it is not so.
std::string PtxWriter::object(size_t at, size_t length, std::vector<std::string>& coordinates) {
  std::string o = at < count() ? i_.operands[at] : "";
  o.erase(std::remove_if(o.begin(), o.end(), [](char c) { return c == ' ' || c == '\t'; }), o.end());
  const size_t comma = o.find(',');
  if (o.size() < 4 || o[0] != '[' || o.back() != ']' || comma == std::string::npos)
    return bad("expected an object and coordinates in brackets");
  coordinates = parts(o.substr(comma + 1, o.size() - comma - 2));
  if (coordinates.size() != length) {
    coordinates.assign(length, "");
    return bad(text("expected ", length, " coordinates"));
  }
  const std::string name = o.substr(1, comma - 1);
  if (r_.find(name).empty()) return bad("'" + name + "' is no register with an object");
  return value(name, "unsigned long long");
}

// "object, shape, layer, x, y, z" for the shim; `layer` is that of a geometry without layers.
std::string PtxWriter::coordinates_text(size_t at, const std::string& type, const PtxGeometry& g,
                                        const std::string& layer) {
  std::vector<std::string> p(g.length);
  std::string code = object(at, g.length, p);
  code += text(", ", g.shape, ", ", g.layered ? value(p[0], "unsigned") : layer);
  const size_t first = g.layered ? 1 : 0;
  for (size_t k = 0; k < 3; k++)
    code += k < g.coordinates ? ", " + value(p[first + k], type) : ", " + type + "(0)";
  return code;
}

// tex.2d.v4.f32.f32 {r, g, b, a}, [object, {x, y}]; every level of detail is the one there is.
std::string PtxWriter::sample() {
  const PtxGeometry* g = geometry_of(i_);
  if (g == nullptr || !only(i_, {"level", "grad", "base", "v4"}, *g) || !i_.has("v4")) return "";
  const size_t more = i_.has("grad") ? 2 : i_.has("level") ? 1 : 0;
  if (types_.size() != 2 || count() != 2 + more || types_[0]->bits != 32 || types_[0]->group == 'h')
    return "";
  if (types_[1]->name == "f32") return four("arr_ptx::sample(" + coordinates_text(1, "float", *g, "0u"));
  if (types_[1]->name != "s32" || g->name != "1d" || more != 0) return "";
  std::vector<std::string> index(1);
  const std::string texture = object(1, 1, index);
  return four(text("arr_ptx::texel(", texture, ", ", value(index[0], "int")));
}

// tld4.r.2d.v4.f32.f32: one channel of the four texels around a point.
std::string PtxWriter::gather() {
  const PtxGeometry plane = {"2d", 2, 2, false, "2 | arr_host::shape_gather"};
  if (!i_.has("2d") || !i_.has("v4") || !only(i_, {"v4", "r", "g", "b", "a"}, plane)) return "";
  if (types_.size() != 2 || count() != 2 || types_[0]->bits != 32 || types_[1]->name != "f32") return "";
  const std::string channel = i_.has("r") ? "0u" : i_.has("g") ? "1u" : i_.has("b") ? "2u" : "3u";
  return four("arr_ptx::sample(" + coordinates_text(1, "float", plane, channel));
}

// The results of a call, of which the last parenthesis is left out. {r, g, b, a}|p: the predicate says that
// the texels are in memory, as all are.
std::string PtxWriter::four(const std::string& call) {
  const std::string& o = i_.operands[0];
  const size_t bar = o.find('|');
  const auto to = parts(o.substr(0, bar));
  if (to.size() != 4) return bad("expected 4 registers"), "";
  r_.components.insert(ShimComponent::ptx_textures);
  const std::string type(types_[0]->code);
  std::string code = "unsigned arr_four[4]; " + call + ", arr_four); ";
  for (size_t k = 0; k < 4; k++) code += set(to[k], type, text("arr_ptx::as<", type, ">(arr_four[", k, "])"));
  if (bar != std::string::npos) code += set(o.substr(bar + 1), "bool", "true");
  return done(code);
}

// suld.b.2d.v2.b32.trap {a, b}, [object, {x, y}], where x counts bytes; sust.b.2d.b8.zero [object, {x, y}], a
std::string PtxWriter::surface() {
  const PtxGeometry* g = geometry_of(i_);
  const bool loads = i_.name == "suld";
  if (g == nullptr || g->shape.find("cube") != std::string_view::npos || !i_.has("b")) return "";
  if (!only(i_, {"b", "v2", "v4", "trap", "clamp", "zero", "ca", "cg", "cs", "cv", "wb", "wt"}, *g))
    return "";
  if (types_.size() != 1 || types_[0]->name[0] != 'b' || count() != 2 || type_.empty()) return "";
  const char* boundary = i_.has("zero")    ? "zero"
                         : i_.has("clamp") ? "clamp"
                         : i_.has("trap")  ? "trap"
                                           : nullptr;
  const size_t n = i_.has("v4") ? 4 : i_.has("v2") ? 2 : 1;
  const auto registers = parts(i_.operands[loads ? 0 : 1]);
  const size_t bytes = static_cast<size_t>(types_[0]->bits) / 8 * n;
  if (boundary == nullptr || bytes > 16) return "";
  if (registers.size() != n) return bad(text("expected ", n, " registers")), "";
  r_.components.insert(ShimComponent::ptx_textures);
  const std::string call = text("arr_ptx::surface(", coordinates_text(loads ? 1 : 0, "int", *g, "0u"), ", ",
                                bytes, ", arr_host::boundary_", boundary, ", arr_host::surface_",
                                loads ? "read" : "write", ", arr_parts); ");
  std::string code = text(type_, " arr_parts[", n, "]; ");
  if (!loads) {
    for (size_t k = 0; k < n; k++)
      code += text("arr_parts[", k, "] = ", value(registers[k], type_, Fit::wider), "; ");
    return done(code + call);
  }
  code += call;
  for (size_t k = 0; k < n; k++) code += set(registers[k], type_, text("arr_parts[", k, "]"), Fit::wider);
  return done(code);
}

// sured.b.add.2d.u32.trap [object, {x, y}], a, where x counts bytes; sured.p.min.2d.b32.clamp, where it
// counts texels, whose type says the sign.
std::string PtxWriter::reduce_surface() {
  const PtxGeometry* g = geometry_of(i_);
  if (g == nullptr || g->layered || g->shape.find("cube") != std::string_view::npos || types_.size() != 1 ||
      count() != 2 || i_.modifiers.size() != 5)
    return "";
  const std::string &unit = i_.modifiers[0], &work = i_.modifiers[1], &boundary = i_.modifiers[4];
  const std::string_view type = types_[0]->name;
  const bool by_texel = unit == "p", is_min_max = work == "min" || work == "max";
  const bool known = by_texel        ? one_of(type, {"b32", "b64"}) && (type == "b32" || is_min_max)
                     : unit != "b"   ? false
                     : work == "add" ? one_of(type, {"u32", "s32", "u64"})
                     : is_min_max    ? one_of(type, {"u32", "s32", "u64", "s64"})
                                     : type == "b32";
  if (!known || !one_of(work, {"add", "min", "max", "and", "or"}) ||
      !one_of(boundary, {"trap", "clamp", "zero"}))
    return "";
  r_.components.insert(ShimComponent::ptx_textures);
  return done(text(type_, " arr_value = ", value(1, type_), "; arr_ptx::surface(",
                   coordinates_text(0, "int", *g, "0u"), ", ", types_[0]->bits / 8, ", arr_host::boundary_",
                   boundary, ", arr_host::surface_", work, is_min_max && type[0] == 'u' ? "_unsigned" : "",
                   ", &arr_value, ", by_texel ? 1 : 0, ");"));
}

// txq.width.b32 a, [object]; suq.height.b32 a, [object]; txq.level.width.b32 a, [object], level
std::string PtxWriter::query() {
  struct Question {
    std::string_view word, what;
    bool of_surfaces, of_levels;
  };
  constexpr Question questions[] = {{"width", "width", true, true},
                                    {"height", "height", true, true},
                                    {"depth", "depth", true, true},
                                    {"array_size", "layers", true, false},
                                    {"channel_data_type", "type", true, false},
                                    {"channel_order", "order", true, false},
                                    {"normalized_coords", "normalized", false, false},
                                    {"filter_mode", "filter", false, false},
                                    {"addr_mode_0", "address_0", false, false},
                                    {"addr_mode_1", "address_1", false, false},
                                    {"addr_mode_2", "address_2", false, false}};
  const bool surface = i_.name == "suq", level = !surface && i_.has("level");
  const size_t more = level ? 1 : 0;
  if (types_.size() != 1 || types_[0]->name != "b32" || count() != 2 + more ||
      i_.modifiers.size() != 2 + more || (level && i_.modifiers[0] != "level"))
    return "";
  const std::string& asked = i_.modifiers[more];
  const std::string& o = i_.operands[1];
  if (o.size() < 3 || o[0] != '[' || o.back() != ']') return bad("expected an object in brackets"), "";
  const std::string name = o.substr(1, o.size() - 2);
  if (r_.find(name).empty()) return bad("'" + name + "' is no register with an object"), "";
  const std::string object = value(name, "unsigned long long");
  // Every level of detail is the one there is, and texels lie as those of an array do.
  const std::string unused = level ? text("(void)", value(2, "unsigned"), "; ") : std::string();
  if (!surface && one_of(asked, {"num_mipmap_levels", "num_samples"})) return done(set(0, "unsigned", "1u"));
  if (surface && asked == "memory_layout") return done(set(0, "unsigned", "0u"));
  for (const Question& q : questions) {
    if (q.word != asked || (surface && !q.of_surfaces) || (level && !q.of_levels)) continue;
    r_.components.insert(ShimComponent::ptx_textures);
    return done(unused + set(0, "unsigned",
                             text("arr_ptx::query(", object, ", ", surface ? 1 : 0, ", arr_host::query_",
                                  q.what, ")")));
  }
  return "";
}

}  // namespace arr::host_kernels
