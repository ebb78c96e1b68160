// SPDX-License-Identifier: MIT
//! Distributed arrays: global arrays of which each rank of a communicator has a part.

use std::path::Path;

use arr_sys::{arr_array, arr_decomposition, arr_dist, arr_value};

use crate::array::Array;
use crate::comm::{pointer, Comm};
use crate::dynarray::DynArray;
use crate::element::{sealed::Sealed, value_of, Element};
use crate::error::{call, Result};
use crate::fft::some;
use crate::io::utf8;
use crate::ops::example;
use crate::random::{Distribution, Generator};
use crate::shape::{count, IntoShape};
use crate::stream::{current, owner};
use crate::view::ViewMut;

owner!(
    /// The division of a global array among the ranks of a communicator: for each axis a list of indices, whose product is
    /// the part of a rank. All ranks make it with equal arguments.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let ranks = Comm::local(2, Device::HOST)?;
    /// let rows = Decomposition::blocks(&ranks[0], [5, 3], &[], &[])?; // all ranks divide the first axis
    /// assert_eq!(rows.part_shape(1)?, [2, 3]);
    /// # Ok(())
    /// # }
    /// ```
    Decomposition,
    arr_decomposition,
    arr_decomposition_release
);

impl Decomposition {
    #[track_caller]
    fn made(make: impl FnOnce(&mut arr_decomposition) -> Result<()>) -> Result<Decomposition> {
        let mut out = arr_decomposition::NULL;
        make(&mut out)?;
        Ok(Decomposition(out))
    }

    /// Divides into blocks. `grid` has for each axis the number of ranks, or is empty: all divide the first one. `blocks` has
    /// the extents of blocks that are dealt out in turn, or is empty: one block for each rank.
    #[doc = example!("let one = &Comm::local(1, Device::HOST)?[0];\nassert_eq!(Decomposition::blocks(one, [4, 2], &[1, 1], &[])?.shape()?, [4, 2]);")]
    #[doc = errors!(arr_decomposition_create)]
    #[track_caller]
    pub fn blocks(comm: &Comm, shape: impl IntoShape, grid: &[i32], blocks: &[i64]) -> Result<Decomposition> {
        let (dims, ngrid, (nblocks, blocks)) = (shape.into_shape().dims()?, count(grid.len())?, pointer(blocks));
        let (ndim, dims, c) = (count(dims.len())?, dims.as_ptr(), comm.as_raw());
        Decomposition::made(|out| {
            call!(arr_decomposition_create(c, ndim, dims, ngrid, some(grid), nblocks, blocks, out));
            Ok(())
        })
    }

    /// Divides an axis into contiguous parts of given extents, one for each rank.
    #[doc = example!("let ranks = Comm::local(2, Device::HOST)?;\nassert_eq!(Decomposition::counts(&ranks[0], [5, 3], &[1, 4], 0)?.part_shape(1)?, [4, 3]);")]
    #[doc = errors!(arr_decomposition_counts)]
    #[track_caller]
    pub fn counts(comm: &Comm, shape: impl IntoShape, counts: &[i64], axis: i32) -> Result<Decomposition> {
        let (dims, (n, counts)) = (shape.into_shape().dims()?, pointer(counts));
        Decomposition::made(|out| {
            call!(arr_decomposition_counts(comm.as_raw(), count(dims.len())?, dims.as_ptr(), axis, n, counts, out));
            Ok(())
        })
    }

    /// Gives each index of an axis to a rank.
    #[doc = example!("let ranks = Comm::local(2, Device::HOST)?;\nlet by = Decomposition::owners(&ranks[0], [3], &[1, 0, 1], 0)?;\nassert_eq!(by.indices(1, 0)?, array![0i64, 2]);")]
    #[doc = errors!(arr_decomposition_owners)]
    #[track_caller]
    pub fn owners(comm: &Comm, shape: impl IntoShape, owners: &[i32], axis: i32) -> Result<Decomposition> {
        let (dims, n) = (shape.into_shape().dims()?, owners.len() as i64);
        let (ndim, dims, owners) = (count(dims.len())?, dims.as_ptr(), some(owners));
        Decomposition::made(|out| {
            call!(arr_decomposition_owners(comm.as_raw(), ndim, dims, axis, n, owners, out));
            Ok(())
        })
    }

