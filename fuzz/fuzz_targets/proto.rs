//! Bytes as protos: whatever they are, there is a value or an error in words, and what is read is
//! written in a form that reads as the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use xlayout_core::{Layout, Shape};
use xlayout_proto::{OpSharding, ProgramShape, Proto, ProtoError, decode, prost::Message};

fuzz_target!(|bytes: &[u8]| {
    if let Some(shape) = read::<Shape>(bytes) {
        let _ = (shape.to_string(), shape.validate());
    }
    if let Some(layout) = read::<Layout>(bytes) {
        let _ = layout.to_string();
    }
    if let Some(program) = read::<ProgramShape>(bytes) {
        let _ = program.to_string();
    }
    if let Ok(sharding) = decode::<OpSharding>(bytes) {
        // Compared as bytes: a speedup in the metadata may be no number.
        let written = sharding.encode_to_vec();
        let again: OpSharding = decode(&written).expect("what is written is read");
        assert_eq!(again.encode_to_vec(), written);
    }
});

fn read<T: Proto + PartialEq + std::fmt::Debug>(bytes: &[u8]) -> Option<T> {
    match T::from_proto_bytes(bytes) {
        Ok(value) => {
            let written = value.to_proto_bytes();
            let again: Result<T, ProtoError> = T::from_proto_bytes(&written);
            assert_eq!(again.as_ref(), Ok(&value));
            assert_eq!(value.to_proto_bytes(), written);
            Some(value)
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            assert!(!error.to_string().is_empty());
            None
        }
    }
}
