// SPDX-License-Identifier: MIT
//! Linear operators: anything that has products with vectors.

use std::ffi::c_void;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Add, Mul, Neg, Sub};
use std::sync::Arc;

use arr_sys::{arr_array, arr_linop, arr_linop_properties, arr_stream, arr_value};

use crate::array::Array;
use crate::callback::{drop_box, resumed, within_call};
use crate::device::Device;
use crate::dynarray::{DynArray, Memory};
use crate::element::{sealed::Sealed, value_of, weak, wrong_dtype, DType, Element, Number};
use crate::error::{api, call, check, or_panic, Result};
use crate::factor::SparseFactor;
use crate::numbers::{bf16, c32, c64, f16};
use crate::operators::pair;
use crate::ops::example;
use crate::shape::{dims, Order};
use crate::sparse::SparseMatrix;
use crate::sparse_math::left_numbers;
use crate::stream::{current, within};

/// A matrix of `T` by its products with vectors: that of a sparse or dense matrix, of functions, or a sum, product or
/// multiple of others. It is never changed. A write to an array that it uses copies first.
///
/// ```
/// use arr::*;
/// # fn main() -> Result<()> {
/// // Differences of neighbours, a matrix that is not stored.
/// let a = LinearOperator::from_fn((3, 4), Device::HOST, |x: Array<f64>| Ok(x.slice(s![1..])? - x.slice(s![..-1])?))?;
/// assert_eq!(a.matmul(&array![1.0, 4.0, 9.0, 16.0])?, array![3.0, 5.0, 7.0]);
/// # Ok(())
/// # }
/// ```
#[must_use = "operations return their results, and change no operator"]
pub struct LinearOperator<T> {
    handle: arr_linop,
    about: arr_linop_properties,
    /// That of all arrays that it uses.
    memory: Vec<Arc<Memory>>,
    elements: PhantomData<T>,
}

impl<T> LinearOperator<T> {
    /// Returns the handle, which stays the operator's.
    #[must_use]
    pub fn as_raw(&self) -> arr_linop {
        self.handle
    }
}

impl<T> Drop for LinearOperator<T> {
    fn drop(&mut self) {
        if let Ok(api) = arr_sys::api() {
            // SAFETY: rule 1: the handle is this value's own; release neither blocks nor panics.
            let _ = unsafe { api.arr_linop_release(self.handle) };
        }
    }
}

impl<T: Element> Clone for LinearOperator<T> {
    #[track_caller]
    fn clone(&self) -> LinearOperator<T> {
        or_panic(self.try_clone())
    }
}

/// Shape and type.
impl<T> fmt::Debug for LinearOperator<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arr_linop_properties { rows, columns, dtype, .. } = self.about;
        write!(f, "LinearOperator([{rows}, {columns}], {})", DType(dtype as i32))
    }
}

impl<T> Sealed for LinearOperator<T> {}
impl<T> Sealed for SparseMatrix<T> {}
impl<T> Sealed for SparseFactor<T> {}

/// A matrix that solvers take: a [`SparseMatrix`], an [`Array`] of two dimensions or a [`LinearOperator`]; a [`SparseFactor`]
/// stands for the inverse of its matrix. Sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no linear operator of `{T}`",
    label = "expected a sparse matrix, a dense one or a `LinearOperator`",
    note = "all have the same element type, so convert one by `cast`: `a.cast::<f64>()?`"
)]
pub trait ToOperator<T>: Sealed {
    /// Returns the operator of the matrix, which is not copied.
    ///
    /// # Errors
    /// Fails for an array that does not have two dimensions, and where memory is short.
    fn to_operator(&self) -> Result<LinearOperator<T>>;
}

impl<T: Element> ToOperator<T> for SparseMatrix<T> {
    #[track_caller]
    fn to_operator(&self) -> Result<LinearOperator<T>> {
        let mut out = arr_linop::NULL;
        call!(arr_linop_from_sparse(self.as_raw(), &mut out));
        LinearOperator::own(out, self.memory().to_vec())
    }
}

impl<T: Element> ToOperator<T> for Array<T> {
    #[track_caller]
    fn to_operator(&self) -> Result<LinearOperator<T>> {
        let mut out = arr_linop::NULL;
        call!(arr_linop_from_dense(self.as_raw(), &mut out));
        LinearOperator::own(out, vec![Arc::clone(self.as_dyn().memory())])
    }
}

