// SPDX-License-Identifier: MIT
#include "hostcuda/compile/build.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <initializer_list>
#include <list>
#include <map>
#include <mutex>
#include <utility>

#include "base/disk_cache.h"
#include "base/dynamic_library.h"
#include "base/fork.h"
#include "base/saved_source.h"
#include "hostcuda/compile/statistics.h"
#include "hostcuda/host_kernels.h"
#include "hostcuda/run/time_limit.h"

namespace arr::host_kernels {
namespace {

// -march=native makes the image depend on the processor.
const std::string& processor() {
  static const auto* text = new auto([] {  // never destroyed
    std::ifstream in("/proc/cpuinfo");
    if (!in) throw_if_transient(errno, "/proc/cpuinfo");  // where there is none, that stays so
    in.exceptions(std::ios_base::badbit);                 // lack of memory for a line is not their end
    std::string line, result;
    while (std::getline(in, line) && !line.empty())
      for (const char* field : {"vendor_id", "model", "stepping", "flags", "CPU ", "Features"})
        if (line.compare(0, std::char_traits<char>::length(field), field) == 0) result += line + "\n";
    return result;
  }());
  return *text;
}

CacheKey key_of(const Recipe& recipe, const std::vector<std::string>& flags, const std::string& text) {
  CacheKey key("host kernels");
  key.add(text);  // with our shim and the names asked for
  for (const std::string& flag : flags) key.add(flag);
  key.add(recipe.compiler.path);
  key.add(recipe.compiler.identity);
  key.add(processor());
  return key;
}

// Images of this process, newest first.
class MemoryCache {
 public:
  std::shared_ptr<const std::string> get(const Digest& key) {
    const std::lock_guard lock(mutex_);
    for (auto it = images_.begin(); it != images_.end(); ++it)
      if (it->first == key) {
        images_.splice(images_.begin(), images_, it);
        return it->second;
      }
    return nullptr;
  }
  void put(const Digest& key, std::shared_ptr<const std::string> image) {
    const std::lock_guard lock(mutex_);
    images_.emplace_front(key, std::move(image));
    if (images_.size() > max_images) images_.pop_back();
  }

 private:
  static constexpr size_t max_images = 256;
  ProcessMutex mutex_;
  std::list<std::pair<Digest, std::shared_ptr<const std::string>>> images_;
};

MemoryCache& memory_cache() {
  static auto* cache = new MemoryCache;  // never destroyed: kernels may still be compiled at exit
  return *cache;
}

struct Failure {
  std::string log;
};

// "/usr/bin/g++ -O3 ...", for people to read.
std::string command_line(const Compiler& compiler, const std::vector<std::string>& flags) {
  std::string line = compiler.path;
  for (const std::string& flag : flags) line.append(" ").append(flag);
  return line;
}

bool has_any(const std::string& text, std::initializer_list<const char*> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](const char* word) { return text.find(word) != std::string::npos; });
}

// The pass names the lines of accesses to shared memory in its warnings, and a message that of a kernel's end
// by the time limit.
bool wants_lines(const Recipe& recipe, const std::vector<std::string>& flags, bool fission) {
  const std::string& text = recipe.source.text;  // arr_dynamic: as extern __shared__ is rewritten
  return (time_limit() > 0 || (fission && has_any(text, {"__shared__", "arr_dynamic"}))) &&
         std::none_of(flags.begin(), flags.end(), [](const std::string& f) { return f.rfind("-g", 0) == 0; });
}

std::shared_ptr<const std::string> image_for(const Recipe& recipe, const std::string& text, bool fission,
                                             std::string& log) {
  std::vector<std::string> flags = recipe.options.flags;
  if (fission) flags.push_back("-fpass-plugin=" + recipe.compiler.fission);
  if (wants_lines(recipe, flags, fission))
    flags.emplace_back(recipe.compiler.is_clang ? "-gline-tables-only" : "-g");
  const CacheKey key = key_of(recipe, flags, text);
  const Digest digest = key.digest();
  if (auto image = memory_cache().get(digest)) {
    counters().memory_hits++;
    return image;
  }
  const DiskCache disk(host_cache_folder);
  if (!disk.reason().empty()) log += "warning: kernels are not kept: " + disk.reason() + "\n";
  if (auto bytes = disk.get(key)) {
    counters().disk_hits++;
    auto image = std::make_shared<const std::string>(std::move(*bytes));
    memory_cache().put(digest, image);
    return image;
  }
  counters().compiled++;
  const std::string saved = save_source(command_line(recipe.compiler, flags), text, ".cpp");
  Compiled compiled = compile_image(recipe.compiler, flags, text);
  const std::string& folder = recipe.source.folder;
  for (size_t at = 0; !folder.empty() && (at = compiled.log.find(folder, at)) != std::string::npos;)
    compiled.log.erase(at, folder.size());
  compiled.log += saved;
  if (!compiled.ok) throw Failure{std::move(compiled.log)};
  log += compiled.log;
  if (const std::string why = disk.put(key, compiled.image); !why.empty())
    log += "warning: this kernel is not kept: " + why + "\n";
  auto image = std::make_shared<const std::string>(std::move(compiled.image));
  memory_cache().put(digest, image);
  return image;
}

