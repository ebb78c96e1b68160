// SPDX-License-Identifier: MIT
//! Calls the op that new_row.sh adds to the table.
use arr_sys::*;
use std::ffi::CStr;

fn check(api: &Api, status: arr_status) {
    // SAFETY: the text is borrowed until this thread's next failing call.
    let text = unsafe { CStr::from_ptr(api.arr_last_error()) };
    assert!(status == ARR_OK, "{text:?}");
}

fn main() -> Result<(), LoadError> {
    let api = api()?;
    let (input, mut output, shape) = ([-2.0f64, 3.0, 0.5], [0.0f64; 3], [3i64]);
    let (mut x, mut y) = (arr_array::NULL, arr_array::NULL);
    // SAFETY: every pointer is to a local that outlives the calls, with the sizes that are passed.
    unsafe {
        let (from, to) = (input.as_ptr().cast(), output.as_mut_ptr().cast());
        let device = std::ptr::null();
        check(api, api.arr_from_host(from, 24, ARR_FLOAT64, 1, shape.as_ptr(), 0, device, arr_stream::NULL, &mut x));
        check(api, api.arr_cube(x, arr_stream::NULL, &mut y));
        check(api, api.arr_get(y, ARR_ORDER_C, to, 24, arr_stream::NULL));
        check(api, api.arr_release(x));
        check(api, api.arr_release(y));
    }
    println!("Rust: {output:?}, op {ARR_OP_CUBE}");
    assert!(output == [-8.0, 27.0, 0.125] && ARR_OP_CUBE == 500);
    Ok(())
}
