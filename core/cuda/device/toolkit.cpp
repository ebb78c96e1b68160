// SPDX-License-Identifier: MIT
#include "cuda/device/toolkit.h"

#include <dlfcn.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <vector>

#include "backend/libraries.h"
#include "base/environment.h"
#include "base/log.h"
#include "cuda/device/libraries.h"

namespace arr::cuda {

namespace {

constexpr const char* usual = "/usr/local/cuda";

bool is_folder(const std::string& path) {
  std::error_code none;
  return std::filesystem::is_directory(path, none);
}

// The absolute paths among CUDA_PATH and CUDA_HOME.
std::vector<std::string> named_toolkits() {
  std::vector<std::string> out;
  for (const char* variable : {"CUDA_PATH", "CUDA_HOME"}) {
    std::string root = environment(variable);
    if (root.starts_with('/')) {
      out.push_back(std::move(root));
    } else if (!root.empty()) {
      log_line(log_level::warning, variable, ": ", root, ": not an absolute path, ignored");
    }
  }
  return out;
}

// The folder of the library that contains a function; empty if it is not known.
std::string folder_of(const void* function) {
  Dl_info info{};
  if (dladdr(function, &info) == 0 || info.dli_fname == nullptr || info.dli_fname[0] != '/') return {};
  return std::filesystem::path(info.dli_fname).parent_path().string();
}

// The folders from which the two libraries were opened; a library that cannot be opened is omitted.
std::vector<std::string> library_folders() {
  std::vector<std::string> out;
  for (const int32_t which : {library::nvjitlink, library::nvrtc}) {
    try {
      void* function = which == library::nvrtc ? reinterpret_cast<void*>(nvrtc().nvrtcVersion)
                                               : reinterpret_cast<void*>(nvjitlink().nvJitLinkVersion);
      if (std::string folder = folder_of(function); !folder.empty()) out.push_back(std::move(folder));
    } catch (const Error& e) {
      if (e.status() != ARR_E_UNAVAILABLE) throw;
    }
  }
  return out;
}

// "/usr/local/cuda" of its lib64, lib and targets/x86_64-linux/lib; empty for other folders.
std::string above(const std::string& folder) {
  const std::filesystem::path path = folder;
  if (path.filename() != "lib64" && path.filename() != "lib") return {};
  const std::filesystem::path root = path.parent_path();
  return (root.parent_path().filename() == "targets" ? root.parent_path().parent_path() : root).string();
}

std::vector<std::string> archive_paths() {
  const std::string given = environment("ARR_CUDA_CUDADEVRT");
  if (!given.empty()) {
    if (given[0] != '/') fail(ARR_E_ARGUMENT, "ARR_CUDA_CUDADEVRT: ", given, " is not an absolute path");
    return {given};
  }
  std::vector<std::string> folders = library_folders();
  for (const std::string& root : named_toolkits()) {
    for (const char* lib : {"/lib64", "/lib"}) folders.push_back(root + lib);
  }
  for (const char* lib : {"/lib64", "/lib"}) folders.push_back(text(usual, lib));
  std::vector<std::string> out;
  for (const std::string& folder : folders) {
    std::string path = folder + "/libcudadevrt.a";
    if (std::find(out.begin(), out.end(), path) == out.end()) out.push_back(std::move(path));
  }
  return out;
}

// Only regular files are opened: a FIFO would block.
bool read_archive(const std::string& path, std::string* bytes) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none)) return false;
  std::ifstream in(path, std::ios::binary);
  bytes->assign(std::istreambuf_iterator<char>(in), {});
  return in.good() || in.eof();
}

}  // namespace

std::string toolkit_folder() {
  std::vector<std::string> roots = named_toolkits();
  for (const std::string& folder : library_folders()) roots.push_back(above(folder));
  roots.emplace_back(usual);
  const auto first = std::find_if(roots.begin(), roots.end(), is_folder);
  return first == roots.end() ? std::string() : *first;
}

Archive device_runtime() {
  const std::vector<std::string> paths = archive_paths();
  Archive found;
  std::string tried;
  for (const std::string& path : paths) {
    found.path = path;
    if (!read_archive(path, &found.bytes)) {
      tried += text(tried.empty() ? "" : ", ", path, " is no file that can be read");
    } else if (!found.bytes.starts_with("!<arch>\n")) {
      tried += text(tried.empty() ? "" : ", ", path, " is no archive");
    } else {
      return found;
    }
  }
  fail(ARR_E_UNAVAILABLE, "the CUDA toolkit's libcudadevrt.a is not available: ", tried);
}

}  // namespace arr::cuda
