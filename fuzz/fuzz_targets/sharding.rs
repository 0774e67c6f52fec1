//! Shardings from any text: nothing panics, what is read is printed so that it is read again, and
//! the parts of the devices cover an array as often as the sharding says.
#![no_main]

use arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;
use xlayout_core::{ArrayShape, ElementType, Shape};
use xlayout_sharding::read_sharding_prefix;
use xlayout_sharding::{NamedSharding, Sharding, ShardingKind};

fuzz_target!(|bytes: &[u8]| {
    // The text is last, so that a corpus of texts stays one of texts.
    let mut rest = Unstructured::new(bytes);
    let rank = rest.int_in_range(0..=3);
    let sizes = rest.arbitrary::<[u8; 3]>();
    let rank = rank.unwrap_or(0);
    let sizes = sizes.unwrap_or([3, 5, 2]);
    let sizes: Vec<i64> = sizes[..rank].iter().map(|n| i64::from(n % 8)).collect();
    let shape = ArrayShape::new(ElementType::F32, &sizes).expect("there is a heap");
    if let Ok(text) = std::str::from_utf8(bytes) {
        match text.parse::<Sharding>() {
            Ok(sharding) => again(&sharding, &shape),
            Err(error) => {
                let span = error.span().expect("a mistake has a place");
                assert!(span.start <= span.end && span.end <= text.len());
                assert!(!error.render(text).to_string().is_empty());
            }
        }
        if let Ok(named) = text.parse::<NamedSharding>() {
            let printed = named.to_string();
            assert_eq!(printed.parse(), Ok(named), "{printed}");
        }
        if let Ok((sharding, end)) = read_sharding_prefix(text) {
            assert_eq!(text[..end].parse(), Ok(sharding));
        }
    }
});

fn again(sharding: &Sharding, shape: &ArrayShape) {
    let text = format!("{sharding:#}");
    let read: Sharding = text.parse().expect("what is printed is read");
    assert_eq!((&read, format!("{read:#}")), (sharding, text));
    let plain = sharding
        .tuple_elements()
        .unwrap_or(std::slice::from_ref(sharding));
    let _ = sharding.validate(&Shape::Token, None);
    for sharding in plain {
        let valid = sharding
            .validate(&Shape::Array(shape.clone()), None)
            .is_ok();
        if let ShardingKind::Tiled(tiling) = sharding.kind() {
            let devices = tiling.tile_assignment().num_devices();
            if valid && devices <= 64 {
                covers(sharding, shape, devices);
            } else {
                let first = tiling.tile_assignment().device_at(0).expect("there is one");
                let _ = sharding.index_ranges(shape, first);
            }
        }
    }
}

fn covers(sharding: &Sharding, shape: &ArrayShape, devices: i64) {
    let tiles = sharding.num_tiles().expect("it is tiled");
    let mut held = 0;
    for device in sharding
        .as_tiled()
        .expect("it is tiled")
        .tile_assignment()
        .devices()
    {
        let ranges = sharding.index_ranges(shape, device).expect("it is valid");
        held += ranges
            .iter()
            .map(|range| range.end - range.start)
            .product::<i64>();
        let index = sharding
            .tile_index_for_device(device)
            .expect("it has a tile");
        let first = sharding
            .device_for_tile_index(&index)
            .expect("the tile is there");
        assert_eq!(sharding.tile_index_for_device(first), Ok(index));
    }
    let elements: i64 = shape.dims.iter().filter_map(|dim| dim.bound()).product();
    assert_eq!(held, elements * (devices / tiles));
}
