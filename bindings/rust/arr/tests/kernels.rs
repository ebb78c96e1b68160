// SPDX-License-Identifier: MIT
//! Raw CUDA kernels on the host, streams and events, and threads.
use arr::{
    args, s, with_view, Arg, Array, Backend, Device, ErrorKind, Event, Launch, Module, ModuleOptions, Result, Stream,
};

const SAXPY: &str = r#"
extern "C" __global__ void saxpy(float a, const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}
struct Line { double slope, offset; };
extern "C" __global__ void line(Line f, double* y) { y[threadIdx.x] = f.slope * threadIdx.x + f.offset; }
template <typename T> __global__ void scale(T* x, T by) { x[threadIdx.x] *= by; }
"#;

/// The compiler that libarr starts would inherit a sanitizer's runtime, and fail because of its leaks. Called first in
/// every test, so that nobody reads the environment meanwhile.
fn without_preload() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| std::env::remove_var("LD_PRELOAD"));
}

#[repr(C)]
#[derive(Clone, Copy)]
struct Line {
    slope: f64,
    offset: f64,
}

#[test]
fn extents_of_launches() {
    let (nx, ny) = (100usize, 60usize);
    let two = Launch::new([4, 8, 1], [32, 8, 1]);
    assert_eq!(Launch::cover((nx, ny), (32, 8)), two);
    assert_eq!(Launch::cover([nx, ny, 1], [32, 8, 1]), two);
    assert_eq!(Launch::cover([nx as i64, ny as i64], (32, 8u32, 1)), two);
    assert_eq!(Launch::new((4, 8, 1), [32u64, 8]), two);
    assert_eq!(Launch::cover(0, 128), Launch::new(0, 128));
    assert_eq!(Launch::cover(129u32, [128]), Launch::new([2], 128));
    assert_eq!(Launch::new(1, 1u64 << 40), Launch::new(1, i32::MAX), "too many for the library, which refuses both");
    assert_eq!(Launch::cover(usize::MAX, 1), Launch::new(i64::MAX, 1));
    assert_ne!(two.cluster(2), two.cluster((2, 2)));
}

#[test]
fn saxpy() -> Result<()> {
    without_preload();
    // SAFETY: sources of this file, here and below: kernels and variables without initialisers that run.
    let module = unsafe { Module::compile(SAXPY, Device::HOST)? };
    let kernel = module.kernel("saxpy")?;
    let x = Array::from_vec((0..1000).map(|i| i as f32).collect(), [1000])?;
    let mut y = Array::<f32>::ones([1000])?;
    let shared = y.clone();
    let launch = Launch::cover(y.len(), 128);
    assert_eq!(launch, Launch::new([8, 1, 1], [128, 1, 1]));
    // SAFETY: the parameters of saxpy, which writes y only, below n.
    unsafe { kernel.launch(launch, &args![2.0f32, &x, &mut y, 1000i32])? };
    assert_eq!(y.to_vec()?, (0..1000).map(|i| 1.0 + 2.0 * i as f32).collect::<Vec<_>>());
    assert_eq!(shared.to_vec()?, [1.0; 1000], "an array that shares its memory is not written");

    let mut numbers = [1.0f32; 4];
    with_view(&mut numbers, [4], |view| {
        // SAFETY: as above.
        unsafe { kernel.launch(Launch::new(1, 4), &args![1.0f32, &x, view, 4i32]) }
    })?;
    assert_eq!(numbers, [1.0, 2.0, 3.0, 4.0]);

    // SAFETY: one argument too few is found before anything runs.
    let few = unsafe { kernel.launch(launch, &args![2.0f32, &x, &mut y]) };
    assert_eq!(few.unwrap_err().kind(), ErrorKind::Argument);
    drop(module);
    // SAFETY: as above; the kernel keeps its module.
    unsafe { kernel.launch(launch, &args![0.0f32, &x, &mut y, 1000i32]) }
}

