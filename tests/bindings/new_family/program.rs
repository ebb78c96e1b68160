// SPDX-License-Identifier: MIT
//! Calls the function of the family that new_family.sh makes.
use arr_sys::*;
use std::ffi::CStr;
use std::ptr::null;

fn check(api: &Api, status: arr_status) {
    // SAFETY: the text is borrowed until this thread's next failing call.
    let text = unsafe { CStr::from_ptr(api.arr_last_error()) };
    assert!(status == ARR_OK, "{text:?}");
}

fn main() -> Result<(), LoadError> {
    let api = api()?;
    let (input, three, mut output) = ([-2.0f64, 3.0, 0.5], [3i64], [0.0f64; 3]);
    let [mut x, mut y] = [arr_array::NULL; 2];
    let stream = arr_stream::NULL;
    // SAFETY: every pointer is to a local that outlives the calls, with the sizes that are passed.
    unsafe {
        let from = input.as_ptr().cast();
        check(api, api.arr_from_host(from, 24, ARR_FLOAT64, 1, three.as_ptr(), 0, null(), stream, &mut x));
        check(api, api.arr_twice(x, stream, &mut y));
        check(api, api.arr_get(y, ARR_ORDER_C, output.as_mut_ptr().cast(), 24, stream));
        check(api, api.arr_release(x));
        check(api, api.arr_release(y));
    }
    println!("Rust: {output:?}");
    assert!(output == [-4.0, 6.0, 1.0]);
    Ok(())
}
