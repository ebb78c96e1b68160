// SPDX-License-Identifier: MIT
//! Random numbers: states of generators, bits, samples, and vectors whose elements depend on each other.

use arr_sys::{arr_array, arr_generator_state, ARR_NORMAL_CHOLESKY, ARR_NORMAL_EIGH, ARR_NORMAL_SVD};

use crate::array::Array;
use crate::device::Device;
use crate::element::{value_of, Element, Integral, Ordered};
use crate::error::{call, Result};
use crate::ops::example;
use crate::random::Generator;
use crate::shape::{count, IntoShape};
use crate::stream::current;

/// The position of a generator, to continue from later or elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GeneratorState {
    /// The number of its [`BitGenerator`](crate::BitGenerator).
    pub bit_generator: i64,
    /// The words before block 0.
    pub words: [i64; 4],
    /// The next block of four words: 64 bits, without a sign.
    pub counter: i64,
}

/// By which factors of a covariance [`Generator::multivariate_normal`] draws.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(i32)]
pub enum NormalMethod {
    /// The factor of a positive definite covariance.
    Cholesky = ARR_NORMAL_CHOLESKY,
    /// Its eigenvectors.
    Eigh = ARR_NORMAL_EIGH,
    /// Its singular vectors, NumPy's choice.
    #[default]
    Svd = ARR_NORMAL_SVD,
}

impl Generator {
    /// Returns the state of the generator.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let g = Generator::new(1)?;
    /// let before = g.state()?;
    /// let x = g.random::<f64>(Device::HOST, 4)?;
    /// g.set_state(&before)?;
    /// assert_eq!(g.random::<f64>(Device::HOST, 4)?, x);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_generator_get_state)]
    #[track_caller]
    pub fn state(&self) -> Result<GeneratorState> {
        let size = std::mem::size_of::<arr_generator_state>() as i64;
        let mut s = arr_generator_state { struct_size: size, ..Default::default() };
        call!(arr_generator_get_state(self.as_raw(), &mut s));
        let words = [s.word0, s.word1, s.word2, s.word3];
        Ok(GeneratorState { bit_generator: s.bit_generator, words, counter: s.counter })
    }

    /// Continues from a state of the same kind. What is spawned later still follows from the seed.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let (g, other) = (Generator::new(1)?, Generator::new(2)?);
    /// other.set_state(&g.state()?)?;
    /// assert_eq!(other.random::<f64>(Device::HOST, 4)?, g.random::<f64>(Device::HOST, 4)?);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_generator_set_state)]
    #[track_caller]
    pub fn set_state(&self, state: &GeneratorState) -> Result<()> {
        let [word0, word1, word2, word3] = state.words;
        let (struct_size, bit_generator) = (std::mem::size_of::<arr_generator_state>() as i64, state.bit_generator);
        let s = arr_generator_state { struct_size, bit_generator, word0, word1, word2, word3, counter: state.counter };
        call!(arr_generator_set_state(self.as_raw(), &s));
        Ok(())
    }

    /// Draws unsigned integers: the words of the stream, unchanged.
    #[doc = example!("assert_eq!(Generator::new(1)?.bits::<u32>(Device::HOST, [4])?.shape(), [4]);")]
    #[doc = errors!(arr_random_bits)]
    #[track_caller]
    pub fn bits<T: Integral>(&self, device: Device, shape: impl IntoShape) -> Result<Array<T>> {
        let shape = shape.into_shape();
        let dims = shape.dims()?;
        let (g, n, at, mut out) = (self.as_raw(), count(dims.len())?, device.raw(), arr_array::NULL);
        call!(arr_random_bits(g, T::DTYPE.0, n, dims.as_ptr(), &at, current(), &mut out));
        Ok(Array::own(out))
    }

