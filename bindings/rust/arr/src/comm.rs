// SPDX-License-Identifier: MIT
//! Communicators: collective operations and messages among the ranks of a program.

use std::marker::PhantomData;
use std::path::Path;

use arr_sys::{arr_array, arr_comm, arr_comm_properties};

use crate::array::Array;
use crate::device::Device;
use crate::element::Element;
use crate::error::{call, Result};
use crate::kernel::c_text;
use crate::ops::{example, Reduction};
use crate::output::{DynOutput, Output};
use crate::stream::{current, owner};

owner!(
    /// A rank of a communicator. Each rank of [`Comm::local`] usually belongs to a thread.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let ranks = Comm::local(3, Device::HOST)?;
    /// std::thread::scope(|s| {
    ///     for comm in &ranks {
    ///         s.spawn(move || -> Result<()> {
    ///             let sum = comm.all_reduce(&array![1.0, 2.0], Reduction::SUM)?;
    ///             assert_eq!(sum, array![3.0, 6.0]);
    ///             Ok(())
    ///         });
    ///     }
    /// });
    /// # Ok(())
    /// # }
    /// ```
    Comm,
    arr_comm,
    arr_comm_release
);

/// Rank, number of ranks and state of a communicator, of [`Comm::info`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CommInfo {
    /// This rank, from 0.
    pub rank: i32,
    /// The number of ranks.
    pub size: i32,
    /// Seconds after which a rank that waits fails; 0: never.
    pub timeout: f64,
    /// A call ran into the time limit, a rank has ended, or [`Comm::abort`] was called.
    pub failed: bool,
}

/// An axis that is divided among ranks, for [`Comm::exchange_halo`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HaloAxis {
    pub axis: i32,
    /// The number of ranks along it.
    pub ranks: i32,
    /// The number of layers of the halo on either side.
    pub width: i64,
    /// The last rank is before the first.
    pub periodic: bool,
}

/// The number of counts and their address; none for equal parts.
pub(crate) fn pointer(counts: &[i64]) -> (i32, *const i64) {
    (counts.len() as i32, if counts.is_empty() { std::ptr::null() } else { counts.as_ptr() })
}

#[track_caller]
fn exchange_halo(comm: arr_comm, a: arr_array, divided: &[HaloAxis]) -> Result<()> {
    let n = divided.len() as i32;
    let axes: Vec<i32> = divided.iter().map(|d| d.axis).collect();
    let grid: Vec<i32> = divided.iter().map(|d| d.ranks).collect();
    let widths: Vec<i64> = divided.iter().map(|d| d.width).collect();
    let periodic: Vec<i32> = divided.iter().map(|d| i32::from(d.periodic)).collect();
    let (axes, grid) = (axes.as_ptr(), grid.as_ptr());
    call!(arr_comm_exchange_halo(comm, a, n, axes, grid, widths.as_ptr(), periodic.as_ptr(), current()));
    Ok(())
}

impl Comm {
    /// Makes a communicator of `size` ranks in this process, one for each thread, all on one device.
    #[doc = example!("assert_eq!(Comm::local(4, Device::HOST)?.len(), 4);")]
    #[doc = errors!(arr_comm_local)]
    #[track_caller]
    pub fn local(size: usize, device: Device) -> Result<Vec<Comm>> {
        let devices = vec![device.raw(); size];
        let mut out = vec![arr_comm::NULL; size];
        call!(arr_comm_local(size as i32, devices.as_ptr(), out.as_mut_ptr()));
        Ok(out.into_iter().map(Comm).collect())
    }

    /// Makes a communicator of MPI_COMM_WORLD, whose ranks are the processes that `mpiexec` started.
    ///
    /// ```no_run
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let comm = Comm::mpi(Device::HOST)?;
    /// println!("rank {} of {}", comm.info()?.rank, comm.info()?.size);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_comm_mpi)]
    #[track_caller]
    pub fn mpi(device: Device) -> Result<Comm> {
        Comm::made(|out| {
            call!(arr_comm_mpi(&device.raw(), out));
            Ok(())
        })
    }

