// SPDX-License-Identifier: MIT
//! Element types: numbers of Rust that an array may hold, and the types that operations on them give.

use std::ffi::CStr;
use std::fmt;

use arr_sys::arr_value;

use crate::error::{api, call, Error, ErrorKind, Result};
use crate::numbers::{bf16, c32, c64, f16};
use crate::ops::example;

/// The element type of an array, when it is known only at run time. The numbers are libarr's.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct DType(pub(crate) i32);

impl DType {
    pub const BOOL: DType = DType(arr_sys::ARR_BOOL);
    pub const INT8: DType = DType(arr_sys::ARR_INT8);
    pub const INT16: DType = DType(arr_sys::ARR_INT16);
    pub const INT32: DType = DType(arr_sys::ARR_INT32);
    pub const INT64: DType = DType(arr_sys::ARR_INT64);
    pub const UINT8: DType = DType(arr_sys::ARR_UINT8);
    pub const UINT16: DType = DType(arr_sys::ARR_UINT16);
    pub const UINT32: DType = DType(arr_sys::ARR_UINT32);
    pub const UINT64: DType = DType(arr_sys::ARR_UINT64);
    pub const FLOAT16: DType = DType(arr_sys::ARR_FLOAT16);
    pub const FLOAT32: DType = DType(arr_sys::ARR_FLOAT32);
    pub const FLOAT64: DType = DType(arr_sys::ARR_FLOAT64);
    pub const COMPLEX64: DType = DType(arr_sys::ARR_COMPLEX64);
    pub const COMPLEX128: DType = DType(arr_sys::ARR_COMPLEX128);
    pub const BFLOAT16: DType = DType(arr_sys::ARR_BFLOAT16);

    /// Returns libarr's number of the type, ARR_FLOAT64 and so on.
    #[must_use]
    pub const fn code(self) -> i32 {
        self.0
    }

    /// Returns the type with a name such as "float32".
    #[doc = example!("assert_eq!(DType::find(\"float32\")?, DType::FLOAT32);")]
    #[doc = errors!(arr_dtype_find)]
    #[track_caller]
    pub fn find(name: &str) -> Result<DType> {
        let text = crate::kernel::c_text(name)?;
        let mut code = 0;
        call!(arr_dtype_find(text.as_ptr(), &mut code));
        Ok(DType(code))
    }

    /// Returns the name of the type, "float32" and so on.
    #[doc = example!("assert_eq!(DType::FLOAT32.name()?, \"float32\");")]
    #[doc = errors!(arr_dtype_info)]
    #[track_caller]
    pub fn name(self) -> Result<&'static str> {
        let mut name = std::ptr::null();
        call!(arr_dtype_info(self.0, &mut name, std::ptr::null_mut()));
        // SAFETY: rule 3: the library gave a static text.
        let text = unsafe { CStr::from_ptr(name) };
        Ok(text.to_str().unwrap_or("unknown"))
    }

    /// Bytes of an element.
    #[doc = example!("assert_eq!(DType::COMPLEX64.size()?, 8);")]
    #[doc = errors!(arr_dtype_info)]
    #[track_caller]
    pub fn size(self) -> Result<usize> {
        let mut bytes = 0;
        call!(arr_dtype_info(self.0, std::ptr::null_mut(), &mut bytes));
        Ok(bytes as usize)
    }

    /// Returns the smallest type that holds the values of both, by NumPy 2's rules.
    #[doc = example!("assert_eq!(DType::INT64.promote(DType::FLOAT32)?, DType::FLOAT64);")]
    #[doc = errors!(arr_promote_types)]
    #[track_caller]
    pub fn promote(self, other: DType) -> Result<DType> {
        let mut code = 0;
        call!(arr_promote_types(self.0, other.0, &mut code));
        Ok(DType(code))
    }
}

impl fmt::Debug for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Ok(name) => f.write_str(name),
            Err(_) => write!(f, "dtype {}", self.0),
        }
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// The names that [`DType::find`] knows: `"float32".parse()`.
impl std::str::FromStr for DType {
    type Err = Error;

    #[track_caller]
    fn from_str(name: &str) -> Result<DType> {
        DType::find(name)
    }
}

/// Supertraits of this crate's sealed traits: other crates cannot implement them.
pub(crate) mod sealed {
    pub trait Sealed {}
}