fn value(module: &Module) -> Result<i32> {
    let kernel = module.kernel("f")?;
    let mut out = Array::<i32>::zeros([1])?;
    // SAFETY: f writes one int.
    unsafe { kernel.launch(Launch::new(1, 1), &args![&mut out])? };
    Ok(out.to_vec()?[0])
}

#[test]
fn modules() -> Result<()> {
    without_preload();
    let source = "#ifndef N\n#define N 1\n#endif\n__constant__ int table[3] = {1, 2, 3};\n\
                  extern \"C\" __global__ void f(int* o) { *o = N * table[2]; }";
    let options = ModuleOptions { defines: &["N=5"], standard: 20, names: &["f"], ..Default::default() };
    // SAFETY: as above.
    let mut module = unsafe { Module::load(source.as_bytes(), Device::HOST, &options)? };
    assert_eq!(value(&module)?, 15);
    assert!(module.global::<i32>("table", &[4]).is_err());
    // A copy of a variable is an array like any other; the variable itself can only be written.
    let (first, second) = (module.global::<i32>("table", &[3])?, module.global::<i32>("table", &[3])?);
    let slice = first.as_slice()?;
    assert_eq!((slice, first.is_shared()), (&[1, 2, 3][..], false));
    module.global_mut("table", &[3])?.copy_from_slice(&[4, 5, 6])?;
    assert_eq!((slice, second.to_vec()?, value(&module)?), (&[1, 2, 3][..], vec![1, 2, 3], 30));
    module.global_mut::<i32>("table", &[3])?.fill(7)?;
    assert_eq!((module.global::<i32>("table", &[3])?.to_vec()?, value(&module)?), (vec![7; 3], 35));
    let first = "extern __device__ int g(int); extern \"C\" __global__ void f(int* o) { *o = g(4); }";
    let second = "__device__ int g(int x) { return x * x; }";
    let inputs = [("first.cu", first.as_bytes()), ("second.cu", second.as_bytes())];
    // SAFETY: as above.
    let linked = unsafe { Module::link(&inputs, Device::HOST, &ModuleOptions::default())? };
    assert_eq!(value(&linked)?, 16);
    let kernel = linked.kernel("f")?;
    assert_eq!(kernel.attribute(0)?, 1024);
    kernel.set_attribute(8, 60_000)?;
    assert_eq!(kernel.attribute(8)?, 60_000);
    assert_eq!(kernel.attribute(4).unwrap_err().kind(), ErrorKind::Unsupported);
    assert_eq!(kernel.occupancy(256, 0)?, 4);
    assert_eq!(kernel.block_size(0, 128)?.0, 128);
    let mut out = Array::<i32>::zeros([1])?;
    let one = Launch::new(1, 1);
    // SAFETY: f writes one int; the second launch is refused.
    unsafe { kernel.launch(one.cooperative(), &args![&mut out])? };
    let refused = unsafe { kernel.launch(one.cluster([2, 1, 1]), &args![&mut out]) };
    assert_eq!(refused.unwrap_err().kind(), ErrorKind::Unsupported);
    // SAFETY: there is no such file.
    let missing = unsafe { Module::load_file("/nowhere/k.cu", Device::HOST, &ModuleOptions::default()) };
    assert_eq!(missing.unwrap_err().kind(), ErrorKind::Io);
    Ok(())
}

#[test]
fn structs_and_templates() -> Result<()> {
    without_preload();
    // SAFETY: as above.
    let module = unsafe { Module::compile(SAXPY, Device::HOST)? };
    let mut y = Array::<f64>::zeros([4])?;
    let four = Launch::new(1, 4);
    let f = Line { slope: 2.0, offset: 0.5 };
    // SAFETY: Line has the kernel's layout, and y the four elements that four threads write.
    unsafe { module.kernel("line")?.launch(four, &[Arg::bytes(&f), Arg::from(&mut y)])? };
    assert_eq!(y.to_vec()?, [0.5, 2.5, 4.5, 6.5]);
    // SAFETY: as above.
    unsafe { module.kernel("scale<double>")?.launch(four, &args![&mut y, 2.0])? };
    assert_eq!(y.slice(s![0])?.item()?, 1.0);
    assert_eq!(module.kernel("absent").unwrap_err().kind(), ErrorKind::Argument);
    Ok(())
}

