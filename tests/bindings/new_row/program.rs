// SPDX-License-Identifier: MIT
//! Calls the op, the reduction and the distribution that new_row.sh adds to the tables.
use arr_sys::*;
use std::ffi::CStr;
use std::ptr::null;

fn check(api: &Api, status: arr_status) {
    // SAFETY: the text is borrowed until this thread's next failing call.
    let text = unsafe { CStr::from_ptr(api.arr_last_error()) };
    assert!(status == ARR_OK, "{text:?}");
}

/// N elements of an array, which is released.
fn read<const N: usize>(api: &Api, a: arr_array) -> [f64; N] {
    let mut out = [0.0; N];
    // SAFETY: the buffer is a local of the size that is passed.
    unsafe {
        check(api, api.arr_get(a, ARR_ORDER_C, out.as_mut_ptr().cast(), 8 * N as i64, arr_stream::NULL));
        check(api, api.arr_release(a));
    }
    out
}

fn main() -> Result<(), LoadError> {
    let api = api()?;
    let (input, three, two) = ([-2.0f64, 3.0, 0.5], [3i64], [2i64]);
    let [mut x, mut y, mut z, mut w] = [arr_array::NULL; 4];
    let (mut start, mut width) = (arr_value::default(), arr_value::default());
    let (stream, generator) = (arr_stream::NULL, arr_generator::NULL);
    // SAFETY: every pointer is to a local that outlives the calls, with the sizes that are passed.
    unsafe {
        api.arr_value_f64(&mut start, 2.5);
        api.arr_value_f64(&mut width, 0.0);
        let from = input.as_ptr().cast();
        check(api, api.arr_from_host(from, 24, ARR_FLOAT64, 1, three.as_ptr(), 0, null(), stream, &mut x));
        check(api, api.arr_cube(x, stream, &mut y));
        check(api, api.arr_twice_sum(x, 0, null(), false, stream, &mut z));
        let shape = two.as_ptr();
        check(api, api.arr_random_span(generator, &start, &width, ARR_FLOAT64, 1, shape, null(), stream, &mut w));
        check(api, api.arr_release(x));
    }
    let (cube, twice, drawn) = (read::<3>(api, y), read::<1>(api, z), read::<2>(api, w));
    println!("Rust: {cube:?}, {twice:?}, {drawn:?}");
    assert!(cube == [-8.0, 27.0, 0.125] && twice == [3.0] && drawn == [2.5, 2.5]);
    assert_eq!((ARR_OP_CUBE, ARR_REDUCTION_TWICE_SUM, ARR_DISTRIBUTION_SPAN), (500, 60, 500));
    Ok(())
}
