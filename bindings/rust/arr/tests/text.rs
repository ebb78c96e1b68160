// SPDX-License-Identifier: MIT
//! Tables in text files: each option, read and written.
use arr::{array, Array, Device, ErrorKind, Result, Table, TextFormat};
use std::path::PathBuf;

/// A file with the name of a test, which is removed at the end.
struct File(PathBuf);

impl File {
    fn new(test: &str, text: &str) -> File {
        let path = std::env::temp_dir().join(format!("arr_rust_{}_{test}.csv", std::process::id()));
        std::fs::write(&path, text).expect("the file is written");
        File(path)
    }

    fn text(&self) -> String {
        std::fs::read_to_string(&self.0).expect("the file is read")
    }

    fn read(&self, table: Table<'_>) -> Result<Array<f64>> {
        Device::HOST.load_txt(&self.0, table)
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn reading() -> Result<()> {
    let file = File::new("reading", "a,b,c\n1,2,3\n4,5,6 % four\n7,8,9\n");
    let table = Table::new().delimiter(",").comments("%").skip_rows(1);
    assert_eq!(file.read(table)?, array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]);
    assert_eq!(file.read(table.columns(&[-1, 0]).max_rows(2))?, array![[3.0, 1.0], [6.0, 4.0]]);
    assert_eq!(file.read(table.columns(&[1]).skip_footer(2))?.shape(), [0; 0]);
    assert_eq!(file.read(table.columns(&[1]).skip_footer(2).min_dims(2))?, array![[2.0]]);
    let integers: Array<i32> = Device::HOST.load_txt(&file.0, table.max_rows(1))?;
    assert_eq!(integers, array![1, 2, 3]);
    assert_eq!(file.read(table.comments("#")).unwrap_err().kind(), ErrorKind::Format);
    assert_eq!(file.read(table.columns(&[3])).unwrap_err().kind(), ErrorKind::Format);
    for wrong in [table.columns(&[]), table.delimiter("a\0b")] {
        assert_eq!(file.read(wrong).unwrap_err().kind(), ErrorKind::Argument);
    }
    Ok(())
}

#[test]
fn missing_numbers() -> Result<()> {
    let file = File::new("missing", "1,,3\nNA,5,-\n");
    let table = Table::new().delimiter(",").missing("NA,-");
    let gaps: Array<f64> = Device::HOST.genfromtxt(&file.0, table)?;
    assert_eq!(gaps.isnan(), array![[false, true, false], [true, false, true]]);
    let filled: Array<f64> = Device::HOST.genfromtxt(&file.0, table.filling(-9.5))?;
    assert_eq!(filled, array![[1.0, -9.5, 3.0], [-9.5, 5.0, -9.5]]);
    let integers: Array<i16> = Device::HOST.genfromtxt(&file.0, table.filling(7))?;
    assert_eq!(integers, array![[1, 7, 3], [7, 5, 7]]);
    assert_eq!(file.read(table).unwrap_err().kind(), ErrorKind::Format, "load_txt reads no gaps");
    Ok(())
}

#[test]
fn writing() -> Result<()> {
    let (a, file) = (array![[1.0, 2.5], [3.0, 4.0]], File::new("writing", ""));
    a.save_txt(&file.0, TextFormat::new())?;
    assert!(file.text().starts_with("1.000000000000000000e+00 2.5"), "NumPy's format");
    assert_eq!(file.read(Table::new())?, a);
    let plain = TextFormat::new().format("%s").delimiter(";");
    a.save_txt(&file.0, plain.header("x;y").footer("end"))?;
    assert_eq!(file.text(), "# x;y\n1.0;2.5\n3.0;4.0\n# end\n");
    a.save_txt(&file.0, plain.header("x;y").comments("").newline("\r\n").format("%.0f;%g"))?;
    assert_eq!(file.text(), "x;y\r\n1;2.5\r\n3;4\r\n");
    assert_eq!(a.save_txt(&file.0, plain.format("%d %d %d")).unwrap_err().kind(), ErrorKind::Argument);
    Ok(())
}
