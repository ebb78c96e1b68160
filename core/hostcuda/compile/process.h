// SPDX-License-Identifier: MIT
// Running a program without a shell, and private directories.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace arr::host_kernels {

// Runs argv[0] (a path) and waits for it. Standard input is empty; output and errors go to the file
// `output`. Returns the exit status, or 128 + the signal that ended it.
int run_program(const std::vector<std::string>& argv, const std::string& output);

// The absolute path of `program`: itself when it holds a slash, else the first match in PATH. Empty when
// there is none. Relative entries of PATH are passed over: the current directory is never searched.
std::string find_program(const std::string& program);

// A directory only this user can enter, removed with its files at the end.
class PrivateDirectory {
 public:
  PrivateDirectory();
  ~PrivateDirectory();
  PrivateDirectory(const PrivateDirectory&) = delete;
  PrivateDirectory& operator=(const PrivateDirectory&) = delete;
  [[nodiscard]] std::string path(const char* name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

std::string read_file(const std::string& path);  // empty when it cannot be read
void write_file(const std::string& path, std::string_view bytes);

}  // namespace arr::host_kernels
