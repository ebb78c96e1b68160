// SPDX-License-Identifier: MIT
//! Poisson's equation on a square by conjugate gradients; the rows of the matrix are divided among the ranks.
use arr::{array, idx, solve_cg, Comm, Decomposition, Device, Dist, DistSparse, Distribution, Generator, Result};
use arr::{SolveOptions, SparseFormat::Csr, SparseMatrix};

pub fn cg(comm: &Comm, n: usize, steps: usize) -> Result<f64> {
    let rows = Decomposition::blocks(comm, [n, n], &[], &[])?;
    let mine = rows.indices(comm.info()?.rank, 0)?;
    let (two, minus) = (array![2.0], array![-1.0]);
    let line = SparseMatrix::diags((n, n), &[(-1, &minus), (0, &two), (1, &minus)])?;
    let eye = SparseMatrix::eye((n, n), 0, Device::HOST)?;
    let (along, across) = (eye.get(idx![&mine])?.kron(&line, Csr)?, line.get(idx![&mine])?.kron(&eye, Csr)?);
    let a = DistSparse::new(comm, &(along + across), &[])?;
    let b = Dist::random(&rows, &Generator::new(1)?, Distribution::UNIFORM, &[])?.part(&[])?;
    let options = SolveOptions { rtol: 1e-12, maxiter: Some(steps), ..Default::default() };
    let (x, _) = solve_cg(&a, &b.reshape(b.len())?, options)?;
    Dist::from_part(&rows, &x.reshape(b.shape())?)?.max(..)?.item()
}