    /// Returns the extents of the global array.
    #[doc = example!("assert_eq!(Decomposition::blocks(&Comm::local(2, Device::HOST)?[0], 5, &[], &[])?.shape()?, [5]);")]
    #[doc = errors!(arr_decomposition_shape)]
    #[track_caller]
    pub fn shape(&self) -> Result<Vec<usize>> {
        self.part_shape(-1)
    }

    /// Returns the extents of the part of a rank; -1: of the global array.
    #[doc = example!("assert_eq!(Decomposition::blocks(&Comm::local(2, Device::HOST)?[0], 5, &[], &[])?.part_shape(0)?, [3]);")]
    #[doc = errors!(arr_decomposition_shape)]
    #[track_caller]
    pub fn part_shape(&self, rank: i32) -> Result<Vec<usize>> {
        let (mut dims, mut n) = ([0; crate::slice::MAX_NDIM], 0);
        call!(arr_decomposition_shape(self.as_raw(), rank, count(dims.len())?, dims.as_mut_ptr(), &mut n));
        Ok(dims[..n as usize].iter().map(|&d| d as usize).collect())
    }

    /// Returns the global indices that a rank has of an axis.
    #[doc = example!("let ranks = Comm::local(2, Device::HOST)?;\nassert_eq!(Decomposition::blocks(&ranks[0], 5, &[], &[])?.indices(1, 0)?, array![3i64, 4]);")]
    #[doc = errors!(arr_decomposition_indices)]
    #[track_caller]
    pub fn indices(&self, rank: i32, axis: i32) -> Result<Array<i64>> {
        let mut out = arr_array::NULL;
        call!(arr_decomposition_indices(self.as_raw(), rank, axis, current(), &mut out));
        DynArray::own(out).typed()
    }
}

owner!(
    /// The handle of a distributed array.
    Handle,
    arr_dist,
    arr_dist_release
);

/// A global array of which each rank of a communicator has a part. All ranks make the same calls, each from its own thread or
/// process; an operator panics on all ranks where a method gives the error.
///
/// As of arrays, views and parts share memory, and a write copies this rank's part first where another array would see it.
///
/// ```
/// use arr::*;
/// # fn main() -> Result<()> {
/// let ranks = Comm::local(2, Device::HOST)?;
/// std::thread::scope(|s| {
///     let threads: Vec<_> = ranks.iter().map(|comm| s.spawn(move || -> Result<()> {
///         let by = Decomposition::blocks(comm, [4], &[], &[])?;
///         let mut a = Dist::<f64>::zeros(&by, &[])?;
///         a.part_mut(&[])?.fill(comm.info()?.rank as f64)?;
///         assert_eq!((2.0 * &a + 1.0).gather()?, array![1.0, 1.0, 3.0, 3.0]);
///         assert_eq!(a.sum(..)?.item()?, 2.0);
///         Ok(())
///     })).collect();
///     threads.into_iter().try_for_each(|t| t.join().expect("no panic"))
/// })
/// # }
/// ```
#[derive(Debug)]
#[must_use = "operations return their results, and change no array"]
pub struct Dist<T: Element> {
    handle: Handle,
    /// This rank's part with its halo.
    memory: Array<T>,
}

/// An input of an operation of distributed arrays, with elements of any type. Sealed.
pub trait DistInput: Sealed {
    #[doc(hidden)]
    fn dist(&self) -> arr_dist;
}

impl<T: Element> Sealed for Dist<T> {}
impl<T: Element> DistInput for Dist<T> {
    fn dist(&self) -> arr_dist {
        self.as_raw()
    }
}

/// Ends the exchange of a halo, also when a panic passes through.
struct Exchange(arr_dist);

impl Drop for Exchange {
    fn drop(&mut self) {
        if let Ok(api) = arr_sys::api() {
            // SAFETY: rule 1: the array is borrowed, and this exchange has begun.
            let _ = unsafe { api.arr_dist_exchange_end(self.0) };
        }
    }
}

#[track_caller]
fn memory_of(handle: &Handle) -> Result<arr_array> {
    let mut out = arr_array::NULL;
    call!(arr_dist_memory(handle.as_raw(), &mut out));
    Ok(out)
}

