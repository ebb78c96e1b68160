// SPDX-License-Identifier: MIT
//! Parts of arrays, and slices of the program, that are written to in place while they are borrowed.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use arr_sys::arr_array;

use crate::array::{same_count, Array};
use crate::device::Device;
use crate::element::{sealed::Sealed, value_of, DType, Element, Number, Ordered};
use crate::error::{call, Error, ErrorKind, Result};
use crate::shape::{Axes, IntoShape, Order, Shape};
use crate::slice::Position;
use crate::sort::Direction;
use crate::stream::current;
use crate::transfer::{strides_of, wrap_raw};

/// Elements borrowed to be written: of an array ([`Array::slice_mut`]), of a variable of a module
/// ([`crate::Module::global_mut`]) or of a slice of the program ([`with_view`]). It is an operand like an array, and its
/// memory stays where it is.
#[derive(Debug)]
pub struct ViewMut<'a, T: Element> {
    view: Array<T>,
    borrowed: PhantomData<&'a mut [T]>,
}

/// The elements of a [`ViewMut`] as the left side of an assignment: `*a.slice_mut(s![0])? -= &b`. Sealed.
///
/// Views cannot be swapped, because they borrow different arrays:
///
/// ```compile_fail,E0277
/// fn change<'a>(mut x: arr::ViewMut<'a, f64>, mut y: arr::ViewMut<'static, f64>) {
///     std::mem::swap(&mut *x, &mut *y);
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no part of an array",
    label = "expected what `a.slice_mut(s![..])?` returns"
)]
pub trait Part<T>: Sealed {
    #[doc(hidden)]
    fn raw(&self) -> arr_array;
}

impl<T: Element> Part<T> for Array<T> {
    fn raw(&self) -> arr_array {
        self.as_raw()
    }
}

impl<T: Element> Deref for ViewMut<'_, T> {
    type Target = dyn Part<T>;
    fn deref(&self) -> &Self::Target {
        &self.view
    }
}

impl<T: Element> DerefMut for ViewMut<'_, T> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.view
    }
}

impl<T: Element> ViewMut<'_, T> {
    pub(crate) fn new(view: Array<T>) -> Self {
        ViewMut { view, borrowed: PhantomData }
    }

    /// The view as an array for the library's calls. It never leaves this crate: a clone of it would outlive the
    /// borrow.
    pub(crate) fn array(&self) -> &Array<T> {
        &self.view
    }

    #[track_caller]
    pub fn shape(&self) -> &[usize] {
        self.view.shape()
    }

    /// Returns the number of dimensions.
    #[track_caller]
    pub fn ndim(&self) -> usize {
        self.view.ndim()
    }

    /// Returns the number of elements.
    #[track_caller]
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.view.len()
    }

    #[track_caller]
    pub fn device(&self) -> Device {
        self.view.device()
    }

    /// Returns a copy as a separate array.
    #[doc = errors!(arr_copy)]
    #[track_caller]
    pub fn to_array(&self) -> Result<Array<T>> {
        self.view.copy(Order::K)
    }

    /// Writes one number to every element.
    #[doc = errors!(arr_fill)]
    #[track_caller]
    pub fn fill(&mut self, value: T) -> Result<()> {
        call!(arr_fill(self.view.as_raw(), &value_of(value), current()));
        Ok(())
    }

    /// Writes an array's elements, which broadcast.
    #[doc = errors!(arr_assign)]
    #[track_caller]
    pub fn assign(&mut self, source: &Array<T>) -> Result<()> {
        call!(arr_assign(self.view.as_raw(), source.as_raw(), current()));
        Ok(())
    }

    /// Writes elements in row-major order.
    #[doc = errors!(arr_set)]
    #[track_caller]
    pub fn copy_from_slice(&mut self, elements: &[T]) -> Result<()> {
        let (bytes, order) = (std::mem::size_of_val(elements) as i64, Order::C.code());
        call!(arr_set(self.view.as_raw(), order, elements.as_ptr().cast(), bytes, current()));
        Ok(())
    }
}

/// Methods that read, for views: those whose results have their own memory.
macro_rules! reads {
    ([$($bound:tt)*]; $($name:ident $([$($generic:tt)*])? ($($x:ident: $type:ty),*) -> $result:ty;)*) => {
        impl<$($bound)*> ViewMut<'_, T> {$(
            #[doc = concat!("Does for the view what [`Array::", stringify!($name), "`] does for an array.")]
            ///
            /// # Errors
            /// Fails where the method of [`Array`] does.
            #[track_caller]
            pub fn $name $(<$($generic)*>)? (&self $(, $x: $type)*) -> Result<$result> {
                self.view.$name($($x),*)
            }
        )*}
    };
}

reads! { [T: Element];
    item() -> T;
    at(position: impl Position) -> T;
    to_vec() -> Vec<T>;
    iter() -> std::vec::IntoIter<T>;
    cast[U: Element]() -> Array<U>;
    var(axes: impl Axes, correction: f64) -> Array<<T::Mean as Element>::Real>;
    std(axes: impl Axes, correction: f64) -> Array<<T::Mean as Element>::Real>;
    sort(axis: impl Axes, direction: Direction) -> Array<T>;
    argsort(axis: impl Axes, direction: Direction) -> Array<i64>;
    dot(other: &Array<T>) -> Array<T>;
    vdot(other: &Array<T>) -> Array<T>;
}

