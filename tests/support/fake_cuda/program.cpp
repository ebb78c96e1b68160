// SPDX-License-Identifier: MIT
// The images of the fake: source texts behind the magic number of each kind, so that they are told apart as
// real ones are.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "state.h"

namespace arr::fake {
namespace {

void put(std::string* out, const std::string& field) { *out += std::to_string(field.size()) + ":" + field; }
std::string get(const char** at) {
  char* end = nullptr;
  size_t n = std::strtoull(*at, &end, 10);
  *at = end + 1 + n;
  return {end + 1, n};
}

void put_list(std::string* out, const std::vector<std::string>& list) {
  put(out, std::to_string(list.size()));
  for (const std::string& s : list) put(out, s);
}
void get_list(const char** at, std::vector<std::string>* list) {
  for (size_t n = std::stoull(get(at)); n > 0; --n) list->push_back(get(at));
}

// The first bytes of an image of a kind.
std::string head(Form form) {
  if (form == Form::ptx) return "// Made by the fake NVRTC\n.version 9.0\n.target sm_90\n//";
  if (form == Form::ltoir) return "\xED\x43\x4E\x7F";
  if (form == Form::fatbin) return "\x50\xED\x55\xBA";
  std::string elf(64, '\0');
  elf.replace(0, 4, "\177ELF");
  elf[18] = static_cast<char>(190);  // EM_CUDA
  return elf;
}

}  // namespace

std::string pack(const Program& p, Form form) {
  std::string out = head(form) + image_magic + '\n';
  put(&out, std::to_string(p.units.size()));
  for (const Unit& u : p.units) {
    put(&out, u.name);
    put(&out, u.source);
    put(&out, u.ptx ? "ptx" : "");
  }
  put_list(&out, p.options);
  put_list(&out, p.names);
  return out;
}

bool unpack(const char* image, Program* p) {
  for (Form form : {Form::cubin, Form::ptx, Form::ltoir, Form::fatbin}) {
    const std::string begin = head(form);
    const char* at = image;
    size_t same = 0;
    while (same < begin.size() && at[same] == begin[same]) ++same;
    if (same < begin.size() || std::strncmp(at + same, image_magic, sizeof image_magic - 1) != 0) continue;
    at += same + sizeof image_magic;
    for (size_t n = std::stoull(get(&at)); n > 0; --n) {
      Unit u;
      u.name = get(&at);
      u.source = get(&at);
      u.ptx = !get(&at).empty();
      p->units.push_back(u);
    }
    get_list(&at, &p->options);
    get_list(&at, &p->names);
    p->form = form;
    return true;
  }
  return false;
}

std::string lowered(const std::string& expression) { return "_Zfake" + expression; }

std::shared_ptr<host_kernels::Image> build(const Program& p) {
  host_kernels::Options o;
  o.compiler_options = p.options;
  o.names = p.names;
  o.effort = host_kernels::Effort::none;  // the suites compile thousands
  std::vector<host_kernels::SourceUnit> units;
  for (const Unit& u : p.units) units.push_back({u.name, u.source, u.ptx});
  if (std::any_of(p.units.begin(), p.units.end(), [](const Unit& u) { return u.ptx; })) {
    o.compiler_options.clear();              // the toolkit's NVRTC has followed them
    o.effort = host_kernels::Effort::quick;  // each register has a place on the stack otherwise
    o.names.clear();
  }
  return host_kernels::compile(units, o);
}

}  // namespace arr::fake