impl<T: Element> Dist<T> {
    /// Makes an array of a call's result, whose memory is new.
    #[track_caller]
    pub(crate) fn made(make: impl FnOnce(&mut arr_dist) -> Result<()>) -> Result<Dist<T>> {
        let mut out = arr_dist::NULL;
        make(&mut out)?;
        let handle = Handle(out);
        let memory = DynArray::own(memory_of(&handle)?).typed()?;
        Ok(Dist { handle, memory })
    }

    /// The same of a result with the memory of an array.
    #[track_caller]
    fn sharing(of: &Array<T>, make: impl FnOnce(&mut arr_dist) -> Result<()>) -> Result<Dist<T>> {
        let made = Dist::made(make)?;
        let memory = of.as_dyn().sharing(memory_of(&made.handle)?).typed()?;
        Ok(Dist { memory, ..made })
    }

    /// Returns the result of a call that has the memory of an array where there was nothing to do.
    #[track_caller]
    pub(crate) fn unless_same(mut self, as_of: &DynArray) -> Result<Dist<T>> {
        if self.memory.as_dyn().data()? == as_of.data()? {
            self.memory = as_of.sharing(memory_of(&self.handle)?).typed()?;
        }
        Ok(self)
    }

    /// Returns the handle, which stays the array's.
    pub fn as_raw(&self) -> arr_dist {
        self.handle.as_raw()
    }

    /// Returns the handle for a call that writes this rank's elements, after a copy of shared memory.
    #[track_caller]
    pub(crate) fn writable(&mut self) -> Result<arr_dist> {
        if self.memory.is_shared() || self.memory.is_read_only() {
            let part = self.part(&[])?;
            let both = self.memory.shape().iter().zip(part.shape());
            let halo: Vec<i64> = both.map(|(whole, own)| (whole - own) as i64 / 2).collect();
            let mut copy = Dist::zeros(&self.decomposition()?, &halo)?;
            copy.memory.assign(&self.memory)?;
            *self = copy;
        }
        Ok(self.as_raw())
    }

    /// Creates zeros. `halo` has for each axis the number of layers around the part for values of neighbours, or is empty.
    #[doc = example!("let by = Decomposition::blocks(&Comm::local(1, Device::HOST)?[0], [2, 3], &[], &[])?;\nassert_eq!(Dist::<f32>::zeros(&by, &[1, 1])?.memory().shape(), [4, 5]);")]
    #[doc = errors!(arr_dist_create)]
    #[track_caller]
    pub fn zeros(by: &Decomposition, halo: &[i64]) -> Result<Dist<T>> {
        let (n, halo) = pointer(halo);
        Dist::made(|out| {
            call!(arr_dist_create(by.as_raw(), T::DTYPE.0, n, halo, current(), out));
            Ok(())
        })
    }

    /// Makes an array of this rank's part, which is not copied.
    #[doc = example!("let by = Decomposition::blocks(&Comm::local(1, Device::HOST)?[0], 2, &[], &[])?;\nassert_eq!(Dist::from_part(&by, &array![1.0_f64, 2.0])?.sum(..)?.item()?, 3.0);")]
    #[doc = errors!(arr_dist_from_part)]
    #[track_caller]
    pub fn from_part(by: &Decomposition, part: &Array<T>) -> Result<Dist<T>> {
        Dist::sharing(part, |out| {
            call!(arr_dist_from_part(by.as_raw(), part.as_raw(), out));
            Ok(())
        })
    }

    /// Divides the array of rank `root`; other ranks may pass `None`.
    #[doc = example!("let by = Decomposition::blocks(&Comm::local(1, Device::HOST)?[0], 2, &[], &[])?;\nassert_eq!(Dist::scatter(&by, Some(&array![1.0, 2.0]), 0)?.gather()?, array![1.0, 2.0]);")]
    #[doc = errors!(arr_dist_scatter)]
    #[track_caller]
    pub fn scatter(by: &Decomposition, src: Option<&Array<T>>, root: i32) -> Result<Dist<T>> {
        let a = src.map_or(arr_array::NULL, Array::as_raw);
        let made = Dist::made(|out| {
            call!(arr_dist_scatter(by.as_raw(), a, root, current(), out));
            Ok(())
        })?;
        match src {
            Some(src) => made.unless_same(src.as_dyn()),
            None => Ok(made),
        }
    }

