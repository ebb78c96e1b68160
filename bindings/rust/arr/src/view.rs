// SPDX-License-Identifier: MIT
//! Parts of arrays, and slices of the program, that are written to in place while they are borrowed.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use arr_sys::arr_array;

use crate::array::{same_count, Array};
use crate::device::Device;
use crate::element::{value_of, Element};
use crate::error::{call, Result};
use crate::shape::IntoShape;
use crate::stream::current;
use crate::transfer::{strides_of, wrap_raw};

/// Elements borrowed to be written: of an array ([`Array::slice_mut`]) or of a slice of the program
/// ([`ViewMut::wrap`]). It is an operand like an array, and its memory stays where it is.
#[derive(Debug)]
pub struct ViewMut<'a, T: Element> {
    view: Array<T>,
    /// Of a wrapped slice: whether the library has let go of it.
    done: Option<Arc<AtomicBool>>,
    borrowed: PhantomData<&'a mut [T]>,
}

extern "C" fn let_go(ctx: *mut c_void) {
    // SAFETY: ctx is the count that `wrap` gave away; the library calls this once.
    let done = unsafe { Arc::from_raw(ctx.cast::<AtomicBool>().cast_const()) };
    done.store(true, Ordering::Release);
}

impl<'a, T: Element> ViewMut<'a, T> {
    pub(crate) fn new(view: Array<T>) -> ViewMut<'a, T> {
        ViewMut { view, done: None, borrowed: PhantomData }
    }

    /// Sees a slice of the program as an array, without a copy: each side sees what the other writes.
    ///
    /// ```no_run
    /// # fn main() -> arr::Result<()> {
    /// let mut numbers = [1.0, 2.0, 3.0, 4.0];
    /// arr::ViewMut::wrap(&mut numbers, [2, 2])?.fill(7.0)?;
    /// assert_eq!(numbers, [7.0; 4]);
    /// # Ok(())
    /// # }
    /// ```
    #[track_caller]
    pub fn wrap(elements: &'a mut [T], shape: impl IntoShape) -> Result<ViewMut<'a, T>> {
        let shape = shape.into_shape();
        same_count(elements.len(), shape.size()?, &shape)?;
        let dims = shape.dims()?;
        let strides = strides_of(&dims, shape.order());
        let done = Arc::new(AtomicBool::new(false));
        let ctx = Arc::into_raw(Arc::clone(&done)).cast_mut().cast();
        let mut out = arr_array::NULL;
        let data = elements.as_mut_ptr();
        // SAFETY: the slice is borrowed until this view is dropped, which waits until the library has let go.
        let wrapped = unsafe { wrap_raw(data, &dims, &strides, Device::HOST, let_go, ctx, &mut out) };
        if let Err(error) = wrapped {
            let_go(ctx);
            return Err(error);
        }
        let mut view = ViewMut::new(Array::own(out));
        view.done = Some(done);
        Ok(view)
    }

    /// The view as an array for the library's calls. It never leaves this crate: a clone of it would outlive the
    /// borrow.
    pub(crate) fn array(&self) -> &Array<T> {
        &self.view
    }

    #[track_caller]
    pub fn shape(&self) -> Result<Vec<usize>> {
        self.view.shape()
    }

    /// A copy as an array of its own.
    #[track_caller]
    pub fn to_array(&self) -> Result<Array<T>> {
        self.view.copy(crate::Order::K)
    }

    /// Writes one number to every element.
    #[track_caller]
    pub fn fill(&mut self, value: T) -> Result<()> {
        call!(arr_fill(self.view.as_raw(), &value_of(value), current()));
        Ok(())
    }

    /// Writes an array's elements, which broadcast.
    #[track_caller]
    pub fn assign(&mut self, source: &Array<T>) -> Result<()> {
        call!(arr_assign(self.view.as_raw(), source.as_raw(), current()));
        Ok(())
    }
}

impl<T: Element> Drop for ViewMut<'_, T> {
    fn drop(&mut self) {
        let Some(done) = &self.done else { return };
        if let Ok(api) = arr_sys::api() {
            // SAFETY: the handle is this value's own, and released here only.
            unsafe {
                api.arr_release(std::mem::replace(self.view.raw_mut(), arr_array::NULL));
                // Work that still reads the slice keeps it; the borrow must not end before.
                while !done.load(Ordering::Acquire) {
                    api.arr_device_sync(&Device::HOST.raw());
                    std::thread::yield_now();
                }
            }
        }
    }
}
