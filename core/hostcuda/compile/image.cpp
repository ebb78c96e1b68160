// SPDX-License-Identifier: MIT
#include "hostcuda/compile/image.h"

#include <algorithm>
#include <list>
#include <utility>

#include "base/fork.h"
#include "base/sha256.h"
#include "hostcuda/compile/debug.h"
#include "hostcuda/ptx/translation.h"
#include "hostcuda/source/merge.h"

namespace arr::host_kernels {
namespace {

// Brackets in pairs, also not closed before they are opened: the name is an argument of macros.
bool is_balanced(std::string_view name) {
  std::string open;
  for (size_t i = 0; i < name.size(); i++) {
    const char c = name[i];
    if (c == '\'') {  // a character, 'x'
      i = name.find('\'', i + 1);
      if (i == std::string_view::npos) return false;
    }
    if (c == '(' || c == '[') open += c == '(' ? ')' : ']';
    if ((c == ')' || c == ']') && (open.empty() || open.back() != c)) return false;
    if (c == ')' || c == ']') open.pop_back();
  }
  return open.empty();
}

// The expression without the & and blanks around it. It becomes part of the text that is compiled, so it may
// hold only what a template's name and arguments are made of: names, numbers, characters and operators.
std::string clean_name(std::string_view name) {
  const size_t begin = name.find_first_not_of(" &"), end = name.find_last_not_of(' ');
  if (begin == std::string_view::npos) fail(ARR_E_ARGUMENT, "kernel name: empty");
  const std::string_view inner = name.substr(begin, end - begin + 1);
  const auto is_allowed = [](char c) {
    return std::string_view("_$:<>,&*()[]+-./ '?!=|^~%").find(c) != std::string_view::npos ||
           (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  if (!std::all_of(inner.begin(), inner.end(), is_allowed) || !is_balanced(inner))
    fail(ARR_E_ARGUMENT, "kernel name: not a name or a template's instance");
  return std::string(inner);
}

bool is_last_part(const std::string& qualified, const std::string& name) {
  const std::string tail = "::" + name;
  return qualified.size() > tail.size() &&
         qualified.compare(qualified.size() - tail.size(), tail.size(), tail) == 0;
}

// A first guess, which the compiled image confirms or corrects.
Unit unit_for(const Source& source, const std::string& name) {
  if (!source.syncs) return {name, true, false};
  const std::string base = name.substr(0, name.find('<'));
  for (const SourceKernel& k : source.kernels)
    if ((k.name == base || is_last_part(k.name, base)) && k.syncs) return {name, false, true};
  return {name, true, true};  // a function or macro it uses may hold the barrier
}

void check_arguments(const Source& source, const std::string& name) {
  if (name.find('<') != std::string::npos) return;
  for (const SourceKernel& k : source.kernels)
    if (k.is_template && (k.name == name || is_last_part(k.name, name)))
      fail(ARR_E_ARGUMENT, "kernel '", name, "': a template; give its arguments, as in ", name, "<float>");
}

void add_kernels(std::map<std::string, Image::KernelEntry>& to, const Built& built) {
  for (size_t i = 0; i < built.units.size(); i++) to[built.units[i].name] = {built.object, i};
}

// No sanitizer's library is linked: shim/checks.h has what it would define. Lines are kept for messages.
std::vector<std::string> check_flags() {
  if (debugging()) return {"-fsanitize=thread"};
  return {"-O1", "-g1", "-fsanitize=thread"};
}

// PTX says of each operation how it is rounded, and its accesses to memory say nothing of types. The times of
// g++'s own way of choosing registers and of its analysis of pointers grow with the square of a function's
// length: 18,000 instructions take more than four minutes, without them 12 to 20 seconds.
void add_ptx_flags(std::vector<std::string>& flags, bool long_functions, const Compiler& compiler) {
  for (const char* flag : {"-ffp-contract=off", "-fno-strict-aliasing"}) flags.emplace_back(flag);
  if (!long_functions || compiler.is_clang) return;
  for (const char* flag : {"-fira-algorithm=priority", "-fno-tree-pta"}) flags.emplace_back(flag);
}

// Names of parts of the shim may stand in the definitions of macros only, as in -DREAD=tex2D<float>.
void add_named(Source& source, std::string_view definitions) {
  if (definitions.empty()) return;
  const Source named = read_source(definitions);
  source.textures = source.textures || named.textures;
  source.special = source.special || named.special;
  source.extremes = source.extremes || named.extremes;
}

// `ptx`: the modules of PTX that the source consists of; none for CUDA C++.
std::shared_ptr<Image> make_image(std::string_view source, std::span<const SourceUnit> ptx,
                                  const Options& options, const Compiler& compiler) {
  auto image = std::make_shared<Image>();
  image->recipe = {!ptx.empty() ? read_ptx(ptx) : read_source(source), compiler,
                   host_options(compiler, options), options.check};
  if (!ptx.empty()) add_ptx_flags(image->recipe.options.flags, image->recipe.source.long_functions, compiler);
  add_named(image->recipe.source, image->recipe.options.definitions);
  if (debugging()) image->recipe.source.folder = keep_source(source);
  if (options.check)
    for (std::string& flag : check_flags()) image->recipe.options.flags.push_back(std::move(flag));
  std::vector<Unit> units;
  for (const std::string& name : options.names) {
    units.push_back(unit_for(image->recipe.source, clean_name(name)));
    check_arguments(image->recipe.source, units.back().name);
  }
  if (options.names.empty())
    for (const SourceKernel& k : image->recipe.source.kernels)
      if (!k.is_template) units.push_back(unit_for(image->recipe.source, k.name));
  const Built built = build(image->recipe, std::move(units), options.names.empty(), image->stateful());
  image->log = built.log;
  image->first = built.object;
  add_kernels(image->kernels, built);
  return image;
}

Digest request_key(std::string_view source, std::span<const SourceUnit> ptx, const Options& options,
                   const Compiler& compiler) {
  Sha256 hash;
  hash.add_field(source);
  for (const SourceUnit& unit : ptx) hash.add_field(text("PTX ", unit.text.size(), " ", unit.name));
  hash.add_field(compiler.path);
  hash.add_field(compiler.identity);
  for (const std::string& option : options.compiler_options) hash.add_field(option);
  hash.add_field(debugging() ? "for a debugger" : "");
  hash.add_field(options.check ? "checked names" : "names");
  for (const std::string& name : options.names) hash.add_field(name);
  return hash.finish();
}

// A request and the image that answers it. Its mutex lets one thread compile while others wait for the
// result.
struct Slot {
  std::mutex mutex;
  std::shared_ptr<Image> image;
};

std::shared_ptr<Slot> slot_for(const Digest& key) {
  static auto* mutex =
      new ProcessMutex;  // these live as long as the process: kernels may be compiled at exit
  static auto* slots = new std::list<std::pair<Digest, std::shared_ptr<Slot>>>;
  constexpr size_t max_slots = 256;
  const std::lock_guard lock(*mutex);
  for (auto it = slots->begin(); it != slots->end(); ++it)
    if (it->first == key) {
      slots->splice(slots->begin(), *slots, it);
      return it->second;
    }
  slots->emplace_front(key, std::make_shared<Slot>());
  if (slots->size() > max_slots) slots->pop_back();
  return slots->front().second;
}

std::string known_kernels(const Image& image) {
  std::string names;
  for (const SourceKernel& k : image.recipe.source.kernels) names += (names.empty() ? "" : ", ") + k.name;
  return names.empty() ? "none" : names;
}

const Image::KernelEntry* find_entry(const Image& image, const std::string& name) {
  const auto exact = image.kernels.find(name);
  if (exact != image.kernels.end()) return &exact->second;
  const Image::KernelEntry* match = nullptr;
  for (const auto& [known, found] : image.kernels) {
    if (!is_last_part(known, name)) continue;
    if (match != nullptr)
      fail(ARR_E_ARGUMENT, "kernel '", name, "': in more than one namespace of the source");
    match = &found;
  }
  return match;
}

// Compiles the kernel of a name expression that `compile` was not given.
const Image::KernelEntry* add_entry(Image& image, const std::string& name) {
  check_arguments(image.recipe.source, name);
  if (image.stateful())
    fail(ARR_E_ARGUMENT, "kernel '", name, "': not among those compiled (the source has ",
         known_kernels(image),
         "); in a source with __device__ or __constant__ variables every name must be given when it is "
         "compiled");
  const Built built = build(image.recipe, {unit_for(image.recipe.source, name)}, false, false);
  add_kernels(image.kernels, built);
  return &image.kernels.at(name);
}

Kernel describe(const std::shared_ptr<Image>& image, const std::string& name,
                const Image::KernelEntry& found) {
  const arr_host::Entry& entry = found.entry();
  Kernel kernel;
  kernel.image = image;
  kernel.name = name;
  kernel.arg_bytes.assign(entry.arg_bytes, entry.arg_bytes + entry.nargs);
  kernel.arg_types.assign(entry.arg_types, entry.arg_types + entry.nargs);
  kernel.static_shared_bytes = found.object->static_shared_bytes();
  kernel.static_shared_known = kernel.static_shared_bytes == 0 || found.object->table().n_entries == 1;
  kernel.on_fibers = found.object->checked() || found.object->syncs(found.index);
  if (found.object->checked()) kernel.checked = found.object;
  kernel.may_hold_pointers = image->recipe.source.heap;
  kernel.entry = &entry;
  kernel.object = found.object.get();
  return kernel;
}

}  // namespace

std::shared_ptr<Image> compile(std::string_view source, const Options& options) {
  const SourceUnit unit{source_file, source};
  return compile(std::span(&unit, 1), options);
}

std::shared_ptr<Image> compile(std::span<const SourceUnit> units, const Options& options) {
  const auto ptx = units[0].ptx ? units : std::span<const SourceUnit>();
  std::string source;
  if (ptx.empty()) source = merge_sources(units, options.compiler_options);
  for (const SourceUnit& unit : ptx) source += unit.text;
  const Compiler compiler = host_compiler(options);
  const std::shared_ptr<Slot> slot = slot_for(request_key(source, ptx, options, compiler));
  const std::lock_guard lock(slot->mutex);
  if (slot->image != nullptr) return slot->image;
  std::shared_ptr<Image> image = make_image(source, ptx, options, compiler);
  if (!image->stateful()) slot->image = image;
  return image;
}

std::string log(const Image& image) { return image.log; }

Kernel kernel(const std::shared_ptr<Image>& image, std::string_view name) {
  const std::string clean = clean_name(name);
  const std::lock_guard lock(image->mutex);
  const Image::KernelEntry* found = find_entry(*image, clean);
  if (found == nullptr) found = add_entry(*image, clean);
  return describe(image, clean, *found);
}

Global global(const Image& image, std::string_view name) {
  const arr_host::Image& table = image.first->table();
  for (unsigned i = 0; i < table.n_variables; i++) {
    const arr_host::Variable& variable = table.variables[i];
    if (name == variable.name || is_last_part(variable.name, std::string(name)))
      return {variable.address, variable.bytes};
  }
  fail(ARR_E_ARGUMENT, "variable '", name, "': no __device__ or __constant__ variable of the source");
}

Image::KernelEntry wide_kernel(const Kernel& kernel) {
  Image& image = *kernel.image;
  const std::lock_guard lock(image.mutex);
  const auto found = image.wide_kernels.find(kernel.name);
  if (found != image.wide_kernels.end()) return found->second;
  const auto* entry = static_cast<const arr_host::Entry*>(kernel.entry);
  const Built built = build(image.recipe, {{entry->name, true, false}}, false, true);
  return image.wide_kernels[kernel.name] = {built.object, 0};
}

}  // namespace arr::host_kernels
