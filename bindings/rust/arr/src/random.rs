// SPDX-License-Identifier: MIT
//! Random numbers: generators, distributions, order and choice.

use arr_sys::{arr_array, arr_generator, ARR_MRG32K3A, ARR_PCG64, ARR_PHILOX4X32, ARR_THREEFRY2X32, ARR_XORWOW};

use crate::array::Array;
use crate::device::Device;
use crate::element::{value_of, Element, Integral};
use crate::error::{call, Result};
use crate::ops::example;
use crate::output::DynOutput;
use crate::shape::IntoShape;
use crate::stream::{current, owner};

owner!(
    /// A source of random numbers, by Philox4x32-10. They depend on the seed and on the order of calls alone, not on
    /// device, threads or layout.
    ///
    /// ```no_run
    /// # fn main() -> arr::Result<()> {
    /// let g = arr::Generator::new(42)?;
    /// let x: arr::Array<f32> = g.normal(arr::Device::HOST, [1000, 1000], 0.0, 1.0)?;
    /// let dice: arr::Array<i64> = g.integers(arr::Device::HOST, [10], 1, 7)?;
    /// # let _ = (x, dice);
    /// # Ok(())
    /// # }
    /// ```
    Generator,
    arr_generator,
    arr_generator_release
);

/// The functions that draw numbers of a distribution, new and in place, with what their parameters are called.
macro_rules! distributions {
    ($($(#[$doc:meta])* $name:ident, $into:ident, $c:ident, $c_into:ident, ($($p:ident),*) $(, $example:literal)?;)*) => {
        impl Generator {
            $(
                $(#[$doc])*
                $(#[doc = example!($example)])?
                #[doc = errors!($c)]
                #[track_caller]
                #[allow(clippy::too_many_arguments)]
                pub fn $name<T: Element>(&self, device: Device, shape: impl IntoShape $(, $p: f64)*) -> Result<Array<T>> {
                    let shape = shape.into_shape();
                    let dims = shape.dims()?;
                    let ndim = crate::shape::count(dims.len())?;
                    let at = device.raw();
                    $(let $p = value_of($p);)*
                    let mut out = arr_array::NULL;
                    call!($c(self.as_raw(), $(&$p,)* T::DTYPE.0, ndim, dims.as_ptr(), &at, current(), &mut out));
                    Ok(Array::own(out))
                }

                /// Draws into an array, in row-major order of its elements.
                #[doc = errors!($c_into)]
                #[track_caller]
                pub fn $into(&self, array: &mut impl DynOutput $(, $p: f64)*) -> Result<()> {
                    $(let $p = value_of($p);)*
                    let dst = array.destination()?;
                    call!($c_into(dst, self.as_raw(), $(&$p,)* current()));
                    Ok(())
                }
            )*
        }
    };
}

/// A distribution by number, for [`crate::Dist::random`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Distribution(i32);

impl Distribution {
    pub(crate) const fn code(self) -> i32 {
        self.0
    }
}

macro_rules! distribution_numbers {
    ($($name:ident = $constant:ident;)*) => {
        impl Distribution {$(
            pub const $name: Distribution = Distribution(arr_sys::$constant);
        )*}
    };
}

#[rustfmt::skip]
#[allow(clippy::doc_lazy_continuation)]
#[path = "random_generated.rs"]
mod generated;

/// The source of a generator's bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum BitGenerator {
    Philox4x32 = ARR_PHILOX4X32,
    /// With the numbers of NumPy's.
    Pcg64 = ARR_PCG64,
    Threefry2x32 = ARR_THREEFRY2X32,
    Mrg32k3a = ARR_MRG32K3A,
    Xorwow = ARR_XORWOW,
}

mod sealed {
    pub trait Sealed {}
}

/// The seed of a generator: an integer, or any number of them in an array, a slice or a `Vec`. Sealed: more types may
/// follow.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no seed",
    label = "expected an integer, or a list of `i64`",
    note = "`Generator::new(42)?`, `Generator::new([1, 2])?`, `Generator::new([])?` for a seed of the system's"
)]
pub trait Seed: sealed::Sealed {
    /// The words, of which the library uses the bits.
    #[doc(hidden)]
    fn words(&self) -> Vec<i64>;
}

macro_rules! seeds {
    ($($type:ty)*) => {$(
        impl sealed::Sealed for $type {}
        impl Seed for $type {
            fn words(&self) -> Vec<i64> {
                vec![*self as i64]
            }
        }
    )*};
}
seeds!(i32 i64 u32 u64 usize);

macro_rules! seed_lists {
    ($([$($generic:tt)*] $type:ty;)*) => {$(
        impl<$($generic)*> sealed::Sealed for $type {}
        impl<$($generic)*> Seed for $type {
            fn words(&self) -> Vec<i64> {
                self.to_vec()
            }
        }
    )*};
}
seed_lists! {
    [] &[i64];
    [] &Vec<i64>;
    [const N: usize] [i64; N];
    [const N: usize] &[i64; N];
}

impl Generator {
    /// Makes a generator from a seed, `Generator::new(42)?` or several integers; an empty list is replaced by the system's
    /// entropy.
    #[doc = errors!(arr_generator_create_of)]
    #[track_caller]
    pub fn new(seed: impl Seed) -> Result<Generator> {
        Generator::of(BitGenerator::Philox4x32, seed)
    }

    /// Makes a generator of another kind.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let g = Generator::of(BitGenerator::Pcg64, 1)?;
    /// assert!(g.random::<f64>(Device::HOST, 3)?.less(1.0).all(..).item()?);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_generator_create_of)]
    #[track_caller]
    pub fn of(bits: BitGenerator, seed: impl Seed) -> Result<Generator> {
        let seed = seed.words();
        let n = crate::shape::count(seed.len())?;
        let mut out = arr_generator::NULL;
        call!(arr_generator_create_of(bits as i32, n, seed.as_ptr(), &mut out));
        Ok(Generator(out))
    }

    /// Generators with separate streams, other ones with every call.
    #[doc = example!("assert_eq!(Generator::new(1)?.spawn(3)?.len(), 3);")]
    #[doc = errors!(arr_generator_spawn)]
    #[track_caller]
    pub fn spawn(&self, n: usize) -> Result<Vec<Generator>> {
        let count = crate::shape::count(n)?;
        let mut out = vec![arr_generator::NULL; n];
        call!(arr_generator_spawn(self.as_raw(), count, out.as_mut_ptr()));
        Ok(out.into_iter().map(Generator).collect())
    }

    /// Moves on by blocks of four words, as if numbers had been drawn.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let (a, b) = (Generator::new(1)?, Generator::new(1)?);
    /// a.advance(1)?;
    /// assert!(a.random::<f64>(Device::HOST, 4)? != b.random::<f64>(Device::HOST, 4)?);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_generator_advance)]
    #[track_caller]
    pub fn advance(&self, blocks: i64) -> Result<()> {
        call!(arr_generator_advance(self.as_raw(), blocks));
        Ok(())
    }

    /// Returns a generator of the same stream, `jumps` times the kind's jump distance ahead.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let g = Generator::new(1)?;
    /// assert!(g.jumped(1)?.random::<f64>(Device::HOST, 4)? != g.random::<f64>(Device::HOST, 4)?);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_generator_jumped)]
    #[track_caller]
    pub fn jumped(&self, jumps: i64) -> Result<Generator> {
        let mut out = arr_generator::NULL;
        call!(arr_generator_jumped(self.as_raw(), jumps, &mut out));
        Ok(Generator(out))
    }

    /// Draws uniform integers from `low` (included) to `high` (excluded).
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let dice = Generator::new(1)?.integers(Device::HOST, [100], 1, 7)?;
    /// assert_eq!((dice.min(..).item()?, dice.max(..).item()?), (1, 6));
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_random_integers)]
    #[track_caller]
    pub fn integers<T: Integral>(&self, device: Device, shape: impl IntoShape, low: T, high: T) -> Result<Array<T>> {
        let shape = shape.into_shape();
        let dims = shape.dims()?;
        let ndim = crate::shape::count(dims.len())?;
        let (low, high, at) = (value_of(low), value_of(high), device.raw());
        let (g, d) = (self.as_raw(), T::DTYPE.0);
        let mut out = arr_array::NULL;
        call!(arr_random_integers(g, &low, &high, false, d, ndim, dims.as_ptr(), &at, current(), &mut out));
        Ok(Array::own(out))
    }

    /// Returns the integers 0 to n - 1 in random order.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let order = Generator::new(1)?.permutation(Device::HOST, 4)?;
    /// assert_eq!(order.sort(0, Direction::Ascending)?, array![0i64, 1, 2, 3]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_random_permutation)]
    #[track_caller]
    pub fn permutation(&self, device: Device, n: usize) -> Result<Array<i64>> {
        let n = crate::shape::dims(&[n])?[0];
        let mut out = arr_array::NULL;
        let d = <i64 as Element>::DTYPE.0;
        call!(arr_random_permutation(self.as_raw(), n, n, d, &device.raw(), current(), &mut out));
        Ok(Array::own(out))
    }

    /// Returns the slices of an array along an axis in random order.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let mixed = Generator::new(1)?.shuffled(&array![1, 2, 3], 0)?;
    /// assert_eq!(mixed.sort(0, Direction::Ascending)?, array![1, 2, 3]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_random_permuted)]
    #[track_caller]
    pub fn shuffled<T: Element>(&self, array: &Array<T>, axis: i32) -> Result<Array<T>> {
        let mut out = arr_array::NULL;
        call!(arr_random_permuted(self.as_raw(), array.as_raw(), axis, false, current(), &mut out));
        Ok(Array::own(out))
    }

    /// Shuffles the slices of an array along an axis in place.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let mut a = array![1i32, 2, 3];
    /// Generator::new(1)?.shuffle(&mut a, 0)?;
    /// assert_eq!(a.sum(..).item()?, 6);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_random_shuffle)]
    #[track_caller]
    pub fn shuffle(&self, array: &mut impl DynOutput, axis: i32) -> Result<()> {
        let dst = array.destination()?;
        call!(arr_random_shuffle(dst, self.as_raw(), axis, false, current()));
        Ok(())
    }

    /// Indices below n, with replacement or without.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let drawn = Generator::new(1)?.choice(Device::HOST, 5, [5], false)?;
    /// assert_eq!(drawn.sort(0, Direction::Ascending)?, array![0i64, 1, 2, 3, 4]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_random_choice)]
    #[track_caller]
    pub fn choice(&self, device: Device, n: usize, shape: impl IntoShape, replace: bool) -> Result<Array<i64>> {
        let (n, shape) = (crate::shape::dims(&[n])?[0], shape.into_shape());
        let dims = shape.dims()?;
        let ndim = crate::shape::count(dims.len())?;
        let (g, once, none, at) = (self.as_raw(), replace, arr_array::NULL, device.raw());
        let mut out = arr_array::NULL;
        call!(arr_random_choice(g, n, once, none, ndim, dims.as_ptr(), &at, current(), &mut out));
        Ok(Array::own(out))
    }
}