#[diagnostic::on_unimplemented(
    message = "`{Self}` is no element of an array",
    label = "expected one of the 15 element types",
    note = "the types are bool, i8 to i64, u8 to u64, f16, bf16, f32, f64, c32 and c64; `usize` and `isize` are not: convert them to `i64`"
)]
/// A number that arrays hold. Its associated types are those of the library's promotion.
///
/// # Safety
/// The type has the size and the bit patterns of its `DTYPE`. Sealed: the library's 15 types are all there are.
pub unsafe trait Element:
    sealed::Sealed + Copy + Default + PartialEq + fmt::Debug + fmt::Display + Send + Sync + 'static
{
    const DTYPE: DType;
    #[doc(hidden)]
    type Itself: Element;
    /// The type of magnitude, real and imaginary part.
    type Real: Element;
    /// The type for arithmetic that bool does not have: `i8` for bool.
    type Lifted: Element;
    /// The type of functions such as the square root: the float that holds the integer.
    type Float: Element;
    /// The type of angles: as `Float`, but `f64` for bool.
    type Angle: Element;
    /// The type of a quotient: `f64` for integers.
    type Quotient: Element;
    /// The type of functions that compute in 64 bits a part.
    type Wide: Element;
    /// The type of sums and products: integers in 64 bits.
    type Sum: Element;
    /// The type of means: `f64` for integers.
    type Mean: Element;
    /// The type of Fourier transforms and of eigenvalues: complex numbers of the quotient's precision.
    type Complex: Element;
    /// The type of cosine transforms and of convolutions by transforms: as `Quotient`, but `f32` for half precision.
    type Transform: Element;
    /// The type in which solvers of sparse matrices compute: as `Quotient`, but `f64` for half precision.
    type Solution: Element;
}

/// Numbers with signs and differences: all but bool.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no element type with a difference",
    label = "expected a number, not `bool`",
    note = "convert the array: `a.cast::<i64>()?`"
)]
pub trait Number: Element {}
/// Numbers with bits to combine: integers and bool.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no element type with bits to combine",
    label = "expected an integer or `bool`",
    note = "convert the array: `a.cast::<i64>()?`"
)]
pub trait Integral: Element {}
/// Numbers on a line: all but complex ones.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no element type with an order",
    label = "expected a number that is not complex",
    note = "compare `a.real()` or `a.absolute()`"
)]
pub trait Ordered: Element {}

macro_rules! element {
    ($type:ty, $dtype:ident: $real:ty, $lifted:ty, $float:ty, $angle:ty, $quotient:ty, $wide:ty, $sum:ty, $mean:ty, $complex:ty, $transform:ty, $solution:ty; $($mark:ident)*) => {
        impl $crate::element::sealed::Sealed for $type {}
        // SAFETY: rule 6: the layout is that of the C type by Rust's and this crate's definition.
        unsafe impl Element for $type {
            const DTYPE: DType = DType::$dtype;
            type Itself = $type;
            type Real = $real;
            type Lifted = $lifted;
            type Float = $float;
            type Angle = $angle;
            type Quotient = $quotient;
            type Wide = $wide;
            type Sum = $sum;
            type Mean = $mean;
            type Complex = $complex;
            type Transform = $transform;
            type Solution = $solution;
        }
        $(impl $mark for $type {})*
    };
}
#[cfg(any(feature = "half", feature = "num-complex"))]
pub(crate) use element;

