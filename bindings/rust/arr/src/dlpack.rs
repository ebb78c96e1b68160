// SPDX-License-Identifier: MIT
//! Interchange with other libraries in the process by DLPack, without a copy.

use std::fmt;

use arr_sys::{arr_array, DLManagedTensorVersioned};

use crate::array::Array;
use crate::dynarray::DynArray;
use crate::element::Element;
use crate::error::{api, call, check, Result};

/// No synchronisation between streams is asked for, or needed on the host.
const NO_STREAM: i64 = -1;

/// The major version of DLPack that libarr knows.
const MAJOR: u32 = 1;

/// A versioned DLPack tensor that shares an array's memory, until it is given away by [`Tensor::into_raw`].
/// Dropping it releases the memory.
pub struct Tensor(Foreign);

/// A DLPack tensor from outside, of which nothing has been checked or read yet.
pub struct Foreign(*mut DLManagedTensorVersioned);

/// The part of the versioned struct that is the same in every version.
#[repr(C)]
struct Prefix {
    version: [u32; 2],
    manager_ctx: *mut std::ffi::c_void,
    deleter: Option<unsafe extern "C" fn(*mut DLManagedTensorVersioned)>,
}

const _: () = assert!(std::mem::offset_of!(Prefix, deleter) == 16);

// SAFETY: rule 9: DLPack lets any thread use and delete a tensor.
unsafe impl Send for Foreign {}

impl Tensor {
    /// Returns the tensor for another library, which calls its deleter once. What that library writes is seen here too,
    /// so it must not write while this program reads.
    #[must_use]
    pub fn into_raw(self) -> *mut DLManagedTensorVersioned {
        std::mem::ManuallyDrop::new(self).0 .0
    }
}

impl Foreign {
    /// Takes a tensor over from another library.
    ///
    /// # Safety
    /// `tensor` is a versioned DLPack tensor that nobody else will delete, and its memory is used by nobody else while this
    /// program writes it, or written while this program reads it. Of a tensor that an array of this program made
    /// ([`DynArray::to_dlpack`]) that is the array too: neither knows of the other.
    pub unsafe fn from_raw(tensor: *mut DLManagedTensorVersioned) -> Foreign {
        Foreign(tensor)
    }

    /// Checks the tensor and makes it an array of its memory. An array of a tensor that is marked read-only is a
    /// view that may only be read: a write to it copies first and never reaches the other library.
    #[doc = errors!(arr_from_dlpack)]
    #[track_caller]
    pub fn into_dyn(self) -> Result<DynArray> {
        // The library itself calls the deleter of another major version; any other tensor that it refuses stays ours.
        // SAFETY: rule 8: the version comes first in every version.
        let other = !self.0.is_null() && unsafe { (*self.0.cast::<Prefix>()).version[0] } != MAJOR;
        let mut out = arr_array::NULL;
        let api = api()?;
        // SAFETY: rule 8: from_raw's caller vouches for the tensor.
        let imported = check(api, unsafe { api.arr_from_dlpack(self.0, NO_STREAM, &mut out) });
        if imported.is_ok() || other {
            std::mem::forget(self);
        }
        imported.map(|()| DynArray::own(out))
    }

    /// Returns an array with elements of `T`, like `into_dyn`; elements of another type are an error.
    #[doc = errors!(arr_from_dlpack)]
    #[track_caller]
    pub fn into_array<T: Element>(self) -> Result<Array<T>> {
        self.into_dyn()?.typed()
    }
}

impl Drop for Foreign {
    fn drop(&mut self) {
        if self.0.is_null() {
            return;
        }
        // SAFETY: rule 8: this value owns the tensor, and the deleter's offset is the same in every version.
        unsafe {
            if let Some(deleter) = (*self.0.cast::<Prefix>()).deleter {
                deleter(self.0);
            }
        }
    }
}

impl DynArray {
    /// Returns a tensor that shares the memory, for another library. It is marked read-only if the array is.
    #[doc = errors!(arr_to_dlpack)]
    #[track_caller]
    pub fn to_dlpack(&self) -> Result<Tensor> {
        let mut out = std::ptr::null_mut();
        call!(arr_to_dlpack(self.as_raw(), NO_STREAM, 0, &mut out));
        Ok(Tensor(Foreign(out)))
    }
}

impl<T: Element> Array<T> {
    /// Returns a tensor that shares the memory, for another library. It is marked read-only if the array is.
    #[doc = errors!(arr_to_dlpack)]
    #[track_caller]
    pub fn to_dlpack(&self) -> Result<Tensor> {
        self.as_dyn().to_dlpack()
    }
}

impl fmt::Debug for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Foreign(unchecked DLPack tensor)")
    }
}

impl fmt::Debug for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Tensor(DLPack)")
    }
}
