// SPDX-License-Identifier: MIT
// Reads and writes .npz files.
#include "io/npz.h"

#include <algorithm>
#include <unordered_set>

#include "base/utf8.h"
#include "io/npy.h"
#include "io/zip.h"

namespace arr::io {

namespace {

constexpr std::string_view suffix = ".npy";

std::string_view without_suffix(std::string_view name) {
  return name.ends_with(suffix) ? name.substr(0, name.size() - suffix.size()) : name;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const size_t n = character_bytes(text);
    if (n == 0) return false;
    text.remove_prefix(n);
  }
  return true;
}
bool has_control(std::string_view text) {
  for (size_t n = 0; !text.empty(); text.remove_prefix(n)) {
    n = character_bytes(text);
    if (is_control(text.substr(0, n))) return true;
  }
  return false;
}

// True if a program that unpacks the archive could write outside of its folder. A backslash separates names,
// too.
bool leaves_folder(std::string_view name) {
  constexpr std::string_view slashes = "/\\";
  if (slashes.find(name.front()) != std::string_view::npos) return true;
  if (name.size() > 2 && name[1] == ':' && slashes.find(name[2]) != std::string_view::npos) return true;
  while (true) {
    const size_t end = name.find_first_of(slashes);
    if (name.substr(0, end) == "..") return true;
    if (end == std::string_view::npos) return false;
    name.remove_prefix(end + 1);
  }
}

// Returns the fault of an array's name, or nullptr. Programs that unpack archives use names as paths, and
// npz_names() separates them by line ends.
const char* fault_of(std::string_view name) {
  if (!is_utf8(name)) return " is not UTF-8";
  if (has_control(name)) return " has a control character inside";
  if (leaves_folder(name)) return " is a path out of the folder that the archive is unpacked in";
  return nullptr;
}

}  // namespace

std::vector<std::string> npz_names(std::string_view path) {
  const ZipReader archive(path);
  std::vector<std::string> out;
  for (const ZipMember& m : archive.members()) {
    out.emplace_back(without_suffix(m.name));
    if (!is_utf8(m.name) || has_control(m.name))
      fail(ARR_E_FORMAT, archive.shown_path(), ": the name of array ", out.size() - 1, ", ",
           shown(out.back()), ", is not one line of UTF-8");
  }
  return out;
}

Ref<Array> load_npz(std::string_view path, std::string_view name, Device device, Stream* stream) {
  queue_for(device, stream);  // reports an unusable device or stream before the file is read
  ZipReader archive(path);
  const std::vector<ZipMember>& all = archive.members();
  const auto named = [&](auto&& has) { return std::find_if(all.begin(), all.end(), has); };
  // The names as npz_names() lists them have precedence: "a" and "a.npy" are different arrays.
  auto found = named([&](const ZipMember& m) { return without_suffix(m.name) == name; });
  if (found == all.end()) found = named([&](const ZipMember& m) { return m.name == name; });
  if (found == all.end())
    fail(ARR_E_ARGUMENT, "argument name: ", archive.shown_path(), " has no array ", shown(name));
  const std::unique_ptr<Source> member = archive.open(*found);
  return load_npy(*member, device, stream);
}

void save_npz(std::string_view path, std::span<const Array* const> arrays,
              std::span<const std::string_view> names, bool compressed, Stream* stream) {
  std::vector<std::string> all;
  std::unordered_set<std::string_view> met;
  for (size_t i = 0; i < arrays.size(); ++i) {
    const bool named = i < names.size() && !names[i].empty();
    all.push_back(named ? std::string(names[i]) : text("arr_", i));
    if (const char* fault = fault_of(all.back()))
      fail(ARR_E_ARGUMENT, "argument names: ", shown(all.back()), fault);
  }
  for (const std::string& name : all) {
    if (!met.insert(name).second) fail(ARR_E_ARGUMENT, "argument names: ", shown(name), " appears twice");
  }
  for (const std::string& name : all) {
    if (name.ends_with(suffix) && met.contains(without_suffix(name)))
      fail(ARR_E_ARGUMENT, "argument names: ", shown(name), " and ", shown(without_suffix(name)),
           ", which NumPy cannot distinguish");
  }
  ZipWriter archive(path);
  for (size_t i = 0; i < arrays.size(); ++i) {
    const NpyText npy = npy_text(*arrays[i], stream);
    archive.add(all[i] + std::string(suffix), npy.preamble, npy.elements->data, npy.bytes(), compressed);
  }
  archive.commit();
}

}  // namespace arr::io
