# SPDX-License-Identifier: MIT
"""bindings/rust/arr-sys/src/generated.rs: types, constants and one table of function pointers.

The table is filled by dlsym (feature dynamic-loading) or by the linker (feature linked); callers see the same
`Api` in both cases.
"""

import text
from rust_arguments import escaped

RESERVED = {"in", "type", "fn", "impl", "move", "ref", "match", "mod", "use", "where", "loop", "box", "self", "as"}
# Rust has these itself, and clippy says so.
RUST_REALS = {"ARR_PI": "core::f64::consts::PI", "ARR_E": "core::f64::consts::E"}
PLAIN = {"void": "c_void", "bool": "bool", "char": "c_char", "int32": "i32", "int64": "i64", "double": "f64"}


def rust_type(t):
    if t["base"] == "callback":
        arguments = ", ".join(rust_type(a) for a in t["arguments"])
        returns = "" if t["returns"]["base"] == "void" else f" -> {rust_type(t['returns'])}"
        return f'Option<unsafe extern "C" fn({arguments}){returns}>'
    base = t.get("typedef") or t.get("of") or PLAIN[t["base"]]
    for const in reversed(t["const"]):
        base = ("*const " if const else "*mut ") + base
    return base


def signature(f):
    arguments = [f"{text.name(p['name'], RESERVED)}: {rust_type(p['type'])}" for p in f["parameters"]]
    void = f["returns"]["type"]["base"] == "void" and not f["returns"]["type"]["pointer"]
    return arguments, "" if void else f" -> {rust_type(f['returns']['type'])}"


def emit_types(api):
    out = ""
    for h in api["handles"]:
        out += (
            "/// A handle: an opaque name in the library's table, not an address.\n"
            "#[repr(transparent)]\n#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]\n"
            f"pub struct {h}(pub *mut c_void);\n"
            f"// SAFETY: rule 9: the library looks the name up and locks what it stands for.\nunsafe impl Send for {h} {{}}\nunsafe impl Sync for {h} {{}}\n"
            f"impl {h} {{\n    pub const NULL: {h} = {h}(core::ptr::null_mut());\n}}\n"
            f"impl Default for {h} {{\n    fn default() -> Self {{\n        Self::NULL\n    }}\n}}\n"
            f"const _: () = assert!(size_of::<{h}>() == 8);\n\n"
        )
    for o in api["opaque"]:
        out += f"/// Only pointers to it are passed.\n#[repr(C)]\npub struct {o} {{\n    _private: [u8; 0],\n}}\n\n"
    for n, base in sorted(api["typedefs"].items()):
        out += f"pub type {n} = {PLAIN[base]};\n"
    out += "\n"
    for s in api["structs"]:
        # Neither pointers nor handles have a default, and floats are not Eq: such a struct is zeroed by hand.
        plain = all(f["type"]["base"] in ("int32", "int64") and not f["type"]["pointer"] for f in s["fields"])
        derived = "Clone, Copy, Debug, Default, PartialEq, Eq" if plain else "Clone, Copy, Debug"
        out += text.wrap(escaped(s["doc"]), "///") + f"#[repr(C)]\n#[derive({derived})]\n"
        out += f"pub struct {s['name']} {{\n"
        for f in s["fields"]:
            out += text.wrap(escaped(f["doc"]), "    ///") if f["doc"] else ""
            out += f"    pub {text.name(f['name'], RESERVED)}: {rust_type(f['type'])},\n"
        out += "}\n"
        if not plain:
            out += (
                f"impl Default for {s['name']} {{\n    fn default() -> Self {{\n        // Numbers, pointers and handles: "
                "all zero is a value of each.\n        unsafe { core::mem::zeroed() }\n    }\n}\n"
            )
        out += f"const _: () = assert!(size_of::<{s['name']}>() == {s['size']});\n"
        out += f"const _: () = assert!(align_of::<{s['name']}>() == {s['align']});\n"
        for f in s["fields"]:
            out += (
                f"const _: () = assert!(offset_of!({s['name']}, {text.name(f['name'], RESERVED)}) == {f['offset']});\n"
            )
        out += "\n"
    for c in api["constants"]:
        out += text.wrap(escaped(c["doc"]), "///") if c["doc"] else ""
        kind = "f64" if c.get("type") == "double" else "i32"
        value = RUST_REALS.get(c["name"]) or text.constant(c, "{}", "{}", "f64::INFINITY", "f64::NAN")
        out += f"pub const {c['name']}: {kind} = {value};\n"
    return out + "\n"


