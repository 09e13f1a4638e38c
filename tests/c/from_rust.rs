// The library for C from Rust: two columns in, labels out, and an error with its text.
use std::ffi::{c_char, c_void, CStr};

#[repr(C)]
struct CopseError {
    status: i32,
    text: [c_char; 1020],
}

#[link(name = "copse_c")]
extern "C" {
    fn copse_abi_version() -> i32;
    fn copse_components_columns(
        vertices: u64, id_type: i32, sources: *const c_void, targets: *const c_void, count: u64, labels: *mut c_void,
        options: *const c_void, error: *mut CopseError,
    ) -> i32;
}

fn components(sources: &[u32], targets: &[u32], labels: &mut [u32]) -> Result<(), String> {
    let mut error = CopseError { status: 0, text: [0; 1020] };
    let (from, to, count) = (sources.as_ptr().cast(), targets.as_ptr().cast(), sources.len() as u64);
    let out = labels.as_mut_ptr().cast();
    match unsafe { copse_components_columns(labels.len() as u64, 1, from, to, count, out, std::ptr::null(), &mut error) } {
        0 => Ok(()),
        status => Err(format!("{status} {}", unsafe { CStr::from_ptr(error.text.as_ptr()) }.to_string_lossy())),
    }
}

fn main() {
    assert_eq!(unsafe { copse_abi_version() }, 1);
    let mut labels = [9u32; 5];
    components(&[0, 4], &[1, 3], &mut labels).unwrap();
    assert_eq!(labels, [0, 0, 2, 3, 3]);
    let refused = components(&[0], &[7], &mut labels).unwrap_err();
    assert!(refused.starts_with("1 ") && refused.contains('7'), "{refused}");
}