    /// Makes a communicator of the program's own MPI_Comm, which is duplicated.
    ///
    /// ```no_run
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// # let rsmpi_comm: usize = 0x4400_0000;
    /// // SAFETY: rsmpi's comm.as_raw() is a communicator of the MPI that the program uses.
    /// let comm = unsafe { Comm::from_mpi(rsmpi_comm as i64, Device::HOST)? };
    /// # drop(comm);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Safety
    /// `comm` is the value of an MPI_Comm of the MPI that the process has.
    #[doc = errors!(arr_comm_from_mpi)]
    #[track_caller]
    pub unsafe fn from_mpi(comm: i64, device: Device) -> Result<Comm> {
        Comm::made(|out| {
            call!(arr_comm_from_mpi(comm, &device.raw(), out));
            Ok(())
        })
    }

    /// Makes an id of NCCL, which the ranks of one communicator are given.
    ///
    /// ```no_run
    /// # use arr::*;
    /// # fn main() -> Result<()> {
    /// let id = Comm::nccl_id()?;
    /// # drop(id);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_comm_nccl_id)]
    #[track_caller]
    pub fn nccl_id() -> Result<[u8; 128]> {
        let mut id = [0u8; 128];
        call!(arr_comm_nccl_id(id.as_mut_ptr().cast()));
        Ok(id)
    }

    /// Returns rank 0's id on each of the processes, which share the folder of `path`. 0 seconds: no time limit.
    ///
    /// ```no_run
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// # let rank = 0;
    /// let id = Comm::nccl_id_file(2, rank, "/shared/job-17", 60.0)?;
    /// let comm = Comm::nccl(2, rank, &id, Device::cuda(0))?;
    /// # drop(comm);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_comm_nccl_id_file)]
    #[track_caller]
    pub fn nccl_id_file(size: i32, rank: i32, path: impl AsRef<Path>, seconds: f64) -> Result<[u8; 128]> {
        let (mut id, path) = ([0u8; 128], crate::io::utf8(path.as_ref())?);
        let (at, length) = (path.as_ptr().cast(), path.len() as i64);
        call!(arr_comm_nccl_id_file(size, rank, at, length, seconds, id.as_mut_ptr().cast()));
        Ok(id)
    }

    /// The same by TCP: rank 0 listens at `address`, "host:port", for those that know the token.
    ///
    /// ```no_run
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// # let (rank, token) = (0, "");
    /// let id = Comm::nccl_id_tcp(2, rank, "node1:4000", token, 60.0)?;
    /// let comm = Comm::nccl(2, rank, &id, Device::cuda(0))?;
    /// # drop(comm);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_comm_nccl_id_tcp)]
    #[track_caller]
    pub fn nccl_id_tcp(size: i32, rank: i32, address: &str, token: &str, seconds: f64) -> Result<[u8; 128]> {
        let (mut id, address, token) = ([0u8; 128], c_text(address)?, c_text(token)?);
        call!(arr_comm_nccl_id_tcp(size, rank, address.as_ptr(), token.as_ptr(), seconds, id.as_mut_ptr().cast()));
        Ok(id)
    }