impl<T: Element> ToOperator<T> for SparseFactor<T> {
    #[track_caller]
    fn to_operator(&self) -> Result<LinearOperator<T>> {
        let mut out = arr_linop::NULL;
        call!(arr_linop_from_factor(self.as_raw(), &mut out));
        LinearOperator::own(out, Vec::new())
    }
}

impl<T: Element> ToOperator<T> for LinearOperator<T> {
    #[track_caller]
    fn to_operator(&self) -> Result<LinearOperator<T>> {
        self.try_clone()
    }
}

/// Functions of the program, as the library gets them.
struct Functions<F, G> {
    matvec: F,
    rmatvec: G,
}

/// A function that gives a product.
trait Product<T>: Fn(Array<T>) -> Result<Array<T>> + Send + Sync + 'static {}
impl<T, F: Fn(Array<T>) -> Result<Array<T>> + Send + Sync + 'static> Product<T> for F {}

/// Calls a function with a copy of x, which it may keep. Writes its result and returns a status.
fn answer<T: Element>(product: &impl Product<T>, x: arr_array, stream: arr_stream, out: *mut arr_array) -> i32 {
    let multiplied = within_call(|| {
        within(stream, || {
            let (mut copy, mut kept) = (arr_array::NULL, arr_array::NULL);
            call!(arr_copy(x, Order::C.code(), stream, &mut copy));
            let y = product(DynArray::own(copy).typed()?)?;
            call!(arr_retain(y.as_raw(), &mut kept));
            Ok(kept)
        })
    });
    let Some(handle) = multiplied else { return arr_sys::ARR_E_INTERNAL };
    // SAFETY: rule 3: the library has room for the handle there.
    unsafe { *out = handle };
    arr_sys::ARR_OK
}

unsafe extern "C" fn matvec<T: Element, F: Product<T>, G>(
    ctx: *mut c_void,
    x: arr_array,
    stream: arr_stream,
    out: *mut arr_array,
) -> i32 {
    // SAFETY: rule 7: ctx is the Functions of `from_functions`, which live until the library drops them.
    let functions = unsafe { &*ctx.cast::<Functions<F, G>>() };
    answer(&functions.matvec, x, stream, out)
}

unsafe extern "C" fn rmatvec<T: Element, F, G: Product<T>>(
    ctx: *mut c_void,
    x: arr_array,
    stream: arr_stream,
    out: *mut arr_array,
) -> i32 {
    // SAFETY: rule 7: as above.
    let functions = unsafe { &*ctx.cast::<Functions<F, G>>() };
    answer(&functions.rmatvec, x, stream, out)
}

type Function = unsafe extern "C" fn(*mut c_void, arr_array, arr_stream, *mut arr_array) -> i32;

/// Creation.
impl<T: Element> LinearOperator<T> {
    /// Owns a handle; the elements must be of `T`.
    #[track_caller]
    pub(crate) fn own(handle: arr_linop, memory: Vec<Arc<Memory>>) -> Result<LinearOperator<T>> {
        let struct_size = std::mem::size_of::<arr_linop_properties>() as i64;
        let about = arr_linop_properties { struct_size, ..Default::default() };
        let mut made = LinearOperator { handle, about, memory, elements: PhantomData };
        call!(arr_linop_info(handle, &mut made.about));
        let dtype = DType(made.about.dtype as i32);
        if dtype != T::DTYPE {
            return Err(wrong_dtype(dtype, T::DTYPE));
        }
        Ok(made)
    }

    /// That of all arrays that it uses.
    pub(crate) fn memory(&self) -> &[Arc<Memory>] {
        &self.memory
    }

    /// Makes an operator of a sparse or dense matrix, which is not copied.
    #[doc = example!("assert_eq!(LinearOperator::new(&array![[1.0, 2.0]])?.shape(), (1, 2));")]
    #[doc = errors!(arr_linop_from_sparse)]
    #[doc(alias = "aslinearoperator")]
    #[track_caller]
    pub fn new(a: &impl ToOperator<T>) -> Result<LinearOperator<T>> {
        a.to_operator()
    }