#[test]
fn source_that_does_not_compile() -> Result<()> {
    without_preload();
    // SAFETY: as above.
    let error = unsafe { Module::compile("__global__ void f( {", Device::HOST) }.expect_err("that is no C++");
    assert_eq!(error.kind(), ErrorKind::Compile, "{error}");
    assert!(error.text().lines().count() == 1 && Module::last_log()?.contains("error"), "{error}");
    // SAFETY: as above.
    let four = unsafe { Module::compile_with("__global__ void f(int* x) { *x = N; }", Device::HOST, &["-DN=4"])? };
    let mut x = Array::<i32>::zeros([1])?;
    // SAFETY: f writes one element.
    unsafe { four.kernel("f")?.launch(Launch::new(1, 1), &args![&mut x])? };
    assert_eq!(x.item()?, 4);
    Ok(())
}

#[test]
fn streams_and_events() -> Result<()> {
    without_preload();
    let stream = Stream::new(Device::HOST)?;
    assert_eq!(stream.device()?, Device::HOST);
    let (start, stop) = (Event::new(Device::HOST)?, Event::new(Device::HOST)?);
    start.record(&stream)?;
    let sum = stream.scope(|| Array::<f64>::ones([1000]).map(|a| (a + 1.0).sum(..)))?;
    stop.record(&stream)?;
    stream.wait(&stop)?;
    stream.wait_for(&Stream::new(Device::HOST)?)?;
    stream.sync()?;
    stop.sync()?;
    assert!(stream.is_done()? && stop.is_done()? && stop.since(&start)?.as_secs() < 60);
    assert_eq!(sum.item()?, 2000.0);
    Ok(())
}

#[test]
fn devices() -> Result<()> {
    without_preload();
    assert!(!Device::HOST.name()?.is_empty() && Device::HOST.memory_info()?.total > 0);
    let (state, report) = Device::cuda_probe()?;
    if state != Backend::Working {
        assert_eq!((Device::cuda_count()?, report.is_empty()), (0, false));
        assert_eq!(Device::require_gpu().unwrap_err().kind(), ErrorKind::Unavailable);
        assert_eq!(Device::cuda(0).zeros::<f32>([2]).unwrap_err().kind(), ErrorKind::Unavailable);
    }
    let selected = Device::select()?;
    let a = selected.arange(0i32, 10, 1)?;
    assert_eq!(a.to_device(Device::HOST)?.to_vec()?, a.to_vec()?);
    assert_eq!((a.device(), Device::HOST.to_string()), (selected, "host".to_string()));
    Ok(())
}

#[test]
fn arrays_cross_threads() -> Result<()> {
    without_preload();
    let a = Array::<f64>::ones([1000])?;
    let sums = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|i| {
                scope.spawn({
                    let mut mine = a.clone();
                    move || {
                        for _ in 0..50 {
                            mine += f64::from(i);
                        }
                        mine.sum(..).item()
                    }
                })
            })
            .collect();
        threads.into_iter().map(|t| t.join().expect("no panic")).collect::<Result<Vec<f64>>>()
    })?;
    assert_eq!(sums, [1000.0, 51_000.0, 101_000.0, 151_000.0]);
    assert_eq!(a.sum(..).item()?, 1000.0);
    Ok(())
}

#[test]
fn the_threads_of_the_host_are_limited() -> Result<()> {
    let before = arr::threads()?;
    arr::set_threads(Some(1))?;
    assert_eq!(arr::threads()?, 1);
    assert_eq!(Array::<f32>::ones([1 << 20])?.sum(..).item()?, (1 << 20) as f32);
    arr::set_threads(None)?;
    assert_eq!(arr::threads()?, before);
    Ok(())
}