    /// Draws the numbers that a generator in the same state gives for the whole array, however it is divided. Parameters that
    /// are left out have their defaults.
    #[doc = example!("let by = Decomposition::blocks(&Comm::local(1, Device::HOST)?[0], 9, &[], &[])?;\nlet x = Dist::<f64>::random(&by, &Generator::new(1)?, Distribution::UNIFORM, &[2.0, 3.0])?;\nassert!(x.min(..)?.item()? >= 2.0);")]
    #[doc = errors!(arr_dist_random_draw)]
    #[track_caller]
    pub fn random(by: &Decomposition, g: &Generator, of: Distribution, parameters: &[f64]) -> Result<Dist<T>> {
        let values: Vec<arr_value> = parameters.iter().map(|&x| value_of(x)).collect();
        let (n, values, d) = (count(values.len())?, values.as_ptr(), T::DTYPE.0);
        Dist::made(|out| {
            call!(arr_dist_random_draw(by.as_raw(), g.as_raw(), of.code(), n, values, d, current(), out));
            Ok(())
        })
    }

    /// Reads a .npy file, each rank its elements.
    #[doc = example!("let by = Decomposition::blocks(&Comm::local(1, Device::HOST)?[0], 2, &[], &[])?;\nlet path = std::env::temp_dir().join(\"arr_dist_load.npy\");\narray![1.0, 2.0].save_npy(&path)?;\nassert_eq!(Dist::<f64>::load_npy(&by, &path)?.gather()?, array![1.0, 2.0]);")]
    #[doc = errors!(arr_dist_load_npy)]
    #[track_caller]
    pub fn load_npy(by: &Decomposition, path: impl AsRef<Path>) -> Result<Dist<T>> {
        let path = utf8(path.as_ref())?;
        Dist::made(|out| {
            call!(arr_dist_load_npy(by.as_raw(), path.as_ptr().cast(), path.len() as i64, current(), out));
            Ok(())
        })
    }

    /// Writes a .npy file, on rank 0.
    #[doc = example!("let by = Decomposition::blocks(&Comm::local(1, Device::HOST)?[0], 2, &[], &[])?;\nDist::<f64>::zeros(&by, &[])?.save_npy(std::env::temp_dir().join(\"arr_dist_save.npy\"))?;")]
    #[doc = errors!(arr_dist_save_npy)]
    #[track_caller]
    pub fn save_npy(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = utf8(path.as_ref())?;
        call!(arr_dist_save_npy(self.as_raw(), path.as_ptr().cast(), path.len() as i64, current()));
        Ok(())
    }

    /// Returns the decomposition.
    #[doc = example!("let by = Decomposition::blocks(&Comm::local(1, Device::HOST)?[0], 2, &[], &[])?;\nassert_eq!(Dist::<f64>::zeros(&by, &[])?.decomposition()?.shape()?, [2]);")]
    #[doc = errors!(arr_dist_decomposition)]
    #[track_caller]
    pub fn decomposition(&self) -> Result<Decomposition> {
        Decomposition::made(|out| {
            call!(arr_dist_decomposition(self.as_raw(), out));
            Ok(())
        })
    }

    /// Returns the extents of the global array.
    #[doc = example!("let by = Decomposition::blocks(&Comm::local(1, Device::HOST)?[0], 2, &[], &[])?;\nassert_eq!(Dist::<f64>::zeros(&by, &[])?.shape()?, [2]);")]
    #[doc = errors!(arr_decomposition_shape)]
    #[track_caller]
    pub fn shape(&self) -> Result<Vec<usize>> {
        self.decomposition()?.shape()
    }

    #[track_caller]
    fn view(&self, offsets: &[i64]) -> Result<Array<T>> {
        let ((n, offsets), mut out) = (pointer(offsets), arr_array::NULL);
        call!(arr_dist_part(self.as_raw(), n, offsets, &mut out));
        self.memory.as_dyn().sharing(out).typed()
    }

    /// Returns this rank's part. `offsets` displace it within the halo, or are empty: offset 1 of an axis gives for each
    /// element the next one.
    #[doc = example!("let by = Decomposition::blocks(&Comm::local(1, Device::HOST)?[0], 2, &[], &[])?;\nlet mut a = Dist::<f64>::zeros(&by, &[1])?;\na.part_mut(&[])?.copy_from_slice(&[1.0, 2.0])?;\nassert_eq!(a.part(&[1])?, array![2.0, 0.0]);")]
    #[doc = errors!(arr_dist_part)]
    #[track_caller]
    pub fn part(&self, offsets: &[i64]) -> Result<Array<T>> {
        self.view(offsets)
    }