    /// Makes a communicator of GPUs by NCCL; each of its ranks calls this.
    ///
    /// ```no_run
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let id = Comm::nccl_id()?;
    /// std::thread::scope(|s| {
    ///     for rank in 0..2 {
    ///         s.spawn(move || -> Result<()> {
    ///             let comm = Comm::nccl(2, rank, &id, Device::cuda(rank))?;
    ///             comm.barrier()
    ///         });
    ///     }
    /// });
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_comm_nccl)]
    #[track_caller]
    pub fn nccl(size: i32, rank: i32, id: &[u8; 128], device: Device) -> Result<Comm> {
        Comm::made(|out| {
            call!(arr_comm_nccl(size, rank, id.as_ptr().cast(), &device.raw(), out));
            Ok(())
        })
    }

    /// Makes a communicator of GPUs by NCCL with the ranks of this one, which brings the id.
    ///
    /// ```no_run
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let processes = Comm::mpi(Device::HOST)?;
    /// let gpus = processes.nccl_with(Device::cuda(0))?;
    /// # drop(gpus);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_comm_nccl_with)]
    #[track_caller]
    pub fn nccl_with(&self, device: Device) -> Result<Comm> {
        Comm::made(|out| {
            call!(arr_comm_nccl_with(self.as_raw(), &device.raw(), out));
            Ok(())
        })
    }

    /// Returns the rank, the number of ranks and the state.
    #[doc = example!("assert_eq!(Comm::local(2, Device::HOST)?[1].info()?.rank, 1);")]
    #[doc = errors!(arr_comm_info)]
    #[track_caller]
    pub fn info(&self) -> Result<CommInfo> {
        let struct_size = std::mem::size_of::<arr_comm_properties>() as i64;
        let mut p = arr_comm_properties { struct_size, ..Default::default() };
        call!(arr_comm_info(self.as_raw(), &mut p));
        Ok(CommInfo { rank: p.rank, size: p.size, timeout: p.timeout, failed: p.failed != 0 })
    }

    /// Sets the seconds after which a call of this rank that waits for others fails; 0: never.
    #[doc = example!("Comm::local(2, Device::HOST)?[0].set_timeout(30.0)?;")]
    #[doc = errors!(arr_comm_set_timeout)]
    #[track_caller]
    pub fn set_timeout(&self, seconds: f64) -> Result<()> {
        call!(arr_comm_set_timeout(self.as_raw(), seconds));
        Ok(())
    }

    #[track_caller]
    fn made(make: impl FnOnce(&mut arr_comm) -> Result<()>) -> Result<Comm> {
        let mut out = arr_comm::NULL;
        make(&mut out)?;
        Ok(Comm(out))
    }

    /// Returns the communicator of the ranks with the same colour, in the order of their keys. All ranks call it.
    #[doc = example!("assert_eq!(Comm::local(1, Device::HOST)?[0].split(0, 0)?.info()?.size, 1);")]
    #[doc = errors!(arr_comm_split)]
    #[track_caller]
    pub fn split(&self, color: i32, key: i32) -> Result<Comm> {
        Comm::made(|out| {
            call!(arr_comm_split(self.as_raw(), color, key, out));
            Ok(())
        })
    }

    /// Returns a communicator of the same ranks, whose calls do not meet those of this one. All ranks call it.
    #[doc = example!("assert_eq!(Comm::local(1, Device::HOST)?[0].duplicate()?.info()?.size, 1);")]
    #[doc = errors!(arr_comm_duplicate)]
    #[track_caller]
    pub fn duplicate(&self) -> Result<Comm> {
        Comm::made(|out| {
            call!(arr_comm_duplicate(self.as_raw(), out));
            Ok(())
        })
    }

    /// Returns the communicator without some ranks, which only the others call, also after a failure.
    #[doc = example!("assert_eq!(Comm::local(2, Device::HOST)?[0].shrink(&[1])?.info()?.size, 1);")]
    #[doc = errors!(arr_comm_shrink)]
    #[track_caller]
    pub fn shrink(&self, excluded: &[i32]) -> Result<Comm> {
        Comm::made(|out| {
            call!(arr_comm_shrink(self.as_raw(), excluded.len() as i32, excluded.as_ptr(), out));
            Ok(())
        })
    }

    /// Ends all calls of all ranks with an error of the kind [`crate::ErrorKind::Lost`].
    #[doc = example!("let ranks = Comm::local(2, Device::HOST)?;\nranks[0].abort()?;\nassert!(ranks[1].info()?.failed);")]
    #[doc = errors!(arr_comm_abort)]
    #[track_caller]
    pub fn abort(&self) -> Result<()> {
        call!(arr_comm_abort(self.as_raw()));
        Ok(())
    }

    /// Waits until all ranks have called it.
    #[doc = example!("Comm::local(1, Device::HOST)?[0].barrier()?;")]
    #[doc = errors!(arr_comm_barrier)]
    #[track_caller]
    pub fn barrier(&self) -> Result<()> {
        call!(arr_comm_barrier(self.as_raw(), current()));
        Ok(())
    }

    /// Copies the array of rank `root` to all.
    #[doc = example!("Comm::local(1, Device::HOST)?[0].broadcast(&mut array![1.0], 0)?;")]
    #[doc = errors!(arr_comm_broadcast)]
    #[track_caller]
    pub fn broadcast<T: Element>(&self, a: &mut impl Output<T>, root: i32) -> Result<()> {
        call!(arr_comm_broadcast(self.as_raw(), a.destination()?, root, current()));
        Ok(())
    }

    /// Combines the arrays of all ranks element by element.
    #[doc = example!("let c = &Comm::local(1, Device::HOST)?[0];\nassert_eq!(c.all_reduce(&array![1.0], Reduction::SUM)?, array![1.0]);")]
    #[doc = errors!(arr_comm_all_reduce)]
    #[track_caller]
    pub fn all_reduce<T: Element>(&self, a: &Array<T>, by: Reduction) -> Result<Array<T>> {
        let mut out = a.zeros_like()?;
        self.all_reduce_into(&mut out, a, by)?;
        Ok(out)
    }

    /// The same into an existing array.
    #[doc = example!("let (c, mut sum) = (&Comm::local(1, Device::HOST)?[0], array![0.0]);\nc.all_reduce_into(&mut sum, &array![2.0], Reduction::SUM)?;\nassert_eq!(sum, array![2.0]);")]
    #[doc = errors!(arr_comm_all_reduce)]
    #[track_caller]
    pub fn all_reduce_into<T: Element>(&self, dst: &mut impl Output<T>, a: &Array<T>, by: Reduction) -> Result<()> {
        call!(arr_comm_all_reduce(self.as_raw(), dst.destination()?, a.as_raw(), by.code(), current()));
        Ok(())
    }

    /// Combines the arrays of all ranks element by element; rank `root` gets the result, other ranks may pass `None`.
    #[doc = example!("let (c, mut sum) = (&Comm::local(1, Device::HOST)?[0], array![0.0]);\nc.reduce(Some(&mut sum), &array![2.0], Reduction::SUM, 0)?;\nassert_eq!(sum, array![2.0]);")]
    #[doc = errors!(arr_comm_reduce)]
    #[track_caller]
    pub fn reduce<T: Element>(&self, dst: Option<&mut Array<T>>, a: &Array<T>, by: Reduction, root: i32) -> Result<()> {
        let dst = dst.map_or(Ok(arr_array::NULL), |d| d.destination())?;
        call!(arr_comm_reduce(self.as_raw(), dst, a.as_raw(), by.code(), root, current()));
        Ok(())
    }

    /// Joins the arrays of all ranks along an axis; `counts` has the extent of each part, or is empty for equal ones.
    #[doc = example!("let (c, mut all) = (&Comm::local(1, Device::HOST)?[0], array![0.0, 0.0]);\nc.all_gather(&mut all, &array![1.0, 2.0], 0, &[])?;\nassert_eq!(all, array![1.0, 2.0]);")]
    #[doc = errors!(arr_comm_all_gather)]
    #[track_caller]
    pub fn all_gather<T: Element>(
        &self,
        dst: &mut impl Output<T>,
        a: &Array<T>,
        axis: i32,
        counts: &[i64],
    ) -> Result<()> {
        let (n, counts) = pointer(counts);
        call!(arr_comm_all_gather(self.as_raw(), dst.destination()?, a.as_raw(), axis, n, counts, current()));
        Ok(())
    }

    /// Joins the arrays of all ranks along an axis; rank `root` gets the result, other ranks may pass `None`.
    #[doc = example!("let (c, mut all) = (&Comm::local(1, Device::HOST)?[0], array![0.0]);\nc.gather(Some(&mut all), &array![1.0], 0, &[], 0)?;\nassert_eq!(all, array![1.0]);")]
    #[doc = errors!(arr_comm_gather)]
    #[track_caller]
    pub fn gather<T: Element>(
        &self,
        dst: Option<&mut Array<T>>,
        a: &Array<T>,
        axis: i32,
        counts: &[i64],
        root: i32,
    ) -> Result<()> {
        let (n, counts) = pointer(counts);
        let dst = dst.map_or(Ok(arr_array::NULL), |d| d.destination())?;
        call!(arr_comm_gather(self.as_raw(), dst, a.as_raw(), axis, n, counts, root, current()));
        Ok(())
    }

    /// Divides the array of rank `root` along an axis; other ranks may pass `None` as the array.
    #[doc = example!("let (c, mut part) = (&Comm::local(1, Device::HOST)?[0], array![0.0]);\nc.scatter(&mut part, Some(&array![1.0]), 0, &[], 0)?;\nassert_eq!(part, array![1.0]);")]
    #[doc = errors!(arr_comm_scatter)]
    #[track_caller]
    pub fn scatter<T: Element>(
        &self,
        dst: &mut impl Output<T>,
        a: Option<&Array<T>>,
        axis: i32,
        counts: &[i64],
        root: i32,
    ) -> Result<()> {
        let ((n, counts), a) = (pointer(counts), a.map_or(arr_array::NULL, Array::as_raw));
        call!(arr_comm_scatter(self.as_raw(), dst.destination()?, a, axis, n, counts, root, current()));
        Ok(())
    }

    /// Combines the arrays of all ranks element by element, and divides the result along an axis.
    #[doc = example!("let (c, mut part) = (&Comm::local(1, Device::HOST)?[0], array![0.0]);\nc.reduce_scatter(&mut part, &array![1.0], 0, &[], Reduction::MAX)?;\nassert_eq!(part, array![1.0]);")]
    #[doc = errors!(arr_comm_reduce_scatter)]
    #[track_caller]
    pub fn reduce_scatter<T: Element>(
        &self,
        dst: &mut impl Output<T>,
        a: &Array<T>,
        axis: i32,
        counts: &[i64],
        by: Reduction,
    ) -> Result<()> {
        let ((n, counts), dst) = (pointer(counts), dst.destination()?);
        call!(arr_comm_reduce_scatter(self.as_raw(), dst, a.as_raw(), axis, n, counts, by.code(), current()));
        Ok(())
    }

    /// Sends a part of an array along an axis to each rank, and joins the parts that arrive. `counts` has for each rank the
    /// extents of the part that it gets and of the one that comes from it, or is empty for equal ones.
    #[doc = example!("let (c, mut got) = (&Comm::local(1, Device::HOST)?[0], array![0.0]);\nc.all_to_all(&mut got, &array![1.0], 0, &[(1, 1)])?;\nassert_eq!(got, array![1.0]);")]
    #[doc = errors!(arr_comm_all_to_all)]
    #[track_caller]
    pub fn all_to_all<T: Element>(
        &self,
        dst: &mut impl Output<T>,
        a: &Array<T>,
        axis: i32,
        counts: &[(i64, i64)],
    ) -> Result<()> {
        let (send, recv): (Vec<i64>, Vec<i64>) = counts.iter().copied().unzip();
        let ((n, send), (_, recv), dst) = (pointer(&send), pointer(&recv), dst.destination()?);
        call!(arr_comm_all_to_all(self.as_raw(), dst, a.as_raw(), axis, n, send, recv, current()));
        Ok(())
    }

    /// Sends an array to another rank.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let ranks = Comm::local(2, Device::HOST)?;
    /// let mut got = array![0.0];
    /// std::thread::scope(|s| {
    ///     s.spawn(|| ranks[0].send(&array![7.0], 1));
    ///     ranks[1].recv(&mut got, 0)
    /// })?;
    /// assert_eq!(got, array![7.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_comm_send)]
    #[track_caller]
    pub fn send<T: Element>(&self, a: &Array<T>, receiver: i32) -> Result<()> {
        call!(arr_comm_send(self.as_raw(), a.as_raw(), receiver, current()));
        Ok(())
    }

    /// Receives an array from another rank.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let ranks = Comm::local(2, Device::HOST)?;
    /// let mut got = array![0.0];
    /// std::thread::scope(|s| {
    ///     s.spawn(|| ranks[0].send(&array![7.0], 1));
    ///     ranks[1].recv(&mut got, 0)
    /// })?;
    /// assert_eq!(got, array![7.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_comm_recv)]
    #[track_caller]
    pub fn recv<T: Element>(&self, dst: &mut impl Output<T>, sender: i32) -> Result<()> {
        call!(arr_comm_recv(self.as_raw(), dst.destination()?, sender, current()));
        Ok(())
    }

    /// Sends an array to a rank while receiving one from a rank; `None` leaves a side out.
    #[doc = example!("let (c, mut got) = (&Comm::local(1, Device::HOST)?[0], array![0.0]);\nc.send_recv(&mut got, &array![1.0], Some(0), Some(0))?;\nassert_eq!(got, array![1.0]);")]
    #[doc = errors!(arr_comm_send_recv)]
    #[track_caller]
    pub fn send_recv<T: Element>(
        &self,
        dst: &mut impl Output<T>,
        a: &Array<T>,
        sender: Option<i32>,
        receiver: Option<i32>,
    ) -> Result<()> {
        let (from, to) = (sender.unwrap_or(-1), receiver.unwrap_or(-1));
        call!(arr_comm_send_recv(self.as_raw(), dst.destination()?, a.as_raw(), from, to, current()));
        Ok(())
    }

    /// Fills the outer layers of an array, its halo, with the values of neighbours in a grid of ranks.
    #[doc = example!("let (c, mut a) = (&Comm::local(1, Device::HOST)?[0], array![0.0, 1.0, 2.0, 0.0]);\nc.exchange_halo(&mut a, &[HaloAxis { axis: 0, ranks: 1, width: 1, periodic: true }])?;\nassert_eq!(a, array![2.0, 1.0, 2.0, 1.0]);")]
    #[doc = errors!(arr_comm_exchange_halo)]
    #[track_caller]
    pub fn exchange_halo<T: Element>(&self, a: &mut impl Output<T>, divided: &[HaloAxis]) -> Result<()> {
        exchange_halo(self.as_raw(), a.destination()?, divided)
    }

    /// Starts the calls that `collect` makes, all at once, runs `meanwhile`, and waits for them. Their arrays are borrowed
    /// until then.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let c = &Comm::local(1, Device::HOST)?[0];
    /// let (a, mut b) = (array![1.0, 2.0], array![0.0, 0.0]);
    /// let other = c.group(
    ///     |g| {
    ///         g.recv(&mut b, 0)?;
    ///         g.send(&a, 0)
    ///     },
    ///     || 3 * 4,
    /// )?;
    /// assert_eq!((other, b), (12, array![1.0, 2.0]));
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_comm_group_end)]
    #[track_caller]
    pub fn group<'a, R>(
        &self,
        collect: impl FnOnce(&CommGroup<'a>) -> Result<()>,
        meanwhile: impl FnOnce() -> R,
    ) -> Result<R> {
        call!(arr_comm_group_begin(self.as_raw()));
        let group = CommGroup { comm: self.as_raw(), arrays: PhantomData };
        collect(&group)?;
        call!(arr_comm_group_start(group.comm));
        let value = meanwhile();
        std::mem::forget(group); // it ends now, also where that fails
        call!(arr_comm_group_end(self.as_raw()));
        Ok(value)
    }
}