    /// Slices of an array along an axis, with replacement or without; by `weights`, 1 in all, where there are some.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let drawn = Generator::new(1)?.sample(&array![1i32, 2, 3], 0, [3], false, None)?;
    /// assert_eq!(drawn.sum(..).item()?, 6);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_random_sample)]
    #[track_caller]
    pub fn sample<T: Element>(
        &self,
        array: &Array<T>,
        axis: i32,
        shape: impl IntoShape,
        replace: bool,
        weights: Option<&Array<f64>>,
    ) -> Result<Array<T>> {
        let shape = shape.into_shape();
        let dims = shape.dims()?;
        let (g, a, again, n) = (self.as_raw(), array.as_raw(), replace, count(dims.len())?);
        let w = weights.map_or(arr_array::NULL, |w| w.as_raw());
        let mut out = arr_array::NULL;
        call!(arr_random_sample(g, a, axis, again, w, n, dims.as_ptr(), current(), &mut out));
        Ok(Array::own(out))
    }

    /// Draws normal vectors with a mean and a covariance, along the last axis after those of `shape`.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let (mean, cov) = (array![0.0, 9.0], array![[1.0, 0.5], [0.5, 1.0]]);
    /// assert_eq!(Generator::new(1)?.multivariate_normal([5], &mean, &cov, NormalMethod::default())?.shape(), [5, 2]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_random_multivariate_normal)]
    #[track_caller]
    pub fn multivariate_normal(
        &self,
        shape: impl IntoShape,
        mean: &Array<f64>,
        covariance: &Array<f64>,
        method: NormalMethod,
    ) -> Result<Array<f64>> {
        let shape = shape.into_shape();
        let dims = shape.dims()?;
        let (g, m, c, n) = (self.as_raw(), mean.as_raw(), covariance.as_raw(), count(dims.len())?);
        let mut out = arr_array::NULL;
        call!(arr_random_multivariate_normal(g, m, c, method as i32, n, dims.as_ptr(), current(), &mut out));
        Ok(Array::own(out))
    }

    /// Counts of `n` draws from the outcomes along the last axis of `pvals`.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let drawn = Generator::new(1)?.multinomial([1], 10, &array![0.5, 0.5])?;
    /// assert_eq!(drawn.sum(..).item()?, 10);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_random_multinomial)]
    #[track_caller]
    pub fn multinomial(&self, shape: impl IntoShape, n: i64, pvals: &Array<f64>) -> Result<Array<i64>> {
        let shape = shape.into_shape();
        let dims = shape.dims()?;
        let (g, draws, p, d) = (self.as_raw(), value_of(n), pvals.as_raw(), count(dims.len())?);
        let mut out = arr_array::NULL;
        call!(arr_random_multinomial(g, &draws, p, d, dims.as_ptr(), current(), &mut out));
        Ok(Array::own(out))
    }

    /// Shares of a whole, along the last axis of `alpha`.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let drawn = Generator::new(1)?.dirichlet([1], &array![1.0, 2.0])?;
    /// assert!((drawn.sum(..).item()? - 1.0).abs() < 1e-12);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_random_dirichlet)]
    #[track_caller]
    pub fn dirichlet(&self, shape: impl IntoShape, alpha: &Array<f64>) -> Result<Array<f64>> {
        let shape = shape.into_shape();
        let dims = shape.dims()?;
        let (g, a, n, mut out) = (self.as_raw(), alpha.as_raw(), count(dims.len())?, arr_array::NULL);
        call!(arr_random_dirichlet(g, a, n, dims.as_ptr(), current(), &mut out));
        Ok(Array::own(out))
    }

    /// Draws the numbers of each colour among `nsample` items taken without replacement.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let drawn = Generator::new(1)?.multivariate_hypergeometric([1], &array![3i64, 4], 5)?;
    /// assert_eq!(drawn.sum(..).item()?, 5);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_random_multivariate_hypergeometric)]
    #[track_caller]
    pub fn multivariate_hypergeometric<T: Ordered>(
        &self,
        shape: impl IntoShape,
        colors: &Array<T>,
        nsample: i64,
    ) -> Result<Array<i64>> {
        let shape = shape.into_shape();
        let dims = shape.dims()?;
        let (g, c, draws, n) = (self.as_raw(), colors.as_raw(), value_of(nsample), count(dims.len())?);
        let mut out = arr_array::NULL;
        call!(arr_random_multivariate_hypergeometric(g, c, &draws, n, dims.as_ptr(), current(), &mut out));
        Ok(Array::own(out))
    }
}
