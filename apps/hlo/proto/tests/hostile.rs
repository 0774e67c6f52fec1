//! Hostile bytes: none panics, overflows the stack or allocates what it only claims.

use crate::wire::{bytes, shown, varint};
use proptest::prelude::*;
use xlayout_core::text::MAX_DEPTH as TEXT_DEPTH;
use xlayout_core::{ArrayShape, Layout, Shape};
use xlayout_proto::{
    LayoutProto, MAX_DEPTH, OpSharding, ProgramShape, Proto, ProtoErrorKind, ShapeProto, TileProto,
    decode, prost::Message,
};

/// Tuples inside tuples, this many around the innermost, which is empty.
fn nested(depth: usize) -> ShapeProto {
    let tuple = |tuple_shapes| ShapeProto {
        element_type: 13,
        tuple_shapes,
        ..ShapeProto::default()
    };
    (0..depth).fold(tuple(vec![]), |inner, _| tuple(vec![inner]))
}

#[test]
fn nesting_stops() {
    let deepest = nested(MAX_DEPTH);
    assert!(Shape::from_proto(&deepest).is_ok());
    assert!(Shape::from_proto_bytes(&deepest.encode_to_vec()).is_ok());
    let deeper = nested(MAX_DEPTH + 1);
    let error = Shape::from_proto(&deeper).unwrap_err();
    assert_eq!(error.kind(), &ProtoErrorKind::TooDeep);
    assert_eq!(
        Shape::from_proto_bytes(&deeper.encode_to_vec()),
        Err(error.clone())
    );
    assert_eq!(shown(&error), "messages are nested more than 100 deep");
}

/// Messages as deep as they may be: prost reads, writes and drops them by recursion, in a debug
/// build too with less than 2 KiB of stack for each level.
#[test]
fn a_small_stack_is_enough() {
    let test = || {
        let deepest = nested(MAX_DEPTH);
        let shape = Shape::from_proto(&deepest).expect("it is not too deep");
        assert_eq!(Shape::from_proto_bytes(&shape.to_proto_bytes()), Ok(shape));
        assert_eq!(deepest.clone(), deepest);
        assert!(!format!("{deepest:#?}").is_empty());
        let text = ["(".repeat(TEXT_DEPTH), ")".repeat(TEXT_DEPTH)].concat();
        let deeper: Shape = text.parse().expect("text may be nested more deeply");
        let bytes = deeper.to_proto_bytes();
        let error = Shape::from_proto_bytes(&bytes).expect_err("it is too deep");
        assert_eq!(error.kind(), &ProtoErrorKind::TooDeep);
        // A sparse array's layout has a shape, and a sharding may have another one.
        let mut sparse = ShapeProto::default();
        let mut sharding = OpSharding::default();
        for _ in 0..MAX_DEPTH / 2 {
            sparse = ShapeProto {
                layout: Some(Box::new(LayoutProto {
                    physical_shape: Some(Box::new(sparse)),
                    ..LayoutProto::default()
                })),
                ..ShapeProto::default()
            };
        }
        for _ in 0..MAX_DEPTH {
            sharding = OpSharding {
                tuple_shardings: vec![sharding],
                ..OpSharding::default()
            };
        }
        assert_eq!(decode::<ShapeProto>(&sparse.encode_to_vec()), Ok(sparse));
        assert_eq!(
            decode::<OpSharding>(&sharding.encode_to_vec()),
            Ok(sharding)
        );
    };
    let thread = std::thread::Builder::new().stack_size(256 << 10);
    let thread = thread.spawn(test).expect("the system has threads");
    thread.join().expect("the test passes");
}

/// A megabyte of headers, each of which opens the message inside it.
#[test]
fn bottomless_messages() {
    for header in [4u32, 5, 10] {
        let mut all = Vec::new();
        let mut left = 1_000_000;
        while left > 10 {
            let head = varint(header, left - 6);
            left -= head.len() as i64;
            all.extend([&[head[0] | 2][..], &head[1..]].concat());
        }
        assert!(decode::<ShapeProto>(&all).is_err());
        assert!(decode::<LayoutProto>(&all).is_err());
    }
    // Groups, which no message here has, inside each other.
    let groups = vec![0x0b; 1_000_000];
    assert_eq!(
        decode::<ShapeProto>(&groups).unwrap_err().kind(),
        &ProtoErrorKind::TooDeep
    );
}

