//! Plans and specifications of `xlayout reshard`, of zarr its metadata (`zarr.json` and `.zarray`,
//! each input as both) and its compressed chunks, and names of files: reading one never panics, and
//! no piece of a plan that is believed lies outside of its file; an error has words.
#![no_main]

use libfuzzer_sys::fuzz_target;
use xlayout_checkpoints::fuzzing::{compressed, plan, sequence, specification, zarr};

fuzz_target!(|bytes: &[u8]| {
    for read in [plan(bytes), zarr(bytes, false), zarr(bytes, true)] {
        if let Err(error) = read {
            assert!(!error.message.is_empty());
        }
    }
    // The first two bytes say how many there should be.
    if let Some((length, chunk)) = bytes.split_first_chunk()
        && let Err(error) = compressed(chunk, &mut vec![0; u16::from_le_bytes(*length).into()])
    {
        assert!(!error.message.is_empty());
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        if let Err(error) = specification(text) {
            assert!(!error.message.is_empty());
        }
        if let Err(what) = sequence(text) {
            assert!(!what.is_empty());
        }
    }
});
