// SPDX-License-Identifier: MIT
//! mpiexec -n RANKS distributed NAME N STEPS - runs a program on as many processes; without mpiexec on one. Prints its
//! number and the seconds that it took.
use arr::{Comm, Device, ErrorKind, Result};

mod cg;
mod fft;
mod heat;

fn ranks() -> Result<Comm> {
    match Comm::mpi(Device::HOST) {
        Err(error) if error.kind() == ErrorKind::Unavailable => Ok(Comm::local(1, Device::HOST)?.remove(0)),
        comm => comm,
    }
}

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, n, steps] = &arguments[..] else { return Err("usage: distributed NAME N STEPS".into()) };
    let program = match name.as_str() {
        "heat" => heat::heat,
        "cg" => cg::cg,
        "fft" => fft::fft,
        _ => return Err(format!("there is no program {name}").into()),
    };
    let (comm, begin) = (ranks()?, std::time::Instant::now());
    let number = program(&comm, n.parse()?, steps.parse()?)?;
    let (info, seconds) = (comm.info()?, begin.elapsed().as_secs_f64());
    if info.rank == 0 {
        println!("{name}: {number:?} in {seconds:.4} s on {}", info.size);
    }
    Ok(())
}
