// SPDX-License-Identifier: MIT
//! programs FOLDER NAME ... - runs programs on FOLDER/NAME.npy, and writes FOLDER/NAME_result.npy.
use arr::Array;

mod blur;
mod cg;
mod heat;
mod kmeans;
mod monte_carlo;
mod navier_stokes;
mod pagerank;
mod pca;
mod poisson;
mod rk4;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (folder, names) = arguments.split_first().ok_or("usage: programs FOLDER NAME ...")?;
    for name in names {
        let input = Array::<f64>::load_npy(format!("{folder}/{name}.npy"))?;
        let output = match name.as_str() {
            "kmeans" => kmeans::kmeans(&input, 3, 10)?,
            "cg" => cg::cg(&input, 1e-10)?,
            "navier_stokes" => navier_stokes::navier_stokes(&input)?.typed()?,
            "monte_carlo" => monte_carlo::monte_carlo(&input)?,
            "pca" => pca::pca(&input, 2)?,
            "heat" => heat::heat(input, 0.2, 100)?,
            "rk4" => rk4::rk4(input, 0.01, 100)?,
            "blur" => blur::blur(&input, 2, 1.5)?,
            "pagerank" => pagerank::pagerank(&input, 60, 0.85, 50)?,
            "poisson" => poisson::poisson(&input)?,
            _ => return Err(format!("there is no program {name}").into()),
        };
        output.save_npy(format!("{folder}/{name}_result.npy"))?;
    }
    Ok(())
}