#[test]
fn long_paths_are_cut_when_shown() {
    let mut message = nested(50);
    let mut inner = &mut message;
    while !inner.tuple_shapes.is_empty() {
        inner = &mut inner.tuple_shapes[0];
    }
    inner.element_type = 99;
    let error = Shape::from_proto(&message).unwrap_err();
    assert_eq!(error.path().matches("tuple_shapes[0]").count(), 50);
    assert_eq!(
        shown(&error),
        "`tuple_shapes[0].tuple_shapes[0].….tuple_shapes[0].element_type` \
         is 99, but no ElementType has this number"
    );
}

/// The lengths that a list claims allocate nothing; its entries do.
#[test]
fn long_lists() {
    for claim in [1u64 << 20, 1 << 31, 1 << 40, u64::MAX] {
        for field in [3u32, 4, 5, 6] {
            let mut head = varint(field, claim as i64);
            head[0] |= 2;
            assert!(matches!(
                decode::<ShapeProto>(&head).unwrap_err().kind(),
                ProtoErrorKind::Malformed {
                    message: "ShapeProto",
                    ..
                }
            ));
        }
    }
    let many = ShapeProto {
        element_type: 11,
        dimensions: vec![1; 1_000_000],
        ..Default::default()
    };
    let shape = ArrayShape::from_proto_bytes(&many.encode_to_vec()).unwrap();
    assert_eq!(shape.rank(), 1_000_000);
    let tiles = LayoutProto {
        tiles: vec![TileProto::default(); 1_000_000],
        ..Default::default()
    };
    assert_eq!(
        Layout::from_proto_bytes(&tiles.encode_to_vec())
            .unwrap()
            .tiles
            .len(),
        1_000_000
    );
}

/// A message that has every field, cut off anywhere and with any byte changed.
#[test]
fn every_prefix_and_every_changed_byte() {
    let array = "f32[2,<=3,?]{0,1,2:T(8,*,4)(2,1)L(4)E(4)S(3)SC(0:1)(1:1,2)M(8)}";
    let members = [array, "(token[], b(s4[7]{0}))"].map(|text| text.parse::<Shape>().unwrap());
    let whole = Shape::Tuple(members.to_vec()).to_proto_bytes();
    for end in 0..whole.len() {
        let _ = Shape::from_proto_bytes(&whole[..end]).map_err(|e| shown(&e));
    }
    for at in 0..whole.len() {
        for byte in 0..=255 {
            let mut changed = whole.clone();
            changed[at] = byte;
            readable(&changed);
        }
    }
}

/// Whatever is read is written in a form that reads as the same.
fn readable(bytes: &[u8]) {
    match Shape::from_proto_bytes(bytes) {
        Ok(shape) => {
            let _ = (shape.to_string(), shape.validate());
            assert_eq!(Shape::from_proto_bytes(&shape.to_proto_bytes()), Ok(shape));
        }
        Err(error) => drop(shown(&error)),
    }
    match Layout::from_proto_bytes(bytes) {
        Ok(layout) => assert_eq!(
            Layout::from_proto_bytes(&layout.to_proto_bytes()),
            Ok(layout)
        ),
        Err(error) => drop(shown(&error)),
    }
    match ProgramShape::from_proto_bytes(bytes) {
        Ok(program) => assert_eq!(
            ProgramShape::from_proto_bytes(&program.to_proto_bytes()),
            Ok(program)
        ),
        Err(error) => drop(shown(&error)),
    }
    let _ = decode::<OpSharding>(bytes);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
        readable(&bytes);
    }

    /// Fields of right numbers and wrong contents, so that more is read than noise allows.
    #[test]
    fn random_fields(fields in proptest::collection::vec((1u32..18, any::<Option<i64>>(), 0u8..40), 0..12)) {
        let mut message = Vec::new();
        for (number, value, small) in fields {
            message.extend(match value {
                Some(value) if small % 2 == 0 => bytes(number, &varint(u32::from(small % 8), value)),
                Some(value) => varint(number, value),
                None if small % 2 == 0 => bytes(number, &[small, small]),
                None => varint(number, small.into()),
            });
        }
        readable(&message);
        readable(&[&b"\x10\x0b"[..], &message].concat());
        readable(&[&b"\x10\x0d"[..], &bytes(4, &message)].concat());
    }
}