// The unit whose entry the compiler complains about; -1 when the fault lies in the source.
int failing_unit(const std::string& log) {
  const Diagnostic first = first_error(log);
  if (first.line != 0 && first.file != entries_file && first.file != "arr_shim") return -1;
  const std::string mark = std::string(entries_file) + ":";
  for (size_t at = log.find(mark); at != std::string::npos; at = log.find(mark, at + 1)) {
    int line = 0;  // stays 0 at "arr_entries: In function ..."
    std::from_chars(log.data() + at + mark.size(), log.data() + log.size(), line);
    if (line > 0) return line - 1;
  }
  return -1;
}

// True if the compiler misses a name, which a header may have had.
bool misses_name(const std::string& error) {
  constexpr const char* texts[] = {
      "undeclared",        "not declared",    "not been declared", "unknown type", "does not name",
      "no template named", "no member named", "is not a template", "not a member", "unknown class"};
  return std::any_of(std::begin(texts), std::end(texts),
                     [&](const char* t) { return error.find(t) != std::string::npos; });
}

[[noreturn]] void throw_compile_error(const Recipe& recipe, const std::string& said) {
  const Diagnostic first = first_error(said);
  const std::string log =
      command_line(recipe.compiler, recipe.options.flags) + "\n" + recipe.options.definitions + said;
  if (first.line == 0)
    throw CompileError(ARR_E_COMPILE, text("compiler: ", said.substr(0, said.find('\n'))), log);
  const std::string_view mark = unsupported_mark;
  const size_t at = first.text.find(mark);
  const std::string location = text(first.file, ":", first.line, ": ");
  if (at != std::string::npos)
    throw CompileError(ARR_E_UNSUPPORTED, location + first.text.substr(at + mark.size()), log);
  std::string headers;  // that may have had the name
  if (misses_name(first.text))
    for (const std::string& sentence : recipe.source.absent) headers += "; " + sentence;
  throw CompileError(ARR_E_COMPILE, location + first.text + headers, log);
}

// The compiler's words in the line that begins `log`, without "candidate template ignored: " and the like.
std::string_view said_in_line(std::string_view log) {
  std::string_view line = log.substr(0, log.find('\n'));
  for (const std::string_view mark : {"substitution failure: ", "ignored: ", "error: ", "note: "})
    if (const size_t at = line.find(mark); at != std::string_view::npos) {
      line.remove_prefix(at + mark.size());
      break;
    }
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  return line;
}

// Why a template does not take the arguments of a name, in the compiler's words; "" where one does. The
// compiler has none about the address of a template, but about a call: so there is one for each number of
// parameters.
std::string misfit(const Recipe& recipe, const Unit& unit) {
  constexpr int max_parameters = 40;
  std::string calls;
  for (int n = 0; n <= max_parameters; n++) {
    calls += text("#line ", n + 1, " \"", entries_file, "\"\nstatic decltype(", recipe.source.prefix,
                  unit.name, "(");
    for (int i = 0; i < n; i++) calls += i > 0 ? ", {}" : "{}";
    calls += text("))* arr_call_", n, ";\n");
  }
  std::vector<std::string> flags = recipe.options.flags;
  flags.emplace_back("-fsyntax-only");
  if (recipe.compiler.is_clang) flags.emplace_back("-ferror-limit=0");
  const std::string said =
      compile_image(
          recipe.compiler, flags,
          translation_unit(recipe.source, recipe.options.definitions, {}, false, false, false) + calls)
          .log;
  if (said.find("ambiguous") != std::string::npos) return "";
  for (int n = 0; n <= max_parameters; n++)
    if (said.find(text(entries_file, ":", n + 1, ":")) == std::string::npos) return "";  // this call fits
  constexpr std::string_view by_gcc = "deduction/substitution failed:\n",
                             ignored = "candidate template ignored: ";
  const std::string_view mark = recipe.compiler.is_clang ? ignored : by_gcc;
  size_t at = said.find(mark);
  if (at == std::string::npos) return "";
  if (!recipe.compiler.is_clang) at += mark.size();
  std::string why(said_in_line(std::string_view(said).substr(at)));
  const size_t expected = said.find("note:   expected ", at);
  if (why.find("mismatch") != std::string::npos && expected != std::string::npos)
    why.append("; ").append(said_in_line(std::string_view(said).substr(expected)));
  return why;
}

