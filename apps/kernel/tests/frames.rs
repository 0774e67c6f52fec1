//! Frames that are not as XLA makes them: an error each, and nothing is read that is not there.
//! `frames/errors.txt` has every text; with `UPDATE_EXPECT=1` it is written anew, to be looked at.
#![allow(unsafe_code, elided_lifetimes_in_paths)]

use std::fmt::Write as _;
use std::ptr::{null, null_mut};

use crate::support::expand::{FULL_CHECK_TOO, kernel};
use crate::support::{Array, Call, Value, metadata, outcome};
use xlayout::layout;
use xlayout_kernel::abi::{self, CallFrame, Extension, MetadataExtension};
use xlayout_kernel::{In, Out, Scalar};

const F32: i32 = 11;
type Vector = layout!(f32[?]{0});

fn copy(a: Scalar<f32>, x: In<Vector>, mut y: Out<Vector>) {
    y.memory_mut().copy_from_slice(x.memory());
    y[[0]] += *a;
}
kernel!(copies = copy(a: Scalar<f32>, x: In<Vector>, y: Out<Vector>));

/// The result of a good call after a change. Both checks must give the same one.
fn changed(change: impl Fn(&mut CallFrame)) -> Result<(), String> {
    let by_fast_check = once(&change);
    FULL_CHECK_TOO.set(true);
    let by_full_check = once(&change);
    FULL_CHECK_TOO.set(false);
    assert_eq!(by_fast_check, by_full_check);
    by_fast_check
}

fn once(change: &impl Fn(&mut CallFrame)) -> Result<(), String> {
    let mut x = [1.0_f32; 3];
    let mut y = [0.0_f32; 3];
    let a = 2.0_f32;
    let mut call = Call {
        arguments: vec![Array::at(F32, &[3], x.as_mut_ptr())],
        results: vec![Array::at(F32, &[3], y.as_mut_ptr())],
        attributes: vec![("a".into(), Value::scalar(F32, &a))],
        ..Call::default()
    };
    let result = call.run_with(copies, change);
    assert_eq!(result.is_ok(), y == [3.0, 1.0, 1.0]);
    result.map_err(|(code, message)| format!("[{code}]\n    {message}"))
}

/// The buffer that is the first argument.
fn buffer(frame: &mut CallFrame) -> &mut abi::Buffer {
    // SAFETY: the frame is that of `changed`, which has one.
    unsafe { &mut *(*frame.args.pointers).cast() }
}

#[test]
fn whole_frames_work() {
    assert_eq!(changed(|_| ()), Ok(()));
    // A later version has longer structures.
    assert_eq!(changed(|frame| frame.struct_size += 64), Ok(()));
    assert_eq!(changed(|frame| frame.attrs.struct_size += 64), Ok(()));
    assert_eq!(changed(|frame| buffer(frame).struct_size += 64), Ok(()));
}

#[test]
fn unknown_extensions_are_skipped() {
    let link = |kind, next| Extension {
        struct_size: size_of::<Extension>(),
        kind,
        next,
    };
    let mut second = link(3, null_mut());
    let mut first = link(2, &raw mut second);
    let first = &raw mut first;
    assert_eq!(changed(|frame| frame.extensions = first), Ok(()));
    // A chain without an end, and a link that is too short.
    let mut ring = [link(2, null_mut()), link(3, null_mut())];
    let at = ring.as_mut_ptr();
    // SAFETY: the two links are there; XLA, too, writes through the pointers that it passes.
    unsafe {
        (*at).next = at.add(1);
        (*at.add(1)).next = at;
    }
    assert_eq!(changed(|frame| frame.extensions = at), Ok(()));
    // SAFETY: as above.
    unsafe { (*at).struct_size = 8 };
    assert_eq!(changed(|frame| frame.extensions = at), Ok(()));
}

