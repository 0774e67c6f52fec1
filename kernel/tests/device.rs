//! Kernels with arrays of a device, called through a frame like XLA's. No GPU is needed: the addresses
//! lead nowhere, so that a kernel that reads there ends with a fault.
#![allow(unsafe_code, elided_lifetimes_in_paths)]

use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::Mutex;

use crate::support::{Array, Call, described, metadata, metadata_and_traits};
use xlayout::{ArrayLayout, layout};
use xlayout_kernel::abi::{self, Handler, StreamGet, XlaError};
use xlayout_kernel::{Context, DeviceIn, DeviceInOut, DeviceOut, Stream};

const F32: i32 = 11;
const PRED: i32 = 1;

/// What the kernel was called with.
static SEEN: Mutex<Vec<String>> = Mutex::new(Vec::new());

#[xlayout::kernel(command_buffer)]
fn on_device(
    stream: Stream,
    context: Context,
    x: DeviceIn<layout!(f32[?M, 4]{0,1})>,
    mask: DeviceIn<layout!(pred[?M]{0})>,
    y: DeviceOut<layout!(f32[?M, 4]{1,0})>,
    state: DeviceInOut<layout!(f32[])>,
) {
    let text = format!(
        "{:?} {:?} {:?} {:?} {:?} {} {:?}",
        stream.as_ptr().addr(),
        context.as_ptr().addr(),
        x,
        mask,
        y,
        y.bytes(),
        (x.layout().sizes(), state.address()),
    );
    SEEN.lock().unwrap().push(text);
}

#[xlayout::kernel(name = "not_captured", batch)]
fn not_captured(x: DeviceIn<layout!(f32[4]{0})>, y: DeviceOut<layout!(f32[4]{0})>) {
    SEEN.lock().unwrap().push(format!("{x:?} {y:?}"));
}

/// The handler of a kernel by its name, from the description that Python reads.
fn handler(name: &str) -> Handler {
    let mut kernels = described(module_path!()).into_iter();
    let kernel = kernels.find(|kernel| kernel["name"] == name).unwrap();
    assert_eq!(kernel["platform"], "CUDA");
    assert_eq!(kernel["isa"], "baseline");
    let address = kernel["handler"].as_u64().unwrap() as usize;
    let pointer: *const c_void = std::ptr::with_exposed_provenance(address);
    // SAFETY: it is the address of this kernel's handler.
    unsafe { std::mem::transmute::<*const c_void, Handler>(pointer) }
}

unsafe extern "C" fn stream_get(args: *mut StreamGet) -> *mut XlaError {
    // SAFETY: the kernel passes the structure.
    unsafe {
        assert_eq!((*args).struct_size, size_of::<StreamGet>());
        assert_eq!((*args).context.addr(), 0x1234);
        (*args).stream = std::ptr::without_provenance_mut(0xabcd);
    }
    null_mut()
}

fn at(dtype: i32, dims: &[i64], address: usize) -> Array {
    Array::at::<u8>(dtype, dims, std::ptr::without_provenance_mut(address))
}

fn call() -> Call {
    let mut call = Call {
        arguments: vec![
            at(F32, &[3, 4], 0x1000),
            at(PRED, &[3], 0x2001),
            at(F32, &[], 0x4000),
        ],
        results: vec![at(F32, &[3, 4], 0x3000), at(F32, &[], 0x4000)],
        context: std::ptr::without_provenance_mut(0x1234),
        ..Call::default()
    };
    call.api.stream_get = Some(stream_get);
    call
}

#[test]
fn a_kernel_gets_addresses_and_the_stream_and_reads_nothing() {
    SEEN.lock().unwrap().clear();
    call().run(handler("on_device")).unwrap();
    let seen = SEEN.lock().unwrap();
    let expected = "43981 4660 DeviceIn(f32[3,4]{0,1} at 0x1000) DeviceIn(pred[3]{0} at 0x2001) \
                    DeviceOut(f32[3,4]{1,0} at 0x3000) 48 ([3, 4], 16384)";
    assert!(seen.iter().any(|text| text == expected), "{seen:?}");
}

#[test]
fn calls_that_do_not_fit_are_refused() {
    let refused = |change: &dyn Fn(&mut Call)| {
        let mut call = call();
        change(&mut call);
        call.run(handler("on_device")).unwrap_err().1
    };
    let text = refused(&|call| call.arguments[0] = at(F32, &[3, 5], 0x1000));
    assert!(text.contains("dimension 1 must be 4, not 5"), "{text}");
    let text = refused(&|call| call.arguments[0] = at(F32, &[3, 4], 0x1002));
    assert!(
        text.contains("begins 2 bytes behind a multiple of 4"),
        "{text}"
    );
    let text = refused(&|call| call.results[0] = at(F32, &[3, 4], 0x1004));
    assert!(text.contains("shares with `x`"), "{text}");
    let text = refused(&|call| call.results[1] = at(F32, &[], 0x5000));
    assert!(text.contains("an `InOut` is one array"), "{text}");
    let text = refused(&|call| call.api.stream_get = None);
    assert!(
        text.contains("`stream` is the stream of a device, which XLA does not tell"),
        "{text}"
    );
}

#[test]
fn each_item_of_a_batch_has_its_address() {
    let mut call = Call {
        arguments: vec![at(F32, &[2, 4], 0x6000)],
        results: vec![at(F32, &[2, 4], 0x7000)],
        ..Call::default()
    };
    call.run(handler("not_captured")).unwrap();
    let seen = SEEN.lock().unwrap();
    for text in [
        "DeviceIn(f32[4]{0} at 0x6000) DeviceOut(f32[4]{0} at 0x7000)",
        "DeviceIn(f32[4]{0} at 0x6010) DeviceOut(f32[4]{0} at 0x7010)",
    ] {
        assert!(seen.iter().any(|seen| seen == text), "{seen:?}");
    }
}

#[test]
fn a_kernel_says_whether_it_may_be_captured() {
    let version = metadata_and_traits(handler("on_device"), 0, 3).unwrap();
    assert_eq!(version, ((0, 3), abi::COMMAND_BUFFER_COMPATIBLE));
    assert_eq!(metadata(handler("not_captured"), 0, 3), Ok((0, 3)));
}
