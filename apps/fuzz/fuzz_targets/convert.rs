//! Files of `xlayout convert`: reading a header never panics, and takes no more memory than the
//! file; what is read lies in the file; an error has words.
#![no_main]

use libfuzzer_sys::fuzz_target;
use xlayout_checkpoints::fuzzing::{Array, npy, safetensors};
use xlayout_core::ArrayLayout;

fuzz_target!(|bytes: &[u8]| {
    let read = [npy(bytes).map(|array| vec![array]), safetensors(bytes)];
    for arrays in read {
        match arrays {
            Ok(arrays) => {
                for Array { layout, offset, .. } in arrays {
                    let end = u128::from(offset) + layout.bytes() as u128;
                    assert!(end <= bytes.len() as u128, "{layout:?} at {offset}");
                }
            }
            Err(error) => assert!(!error.message.is_empty()),
        }
    }
});