[[noreturn]] void throw_no_kernel(const Recipe& recipe, const Unit& unit, const std::string& log) {
  const auto refuse = [&](const std::string& why) {
    throw CompileError(ARR_E_ARGUMENT, text("kernel '", unit.name, "': ", why), log);
  };
  const std::string error = first_error(log).text;
  const std::string returns = "not a __global__ function that returns void";
  if (error.find(returns) != std::string::npos) refuse(returns);
  const bool instance = unit.name.find('<') != std::string::npos;
  if (error.find("overloaded") != std::string::npos) {
    const std::string why = instance ? misfit(recipe, unit) : "";
    refuse(!why.empty()
               ? why
               : "the name is overloaded in the source; choose one by its parameters, as in (void (*)"
                 "(float *, int))" +
                     unit.name);
  }
  std::string base = unit.name.substr(0, unit.name.find('<'));
  if (const size_t scope = base.rfind("::"); scope != std::string::npos) base.erase(0, scope + 2);
  if (instance && !(misses_name(error) && error.find("'" + base + "'") != std::string::npos)) refuse(error);
  std::string known;
  for (const SourceKernel& k : recipe.source.kernels) known += (known.empty() ? "" : ", ") + k.name;
  refuse("not in the source, which has " + (known.empty() ? "none" : known));
  __builtin_unreachable();
}

// True if every kernel was compiled for the way that its sync sites need; otherwise requests that way.
bool fits(const Object& object, std::vector<Unit>& units, int round) {
  bool good = true;
  for (size_t i = 0; i < units.size(); i++) {
    const bool syncs = object.syncs(i);
    if (syncs ? units[i].fiber : units[i].loop) continue;
    good = false;
    units[i].fiber = syncs || round > 0;
    units[i].loop = !syncs || round > 0;
  }
  return good;
}

// With the pass there is one way to run any kernel.
std::vector<Unit> loops_of(std::vector<Unit> units) {
  for (Unit& unit : units) unit = {unit.name, true, false};
  return units;
}

// The access checks identify threads by their fibers.
std::vector<Unit> fibers_of(std::vector<Unit> units) {
  for (Unit& unit : units) unit = {unit.name, false, true};
  return units;
}

// True if the compiler or the plugin crashed.
bool died(const std::string& log) { return log.find("PLEASE submit a bug report") != std::string::npos; }

// True if the pass refused a kernel. An image holds all kernels, so all are then compiled without the pass.
bool refused(const Object& object, const std::vector<Unit>& units, std::string& log) {
  for (size_t i = 0; i < units.size(); i++)
    if (!object.refusal(i).empty()) {
      log += text("note: kernel '", units[i].name, "' runs its threads on fibers: ", object.refusal(i), "\n");
      return true;
    }
  return false;
}

// With several kernels in one image it is unknown which variable belongs to which.
void check_static_shared(const Object& object, const std::vector<Unit>& units) {
  constexpr uint64_t max_static = 49152;
  if (units.size() != 1 || object.static_shared_bytes() <= max_static) return;
  fail(ARR_E_COMPILE, "kernel '", units[0].name, "': ", object.static_shared_bytes(),
       " bytes of static shared memory, the max is ", max_static);
}

}  // namespace

Counters& counters() {
  static Counters all;
  return all;
}

Built build(const Recipe& recipe, std::vector<Unit> units, bool found, bool wide_grid) {
  std::string log = recipe.source.warnings + recipe.compiler.note;
  bool fission = !recipe.compiler.fission.empty();
  for (int round = 0;;) {
    try {
      const std::vector<Unit> asked = fission ? loops_of(units) : recipe.checked ? fibers_of(units) : units;
      const auto image = image_for(recipe,
                                   translation_unit(recipe.source, recipe.options.definitions, asked,
                                                    wide_grid, fission, recipe.checked),
                                   fission, log);
      auto object = std::make_shared<Object>(*image, recipe.checked, time_limit() > 0);
      if (!recipe.checked && (fission ? refused(*object, units, log) : !fits(*object, units, round++))) {
        fission = false;
        continue;
      }
      check_static_shared(*object, units);
      return {std::move(object), std::move(units), std::move(log)};
    } catch (const Failure& failure) {
      if (fission && died(failure.log)) {
        log += text("note: the compiler died with ", recipe.compiler.fission,
                    ": kernels are compiled without it\n");
        fission = false;
        continue;
      }
      const int bad = failing_unit(failure.log);
      if (bad < 0 || bad >= static_cast<int>(units.size())) throw_compile_error(recipe, failure.log);
      if (!found) throw_no_kernel(recipe, units[static_cast<size_t>(bad)], failure.log);
      units.erase(units.begin() + bad);
    }
  }
}

}  // namespace arr::host_kernels