element!(bool, BOOL: bool, i8, f16, f64, f64, f64, i64, f64, c64, f64, f64; Integral Ordered);
element!(i8, INT8: i8, i8, f16, f16, f64, f64, i64, f64, c64, f64, f64; Number Integral Ordered);
element!(i16, INT16: i16, i16, f32, f32, f64, f64, i64, f64, c64, f64, f64; Number Integral Ordered);
element!(i32, INT32: i32, i32, f64, f64, f64, f64, i64, f64, c64, f64, f64; Number Integral Ordered);
element!(i64, INT64: i64, i64, f64, f64, f64, f64, i64, f64, c64, f64, f64; Number Integral Ordered);
element!(u8, UINT8: u8, u8, f16, f16, f64, f64, u64, f64, c64, f64, f64; Number Integral Ordered);
element!(u16, UINT16: u16, u16, f32, f32, f64, f64, u64, f64, c64, f64, f64; Number Integral Ordered);
element!(u32, UINT32: u32, u32, f64, f64, f64, f64, u64, f64, c64, f64, f64; Number Integral Ordered);
element!(u64, UINT64: u64, u64, f64, f64, f64, f64, u64, f64, c64, f64, f64; Number Integral Ordered);
element!(f16, FLOAT16: f16, f16, f16, f16, f16, f64, f16, f16, c32, f32, f64; Number Ordered);
element!(bf16, BFLOAT16: bf16, bf16, bf16, bf16, bf16, f64, bf16, bf16, c32, f32, f64; Number Ordered);
element!(f32, FLOAT32: f32, f32, f32, f32, f32, f64, f32, f32, c32, f32, f32; Number Ordered);
element!(f64, FLOAT64: f64, f64, f64, f64, f64, f64, f64, f64, c64, f64, f64; Number Ordered);
element!(c32, COMPLEX64: f32, c32, c32, c32, c32, c64, c32, c32, c32, c32, c32; Number);
element!(c64, COMPLEX128: f64, c64, c64, c64, c64, c64, c64, c64, c64, c64, c64; Number);

/// A number as the library takes it.
pub(crate) fn value_of<T: Element>(x: T) -> arr_value {
    let mut words = [0i64; 2];
    // SAFETY: rule 6: elements have at most 16 bytes; libarr reads them from the front of the two words.
    unsafe {
        std::ptr::copy_nonoverlapping(
            (&x as *const T).cast::<u8>(),
            words.as_mut_ptr().cast::<u8>(),
            std::mem::size_of::<T>(),
        );
    }
    arr_value { kind: arr_sys::ARR_VALUE_SCALAR, dtype: T::DTYPE.0, lo: words[0], hi: words[1] }
}

/// A number that takes the type of the array it meets.
pub(crate) fn weak<T: Element>(x: T) -> arr_value {
    let mut v = value_of(x);
    v.kind |= arr_sys::ARR_VALUE_WEAK;
    v
}

/// The number in a scalar; it must be of type T.
#[track_caller]
pub(crate) fn number<T: Element>(v: &arr_value) -> Result<T> {
    if v.dtype != T::DTYPE.0 {
        return Err(wrong_dtype(DType(v.dtype), T::DTYPE));
    }
    let words = [v.lo, v.hi];
    let mut x = T::default();
    // SAFETY: rule 6: as in value_of; a bool is one of its two patterns, see valid_bytes.
    unsafe {
        let from = words.as_ptr().cast::<u8>();
        valid_bytes::<T>(from, 1)?;
        std::ptr::copy_nonoverlapping(from, (&mut x as *mut T).cast(), std::mem::size_of::<T>());
    }
    Ok(x)
}

#[track_caller]
pub(crate) fn wrong_dtype(got: DType, expected: DType) -> Error {
    let text = format!("argument dtype: got {got}, expected {expected}");
    Error::new(ErrorKind::DType, text)
}

/// Memory from files and other libraries may hold bytes that are no bool of Rust.
///
/// # Safety
/// `count` elements lie at `data`.
#[track_caller]
pub(crate) unsafe fn valid_bytes<T: Element>(data: *const u8, count: usize) -> Result<()> {
    if T::DTYPE == DType::BOOL {
        // SAFETY: rule 8: the caller's; every byte is a u8.
        let bytes = unsafe { std::slice::from_raw_parts(data, count) };
        if let Some(bad) = bytes.iter().find(|&&b| b > 1) {
            let text = format!("argument data: got the byte {bad} as a bool, expected 0 or 1");
            return Err(Error::new(ErrorKind::Format, text));
        }
    }
    Ok(())
}

/// Returns the version of the library; an error says why the library cannot be used.
#[doc = example!("assert!(version()? >= (0, 1, 0));")]
#[doc = errors!(arr_version)]
#[track_caller]
pub fn version() -> Result<(u32, u32, u32)> {
    // SAFETY: rule 2: takes and returns plain values.
    let packed = unsafe { api()?.arr_version() } as u32;
    Ok((packed / 1_000_000, packed / 1000 % 1000, packed % 1000))
}