    /// Makes an operator of a function that returns the product with a vector, or with each column of a matrix.
    ///
    /// The function runs in the calls that need a product, on their thread and in their stream. An error of it ends the
    /// call, which returns it; a panic goes on after the call. The vector is a copy, so the function may change it.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let twice = LinearOperator::from_fn((2, 2), Device::HOST, |x: Array<f64>| Ok(x * 2.0))?;
    /// assert_eq!(twice.matmul(&array![1.0, 2.0])?, array![2.0, 4.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_linop_from_function)]
    #[track_caller]
    pub fn from_fn(
        shape: (usize, usize),
        device: Device,
        product: impl Fn(Array<T>) -> Result<Array<T>> + Send + Sync + 'static,
    ) -> Result<LinearOperator<T>>
    where
        T: Element<Solution = T>,
    {
        fn plain<T: Element, F: Product<T>>(_: &Functions<F, ()>) -> Function {
            matvec::<T, F, ()>
        }
        let functions = Functions { matvec: product, rmatvec: () };
        let product = plain::<T, _>(&functions);
        LinearOperator::from_functions(shape, device, functions, product, None)
    }

    /// Makes an operator of two functions: the other one returns products with the adjoint, the conjugated transpose.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let twice = |x: Array<f64>| Ok(x * 2.0);
    /// let a = LinearOperator::from_fn_and_adjoint((2, 2), Device::HOST, twice, twice)?;
    /// assert_eq!(a.adjoint()?.matmul(&array![1.0, 2.0])?, array![2.0, 4.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_linop_from_function)]
    #[track_caller]
    pub fn from_fn_and_adjoint(
        shape: (usize, usize),
        device: Device,
        product: impl Fn(Array<T>) -> Result<Array<T>> + Send + Sync + 'static,
        adjoint: impl Fn(Array<T>) -> Result<Array<T>> + Send + Sync + 'static,
    ) -> Result<LinearOperator<T>>
    where
        T: Element<Solution = T>,
    {
        fn both<T: Element, F: Product<T>, G: Product<T>>(_: &Functions<F, G>) -> (Function, Function) {
            (matvec::<T, F, G>, rmatvec::<T, F, G>)
        }
        let functions = Functions { matvec: product, rmatvec: adjoint };
        let (product, adjoint) = both::<T, _, _>(&functions);
        LinearOperator::from_functions(shape, device, functions, product, Some(adjoint))
    }

    /// The functions of the library are for functions of that type.
    #[track_caller]
    fn from_functions<F, G>(
        shape: (usize, usize),
        device: Device,
        functions: Functions<F, G>,
        matvec: Function,
        rmatvec: Option<Function>,
    ) -> Result<LinearOperator<T>> {
        let (extents, api, mut out) = (dims(&[shape.0, shape.1])?, api()?, arr_linop::NULL);
        let (rows, columns, dtype, device) = (extents[0], extents[1], T::DTYPE.code(), device.raw());
        let ctx: *mut c_void = Box::into_raw(Box::new(functions)).cast();
        let drop = drop_box::<Functions<F, G>>;
        // SAFETY: rule 7: the functions are for such Functions, which the library drops once.
        let status = unsafe {
            api.arr_linop_from_function(rows, columns, dtype, &device, Some(matvec), rmatvec, Some(drop), ctx, &mut out)
        };
        if let Err(error) = check(api, status) {
            drop(ctx); // the library keeps nothing where it fails
            return Err(error);
        }
        LinearOperator::own(out, Vec::new())
    }

    /// Makes the operator whose products are its operands.
    #[doc = example!("assert_eq!(LinearOperator::identity(2, Device::HOST)?.matmul(&array![3, 4])?, array![3, 4]);")]
    #[doc = errors!(arr_linop_identity)]
    #[track_caller]
    pub fn identity(n: usize, device: Device) -> Result<LinearOperator<T>> {
        let (extents, mut out) = (dims(&[n])?, arr_linop::NULL);
        call!(arr_linop_identity(extents[0], T::DTYPE.code(), &device.raw(), &mut out));
        LinearOperator::own(out, Vec::new())
    }

    /// Makes the operator that multiplies elements by those of a vector, a diagonal matrix.
    #[doc = example!("assert_eq!(LinearOperator::diagonal(&array![2, 3])?.matmul(&array![1, 1])?, array![2, 3]);")]
    #[doc = errors!(arr_linop_diagonal)]
    #[track_caller]
    pub fn diagonal(d: &Array<T>) -> Result<LinearOperator<T>> {
        let mut out = arr_linop::NULL;
        call!(arr_linop_diagonal(d.as_raw(), &mut out));
        LinearOperator::own(out, vec![Arc::clone(d.as_dyn().memory())])
    }

