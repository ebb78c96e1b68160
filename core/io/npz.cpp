// SPDX-License-Identifier: MIT
// Reading and writing .npz files.
#include "io/npz.h"

#include <algorithm>
#include <unordered_set>

#include "io/npy.h"
#include "io/zip.h"

namespace arr::io {

namespace {

constexpr std::string_view suffix = ".npy";

std::string_view without_suffix(std::string_view name) {
  return name.ends_with(suffix) ? name.substr(0, name.size() - suffix.size()) : name;
}

}  // namespace

std::vector<std::string> npz_names(std::string_view path) {
  const ZipReader archive(path);
  std::vector<std::string> out;
  for (const ZipMember& m : archive.members()) out.emplace_back(without_suffix(m.name));
  return out;
}

Ref<Array> load_npz(std::string_view path, std::string_view name, Device device, Stream* stream) {
  queue_for(device, stream);  // reports an unusable device or stream before the file is read
  ZipReader archive(path);
  const std::vector<ZipMember>& all = archive.members();
  const auto named = [&](auto&& has) { return std::find_if(all.begin(), all.end(), has); };
  auto found = named([&](const ZipMember& m) { return m.name == name; });
  if (found == all.end()) found = named([&](const ZipMember& m) { return without_suffix(m.name) == name; });
  if (found == all.end())
    fail(ARR_E_ARGUMENT, "argument name: ", archive.shown_path(), " has no array ", shown(name));
  const std::unique_ptr<Source> member = archive.open(*found);
  return load_npy(*member, device, stream);
}

void save_npz(std::string_view path, std::span<const Array* const> arrays,
              std::span<const std::string_view> names, bool compressed, Stream* stream) {
  std::vector<std::string> members;
  std::unordered_set<std::string> met;
  for (size_t i = 0; i < arrays.size(); ++i) {
    const bool named = i < names.size() && !names[i].empty();
    members.push_back(named ? std::string(names[i]) : text("arr_", i));
    members.back() += suffix;
    if (!met.insert(members.back()).second)
      fail(ARR_E_ARGUMENT, "argument names: ", shown(without_suffix(members.back())), " appears twice");
    // Names are paths to programs that unpack archives.
    if (members.back().find('\0') != std::string::npos)
      fail(ARR_E_ARGUMENT, "argument names: ", shown(members.back()), " has a NUL inside");
  }
  ZipWriter archive(path);
  for (size_t i = 0; i < arrays.size(); ++i) {
    const NpyText npy = npy_text(*arrays[i], stream);
    archive.add(members[i], npy.preamble, npy.elements->data, npy.bytes(), compressed);
  }
  archive.commit();
}

}  // namespace arr::io