#[test]
fn bad_frames_are_refused() {
    let mut texts = String::new();
    let mut bad = |case: &str, change: &dyn Fn(&mut CallFrame)| {
        let text = changed(change).expect_err(case);
        let _ = writeln!(texts, "{case} {text}");
    };
    bad("short frame", &|frame| frame.struct_size = 100);
    bad("short arguments", &|frame| frame.args.struct_size = 24);
    bad("short results", &|frame| frame.rets.struct_size = 0);
    // The next fields of the frame would have other offsets.
    bad("long arguments", &|frame| frame.args.struct_size += 8);
    bad("long results", &|frame| frame.rets.struct_size += 64);
    bad("short attributes", &|frame| frame.attrs.struct_size = 40);
    bad("negative count", &|frame| frame.args.size = -1);
    bad("least count", &|frame| frame.rets.size = i64::MIN);
    bad("greatest count", &|frame| frame.attrs.size = i64::MAX);
    bad("null types", &|frame| frame.args.types = null());
    bad("null pointers", &|frame| frame.rets.pointers = null());
    bad("null names", &|frame| frame.attrs.names = null());
    bad("null values", &|frame| frame.attrs.values = null());
    bad("null argument", &|frame| {
        static NULL: [usize; 1] = [0];
        frame.args.pointers = NULL.as_ptr().cast();
    });
    bad("no buffer", &|frame| {
        static OTHER: [i32; 1] = [7];
        frame.args.types = OTHER.as_ptr();
    });
    bad("null name", &|frame| {
        static NULL: [usize; 1] = [0];
        frame.attrs.names = NULL.as_ptr().cast();
    });
    let span = abi::ByteSpan {
        data: null(),
        len: 1,
    };
    let names = [&raw const span];
    bad("name without bytes", &|frame| {
        frame.attrs.names = names.as_ptr()
    });
    bad("null value", &|frame| {
        static NULL: [usize; 1] = [0];
        frame.attrs.values = NULL.as_ptr().cast();
    });
    bad("short buffer", &|frame| buffer(frame).struct_size = 47);
    bad("negative rank", &|frame| buffer(frame).rank = -1);
    bad("greatest rank", &|frame| buffer(frame).rank = i64::MAX);
    bad("null sizes", &|frame| buffer(frame).dims = null());

    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/frames/errors.txt");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(path, &texts).unwrap();
    }
    let expected = std::fs::read_to_string(path).unwrap();
    assert!(texts.lines().eq(expected.lines()), "{texts}");
}

#[test]
fn versions() {
    for (minor, expected) in [(1, 1), (2, 2), (3, 3), (4, 3), (99, 3)] {
        assert_eq!(metadata(copies, 0, minor), Ok((0, expected)));
    }
    assert_eq!(
        metadata(copies, 1, 0).unwrap_err(),
        (
            9,
            "XLA's FFI has version 1.0, and this kernel is built for 0.1 to 0.3, whose structures \
             are others: build the kernel with an xlayout-kernel for this XLA, or use an XLA for it"
                .to_owned()
        )
    );
    assert!(metadata(copies, 0, 0).is_err());
    assert!(metadata(copies, -1, 3).is_err());
}

#[test]
fn bad_questions_are_refused() {
    let ask = |change: &dyn Fn(&mut MetadataExtension)| {
        let mut metadata = std::mem::MaybeUninit::<[u64; 8]>::zeroed();
        // SAFETY: zeros are numbers.
        let metadata = unsafe { metadata.assume_init_mut() };
        metadata[0] = 36;
        let mut extension = MetadataExtension {
            base: Extension {
                struct_size: size_of::<MetadataExtension>(),
                kind: abi::METADATA,
                next: null_mut(),
            },
            metadata: metadata.as_mut_ptr().cast(),
        };
        change(&mut extension);
        let extension = &raw mut extension;
        changed(|frame| frame.extensions = extension.cast()).unwrap_err()
    };
    let short = ask(&|extension| extension.base.struct_size = 24);
    assert!(
        short.contains("XLA_FFI_Metadata_Extension with 24 bytes"),
        "{short}"
    );
    let null = ask(&|extension| extension.metadata = null_mut());
    assert!(null.contains("null pointer for XLA_FFI_Metadata"), "{null}");
    let short = ask(&|extension| {
        // SAFETY: it leads to the numbers above.
        unsafe { (*extension.metadata).struct_size = 35 };
    });
    assert!(short.contains("XLA_FFI_Metadata with 35 bytes"), "{short}");
}

#[test]
fn a_frame_as_short_as_it_says() {
    // Memory of exactly this size, so that valgrind finds every read beyond it.
    let api = crate::support::api();
    for size in [24_usize, 32, 96, 160] {
        let mut memory = vec![null::<abi::Api>(); size / 8].into_boxed_slice();
        memory[0] = std::ptr::without_provenance(size);
        memory[2] = &raw const api;
        // SAFETY: the frame has as many bytes as it says.
        let error = unsafe { copies(memory.as_mut_ptr().cast()) };
        let (code, message) = outcome(error).unwrap_err();
        assert_eq!(code, 3);
        assert!(
            message.contains(&format!("with {size} bytes, of which")),
            "{message}"
        );
    }
}
