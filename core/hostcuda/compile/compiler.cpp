// SPDX-License-Identifier: MIT
#include "hostcuda/compile/compiler.h"

#include <sys/stat.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <unordered_map>

#include "base/disk_cache.h"
#include "base/dynamic_library.h"
#include "base/environment.h"
#include "base/fork.h"
#include "base/log.h"
#include "base/macros.h"
#include "hostcuda/compile/debug.h"
#include "hostcuda/compile/process.h"
#include "hostcuda/run/time_limit.h"

namespace arr::host_kernels {
namespace {

// Checks do not see what memcpy does with clang 14; before it, shim/checks.h cannot be kept from watching
// itself.
constexpr int min_gcc = 9, min_clang = 10, min_clang_checked = 15;
// Older ones cannot leave a function out of -fsanitize-coverage.
constexpr int min_gcc_timed = 12, min_clang_timed = 13;

// Size, times and inode of the file at the path: a package upgrade changes them, and reading them is a
// hundred times faster than asking the compiler for its version.
std::string identity_of(const std::string& path) {
  std::array<char, 4096> resolved{};
  if (realpath(path.c_str(), resolved.data()) == nullptr) return path;
  struct stat info {};
  if (stat(resolved.data(), &info) != 0) return path;
  return text(resolved.data(), " ", info.st_size, " ", info.st_ino, " ", info.st_mtim.tv_sec, ".",
              info.st_mtim.tv_nsec);
}

struct Version {
  bool is_clang = false;
  int major = 0;
};

Version ask_version(const std::string& path) {
  const PrivateDirectory directory;
  const std::string output = directory.path("version");
  if (run_program({path, "--version"}, output) != 0) return {};
  const std::string banner = read_file(output);
  Version version;
  version.is_clang = banner.find("clang") != std::string::npos;
  if (run_program({path, "-dumpversion"}, output) != 0) return {};
  const std::string number = read_file(output);
  std::from_chars(number.data(), number.data() + number.size(), version.major);
  return version;
}

// Asking takes as long as compiling a small kernel where the compiler is a large program, so the answer is
// kept with what it compiles: "c 19" or "g 12".
Version find_version(const std::string& path, const std::string& identity) {
  CacheKey key("compiler's version");
  key.add(identity);
  const DiskCache disk(compiler_cache_folder);
  Version version;
  if (const auto kept = disk.get(key); kept && kept->size() > 2) {
    version.is_clang = kept->front() == 'c';
    std::from_chars(kept->data() + 2, kept->data() + kept->size(), version.major);
    return version;
  }
  version = ask_version(path);
  if (version.major > 0) disk.put(key, text(version.is_clang ? "c " : "g ", version.major));
  return version;
}

Version version_of(const std::string& path, const std::string& identity) {
  static auto& mutex = *new ProcessMutex;  // both never destroyed: kernels may still be compiled at exit
  static auto& known = *new std::unordered_map<std::string, Version>;
  const std::lock_guard lock(mutex);
  const auto found = known.find(identity);
  if (found != known.end()) return found->second;
  const Version version = find_version(path, identity);
  // A compiler that does not answer may be short of something: it is asked again.
  if (version.major > 0) known[identity] = version;
  return version;
}

constexpr int plugin_clang = 19;  // plugins load into the version of LLVM they were built with

std::string plugin_path(std::string* note) {
  std::string chosen = environment("ARR_HOST_FISSION");
  if (chosen == "0") return "";
  if (!chosen.empty() && chosen[0] == '/') {
    if (access(chosen.c_str(), R_OK) == 0) return chosen;
    *note = text("warning: ARR_HOST_FISSION: ", chosen, ": ", std::strerror(errno),
                 "; kernels are compiled without the pass\n");
    return "";
  }
  if (!chosen.empty()) {
    *note =
        text("warning: ARR_HOST_FISSION: ", chosen, " is neither 0 nor an absolute path, and is ignored\n");
  }
  const std::string path = companion_path("libarr_host_fission.so");
  return access(path.c_str(), R_OK) == 0 ? path : "";
}

int vector_math_minor() {
#if defined(__x86_64__) && defined(__GLIBC__)
  const std::string_view version = gnu_get_libc_version();
  int minor = 0;
  if (version.substr(0, 2) == "2.")
    std::from_chars(version.data() + 2, version.data() + version.size(), minor);
  return minor;
#else
  return 0;
#endif
}

bool has_prefix(const std::string& option, std::string_view prefix) {
  return option.compare(0, prefix.size(), prefix) == 0;
}

// Options that choose a GPU, its code's debugging or its resources: nothing to do on the host.
bool concerns_gpu_only(const std::vector<std::string>& options, size_t& i) {
  static constexpr std::string_view valued[] = {"--gpu-architecture", "-arch", "--maxrregcount",
                                                "-maxrregcount", "--ptxas-options"};
  static constexpr std::string_view plain[] = {"-default-device",
                                               "--device-as-default-execution-space",
                                               "-dc",
                                               "-rdc",
                                               "--relocatable-device-code",
                                               "-ewp",
                                               "--extra-device-vectorization",
                                               "-dopt",
                                               "--dopt",
                                               "--dlink-time-opt",
                                               "-dlto",
                                               "-restrict",
                                               "--restrict",
                                               "-builtin",
                                               "-minimal",
                                               "--minimal",
                                               "-w",
                                               "--disable-warnings"};
  const std::string& option = options[i];
  const std::string name = option.substr(0, option.find('='));
  for (std::string_view known : plain)
    if (name == known) return true;
  for (std::string_view known : valued)
    if (name == known) {
      if (name == option) i++;
      return true;
    }
  static constexpr std::string_view families[] = {"--ftz", "-ftz", "--prec-", "-prec-", "--diag-", "-diag-"};
  for (std::string_view family : families)
    if (has_prefix(option, family)) return true;
  return false;
}

// Options without a value and what they are here. Code for a debugger keeps the order of its lines.
struct Mapped {
  std::string_view option;
  const char* flags[2];
};
constexpr Mapped mapped[] = {{"-G", {"-g", "-O1"}},
                             {"--device-debug", {"-g", "-O1"}},
                             {"-lineinfo", {"-g1"}},
                             {"--generate-line-info", {"-g1"}},
                             {"-use_fast_math", {"-ffast-math", "-fno-finite-math-only"}},
                             {"--use_fast_math", {"-ffast-math", "-fno-finite-math-only"}}};
const Mapped* find_mapped(const std::string& option) {
  for (const Mapped& row : mapped)
    if (option == row.option) return &row;
  return nullptr;
}

std::string standard_flag(const std::string& value) {
  if (value == "c++17" || value == "gnu++17") return "-std=" + value;
  if (value == "c++20") return "-std=c++2a";  // also what older compilers call it
  if (value == "c++11" || value == "c++14" || value == "c++03") return "-std=c++17";  // the shim is C++17
  fail(ARR_E_UNSUPPORTED, "compiler option -std=", value, ": the host takes c++11 to c++20");
}

const char* level(Effort effort) {
  if (debugging() || effort == Effort::none) return "-O0";
  return effort == Effort::quick ? "-O1" : "-O3";
}

std::vector<std::string> base_flags(const Compiler& compiler, Effort effort) {
  std::vector<std::string> flags = {level(effort),
                                    debugging() ? "-g" : "-march=native",
                                    "-fPIC",
                                    "-fvisibility=hidden",
                                    "-fno-math-errno",
                                    "-fno-trapping-math",
                                    "-ffp-contract=fast",
                                    "-fno-exceptions",
                                    "-fno-rtti",
                                    "-fno-stack-protector",
                                    "-fno-threadsafe-statics",
                                    "-fno-finite-loops",  // one without an end is kept, as on a GPU
                                    "-fno-asynchronous-unwind-tables",
                                    "-w",
                                    "-DARR_VECTOR_MATH=" + std::to_string(vector_math_minor())};
  if (time_limit() > 0)
    flags.insert(flags.end(), {"-DARR_TIMED", compiler.is_clang ? "-fsanitize-coverage=bb,no-prune,trace-pc"
                                                                : "-fsanitize-coverage=trace-pc"});
  // Attribution of sync sites to kernels goes by code range: no folding of equal kernels, no split functions.
  // Straight-line code as vectors would take the address of threadIdx where one kernel of a module saves it
  // over a barrier; then pointers of all its kernels may point there, and none of their loops becomes
  // vectors.
  // Unswitching copies a loop for each condition that is the same for all its turns: for large loops
  // that takes most of the compile time, three times all the rest in a kernel of 30 lines.
  static constexpr const char* gcc_only[] = {"-fwhole-program",
                                             "-fno-gnu-unique",
                                             "-fno-ipa-icf",
                                             "-fno-reorder-blocks-and-partition",
                                             "-fno-tree-slp-vectorize",
                                             "--param=max-unswitch-insns=20"};
  if (!compiler.is_clang) flags.insert(flags.end(), std::begin(gcc_only), std::end(gcc_only));
  // Conversions of floating-point numbers to integers saturate, as CUDA's do; g++ has no such option.
  else
    flags.emplace_back("-fno-strict-float-cast-overflow");
#if defined(__x86_64__)
  if (compiler.is_clang && vector_math_minor() >= 22) flags.emplace_back("-fveclib=libmvec");
  // Loops over threads are short and masked: worth the widest vectors there are. A loop of a few instructions
  // that lies across two lines of the cache takes twice as long (Zen 4).
  if (!compiler.fission.empty()) flags.insert(flags.end(), {"-mprefer-vector-width=512", "-falign-loops=32"});
#else
  flags.emplace_back("-fsigned-char");  // as in CUDA
#endif
  return flags;
}

}  // namespace

Compiler host_compiler(const Options& how) {
  const bool checked = how.check;
  const std::string chosen = environment("ARR_HOST_CXX");
  static constexpr const char* search[] = {
      "g++",     "g++-14",     "g++-13",     "g++-12",     "g++-11",     "g++-10",     "g++-9",
      "clang++", "clang++-19", "clang++-18", "clang++-17", "clang++-16", "clang++-15", "clang++-14"};
  std::string note;
  const std::string plugin = checked || how.effort == Effort::none || debugging() ? "" : plugin_path(&note);
  log_lines(log_level::warning, note);
  const bool timed = time_limit() > 0;
  const int clang = checked ? min_clang_checked
                    : timed ? min_clang_timed
                            : min_clang,
            gcc = timed ? min_gcc_timed : min_gcc;
  const char* purpose = timed ? ", for ARR_KERNEL_TIMEOUT" : checked ? ", for ARR_CHECK=1" : "";
  std::vector<std::string> names(std::begin(search), std::end(search));
  if (!plugin.empty()) names.insert(names.begin(), {"clang++-19", "clang-19"});
  if (!chosen.empty()) names = {chosen};
  for (const std::string& name : names) {
    const std::string path = find_program(name);
    if (path.empty()) continue;
    std::string identity = identity_of(path);
    const Version version = version_of(path, identity);
    if (version.major < (version.is_clang ? clang : gcc)) continue;
    if (!version.is_clang || version.major != plugin_clang || plugin.empty())
      return {path, version.is_clang, std::move(identity), "", std::move(note)};
    return {path, true, identity + " " + identity_of(plugin), plugin, std::move(note)};
  }
  if (!chosen.empty())
    fail(ARR_E_UNAVAILABLE, "ARR_HOST_CXX=", chosen, " is not a g++ >= ", gcc, " or clang++ >= ", clang,
         purpose, " (an absolute path, or a name in PATH)");
  fail(ARR_E_UNAVAILABLE, "raw kernels on the host need g++ >= ", gcc, " or clang++ >= ", clang, purpose,
       ": none is in PATH; install one or set ARR_HOST_CXX");
}

HostOptions host_options(const Compiler& compiler, const Options& how) {
  const std::vector<std::string>& options = how.compiler_options;
  HostOptions result{base_flags(compiler, how.effort), ""};
  std::string standard = "-std=c++17", value;
  for (size_t i = 0; i < options.size(); i++) {
    if (const auto line = macro_line(options, i)) {
      result.definitions += *line;
    } else if (take_value(options, i, "-I", "--include-path", value)) {
      result.flags.push_back("-I" + value);
    } else if (take_value(options, i, "", "-std", value) || take_value(options, i, "", "--std", value)) {
      standard = standard_flag(value);
    } else if (take_value(options, i, "", "--fmad", value) || take_value(options, i, "", "-fmad", value)) {
      result.flags.emplace_back(value == "false" ? "-ffp-contract=off" : "-ffp-contract=fast");
    } else if (const auto* row = find_mapped(options[i])) {
      for (const char* flag : row->flags)
        if (flag != nullptr) result.flags.emplace_back(flag);
    } else if (!concerns_gpu_only(options, i)) {
      fail(ARR_E_UNSUPPORTED, "compiler option '", options[i], "': has no host form");
    }
  }
  result.flags.push_back(standard);
  return result;
}

namespace {

int link_image(const Compiler& compiler, const PrivateDirectory& directory) {
  const std::string object = directory.path("kernel.o"), image = directory.path("kernel.so");
  // A few milliseconds against some fifty for the compiler driver's own way of linking.
  const std::string linker = find_program("ld");
  if (!linker.empty() &&
      run_program({linker, "-shared", "-Bsymbolic", "-z", "defs", "-o", image, object, "-lm", "-lc"},
                  directory.path("link.log")) == 0)
    return 0;
  return run_program({compiler.path, "-shared", "-Wl,-Bsymbolic", "-o", image, object, "-lm"},
                     directory.path("link.log"));
}

}  // namespace

Compiled compile_image(const Compiler& compiler, const std::vector<std::string>& flags,
                       std::string_view source) {
  const PrivateDirectory directory;
  write_file(directory.path("kernel.cpp"), source);
  std::vector<std::string> argv = {compiler.path};
  argv.insert(argv.end(), flags.begin(), flags.end());
  for (const char* fixed : {"-fdiagnostics-color=never", "-pipe", "-c", "-o"}) argv.emplace_back(fixed);
  argv.push_back(directory.path("kernel.o"));
  argv.push_back(directory.path("kernel.cpp"));
  Compiled result{false, "", ""};
  const auto begin = std::chrono::steady_clock::now();
  int status = run_program(argv, directory.path("compile.log"));
  result.log = read_file(directory.path("compile.log"));
  if (status == 0) {
    status = link_image(compiler, directory);
    if (status != 0) result.log += read_file(directory.path("link.log"));
  }
  if (status != 0) return result;
  result.image = read_file(directory.path("kernel.so"));
  result.ok = !result.image.empty();
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  log_line(log_level::debug, compiler.path, ": a kernel is compiled, ", source.size(), " bytes in ",
           took.count(), " ms");
  return result;
}

Diagnostic first_error(std::string_view log) {
  for (size_t from = 0; from < log.size();) {
    size_t to = log.find('\n', from);
    if (to == std::string_view::npos) to = log.size();
    const std::string_view line = log.substr(from, to - from);
    from = to + 1;
    size_t mark = line.find(": error: "), length = 9;
    if (mark == std::string_view::npos) mark = line.find(": fatal error: "), length = 15;
    if (mark == std::string_view::npos) continue;
    const size_t colon = line.find(':');
    Diagnostic found;
    found.file = line.substr(0, colon);
    std::from_chars(line.data() + colon + 1, line.data() + line.size(), found.line);
    found.text = line.substr(mark + length);
    return found;
  }
  return {};
}

}  // namespace arr::host_kernels