    /// Returns another handle of the operator; `clone` panics where this returns an error.
    #[doc = example!("assert_eq!(LinearOperator::<f64>::identity(2, Device::HOST)?.try_clone()?.shape(), (2, 2));")]
    #[doc = errors!(arr_linop_retain)]
    #[track_caller]
    pub fn try_clone(&self) -> Result<LinearOperator<T>> {
        let mut out = arr_linop::NULL;
        call!(arr_linop_retain(self.handle, &mut out));
        LinearOperator::own(out, self.memory.clone())
    }
}

impl<T: Element> SparseMatrix<T> {
    /// Makes Jacobi's preconditioner, which divides elements by those of the diagonal, where these are not 0.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::from_dense(&array![[2.0, 1.0], [0.0, 4.0]], SparseFormat::Csr)?;
    /// assert_eq!(a.jacobi()?.matmul(&array![1.0, 1.0])?, array![0.5, 0.25]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_linop_jacobi)]
    #[track_caller]
    pub fn jacobi(&self) -> Result<LinearOperator<T::Quotient>> {
        let mut out = arr_linop::NULL;
        call!(arr_linop_jacobi(self.as_raw(), current(), &mut out));
        LinearOperator::own(out, Vec::new())
    }

    /// Makes a multigrid preconditioner of a symmetric, positive definite matrix by smoothed aggregation; strength: 0 to 1,
    /// how large the elements of neighbours are that are aggregated, 0.08 usually.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::from_dense(&array![[2.0, -1.0], [-1.0, 2.0]], SparseFormat::Csr)?;
    /// let x = a.multigrid(0.08)?.matmul(&array![1.0, 1.0])?; // small matrices are inverted
    /// assert!((&x - &array![1.0, 1.0]).to_vec()?.iter().all(|d: &f64| d.abs() < 1e-12));
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_linop_multigrid)]
    #[track_caller]
    pub fn multigrid(&self, strength: f64) -> Result<LinearOperator<T::Quotient>> {
        let mut out = arr_linop::NULL;
        call!(arr_linop_multigrid(self.as_raw(), strength, current(), &mut out));
        LinearOperator::own(out, Vec::new())
    }
}

impl<T> LinearOperator<T> {
    /// Returns the numbers of rows and columns.
    #[doc = example!("assert_eq!(LinearOperator::<f64>::identity(2, Device::HOST)?.shape(), (2, 2));")]
    #[must_use]
    pub fn shape(&self) -> (usize, usize) {
        (self.about.rows as usize, self.about.columns as usize)
    }

    /// True if it has products with its adjoint and its transpose.
    #[doc = example!("assert!(LinearOperator::<f64>::identity(2, Device::HOST)?.has_adjoint());")]
    #[must_use]
    pub fn has_adjoint(&self) -> bool {
        self.about.adjoint != 0
    }

    /// Returns the device of its vectors.
    #[doc = example!("assert_eq!(LinearOperator::<f64>::identity(2, Device::HOST)?.device(), Device::HOST);")]
    #[must_use]
    pub fn device(&self) -> Device {
        let (type_, index) = (self.about.device_type as i32, self.about.device_index as i32);
        Device::from_raw(arr_sys::arr_device { type_, index })
    }
}

/// Products; other operators.
impl<T: Element> LinearOperator<T> {
    /// Computes the product with a vector, or with each column of a matrix.
    #[doc = example!("assert_eq!(LinearOperator::new(&array![[1, 2], [3, 4]])?.matmul(&array![1, 1])?, array![3, 7]);")]
    #[doc = errors!(arr_linop_apply)]
    #[doc(alias = "matvec")]
    #[doc(alias = "matmat")]
    #[track_caller]
    pub fn matmul(&self, x: &Array<T>) -> Result<Array<T>> {
        let (api, plain, mut out) = (api()?, arr_sys::ARR_MATRIX_PLAIN, arr_array::NULL);
        // SAFETY: rule 2: the handles are live.
        let status = unsafe { api.arr_linop_apply(self.handle, x.as_raw(), plain, current(), &mut out) };
        resumed(check(api, status))?;
        DynArray::own(out).typed()
    }

    /// Returns the transpose.
    #[doc = example!("assert_eq!(LinearOperator::new(&array![[1.0, 2.0]])?.t()?.shape(), (2, 1));")]
    #[doc = errors!(arr_linop_transpose)]
    #[doc(alias = "transpose")]
    #[track_caller]
    pub fn t(&self) -> Result<LinearOperator<T>> {
        let mut out = arr_linop::NULL;
        call!(arr_linop_transpose(self.handle, &mut out));
        LinearOperator::own(out, self.memory.clone())
    }