    /// Borrows this rank's part, displaced as by [`Dist::part`], to write to it.
    #[doc = example!("let by = Decomposition::blocks(&Comm::local(1, Device::HOST)?[0], 2, &[], &[])?;\nlet mut a = Dist::<f64>::zeros(&by, &[])?;\n*a.part_mut(&[])? += 1.0;\nassert_eq!(a.gather()?, array![1.0, 1.0]);")]
    #[doc = errors!(arr_dist_part)]
    #[track_caller]
    pub fn part_mut(&mut self, offsets: &[i64]) -> Result<ViewMut<'_, T>> {
        self.writable()?;
        self.view(offsets).map(ViewMut::new)
    }

    /// Returns the part with its halo.
    #[doc = example!("let by = Decomposition::blocks(&Comm::local(1, Device::HOST)?[0], 2, &[], &[])?;\nassert_eq!(Dist::<f64>::zeros(&by, &[1])?.memory().len(), 4);")]
    pub fn memory(&self) -> &Array<T> {
        &self.memory
    }

    /// Borrows the part with its halo, to write to it.
    #[doc = example!("let by = Decomposition::blocks(&Comm::local(1, Device::HOST)?[0], 2, &[], &[])?;\nlet mut a = Dist::<f64>::zeros(&by, &[1])?;\na.memory_mut()?.fill(7.0)?;\nassert_eq!(a.part(&[-1])?, array![7.0, 7.0]);")]
    #[doc = errors!(arr_dist_memory)]
    #[track_caller]
    pub fn memory_mut(&mut self) -> Result<ViewMut<'_, T>> {
        self.writable()?;
        self.memory.try_clone().map(ViewMut::new)
    }

    #[track_caller]
    fn gathered(&self, root: i32) -> Result<arr_array> {
        let mut out = arr_array::NULL;
        call!(arr_dist_gather(self.as_raw(), root, current(), &mut out));
        Ok(out)
    }

    /// Returns the global array on each rank.
    #[doc = example!("let by = Decomposition::blocks(&Comm::local(1, Device::HOST)?[0], 2, &[], &[])?;\nassert_eq!(Dist::<f64>::zeros(&by, &[])?.gather()?, array![0.0, 0.0]);")]
    #[doc = errors!(arr_dist_gather)]
    #[track_caller]
    pub fn gather(&self) -> Result<Array<T>> {
        DynArray::own(self.gathered(-1)?).typed()
    }

    /// Returns the global array on rank `root`, `None` on others.
    #[doc = example!("let by = Decomposition::blocks(&Comm::local(1, Device::HOST)?[0], 2, &[], &[])?;\nassert_eq!(Dist::<f64>::zeros(&by, &[])?.gather_on(0)?, Some(array![0.0, 0.0]));")]
    #[doc = errors!(arr_dist_gather)]
    #[track_caller]
    pub fn gather_on(&self, root: i32) -> Result<Option<Array<T>>> {
        let out = self.gathered(root)?;
        (out != arr_array::NULL).then(|| DynArray::own(out).typed()).transpose()
    }

    /// Returns the element of an array without dimensions, such as the sum of all elements, on each rank.
    #[doc = example!("let by = Decomposition::blocks(&Comm::local(1, Device::HOST)?[0], 2, &[], &[])?;\nassert_eq!(Dist::<f64>::zeros(&by, &[])?.max(..)?.item()?, 0.0);")]
    #[doc = errors!(arr_dist_gather)]
    #[track_caller]
    pub fn item(&self) -> Result<T> {
        self.gather()?.item()
    }

    /// Fills the halo with the values of neighbours, corners too. `periodic` has for each axis whether its ends are
    /// neighbours, or is empty: none is.
    #[doc = example!("let by = Decomposition::blocks(&Comm::local(1, Device::HOST)?[0], 2, &[], &[])?;\nlet mut a = Dist::<f64>::zeros(&by, &[1])?;\na.part_mut(&[])?.copy_from_slice(&[1.0, 2.0])?;\na.exchange(&[true])?;\nassert_eq!(a.memory(), &array![2.0, 1.0, 2.0, 1.0]);")]
    #[doc = errors!(arr_dist_exchange)]
    #[track_caller]
    pub fn exchange(&mut self, periodic: &[bool]) -> Result<()> {
        let (n, ends): (i32, Vec<i32>) = (count(periodic.len())?, periodic.iter().map(|&p| p.into()).collect());
        call!(arr_dist_exchange(self.writable()?, n, some(&ends), current()));
        Ok(())
    }

    /// Fills the halo like [`Dist::exchange`] while `meanwhile` works with this rank's part, without other calls of the
    /// communicator.
    #[doc = example!("let by = Decomposition::blocks(&Comm::local(1, Device::HOST)?[0], 2, &[], &[])?;\nlet mut a = Dist::<f64>::zeros(&by, &[1])?;\nlet sum = a.exchange_during(&[true], |part| part.sum(..))?;\nassert_eq!(sum.item()?, 0.0);")]
    #[doc = errors!(arr_dist_exchange_begin)]
    #[track_caller]
    pub fn exchange_during<R>(&mut self, periodic: &[bool], meanwhile: impl FnOnce(&Array<T>) -> R) -> Result<R> {
        let (n, ends): (i32, Vec<i32>) = (count(periodic.len())?, periodic.iter().map(|&p| p.into()).collect());
        let a = self.writable()?;
        let part = self.view(&[])?;
        call!(arr_dist_exchange_begin(a, n, some(&ends), current()));
        let exchange = Exchange(a);
        let value = meanwhile(&part);
        std::mem::forget(exchange); // it ends now, also where that fails
        call!(arr_dist_exchange_end(a));
        Ok(value)
    }

    /// Copies the elements of an array of the same shape, which may be divided in another way; halos do not change.
    #[doc = example!("let by = Decomposition::blocks(&Comm::local(1, Device::HOST)?[0], 2, &[], &[])?;\nlet mut a = Dist::<f64>::zeros(&by, &[1])?;\na.assign(&Dist::from_part(&by, &array![1.0, 2.0])?)?;\nassert_eq!(a.gather()?, array![1.0, 2.0]);")]
    #[doc = errors!(arr_dist_assign)]
    #[track_caller]
    pub fn assign(&mut self, src: &Dist<T>) -> Result<()> {
        call!(arr_dist_assign(self.writable()?, src.as_raw(), current()));
        Ok(())
    }

    /// Copies the elements into an array that is divided in another way.
    #[doc = example!("let one = &Comm::local(1, Device::HOST)?[0];\nlet a = Dist::from_part(&Decomposition::blocks(one, 2, &[], &[])?, &array![1.0, 2.0])?;\nassert_eq!(a.redistribute(&Decomposition::owners(one, 2, &[0, 0], 0)?)?.gather()?, array![1.0, 2.0]);")]
    #[doc = errors!(arr_dist_redistribute)]
    #[track_caller]
    pub fn redistribute(&self, by: &Decomposition) -> Result<Dist<T>> {
        let made = Dist::made(|out| {
            call!(arr_dist_redistribute(self.as_raw(), by.as_raw(), current(), out));
            Ok(())
        })?;
        made.unless_same(self.memory.as_dyn())
    }

    /// Permutes the axes, or reverses their order where none are given: a view.
    #[doc = example!("let by = Decomposition::blocks(&Comm::local(1, Device::HOST)?[0], [2, 3], &[], &[])?;\nassert_eq!(Dist::<f64>::zeros(&by, &[])?.transpose(&[])?.shape()?, [3, 2]);")]
    #[doc = errors!(arr_dist_transpose)]
    #[track_caller]
    pub fn transpose(&self, axes: &[i32]) -> Result<Dist<T>> {
        Dist::sharing(&self.memory, |out| {
            call!(arr_dist_transpose(self.as_raw(), count(axes.len())?, some(axes), out));
            Ok(())
        })
    }

    /// Returns a range of indices of an axis: a view.
    #[doc = example!("let by = Decomposition::blocks(&Comm::local(1, Device::HOST)?[0], 3, &[], &[])?;\nassert_eq!(Dist::from_part(&by, &array![1, 2, 3])?.slice(0, 1..3)?.gather()?, array![2, 3]);")]
    #[doc = errors!(arr_dist_slice)]
    #[track_caller]
    pub fn slice(&self, axis: i32, range: std::ops::Range<i64>) -> Result<Dist<T>> {
        Dist::sharing(&self.memory, |out| {
            call!(arr_dist_slice(self.as_raw(), axis, range.start, range.end, out));
            Ok(())
        })
    }
}