/// The calls of a group, which [`Comm::group`] collects.
#[derive(Debug)]
pub struct CommGroup<'a> {
    comm: arr_comm,
    arrays: PhantomData<std::cell::Cell<&'a mut ()>>,
}

impl Drop for CommGroup<'_> {
    fn drop(&mut self) {
        if let Ok(api) = arr_sys::api() {
            // SAFETY: rule 1: the communicator is borrowed, and this group is open.
            let _ = unsafe { api.arr_comm_group_end(self.comm) };
        }
    }
}

/// Each stands for the method of [`Comm`] of that name.
impl<'a> CommGroup<'a> {
    #[doc = errors!(arr_comm_send)]
    #[track_caller]
    pub fn send<T: Element>(&self, a: &'a Array<T>, receiver: i32) -> Result<()> {
        call!(arr_comm_send(self.comm, a.as_raw(), receiver, current()));
        Ok(())
    }

    #[doc = errors!(arr_comm_recv)]
    #[track_caller]
    pub fn recv<T: Element>(&self, dst: &'a mut impl Output<T>, sender: i32) -> Result<()> {
        call!(arr_comm_recv(self.comm, dst.destination()?, sender, current()));
        Ok(())
    }

    #[doc = errors!(arr_comm_all_reduce)]
    #[track_caller]
    pub fn all_reduce<T: Element>(&self, dst: &'a mut impl Output<T>, a: &'a Array<T>, by: Reduction) -> Result<()> {
        call!(arr_comm_all_reduce(self.comm, dst.destination()?, a.as_raw(), by.code(), current()));
        Ok(())
    }

    #[doc = errors!(arr_comm_exchange_halo)]
    #[track_caller]
    pub fn exchange_halo<T: Element>(&self, a: &'a mut impl Output<T>, divided: &[HaloAxis]) -> Result<()> {
        exchange_halo(self.comm, a.destination()?, divided)
    }
}
