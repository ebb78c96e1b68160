// SPDX-License-Identifier: MIT
//! PageRank of a graph of n nodes, whose edges lead from the nodes of the first row to those of the second.
use arr::{s, Array, Result, SparseFormat, SparseMatrix};

pub fn pagerank(edges: &Array<f64>, n: usize, damping: f64, rounds: usize) -> Result<Array<f64>> {
    let ends = edges.cast::<i64>()?;
    let (source, target) = (ends.slice(s![0])?, ends.slice(s![1])?);
    let links = SparseMatrix::coo((n, n), &Array::ones(source.len())?, &target, &source)?.convert(SparseFormat::Csr)?;
    let degree = links.sum(0);
    let mut rank = Array::full(n, 1.0 / n as f64)?;
    for _ in 0..rounds {
        let lost = rank.compress(&degree.equal(0.0), 0)?.sum(..).item()?;
        rank = damping * (links.matmul(&(&rank / degree.maximum(1.0)))? + lost / n as f64) + (1.0 - damping) / n as f64;
    }
    Ok(rank)
}
