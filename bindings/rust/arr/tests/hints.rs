// SPDX-License-Identifier: MIT
//! Mistakes of newcomers that do not compile: each message says what to write instead.
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The body of `fn main() -> arr::Result<()>` after `let a = array![1.0f64, 2.0];`, and what the compiler says.
const MISTAKES: &[(&str, &[&str])] = &[
    ("a.map(|x| x + \"1\")?;", &["`&str` is no operand of a node", "zip_map"]),
    ("let b = a.clone(); a.map(|x| x + &b)?;", &["`&Array<f64>` is no operand of a node", "zip_map"]),
    ("a.try_add(&array![1.0f32])?;", &["`&Array<f32>` is no operand of an array of `f64`", "`a.cast::<f64>()?`"]),
    ("a.maximum(1);", &["`{integer}` is no operand of an array of `f64`", "a plain number is of the element type"]),
    ("a.as_dyn().try_add(vec![1.0])?;", &["`Vec<{float}>` is no operand of an array", "an array or a number"]),
    ("a.at(1.0)?;", &["`{float}` is not the position of an element", "expected integers"]),
    ("a.at(1..2)?;", &["is not the position of an element", "`a.slice(s![1..3])?`"]),
    ("let axis = 0usize; a.sum(axis);", &["`usize` names no axes", "write `axis as i32`"]),
    ("let n = 3i64; Array::<f64>::zeros([n, n])?;", &["`[i64; 2]` is not a shape", "write `n as usize`"]),
    ("Array::from_vec(vec![1usize], 1)?;", &["`usize` is no element of an array", "convert them to `i64`"]),
    ("a.sqrt_into(&mut array![0.0f32])?;", &["is no destination of elements of `f64`", "`Array<f64>`"]),
    (
        "fn f<T: arr::Ordered>(_: &Array<T>) {} f(&array![arr::c64::new(0.0, 1.0)]);",
        &["`Complex<f64>` is no element type with an order", "`a.real()`"],
    ),
    ("fn f<T: arr::Float>(_: &Array<T>) {} f(&array![1]);", &["`{integer}` is not a float", "`a.cast::<f64>()?`"]),
    ("arr::Launch::cover(1.5, 128);", &["`{float}` counts no blocks or threads", "`(16, 16)`"]),
    ("arr::Generator::new(\"42\")?;", &["`&str` is no seed", "`Generator::new(42)?`"]),
    ("arr::with_view(&mut [1.0], 1, |v| v.sum(0.5).item())?;", &["`{float}` names no axes"]),
];

/// The crate that this test is linked with: the newest, where several were built.
fn library() -> PathBuf {
    let folder = std::env::current_exe().expect("a test has a path").parent().expect("it lies in deps").to_owned();
    let is_library = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.starts_with("libarr-") && name.ends_with(".rlib")
    };
    let files = std::fs::read_dir(folder).expect("the folder is read").filter_map(|entry| Some(entry.ok()?.path()));
    let newest = files.filter(is_library).max_by_key(|path| path.metadata().and_then(|m| m.modified()).ok());
    newest.expect("cargo has built the crate")
}

/// The compiler's messages for a program, with short names of types.
fn compile(library: &Path, program: &str) -> (bool, String) {
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or("rustc".into()));
    rustc.args(["--edition=2021", "--crate-type=lib", "--emit=metadata", "-o"]);
    // Not /dev/null: rustc replaces the file, which root may.
    let metadata = std::env::temp_dir().join(format!("arr_hints_{}.rmeta", std::process::id()));
    rustc.arg(&metadata).arg("-");
    rustc.arg("--extern").arg(format!("arr={}", library.display()));
    rustc.arg("-L").arg(format!("dependency={}", library.parent().expect("a folder").display()));
    rustc.env_remove("LD_PRELOAD").stdin(Stdio::piped()).stderr(Stdio::piped()).stdout(Stdio::null());
    let mut child = rustc.spawn().expect("rustc runs");
    std::io::Write::write_all(&mut child.stdin.take().expect("it is piped"), program.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("rustc ends");
    let _ = std::fs::remove_file(metadata);
    (output.status.success(), String::from_utf8_lossy(&output.stderr).replace("arr::", ""))
}

#[test]
fn messages_say_what_to_write() {
    let library = library();
    let program = |body: &str| {
        let head = "#![allow(unused)] use arr::{array, Array}; pub fn main() -> arr::Result<()>";
        format!("{head} {{ let a = array![1.0f64, 2.0];\n{body}\nOk(()) }}")
    };
    assert_eq!(compile(&library, &program("a.map(|x| 2.0 * x)?;")), (true, String::new()));
    for (mistake, expected) in MISTAKES {
        let (compiled, said) = compile(&library, &program(mistake));
        assert!(!compiled, "{mistake} compiles");
        for text in *expected {
            assert!(said.contains(text), "{mistake}\ndoes not say: {text}\n{said}");
        }
    }
}
