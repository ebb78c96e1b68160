// SPDX-License-Identifier: MIT
#include "cuda/toolkit.h"

#include <dlfcn.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "backend_low.h"
#include "base/environment.h"
#include "cuda/libraries.h"

namespace arr::cuda {

namespace {

constexpr const char* usual = "/usr/local/cuda";

bool is_folder(const std::string& path) {
  std::error_code none;
  return std::filesystem::is_directory(path, none);
}

// Of CUDA_PATH and CUDA_HOME, those that name an absolute path.
std::vector<std::string> named_toolkits() {
  std::vector<std::string> out;
  for (const char* variable : {"CUDA_PATH", "CUDA_HOME"}) {
    std::string root = environment(variable);
    if (root.starts_with('/')) out.push_back(std::move(root));
  }
  return out;
}

// The folder of the library that a function is in; empty where that cannot be known.
std::string folder_of(const void* function) {
  Dl_info info{};
  if (dladdr(function, &info) == 0 || info.dli_fname == nullptr || info.dli_fname[0] != '/') return {};
  return std::filesystem::path(info.dli_fname).parent_path().string();
}

// Where the two libraries were opened from; one that cannot be opened is left out.
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

}  // namespace

std::string toolkit_folder() {
  std::vector<std::string> roots = named_toolkits();
  for (const std::string& folder : library_folders()) roots.push_back(above(folder));
  roots.emplace_back(usual);
  const auto first = std::find_if(roots.begin(), roots.end(), is_folder);
  return first == roots.end() ? std::string() : *first;
}

}  // namespace arr::cuda