reads! { [T: Ordered];
    median(axes: impl Axes) -> Array<T::Mean>;
}

reads! { [T: Number];
    matmul(other: &Array<T>) -> Array<T>;
}

/// The elements as NumPy prints them, as of an array.
impl<T: Element> std::fmt::Display for ViewMut<'_, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(&self.view, f)
    }
}

/// A slice that the library has, and that nothing uses any more when this is gone, however `with_view` is left.
struct Lent<T: Element> {
    array: Option<Array<T>>,
    elements: *mut T,
    count: usize,
    /// True when the library has released the memory.
    gone: Arc<AtomicBool>,
}

extern "C" fn let_go(ctx: *mut c_void) {
    // SAFETY: rule 7: ctx is the count that `Lent::new` gave away, and this is called once.
    let gone = unsafe { Arc::from_raw(ctx.cast::<AtomicBool>().cast_const()) };
    gone.store(true, Ordering::Release);
}

impl<T: Element> Lent<T> {
    #[track_caller]
    fn new(elements: &mut [T], shape: &Shape) -> Result<Lent<T>> {
        let dims = shape.dims()?;
        let strides = strides_of(&dims, shape.order());
        let gone = Arc::new(AtomicBool::new(false));
        let ctx = Arc::into_raw(Arc::clone(&gone)).cast_mut().cast();
        let (data, count) = (elements.as_mut_ptr(), elements.len());
        let mut out = arr_array::NULL;
        // SAFETY: rule 5: the caller of this function has the slice borrowed until this value has been dropped.
        let wrapped = unsafe { wrap_raw(data, &dims, &strides, Device::HOST, let_go, ctx, &mut out) };
        if let Err(error) = wrapped {
            let_go(ctx); // the library keeps nothing where it fails
            return Err(error);
        }
        Ok(Lent { array: Some(Array::own(out)), elements: data, count, gone })
    }

    #[track_caller]
    fn view(&self) -> Result<Array<T>> {
        match &self.array {
            Some(array) => array.try_clone(),
            None => Err(Error::new(ErrorKind::Internal, "argument elements: the view has ended")),
        }
    }

    /// Waits for the work on the slice and takes it back.
    #[track_caller]
    fn end(&mut self) -> Result<()> {
        let Some(array) = self.array.take() else { return Ok(()) };
        let waited = array.sync();
        if waited.is_err() {
            // Work has failed, or its stream is being captured by another thread and cannot be waited for.
            while Device::HOST.sync().is_err() {
                std::thread::yield_now();
            }
        }
        drop(array);
        if T::DTYPE == DType::BOOL {
            // SAFETY: rule 5: the slice is still borrowed, and no work is left that uses it.
            let bytes = unsafe { std::slice::from_raw_parts_mut(self.elements.cast::<u8>(), self.count) };
            bytes.iter_mut().for_each(|b| *b = (*b).min(1)); // a kernel may have written true in another way
        }
        if self.gone.load(Ordering::Acquire) {
            return waited;
        }
        let text = "argument elements: captured work uses the slice, and its graph would outlive the borrow";
        Err(Error::new(ErrorKind::Unsupported, text))
    }
}

impl<T: Element> Drop for Lent<T> {
    fn drop(&mut self) {
        let _ = self.end(); // after a panic, or a failure that is told already
    }
}

/// Lends a slice of the program to `work` as an array, without a copy: each side sees what the other writes. When this
/// returns, or a panic goes through it, all work on the slice has run.
///
/// A graph that is captured from work on the slice has to be dropped before the end; one that is still there makes this
/// an error, and must not be launched any more.
///
/// ```no_run
/// # fn main() -> arr::Result<()> {
/// let mut numbers = [1.0, 2.0, 3.0, 4.0];
/// arr::with_view(&mut numbers, [2, 2], |view| view.fill(7.0))?;
/// assert_eq!(numbers, [7.0; 4]);
/// # Ok(())
/// # }
/// ```
///
/// The view stays within:
///
/// ```compile_fail,E0521
/// let mut numbers = [1.0, 2.0];
/// let mut kept = None;
/// let _ = arr::with_view(&mut numbers, [2], |view| {
///     kept = Some(view);
///     Ok(())
/// });
/// ```
#[doc = errors!(arr_wrap)]
#[track_caller]
pub fn with_view<T: Element, R>(
    elements: &mut [T],
    shape: impl IntoShape,
    work: impl FnOnce(&mut ViewMut<'_, T>) -> Result<R>,
) -> Result<R> {
    let shape = shape.into_shape();
    same_count(elements.len(), shape.size()?, &shape)?;
    let mut lent = Lent::new(elements, &shape)?;
    let mut view = ViewMut::new(lent.view()?);
    let value = work(&mut view);
    drop(view);
    let ended = lent.end();
    let value = value?;
    ended.map(|()| value)
}
