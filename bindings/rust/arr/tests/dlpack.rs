// SPDX-License-Identifier: MIT
//! DLPack: round trips without a copy, tensors made elsewhere, read-only ones, and ones that lie.
use std::ffi::c_void;
use std::sync::atomic::{AtomicUsize, Ordering};

use arr::{Array, ErrorKind, Foreign, Result};

/// DLManagedTensorVersioned as dlpack.h has it.
#[repr(C)]
struct Managed {
    version: [u32; 2],
    context: *mut c_void,
    deleter: unsafe extern "C" fn(*mut Managed),
    flags: u64,
    data: *mut f64,
    device: [i32; 2],
    ndim: i32,
    code: u8,
    bits: u8,
    lanes: u16,
    shape: *mut i64,
    strides: *mut i64,
    byte_offset: u64,
}

const READ_ONLY: u64 = 1;

/// The owner of a tensor's memory in this test.
struct Owner {
    numbers: Vec<f64>,
    shape: [i64; 2],
    strides: [i64; 2],
    deleted: &'static AtomicUsize,
}

unsafe extern "C" fn delete(tensor: *mut Managed) {
    // SAFETY: both boxes are those of `tensor_of`; DLPack calls this once.
    let tensor = unsafe { Box::from_raw(tensor) };
    let owner = unsafe { Box::from_raw(tensor.context.cast::<Owner>()) };
    owner.deleted.fetch_add(1, Ordering::SeqCst);
}

/// 0, 1, ... 5 as a 2 x 3 tensor of another library; `change` may spoil it.
fn tensor_of(deleted: &'static AtomicUsize, change: impl FnOnce(&mut Managed)) -> Foreign {
    let numbers = (0..6).map(f64::from).collect();
    let mut owner = Box::new(Owner { numbers, shape: [2, 3], strides: [3, 1], deleted });
    let mut tensor = Box::new(Managed {
        version: [1, 0],
        context: std::ptr::null_mut(),
        deleter: delete,
        flags: 0,
        data: owner.numbers.as_mut_ptr(),
        device: [1, 0],
        ndim: 2,
        code: 2,
        bits: 64,
        lanes: 1,
        shape: owner.shape.as_mut_ptr(),
        strides: owner.strides.as_mut_ptr(),
        byte_offset: 0,
    });
    tensor.context = Box::into_raw(owner).cast();
    change(&mut tensor);
    // SAFETY: the tensor is whole, or spoilt in what the library checks.
    unsafe { Foreign::from_raw(Box::into_raw(tensor).cast()) }
}

#[test]
fn there_and_back() -> Result<()> {
    let mut a = Array::from_slice(&[1.0, 2.0, 3.0, 4.0], [2, 2])?;
    let (address, raw) = (a.data()?, a.to_dlpack()?.into_raw());
    // SAFETY: nobody else has the tensor; the memory is written and read by turns, in one thread.
    let mut b = unsafe { Foreign::from_raw(raw) }.into_array::<f64>()?;
    assert_eq!(b.data()?, address);
    a += 1.0;
    assert_eq!(b.to_vec()?, [2.0, 3.0, 4.0, 5.0], "what one side writes ...");
    b *= 10.0;
    assert_eq!(a.to_vec()?, [20.0, 30.0, 40.0, 50.0], "... is seen on the other");
    assert_eq!(b.data()?, address);
    drop(a);
    assert_eq!(b.sum(..).item()?, 140.0);
    drop(b.t()?.to_dlpack()?); // a tensor that nobody takes lets go
    Ok(())
}

