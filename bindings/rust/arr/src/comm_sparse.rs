// SPDX-License-Identifier: MIT
//! Communicators: collective operations and messages of sparse matrices.

use arr_sys::arr_sparse;

use crate::comm::Comm;
use crate::element::Element;
use crate::error::{call, Result};
use crate::ops::Reduction;
use crate::sparse::SparseMatrix;
use crate::stream::current;

/// Matrices keep their format, type and order of elements on their way. These calls are not for groups.
impl Comm {
    /// Returns the matrix of rank `root` on all ranks; others may pass `None`.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let (comm, a) = (&Comm::local(1, Device::HOST)?[0], SparseMatrix::<f64>::eye((2, 3), 0, Device::HOST)?);
    /// assert_eq!(comm.sparse_broadcast(Some(&a), 0)?.to_dense(Order::C)?, a.to_dense(Order::C)?);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_comm_sparse_broadcast)]
    #[track_caller]
    pub fn sparse_broadcast<T: Element>(&self, a: Option<&SparseMatrix<T>>, root: i32) -> Result<SparseMatrix<T>> {
        let mut out = arr_sparse::NULL;
        let given = a.map_or(arr_sparse::NULL, SparseMatrix::as_raw);
        call!(arr_comm_sparse_broadcast(self.as_raw(), given, root, current(), &mut out));
        a.map_or_else(|| SparseMatrix::alone(out), |a| a.sharing(out))
    }

    /// Sends a matrix to each rank, or none, and returns those that arrive, one for each rank.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let (comm, a) = (&Comm::local(1, Device::HOST)?[0], SparseMatrix::<f64>::eye((2, 3), 0, Device::HOST)?);
    /// assert_eq!(comm.sparse_all_to_all(&[Some(&a)])?.len(), 1);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_comm_sparse_all_to_all)]
    #[track_caller]
    pub fn sparse_all_to_all<T: Element>(
        &self,
        a: &[Option<&SparseMatrix<T>>],
    ) -> Result<Vec<Option<SparseMatrix<T>>>> {
        let given: Vec<arr_sparse> = a.iter().map(|one| one.map_or(arr_sparse::NULL, SparseMatrix::as_raw)).collect();
        let mut out = vec![arr_sparse::NULL; a.len()];
        let n = a.len() as i32;
        call!(arr_comm_sparse_all_to_all(self.as_raw(), n, given.as_ptr(), current(), out.as_mut_ptr()));
        let own = self.info()?.rank as usize; // whose matrix comes from this rank itself
        let one = |(r, h): (usize, arr_sparse)| match a[r] {
            _ if h == arr_sparse::NULL => Ok(None),
            Some(given) if r == own => given.sharing(h).map(Some),
            _ => SparseMatrix::alone(h).map(Some),
        };
        out.into_iter().enumerate().map(one).collect()
    }

    /// Combines the matrices of all ranks element by element. Rank `root` gets the result, or all ranks for `None`.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let (comm, a) = (&Comm::local(1, Device::HOST)?[0], SparseMatrix::<f64>::eye((2, 2), 0, Device::HOST)?);
    /// assert_eq!(comm.sparse_reduce(&a, Reduction::SUM, None)?.unwrap().to_dense(Order::C)?, a.to_dense(Order::C)?);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_comm_sparse_reduce)]
    #[track_caller]
    pub fn sparse_reduce<T: Element>(
        &self,
        a: &SparseMatrix<T>,
        by: Reduction,
        root: Option<i32>,
    ) -> Result<Option<SparseMatrix<T>>> {
        let mut out = arr_sparse::NULL;
        let root = root.unwrap_or(-1);
        call!(arr_comm_sparse_reduce(self.as_raw(), a.as_raw(), by.code(), root, current(), &mut out));
        if out == arr_sparse::NULL {
            return Ok(None);
        }
        a.sharing(out).map(Some)
    }

    /// Sends a matrix to another rank.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let (ranks, a) = (Comm::local(2, Device::HOST)?, SparseMatrix::<f64>::eye((2, 3), 0, Device::HOST)?);
    /// let got = std::thread::scope(|s| {
    ///     s.spawn(|| ranks[0].sparse_send(&a, 1));
    ///     ranks[1].sparse_recv::<f64>(0)
    /// })?;
    /// assert_eq!(got.to_dense(Order::C)?, a.to_dense(Order::C)?);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_comm_sparse_send)]
    #[track_caller]
    pub fn sparse_send<T: Element>(&self, a: &SparseMatrix<T>, receiver: i32) -> Result<()> {
        call!(arr_comm_sparse_send(self.as_raw(), a.as_raw(), receiver, current()));
        Ok(())
    }

    /// Receives a matrix from another rank, as in the example of [`Comm::sparse_send`].
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let alone = &Comm::local(1, Device::HOST)?[0];
    /// assert!(alone.sparse_recv::<f64>(0).is_err()); // it would wait for itself
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_comm_sparse_recv)]
    #[track_caller]
    pub fn sparse_recv<T: Element>(&self, sender: i32) -> Result<SparseMatrix<T>> {
        let mut out = arr_sparse::NULL;
        call!(arr_comm_sparse_recv(self.as_raw(), sender, current(), &mut out));
        SparseMatrix::alone(out)
    }
}
