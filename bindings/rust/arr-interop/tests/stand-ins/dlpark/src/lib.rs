// SPDX-License-Identifier: MIT
//! A stand-in for the crate `dlpark`, for machines that cannot have it: the owner of a versioned DLPack tensor, with the
//! names and signatures of its documentation (0.6 and 0.7). The code is our own, so the test says that ours compiles
//! against such an interface, not that dlpark works with it.

use std::ffi::c_void;
use std::ptr::NonNull;

pub mod ffi {
    use super::c_void;

    #[repr(C)]
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct PackVersion {
        pub major: u32,
        pub minor: u32,
    }

    /// DLPack's DLManagedTensorVersioned, as far as an owner reads it; the tensor itself follows.
    #[repr(C)]
    #[derive(Debug)]
    pub struct ManagedTensorVersioned {
        pub version: PackVersion,
        pub manager_ctx: *mut c_void,
        pub deleter: Option<unsafe extern "C" fn(*mut ManagedTensorVersioned)>,
        pub flags: u64,
    }
}

#[derive(Debug)]
pub struct SafeManagedTensorVersioned(NonNull<ffi::ManagedTensorVersioned>);

impl SafeManagedTensorVersioned {
    /// # Safety
    /// `ptr` is a valid tensor, which the caller gives away.
    pub unsafe fn from_raw(ptr: *mut ffi::ManagedTensorVersioned) -> Self {
        // SAFETY: the caller vouches for it.
        unsafe { Self(NonNull::new_unchecked(ptr)) }
    }

    /// # Safety
    /// The caller deletes the tensor.
    pub unsafe fn into_raw(self) -> *mut ffi::ManagedTensorVersioned {
        std::mem::ManuallyDrop::new(self).0.as_ptr()
    }

    pub fn flags_bits(&self) -> u64 {
        // SAFETY: the tensor lives as long as its owner.
        unsafe { self.0.as_ref().flags }
    }
}

impl Drop for SafeManagedTensorVersioned {
    fn drop(&mut self) {
        // SAFETY: the tensor's deleter is called once, by its owner.
        unsafe {
            if let Some(deleter) = self.0.as_ref().deleter {
                deleter(self.0.as_ptr());
            }
        }
    }
}