#[test]
fn from_another_library() -> Result<()> {
    static DELETED: AtomicUsize = AtomicUsize::new(0);
    let a = tensor_of(&DELETED, |_| ()).into_array::<f64>()?;
    let view = a.t()?;
    assert_eq!(a.to_vec()?, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
    drop(a);
    assert_eq!(DELETED.load(Ordering::SeqCst), 0, "a view keeps the memory");
    assert_eq!(view.at([2, 1])?, 5.0);
    drop(view);
    assert_eq!(DELETED.load(Ordering::SeqCst), 1);
    drop(tensor_of(&DELETED, |_| ()));
    assert_eq!(DELETED.load(Ordering::SeqCst), 2, "a tensor that is not imported is deleted");
    Ok(())
}

#[test]
fn read_only_memory_is_never_written() -> Result<()> {
    static DELETED: AtomicUsize = AtomicUsize::new(0);
    let mut address = std::ptr::null_mut();
    let mut a = tensor_of(&DELETED, |t| {
        t.flags = READ_ONLY;
        address = t.data;
    })
    .into_array::<f64>()?;
    assert!(a.is_read_only() && a.data()? == address.cast());
    let kept = a.clone();
    a.fill(9.0)?;
    assert!(!a.is_read_only() && a.data()? != address.cast());
    assert_eq!((kept.sum(..).item()?, a.sum(..).item()?), (15.0, 54.0));
    // SAFETY: the tensor is ours; its flags are read and its deleter is called.
    unsafe {
        let tensor = kept.to_dlpack()?.into_raw();
        assert_eq!((*tensor.cast::<Managed>()).flags & READ_ONLY, READ_ONLY);
        drop(Foreign::from_raw(tensor));
    }
    drop(kept);
    assert_eq!(DELETED.load(Ordering::SeqCst), 1);
    Ok(())
}

#[test]
fn tensors_that_lie_are_refused_and_deleted() {
    static DELETED: AtomicUsize = AtomicUsize::new(0);
    type Spoil = fn(&mut Managed);
    let table: &[(Spoil, &[ErrorKind])] = &[
        (|t| t.version = [2, 0], &[ErrorKind::Format, ErrorKind::Unsupported]),
        (|t| t.ndim = -1, &[ErrorKind::Shape, ErrorKind::Format]),
        (|t| t.ndim = 1000, &[ErrorKind::Shape, ErrorKind::Format]),
        (|t| t.bits = 7, &[ErrorKind::DType]),
        (|t| t.lanes = 4, &[ErrorKind::DType]),
        (|t| t.device = [12, 0], &[ErrorKind::Format]),
        (|t| t.data = std::ptr::null_mut(), &[ErrorKind::Format, ErrorKind::Argument]),
        (|t| t.shape = std::ptr::null_mut(), &[ErrorKind::Format, ErrorKind::Argument]),
    ];
    for (i, (spoil, kinds)) in table.iter().enumerate() {
        let error = tensor_of(&DELETED, spoil).into_dyn().expect_err("the tensor lies");
        assert!(kinds.contains(&error.kind()), "{i}: {error:?}");
        assert_eq!(DELETED.load(Ordering::SeqCst), i + 1, "{error}");
    }
    let error = tensor_of(&DELETED, |_| ()).into_array::<f32>().expect_err("it is of f64");
    assert_eq!((error.kind(), DELETED.load(Ordering::SeqCst)), (ErrorKind::DType, table.len() + 1));
}

#[test]
fn bytes_that_are_no_bool_are_refused() -> Result<()> {
    static DELETED: AtomicUsize = AtomicUsize::new(0);
    let a = tensor_of(&DELETED, |t| {
        (t.code, t.bits) = (6, 8);
        t.byte_offset = 10; // the last bytes of 1.0 are f0 3f
    })
    .into_array::<bool>()?;
    assert!(!a.at([0, 0])?);
    assert!(a.at([1, 1])?, "one element is read as the library reads it: any byte but 0 is true");
    assert_eq!(a.to_vec().unwrap_err().kind(), ErrorKind::Format);
    assert_eq!(a.as_slice().unwrap_err().kind(), ErrorKind::Format);
    // In a slice of the program they are true.
    let mut lent = [false; 6];
    arr::with_view(&mut lent, [2, 3], |view| view.assign(&a))?;
    assert_eq!((lent[0], lent[4], lent.map(u8::from).iter().max()), (false, true, Some(&1)));
    Ok(())
}