def emit_table(api):
    out = "/// Every function of the library. The methods below call them.\n#[derive(Clone, Copy)]\npub struct Api {\n"
    for f in api["functions"]:
        arguments, returns = signature(f)
        out += text.join(f'    pub {f["name"]}: unsafe extern "C" fn(', arguments, f"){returns},", 100, " " * 8)
    out += "}\n\nimpl Api {\n"
    out += (
        "    /// Fills the table; `find` gives the address of a symbol.\n"
        '    #[cfg(all(feature = "dynamic-loading", not(feature = "linked")))]\n'
        "    pub(crate) unsafe fn load<E>(find: impl Fn(&core::ffi::CStr) -> Result<*mut c_void, E>)"
        " -> Result<Api, E> {\n        use core::mem::transmute;\n        Ok(Api {\n"
    )
    out += "".join(f'            {f["name"]}: transmute(find(c"{f["name"]}")?),\n' for f in api["functions"])
    out += "        })\n    }\n\n"
    for f in api["functions"]:
        arguments, returns = signature(f)
        out += text.wrap(escaped(text.one_line(f["doc"])), "    ///", 100)
        out += "    ///\n    /// # Safety\n    /// As in C: pointers must be valid for what the header says.\n"
        out += (
            ("    #[must_use]\n" if returns else "")
            + "    #[inline]\n"
            + text.join(f"    pub unsafe fn {f['name']}(", ["&self"] + arguments, f"){returns} {{", 100, " " * 8)
        )
        out += text.join(f"        (self.{f['name']})(", [a.split(":")[0] for a in arguments], ")", 100, " " * 12)
        out += "    }\n\n"
    return out.rstrip("\n") + "\n}\n\n"


def emit_linked(api):
    out = '/// The functions as the linker finds them.\n#[cfg(feature = "linked")]\npub mod linked {\n'
    out += '    use super::*;\n    #[link(name = "arr")]\n    extern "C" {\n'
    for f in api["functions"]:
        arguments, returns = signature(f)
        out += text.join(f"        pub fn {f['name']}(", arguments, f"){returns};", 100, " " * 12)
    out += "    }\n    pub(crate) static API: Api = Api {\n"
    out += "".join(f"        {f['name']},\n" for f in api["functions"]) + "    };\n}\n\n"
    return out


def emit(api):
    out = text.banner("//", "generated.rs: the C API of libarr with C's own names.")
    out += "#![allow(non_camel_case_types, clippy::too_many_arguments, clippy::missing_transmute_annotations)]\n"
    out += "#![allow(clippy::type_complexity)] // functions that take functions, as C has them\n"
    out += "use core::ffi::{c_char, c_void};\nuse core::mem::{align_of, offset_of, size_of};\n\n"
    out += emit_types(api) + emit_table(api) + emit_linked(api)
    out += "/// Element-wise operations: name, number, operands.\npub const OPS: &[(&str, i32, i32)] = &[\n"
    out += "".join(f'    ("{o["name"]}", {o["number"]}, {o["arity"]}),\n' for o in api["ops"]) + "];\n\n"
    out += "/// Reductions: name, number.\npub const REDUCTIONS: &[(&str, i32)] = &[\n"
    out += "".join(f'    ("{r["name"]}", {r["number"]}),\n' for r in api["reductions"]) + "];\n\n"
    out += f"/// Names of all {len(api['functions'])} functions.\npub const FUNCTIONS: &[&str] = &[\n"
    out += "".join(f'    "{f["name"]}",\n' for f in api["functions"]) + "];\n"
    return {"bindings/rust/arr-sys/src/generated.rs": out}
