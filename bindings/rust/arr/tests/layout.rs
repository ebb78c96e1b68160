// SPDX-License-Identifier: MIT
//! Constants, structs and elements are those of C: checked by the C compiler, and by what the library itself says.
use std::process::Command;

use arr::{bf16, c32, c64, f16, DType, Element};
use arr_sys::{arr_device, arr_memory_stats, arr_ufunc_options, arr_value};

fn size<T: Element>() -> (DType, usize) {
    (T::DTYPE, std::mem::size_of::<T>())
}

#[test]
fn elements_have_the_library_s_sizes() -> arr::Result<()> {
    let all = [
        (size::<bool>(), "bool"),
        (size::<i8>(), "int8"),
        (size::<i16>(), "int16"),
        (size::<i32>(), "int32"),
        (size::<i64>(), "int64"),
        (size::<u8>(), "uint8"),
        (size::<u16>(), "uint16"),
        (size::<u32>(), "uint32"),
        (size::<u64>(), "uint64"),
        (size::<f16>(), "float16"),
        (size::<bf16>(), "bfloat16"),
        (size::<f32>(), "float32"),
        (size::<f64>(), "float64"),
        (size::<c32>(), "complex64"),
        (size::<c64>(), "complex128"),
    ];
    for ((dtype, size), name) in all {
        assert_eq!((dtype.name()?, dtype.size()?), (name, size));
        assert_eq!(DType::find(name)?, dtype);
    }
    assert_eq!(DType::INT32.promote(DType::FLOAT32)?, DType::FLOAT64);
    assert_eq!(DType::find("float33").unwrap_err().kind(), arr::ErrorKind::DType);
    Ok(())
}

/// Every constant and every struct of the generated layer, as static assertions that the C compiler checks.
#[test]
fn c_agrees() {
    let mut program = String::from("#include <arr/arr.h>\n#include <stddef.h>\n#include <assert.h>\n");
    let mut constants = 0;
    for line in include_str!("../../arr-sys/src/generated.rs").lines() {
        let Some(rest) = line.strip_prefix("pub const ARR_") else { continue };
        let Some((name, value)) = rest.trim_end_matches(';').split_once(": i32 = ") else { continue };
        program += &format!("static_assert(ARR_{name} == {value}, \"ARR_{name}\");\n");
        constants += 1;
    }
    assert!(constants > 100, "{constants} constants found");
    macro_rules! same {
        ($struct:ident: $($field:ident = $c:ident),*) => {
            let of = stringify!($struct);
            program += &format!("static_assert(sizeof({of}) == {}, \"{of}\");\n", std::mem::size_of::<$struct>());
            $(
                let (c, at) = (stringify!($c), std::mem::offset_of!($struct, $field));
                program += &format!("static_assert(offsetof({of}, {c}) == {at}, \"{of}.{c}\");\n");
            )*
        };
    }
    same!(arr_device: type_ = type, index = index);
    same!(arr_value: kind = kind, dtype = dtype, lo = lo, hi = hi);
    same!(arr_memory_stats: struct_size = struct_size, in_use = in_use, peak = peak, free = free);
    same!(arr_ufunc_options: struct_size = struct_size, dtype = dtype, order_set = order_set);

    let source = std::env::temp_dir().join(format!("arr_layout_{}.c", std::process::id()));
    std::fs::write(&source, program).expect("the program is written");
    let include = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../capi/include");
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    let mut command = Command::new(&compiler);
    command.args(["-std=c11", "-fsyntax-only", "-I", include]).arg(&source).env_remove("LD_PRELOAD");
    let run = command.output();
    let _ = std::fs::remove_file(&source);
    match run {
        Ok(run) => assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr)),
        Err(error) => println!("skipped: no C compiler {compiler}: {error}"),
    }
}

#[test]
fn the_library_is_of_this_version() -> arr::Result<()> {
    let (major, minor, patch) = arr::version()?;
    assert_eq!((major * 1_000_000 + minor * 1000 + patch) as i32, arr_sys::ARR_VERSION);
    Ok(())
}
