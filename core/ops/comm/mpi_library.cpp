// SPDX-License-Identifier: MIT
// Finds an MPI and recognises its binary interface.
#include "ops/comm/mpi_library.h"

#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <memory>
#include <vector>

#include "base/dynamic_library.h"
#include "base/environment.h"
#include "base/fork.h"
#include "base/log.h"

namespace arr {

namespace {

// The interface follows from the name of the file; libraries of the MPICH family share the last two.
constexpr const char* file_names[] = {"libmpi_abi.so.1", "libmpi_abi.so.0", "libmpi.so.40", "libmpi.so.12",
                                      "libmpich.so.12"};

// A library of the process: one whose functions the program sees, or that another library has opened for
// itself.
std::string path_in_process() {
  if (void* function = dlsym(RTLD_DEFAULT, "MPI_Init")) {
    Dl_info where{};
    if (dladdr(function, &where) != 0 && where.dli_fname != nullptr) return where.dli_fname;
  }
  for (const char* name : file_names) {
    if (void* library = dlopen(name, RTLD_NOW | RTLD_NOLOAD)) {
      dlclose(library);
      return name;
    }
  }
  return {};
}

// Open MPI's launcher starts processes that must use it; so does that of MPICH, whose variables are PMI_.
std::vector<std::string> candidates(std::string* report) {
  const std::string present = path_in_process();
  if (!present.empty()) return {present};
  const std::string given = library_path("ARR_MPI", "", report);
  if (!given.empty()) return {given};
  std::vector<std::string> names(std::begin(file_names), std::end(file_names));
  const auto open_mpi = names.begin() + 2;
  if (!environment("OMPI_COMM_WORLD_SIZE").empty()) {
    std::rotate(names.begin(), open_mpi, open_mpi + 1);
  } else if (!environment("PMI_SIZE").empty()) {
    std::rotate(open_mpi, open_mpi + 1, names.end());
  }
  return names;
}

MpiAbi abi_of(void* library, const Mpi& m) {
  if (m.path.find("libmpi_abi") != std::string::npos) return MpiAbi::standard;
  if (dlsym(library, "ompi_mpi_comm_world") != nullptr) return MpiAbi::open_mpi;
  int major = 0, minor = 0;
  const bool says = m.MPI_Abi_get_version != nullptr && m.MPI_Abi_get_version(&major, &minor) == 0;
  return says && major >= 1 ? MpiAbi::standard : MpiAbi::mpich;
}

template <class F>
void take(SymbolTable* symbols, F** function, const char* name, bool required) {
  if (required) {
    symbols->require(function, name);
  } else {
    *function = reinterpret_cast<F*>(symbols->find(name));
  }
}

// Returns an empty text, or why the library is not used.
std::string fill(void* library, Mpi* m) {
  SymbolTable symbols(library);
  constexpr bool REQUIRED = true, OPTIONAL = false;
#define ARR_MPI_FN(symbol, need, result, params) take(&symbols, &m->symbol, #symbol, need);
#define ARR_MPI_COLLECTIVE(symbol, nonblocking, ...) \
  take(&symbols, &m->symbol, #symbol, REQUIRED);     \
  take(&symbols, &m->nonblocking, #nonblocking, REQUIRED);
#include "ops/comm/mpi_api.def"
#undef ARR_MPI_FN
#undef ARR_MPI_COLLECTIVE
  if (!symbols.missing().empty()) return "no function " + symbols.missing();
  m->abi = abi_of(library, *m);
  m->in_place = reinterpret_cast<void*>(m->abi == MpiAbi::mpich ? intptr_t{-1} : intptr_t{1});
  m->thread_multiple = m->abi == MpiAbi::standard ? 4096 : 3;
#define ARR_MPI_HANDLE(name, in_standard, in_mpich, in_open_mpi)                                 \
  m->name = m->abi == MpiAbi::standard ? MpiHandle{in_standard}                                  \
            : m->abi == MpiAbi::mpich  ? MpiHandle{in_mpich}                                     \
                                       : reinterpret_cast<MpiHandle>(symbols.find(#in_open_mpi)); \
  if (m->name == 0) return "no symbol " #in_open_mpi;
#include "ops/comm/mpi_api.def"
#undef ARR_MPI_HANDLE
  return {};
}

Mpi open_mpi() {
  Mpi none;
  for (const std::string& path : candidates(&none.report)) {
    std::string why;
    void* library = open_dynamic_library(path, &why, Visibility::global);
    if (library == nullptr) {
      none.report += why + "\n";
      continue;
    }
    Mpi all;
    all.path = path;
    why = fill(library, &all);
    Dl_info where{};
    if (why.empty() && dladdr(reinterpret_cast<void*>(all.MPI_Init_thread), &where) != 0)
      all.path = where.dli_fname;
    all.report = text(none.report, all.path, ": ", why.empty() ? "opened" : why, "\n");
    if (why.empty()) return all;
    none.report = all.report;  // it stays open: an MPI may have started threads
  }
  return none;
}

// Opened by the first call with enough memory and a free file descriptor.
const Mpi& opened() {
  static std::atomic<const Mpi*> known{nullptr};
  if (const Mpi* m = known.load(std::memory_order_acquire)) return *m;
  static auto& mutex = *new ProcessMutex;
  const std::lock_guard lock(mutex);
  if (const Mpi* m = known.load(std::memory_order_relaxed)) return *m;
  auto m = std::make_unique<Mpi>(open_mpi());
  log_lines(log_level::info, m->report);
  known.store(m.get(), std::memory_order_release);
  return *m.release();  // used until the process ends
}

// The number of processes that a launcher says it has started; 1 without a launcher.
int started_processes(std::string* variable) {
  int n = 1;
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    const std::string given = environment(name);
    const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), n);
    if (error != std::errc{}) continue;
    *variable = name;
    return n;
  }
  return 1;
}

std::atomic<bool> gave_up{false};

// A process that fails must not wait in MPI_Finalize for the others: without it the launcher ends them.
void finalize_at_exit(int status) {
  const Mpi& m = opened();
  int finalized = 0;
  m.MPI_Finalized(&finalized);
  if (status == 0 && finalized == 0 && !gave_up.load()) m.MPI_Finalize();
}
#ifdef __GLIBC__
void register_exit() {
  on_exit([](int status, void*) { finalize_at_exit(status); }, nullptr);
}
#else
void register_exit() {
  std::atexit([] { finalize_at_exit(0); });
}
#endif

std::string line_of_version(const Mpi& m) {
  constexpr size_t capacity = 8192;  // the largest MPI_MAX_LIBRARY_VERSION_STRING
  std::vector<char> text(capacity + 1);
  int length = 0;
  mpi_check(m, m.MPI_Get_library_version(text.data(), &length));
  return one_line(text.data());
}

}  // namespace

const Mpi& mpi() {
  const Mpi& m = opened();
  if (!m.found()) {
    fail(ARR_E_UNAVAILABLE, "no MPI works here: ", one_line(m.report),
         "; install Open MPI or MPICH, or name the library of one in ARR_MPI");
  }
  return m;
}

std::string mpi_description() {
  const Mpi& m = mpi();
  constexpr const char* names[] = {"standard ABI", "ABI of MPICH", "ABI of Open MPI"};
  return text(m.path, "\n", names[static_cast<size_t>(m.abi)], "\n", line_of_version(m), "\n");
}

void mpi_failed(const Mpi& m, int code) {
  constexpr size_t capacity = 1024;  // twice the largest MPI_MAX_ERROR_STRING
  char words[capacity] = "";
  int length = 0;
  if (m.MPI_Error_string(code, words, &length) != 0) fail(ARR_E_DEVICE, "MPI: error ", code);
  fail(ARR_E_DEVICE, "MPI: ", one_line(words));
}

void mpi_initialize(const Mpi& m) {
  static auto& mutex = *new ProcessMutex;
  const std::lock_guard lock(mutex);
  int initialized = 0;
  mpi_check(m, m.MPI_Initialized(&initialized));
  if (initialized != 0) return;
  int provided = 0;
  mpi_check(m, m.MPI_Init_thread(nullptr, nullptr, m.thread_multiple, &provided));
  register_exit();
  int size = 0;
  mpi_check(m, m.MPI_Comm_size(m.comm_world, &size));
  std::string variable;
  const int started = started_processes(&variable);
  if (size == 1 && started > 1) {
    fail(ARR_E_UNAVAILABLE, m.path, " sees 1 process, the launcher has started ", started, " (", variable,
         "): it belongs to another MPI; name the library of that one in ARR_MPI");
  }
}

void mpi_check_alive(const Mpi& m) {
  int finalized = 0;
  if (m.MPI_Finalized(&finalized) != 0 || finalized != 0) fail(ARR_E_LOST, "MPI has been finalised");
}

void mpi_give_up() noexcept { gave_up.store(true); }

}  // namespace arr
