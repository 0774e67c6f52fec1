//! Bytes as protos: whatever they are, there is a value or an error in words, and what is read is
//! written in a form that reads as the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use xlayout_core::{Layout, Shape};
use xlayout_proto::{OpSharding, ProgramShape, Proto, ProtoError, decode, prost::Message};
use xlayout_sharding::Sharding;

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
    match Sharding::from_proto_bytes(bytes) {
        Ok(sharding) => sharding_again(&sharding),
        Err(error) => assert!(!error.to_string().is_empty()),
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

fn sharding_again(sharding: &Sharding) {
    let text = format!("{sharding:#}");
    let read: Sharding = text.parse().expect("what is printed is read");
    assert_eq!((&read, format!("{read:#}")), (sharding, text));
    let written = sharding.to_proto_bytes();
    let read = Sharding::from_proto_bytes(&written).expect("what is written is read");
    // Tiles on one device are replicated there; -1 is the mark of no group.
    let plain = sharding
        .tuple_elements()
        .unwrap_or(std::slice::from_ref(sharding));
    let is_kept = |sharding: &Sharding| {
        let has_its_group = sharding.is_shard_group() == sharding.shard_group().is_some();
        sharding.total_num_tiles() != Some(1) && has_its_group
    };
    if plain.iter().all(is_kept) {
        assert_eq!(&read, sharding);
    }
}
