// SPDX-License-Identifier: MIT
#include "hostcuda/source/translation.h"

#include "base/error.h"

#include "collectives_text.h"
#include "complex_text.h"
#include "extremes_text.h"
#include "groups_text.h"
#include "hostcuda/source/formulas.h"
#include "hostcuda/source/half_types.h"
#include "hostcuda/source/keywords.h"
#include "textures_text.h"

namespace arr::host_kernels {
namespace {

// Before CUDA's keywords become macros, because headers use some of the same words.
void write_includes(std::ostream& out, const std::vector<std::string>& includes) {
  if (includes.empty()) return;
  out << "#define ARR_STD 1\n";
  for (const char* header : {"math", "stddef", "stdlib", "stdio", "string"})
    out << "#include <" << header << ".h>\n";
  std::vector<std::string> of_libcudacxx;
  for (const std::string& header : includes) {
    if (starts_with(header, "cuda/std/"))
      of_libcudacxx.push_back(header);
    else
      out << if_there(header) << "#include <" << header << ">\n#endif\n";
  }
  out << standard_includes(of_libcudacxx);
}

// The address of a kernel. A cast, which chooses one of an overloaded name, is one.
std::string address_of(const std::string& prefix, const std::string& name) {
  const bool cast = name[0] == '(' || name.compare(0, 12, "static_cast<") == 0;
  return (cast ? "" : "&" + prefix) + name;
}

void write_entries(std::ostream& out, const std::string& prefix, const std::vector<Unit>& units) {
  for (size_t i = 0; i < units.size(); i++) {
    out << "#line " << i + 1 << " \"" << entries_file << "\"\n";
    if (units[i].loop) out << "ARR_LOOP(" << i << ", " << address_of(prefix, units[i].name) << ") ";
    if (units[i].fiber) out << "ARR_FIBER(" << i << ", " << address_of(prefix, units[i].name) << ")";
    out << "\n";
  }
  out << "static const arr_host::Entry arr_entries[] = {\n";
  for (size_t i = 0; i < units.size(); i++) {
    const std::string n = std::to_string(i);
    out << "#line " << i + 1 << " \"" << entries_file << "\"\nARR_ENTRY("
        << (units[i].loop ? "ARR_REFUSAL_OF(" + n + ")" : "nullptr") << ", "
        << (units[i].loop ? "&arr_loop_" + n : "nullptr") << ", "
        << (units[i].fiber ? "&arr_fiber_" + n + ", &arr_body_" + n : "nullptr, nullptr") << ", \""
        << units[i].name << "\", " << address_of(prefix, units[i].name) << "),\n";
  }
  out << "{}};\n";  // so that there is one where there are no kernels
}

void write_variables(std::ostream& out, const std::string& prefix,
                     const std::vector<std::string>& variables) {
  out << "static const arr_host::Variable arr_variables[] = {\n";
  for (const std::string& variable : variables) {
    const std::string name = prefix + variable;
    out << "{\"" << variable << "\", (void*)&" << name << ", sizeof(" << name << "), arr_plain<decltype("
        << name << ")>},\n";
  }
  out << "{}};\n";
}

}  // namespace

std::string translation_unit(const Source& source, std::string_view definitions,
                             const std::vector<Unit>& units, bool wide_grid, bool fission, bool checked) {
  TextStream out;
  write_includes(out, source.includes);
  if (fission) out << "#define ARR_FISSION 1\n";
  if (checked) out << "#define ARR_CHECKED 1\n";
  if (wide_grid) out << "#define ARR_WIDE_GRID 1\n";
  if (source.allocates) out << "#define ARR_ALLOCATES 1\n";
  if (source.namespace_dynamic_shared) out << "#define ARR_NAMESPACE_DYNAMIC " << max_shared_bytes << "\n";
  // Definitions come after the shim, because they could change names in it.
  out << "#line 1 \"arr_shim\"\n" << shim_text;
  const bool complex = source.components.count(ShimComponent::complex_class) +
                           source.components.count(ShimComponent::cupy_complex) !=
                       0;
  out << formulas_text({source.special, source.components.count(ShimComponent::curand) != 0, complex});
  std::string named(definitions);  // with types that only the instances of templates name
  for (const Unit& unit : units) named.append(" ").append(unit.name);
  out << half_types_shim(source, named) << (source.complex ? complex_text : "")
      << (source.extremes ? extremes_text : "");
  out << (source.groups ? groups_text : "") << (source.groups ? collectives_text : "")
      << (source.textures ? textures_text : "");
  for (const ShimComponent component : source.components) out << text_of(component);
  out << definitions << "#ifdef NDEBUG\n#undef assert\n#define assert(condition) ((void)0)\n#endif\n"
      << "#line 1 \"" << source.folder << source_file << "\"\n"
      << source.text << "\n#line 1 \"arr_shim\"\n";
  write_entries(out, source.prefix, units);
  write_variables(out, source.prefix, source.variables);
  out << "ARR_IMAGE(" << units.size() << ", arr_entries, " << source.variables.size() << ", arr_variables)\n";
  return out.str();
}

}  // namespace arr::host_kernels
