// SPDX-License-Identifier: MIT
//! 01_hello - create arrays, compute, reduce, print. ARR_DEVICE=cuda runs it on the GPU.
use arr::{s, Array, Device, Expr};

fn main() -> arr::Result<()> {
    let device = Device::select()?;
    println!("on {}", device.name()?);

    let a = device.array(&[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], [2, 3])?; // a copy on the device
    let b = a.sqrt() + 2.0 * &a; // operators between arrays and numbers
    println!("b =\n{b:?}\n{b}");

    // A fused expression: one pass over memory for the whole formula.
    let wave = Expr::new(|[x]| x.sin() + 2.0 * x.maximum(2.5f32))?;
    let mut c: Array<f32> = wave.run([&a])?.typed()?;
    c -= c.mean(..).item()?; // in place
    println!("c =\n{c}");

    println!("sum of a        {}", a.sum(..).item()?);
    println!("maximum by row  {:?}", a.max(1).to_vec()?);
    println!("last column     {:?}", a.slice(s![.., -1])?.to_vec()?);
    println!("shape of a.t()  {:?}", a.t()?.shape());
    println!("a a^T =\n{}", a.matmul(&a.t()?)?);

    let mut d = a.clone(); // shares memory; the first write copies
    d.slice_mut(s![0])?.fill(0.0)?; // a part, in place
    println!("first row gone  {:?}, a keeps {:?}", d.to_vec()?, a.to_vec()?);

    let five = device.ones::<f32>([5])?;
    match a.try_add(&five) {
        Err(mistake) => println!("a mistake       {mistake}"), // everything stays usable
        Ok(_) => unreachable!("shapes (2, 3) and (5) do not broadcast"),
    }
    Ok(())
}
