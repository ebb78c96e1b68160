// SPDX-License-Identifier: MIT
//! Heat equation: explicit steps on a square, which is divided among the ranks; the temperature is 0 around it.
use arr::{evaluate_into, Comm, Decomposition, Dist, Distribution, Generator, Result};

pub fn heat(comm: &Comm, n: usize, steps: usize) -> Result<f64> {
    let rows = Decomposition::blocks(comm, [n, n], &[], &[])?;
    let (mut u, mut next) = (Dist::<f64>::zeros(&rows, &[1, 1])?, Dist::<f64>::zeros(&rows, &[1, 1])?);
    u.assign(&Dist::random(&rows, &Generator::new(1)?, Distribution::UNIFORM, &[])?)?;
    for _ in 0..steps {
        u.exchange(&[])?;
        let [here, up, down, left, right] = [[0, 0], [-1, 0], [1, 0], [0, -1], [0, 1]].map(|offsets| u.part(&offsets));
        evaluate_into(
            "u + 0.2 * (up + down + left + right - 4 * u)",
            &[&here?, &up?, &down?, &left?, &right?],
            &mut next.part_mut(&[])?,
        )?;
        std::mem::swap(&mut u, &mut next);
    }
    u.max(..)?.item()
}