    /// Returns the adjoint, the conjugated transpose.
    #[doc = example!("assert_eq!(LinearOperator::new(&array![[c64::I]])?.adjoint()?.matmul(&array![c64::I])?, array![c64::new(1.0, 0.0)]);")]
    #[doc = errors!(arr_linop_adjoint)]
    #[track_caller]
    pub fn adjoint(&self) -> Result<LinearOperator<T>> {
        let mut out = arr_linop::NULL;
        call!(arr_linop_adjoint(self.handle, &mut out));
        LinearOperator::own(out, self.memory.clone())
    }

    /// Returns the sum of two operators; `&a + &b` panics where this returns an error.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let (a, i) = (LinearOperator::new(&array![[1, 2], [3, 4]])?, LinearOperator::identity(2, Device::HOST)?);
    /// assert_eq!(a.sum(&i)?.matmul(&array![1, 1])?, array![4, 8]);
    /// assert_eq!((&a * 2 - &i).matmul(&array![1, 1])?, array![5, 13]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_linop_sum)]
    #[track_caller]
    pub fn sum(&self, b: &LinearOperator<T>) -> Result<LinearOperator<T>> {
        let mut out = arr_linop::NULL;
        call!(arr_linop_sum(self.handle, b.handle, &mut out));
        LinearOperator::own(out, [&self.memory[..], &b.memory].concat())
    }

    /// Returns the operator times a number; `2.0 * &a` panics where this returns an error.
    #[doc = example!("assert_eq!(LinearOperator::new(&array![[1, 2]])?.scaled(3)?.matmul(&array![1, 1])?, array![9]);")]
    #[doc = errors!(arr_linop_scaled)]
    #[track_caller]
    pub fn scaled(&self, alpha: T) -> Result<LinearOperator<T>> {
        self.times(value_of(alpha))
    }

    #[track_caller]
    fn times(&self, alpha: arr_value) -> Result<LinearOperator<T>> {
        let mut out = arr_linop::NULL;
        call!(arr_linop_scaled(self.handle, &alpha, &mut out));
        LinearOperator::own(out, self.memory.clone())
    }

    /// Returns the product of two operators, which applies `b` first.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = LinearOperator::new(&array![[1, 2], [3, 4]])?;
    /// assert_eq!(a.product(&a)?.matmul(&array![1, 1])?, array![17, 37]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_linop_product)]
    #[track_caller]
    pub fn product(&self, b: &LinearOperator<T>) -> Result<LinearOperator<T>> {
        let mut out = arr_linop::NULL;
        call!(arr_linop_product(self.handle, b.handle, &mut out));
        LinearOperator::own(out, [&self.memory[..], &b.memory].concat())
    }

    /// Returns a power of a square operator.
    #[doc = example!("assert_eq!(LinearOperator::new(&array![[2]])?.power(3)?.matmul(&array![1])?, array![8]);")]
    #[doc = errors!(arr_linop_power)]
    #[track_caller]
    pub fn power(&self, p: usize) -> Result<LinearOperator<T>> {
        let (exponent, mut out) = (i64::try_from(p).unwrap_or(i64::MAX), arr_linop::NULL);
        call!(arr_linop_power(self.handle, exponent, &mut out));
        LinearOperator::own(out, self.memory.clone())
    }
}

/// Sums, differences and multiples, by value and by reference.
macro_rules! operators {
    ($($left:ty, $right:ty;)*) => {$(
        pair!([T: Element] $left, $right, Add add LinearOperator<T>, |a, b| or_panic(a.sum(&b)));
        pair!([T: Number] $left, $right, Sub sub LinearOperator<T>, |a, b| a + -b);
    )*};
    (of $($of:ty)*) => {$(
        pair!([T: Element] $of, T, Mul mul LinearOperator<T>, |a, alpha| or_panic(a.scaled(alpha)));
        impl<T: Number> Neg for $of {
            type Output = LinearOperator<T>;
            #[track_caller]
            fn neg(self) -> LinearOperator<T> {
                or_panic(self.times(weak(-1i64)))
            }
        }
    )*};
}
operators! {
    &LinearOperator<T>, &LinearOperator<T>;
    &LinearOperator<T>, LinearOperator<T>;
    LinearOperator<T>, &LinearOperator<T>;
    LinearOperator<T>, LinearOperator<T>;
}
operators!(of LinearOperator<T> &LinearOperator<T>);
left_numbers!(LinearOperator: bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 c32 c64);
