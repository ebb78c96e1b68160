// SPDX-License-Identifier: MIT
//! 02_heat KERNEL.cu IN.npy OUT.npy - 1,000 steps of the heat equation by a raw CUDA kernel, on GPU or host.
use std::io::{stderr, IsTerminal, Write};
use std::mem::swap;

use arr::{args, Array, Device, Launch, Module, Order};

const STEPS: usize = 1000;

fn progress(step: usize) {
    if stderr().is_terminal() {
        let bar = "=".repeat(40 * step / STEPS);
        let _ = write!(stderr(), "\r[{bar:40}] {step}/{STEPS}");
        let _ = write!(stderr(), "{}", if step == STEPS { "\n" } else { "" });
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [kernel, input, output] = &arguments[..] else {
        return Err("usage: 02_heat KERNEL.cu IN.npy OUT.npy".into());
    };
    let device = Device::select()?;
    // SAFETY: the user who names the file trusts it as a part of this program.
    let module = unsafe { Module::compile(&std::fs::read_to_string(kernel)?, device)? };
    let heat = module.kernel("heat")?;

    let field = device.load_npy(input)?; // any float type, any order
    let mut u: Array<f64> = field.cast()?.contiguous(Order::C)?;
    let mut v = u.copy(Order::C)?;
    let [ny, nx] = u.shape()[..] else {
        return Err(format!("{input}: got {} dimensions, expected 2", u.ndim()).into());
    };
    let threads = Launch::cover((nx, ny), (32, 8));
    for step in 1..=STEPS {
        let list = args![&u, &mut v, ny as i64, nx as i64, 0.2];
        // SAFETY: these are the kernel's parameters; it writes v only, inside its ny x nx elements.
        unsafe { heat.launch(threads, &list)? };
        swap(&mut u, &mut v);
        if step % 50 == 0 {
            progress(step);
        }
    }

    let residual = (&u - &v).absolute().max(..).item()?;
    let digits = format!("{residual:.12e}"); // Rust writes e-2, the other languages e-02
    let (mantissa, exponent) = digits.split_once('e').ok_or("no exponent")?;
    println!("residual {mantissa}e{:+03}", exponent.parse::<i32>()?);
    u.save_npy(output)?;
    Ok(())
}
