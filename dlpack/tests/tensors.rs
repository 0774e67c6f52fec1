//! Tensors there and back, and tensors of another library: here a C structure with a deleter that
//! counts.
#![allow(unsafe_code)]

use std::ffi::c_void;
use std::ptr::null_mut;

use xlayout_core::{Array, ArrayLayout, DynCoordinates, DynLayout, LayoutError, StridedLayout};
use xlayout_dlpack::raw::*;
use xlayout_dlpack::{DlpackError, Export, Import};

fn layout(text: &str) -> DynLayout {
    text.parse().unwrap()
}

fn numbered(text: &str) -> Array<f32, DynLayout> {
    Array::from_fn(layout(text), |at| (10 * at[0] + at[1]) as f32).unwrap()
}

/// A tensor of another library, with what its deleter counts.
struct Foreign {
    data: Vec<f32>,
    sizes: Vec<i64>,
    strides: Vec<i64>,
    tensor: DLManagedTensorVersioned,
    deleted: *mut usize,
}

const F32: DLDataType = DLDataType {
    code: 2,
    bits: 32,
    lanes: 1,
};

fn foreign(sizes: &[i64], strides: &[i64], offset: u64) -> Box<Foreign> {
    unsafe extern "C" fn delete(tensor: *mut DLManagedTensorVersioned) {
        // SAFETY: `manager_ctx` is the counter.
        unsafe { *(*tensor).manager_ctx.cast::<usize>() += 1 }
    }
    let mut foreign = Box::new(Foreign {
        data: (0..24).map(|n| n as f32).collect(),
        sizes: sizes.to_vec(),
        strides: strides.to_vec(),
        tensor: DLManagedTensorVersioned {
            version: DLPackVersion {
                major: 1,
                minor: 99,
            },
            manager_ctx: null_mut(),
            deleter: Some(delete),
            flags: 0,
            dl_tensor: DLTensor {
                data: null_mut(),
                device: DLDevice {
                    device_type: CPU,
                    device_id: 0,
                },
                ndim: sizes.len() as i32,
                dtype: F32,
                shape: null_mut(),
                strides: null_mut(),
                byte_offset: offset,
            },
        },
        deleted: Box::into_raw(Box::new(0)),
    });
    let of = &mut *foreign;
    of.tensor.manager_ctx = of.deleted.cast();
    of.tensor.dl_tensor.data = of.data.as_mut_ptr().cast::<c_void>();
    of.tensor.dl_tensor.shape = of.sizes.as_mut_ptr();
    if !strides.is_empty() {
        of.tensor.dl_tensor.strides = of.strides.as_mut_ptr();
    }
    foreign
}

/// Calls `use_` with the tensor, and checks that its deleter was called once.
#[expect(
    clippy::boxed_local,
    reason = "the tensor has addresses of its own fields"
)]
fn with(mut of: Box<Foreign>, use_: impl FnOnce(Result<Import, DlpackError>)) {
    // SAFETY: the tensor is valid until the end of this function.
    use_(unsafe { Import::from_raw(&raw mut of.tensor) });
    // SAFETY: the counter is a box of this test.
    assert_eq!(*unsafe { Box::from_raw(of.deleted) }, 1);
}

#[test]
fn there_and_back() {
    for text in [
        "f32[2,3]{1,0}",
        "f32[2,3]{0,1}",
        "f32[1,3]{1,0}",
        "f32[0,3]{1,0}",
        "f32[2,3]<1,0>, padded_dimensions = [2, 5]",
    ] {
        let array = numbered(text);
        let export = Export::new(array.clone()).unwrap();
        // Several tensors of one memory, in both forms.
        let tensors = [
            // SAFETY: each tensor is new.
            unsafe { Import::from_raw(export.clone().into_raw()) }.unwrap(),
            // SAFETY: as above.
            unsafe { Import::from_raw_unversioned(export.into_raw_unversioned().unwrap()) }
                .unwrap(),
        ];
        for mut tensor in tensors {
            // SAFETY: one thread.
            let view = unsafe { tensor.view::<f32, [usize; 2]>() }.unwrap();
            assert_eq!(
                view.iter().collect::<Vec<_>>(),
                array.iter().collect::<Vec<_>>()
            );
            // SAFETY: as above.
            let copy = unsafe {
                tensor.copy::<f32, _>(layout(&format!(
                    "f32[{},3]{{0,1:T(2)}}",
                    array.layout().dims()[0]
                )))
            };
            assert_eq!(copy.unwrap(), array);
            // SAFETY: as above; the view and the copy are not used any more.
            unsafe { tensor.view_mut::<f32, [usize; 2]>() }
                .unwrap()
                .for_each_in_memory_mut(|_, x| *x += 0.0);
        }
    }
}

/// Arrays with the layout of a part, also of layouts whose tiles do not divide each other or merge
/// dimensions: those that have strides are tensors of the same elements, and the others are
/// refused. A tensor is copied to such layouts.
#[test]
fn layouts_of_parts() {
    let mut exported = 0;
    let mut refused = 0;
    let mut merged = 0;
    for order in ["1,0", "0,1"] {
        for tiles in [
            "",
            "T(2,4)",
            "T(3,1)(2)(*,2,1)",
            "T(4,5,4)(2,3)",
            "T(3,4)(2,2)",
            "T(4)(6)",
            "T(*,3)(2)",
        ] {
            let whole = numbered(&format!("f32[6,8]{{{order}:{tiles}}}"));
            for (i, j, m, n) in [
                (0, 0, 6, 8),
                (0, 0, 1, 8),
                (2, 0, 1, 8),
                (2, 0, 2, 8),
                (0, 4, 6, 2),
                (3, 4, 1, 1),
            ] {
                let Ok(part) = whole.region([i, j], [m, n]) else {
                    continue;
                };
                merged += usize::from(part.layout().terms().next().is_some());
                // An array of its own, with the layout of the part.
                let array =
                    Array::from_fn(part.layout().clone(), |at| part[[at[0], at[1]]]).unwrap();
                let strided = has_strides(part.layout(), [m, n]);
                match Export::new(array) {
                    Ok(export) => {
                        exported += 1;
                        assert!(strided, "{order} {tiles}");
                        // SAFETY: the tensor is new, and one thread uses it.
                        let tensor = unsafe { Import::from_raw(export.into_raw()) }.unwrap();
                        // SAFETY: nothing writes to the elements, which are `f32`.
                        let view = unsafe { tensor.view::<f32, [usize; 2]>() }.unwrap();
                        assert!(view.iter().eq(part.iter()), "{order} {tiles}");
                        let to = layout(&format!("f32[{m},{n}]{{0,1:T(3,1)(2)(*,2,1)}}"));
                        // SAFETY: as above.
                        assert_eq!(unsafe { tensor.copy::<f32, _>(to) }.unwrap(), part);
                    }
                    Err(DlpackError::NotStrided { .. }) => refused += 1,
                    Err(why) => panic!("{why}"),
                }
            }
        }
    }
    assert!(
        exported > 20 && refused > 5 && merged > 5,
        "{exported} {refused} {merged}"
    );
}

/// Whether the linear indices are sums of the coordinates times strides.
fn has_strides<L: ArrayLayout<Coordinates = DynCoordinates>>(of: &L, [m, n]: [usize; 2]) -> bool {
    let at = |i: usize, j: usize| of.linear_index(&[i, j].into());
    let down = at(1.min(m - 1), 0);
    let along = at(0, 1.min(n - 1));
    (0..m).all(|i| (0..n).all(|j| at(i, j) == i * down + j * along))
}

/// An array with negative strides keeps its address at the element `[0, 0]`.
#[test]
fn reversed_arrays() {
    let signed = StridedLayout::new::<f32>([2, 3], [-3, 1]).unwrap();
    let array = Array::from_fn(signed, |&[i, j]| (10 * i + j) as f32).unwrap();
    let expected = array.clone();
    // SAFETY: the tensor is new, and one thread uses it.
    let tensor = unsafe { Import::from_raw(Export::new(array).unwrap().into_raw()) }.unwrap();
    assert_eq!(
        (tensor.shape(), tensor.strides().unwrap()),
        (&[2, 3][..], &[-3, 1][..])
    );
    // SAFETY: nothing writes to the elements, which are `f32`.
    assert_eq!(
        unsafe { tensor.view::<f32, [usize; 2]>() }.unwrap(),
        expected
    );
}

#[test]
fn read_only_tensors() {
    let export = Export::new(numbered("f32[2,3]")).unwrap().read_only();
    let why = export.clone().into_raw_unversioned().unwrap_err();
    assert!(
        why.to_string()
            .contains("cannot say that the tensor is read-only"),
        "{why}"
    );
    // SAFETY: the tensor is new, and one thread uses it.
    let mut tensor = unsafe { Import::from_raw(export.into_raw()) }.unwrap();
    assert!(tensor.is_read_only());
    assert_eq!(
        // SAFETY: nothing else uses the elements.
        unsafe { tensor.view_mut::<f32, [usize; 2]>() }.unwrap_err(),
        DlpackError::ReadOnly
    );
}

#[test]
fn strides_and_offsets_of_another_library() {
    // The element at [0, 0] is 23; the strides go backwards.
    with(foreign(&[2, 3], &[-12, -2], 4 * 23), |tensor| {
        let tensor = tensor.unwrap();
        // SAFETY: nothing else uses the elements.
        let view = unsafe { tensor.view::<f32, [usize; 2]>() }.unwrap();
        assert_eq!(
            view.to_nested::<[[f32; 3]; 2], 2>().unwrap(),
            [[23.0, 21.0, 19.0], [11.0, 9.0, 7.0]]
        );
    });
    // Without strides it is row-major.
    with(foreign(&[2, 1, 3], &[], 8), |tensor| {
        let tensor = tensor.unwrap();
        // SAFETY: as above.
        let view = unsafe { tensor.view::<f32, DynCoordinates>() }.unwrap();
        assert_eq!(view[[1, 0, 2]], 7.0);
    });
    // A scalar, and no elements.
    with(foreign(&[], &[], 4), |tensor| {
        let tensor = tensor.unwrap();
        // SAFETY: as above.
        let view = unsafe { tensor.view::<f32, [usize; 0]>() }.unwrap();
        assert_eq!(view[[]], 1.0);
    });
    let mut empty = foreign(&[0, 3], &[], 0);
    empty.tensor.dl_tensor.data = null_mut();
    with(empty, |tensor| {
        let tensor = tensor.unwrap();
        // SAFETY: as above.
        let view = unsafe { tensor.view::<f32, [usize; 2]>() }.unwrap();
        assert_eq!(view.iter().count(), 0);
    });
}

/// The bytes of any strides, those with which elements overlap, too.
#[test]
fn bytes_of_any_strides() {
    for (sizes, strides, at, expected) in [
        // Row-major without strides, and a stride of a dimension of size 1.
        (&[2, 3][..], &[][..], 2, (vec![12, 4], 0, 2..8)),
        (&[2, 1], &[3, 1 << 62], 0, (vec![12, 0], 0, 0..4)),
        // Backwards, repeated, windows, a scalar.
        (&[2, 3], &[-12, -2], 23, (vec![-48, -8], 64, 7..24)),
        (&[4, 2], &[0, 1], 5, (vec![0, 4], 0, 5..7)),
        (&[3, 4], &[1, 1], 0, (vec![4, 4], 0, 0..6)),
        (&[], &[], 9, (vec![], 0, 9..10)),
    ] {
        let (byte_strides, before, elements) = expected;
        with(foreign(sizes, strides, 4 * at), |tensor| {
            let mut tensor = tensor.unwrap();
            assert_eq!(tensor.byte_strides().unwrap(), byte_strides);
            // SAFETY: nothing else uses the elements.
            let (bytes, origin) = unsafe { tensor.bytes() }.unwrap();
            let found: Vec<u8> = elements.flat_map(|n| (n as f32).to_le_bytes()).collect();
            assert_eq!((bytes, origin), (&*found, before), "{sizes:?} {strides:?}");
            // SAFETY: as above.
            let (bytes, _) = unsafe { tensor.bytes_mut() }.unwrap();
            assert_eq!(bytes, found);
        });
    }
    with(foreign(&[2, 0], &[i64::MAX, 1], 0), |tensor| {
        let tensor = tensor.unwrap();
        // SAFETY: as above.
        assert_eq!(unsafe { tensor.bytes() }.unwrap(), (&[][..], 0));
    });
    let mut read_only = foreign(&[2], &[1], 0);
    read_only.tensor.flags = 1;
    with(read_only, |tensor| {
        let mut tensor = tensor.unwrap();
        // SAFETY: as above.
        let error = unsafe { tensor.bytes_mut() }.unwrap_err();
        assert_eq!(error, DlpackError::ReadOnly);
    });
}

/// Each refusal calls the deleter, once.
#[test]
fn what_is_refused() {
    let change = |change: fn(&mut DLManagedTensorVersioned)| {
        let mut of = foreign(&[2, 3], &[3, 1], 0);
        change(&mut of.tensor);
        of
    };
    let refused = |of: Box<Foreign>| {
        let mut why = None;
        with(of, |tensor| why = tensor.map(drop).err());
        why.expect("it is refused").to_string()
    };
    let no_view = |of: Box<Foreign>| {
        let mut why = None;
        with(of, |tensor| {
            let tensor = tensor.unwrap();
            // SAFETY: nothing else uses the elements.
            why = unsafe { tensor.view::<f32, [usize; 2]>() }.map(drop).err();
        });
        why.expect("there is no view")
    };
    assert!(refused(change(|t| t.version.major = 2)).contains("version 2.99 of DLPack"));
    assert!(refused(change(|t| t.dl_tensor.device.device_type = 2)).contains("device 0 of type 2"));
    assert!(refused(change(|t| t.dl_tensor.data = null_mut())).contains("elements and no memory"));
    assert!(refused(change(|t| t.dl_tensor.ndim = -1)).contains("negative number of dimensions"));
    assert!(refused(change(|t| t.dl_tensor.shape = null_mut())).contains("no sizes"));
    assert!(refused(foreign(&[2, -3], &[3, 1], 0)).contains("size is negative"));
    assert!(matches!(
        no_view(change(|t| t.dl_tensor.dtype.code = 0)),
        DlpackError::ElementType { .. }
    ));
    let lanes = no_view(change(|t| t.dl_tensor.dtype.lanes = 4)).to_string();
    assert!(lanes.contains("4 lanes"), "{lanes}");
    assert_eq!(
        no_view(change(|t| t.dl_tensor.byte_offset = 2)),
        DlpackError::Alignment {
            expected: 4,
            found: 2
        }
    );
    // A broadcast tensor.
    assert!(matches!(
        no_view(foreign(&[2, 3], &[0, 1], 0)),
        DlpackError::Layout(LayoutError::Overlap { .. })
    ));
    assert!(matches!(
        no_view(foreign(&[2, 3, 1], &[3, 1, 1], 0)),
        DlpackError::Layout(LayoutError::Rank {
            expected: 2,
            found: 3
        })
    ));
    // SAFETY: a null pointer is allowed, and refused.
    assert!(unsafe { Import::from_raw(null_mut()) }.is_err());
    // Tiles have no strides.
    let tiled = Export::new(numbered("f32[2,3]{1,0:T(2,2)}"))
        .unwrap_err()
        .to_string();
    assert!(
        tiled.contains("f32[2,3]{1,0:T(2,2)} does not have"),
        "{tiled}"
    );
}

/// Numbers that lead to memory which no tensor has are refused before anything reads it; each
/// refusal calls the deleter, once.
#[test]
fn hostile_tensors() {
    const TOO_LARGE: &str = "more than the processor can address";
    const BEYOND: &str = "beyond the end of memory";
    // With pointers of 32 bits no stride has 62.
    let far = if usize::BITS == 64 { BEYOND } else { TOO_LARGE };
    let lists: [(&[i64], &[i64], u64, &str); 12] = [
        (&[i64::MIN, 1], &[1, 1], 0, "a size is negative"),
        (&[0, -1], &[1, 1], 0, "a size is negative"),
        (&[3, 3], &[i64::MAX, 1], 0, TOO_LARGE),
        (&[3, 3], &[i64::MIN, 1], 0, TOO_LARGE),
        (&[3, 3], &[1 << 61, -(1 << 61)], 0, TOO_LARGE),
        (&[i64::MAX], &[], 0, TOO_LARGE),
        (&[1 << 31, 1 << 31], &[], 0, TOO_LARGE),
        // More elements than can be counted are one in memory.
        (&[1 << 40, 1 << 40], &[0, 0], 0, TOO_LARGE),
        (&[i64::MAX], &[0], 0, TOO_LARGE),
        (&[2], &[-(1 << 60)], 0, far),
        (&[2], &[1], u64::MAX, BEYOND),
        (&[], &[], u64::MAX, BEYOND),
    ];
    let change = |change: fn(&mut DLTensor), why| {
        let mut of = foreign(&[2, 3], &[3, 1], 0);
        change(&mut of.tensor.dl_tensor);
        (of, why)
    };
    let changes = [
        change(|t| t.ndim = i32::MIN, "a negative number of dimensions"),
        change(|t| t.ndim = i32::MAX, "more than 255 dimensions"),
        change(|t| t.ndim = 256, "more than 255 dimensions"),
        change(|t| t.device.device_type = 0, "device 0 of type 0"),
        change(|t| t.device.device_type = -1, "device 0 of type -1"),
        change(|t| t.data = null_mut(), "elements and no memory"),
        change(|t| t.shape = t.shape.wrapping_byte_add(1), "alignment"),
        change(|t| t.strides = t.strides.wrapping_byte_add(2), "alignment"),
    ];
    let lists = lists.map(|(sizes, strides, offset, why)| (foreign(sizes, strides, offset), why));
    for (of, why) in lists.into_iter().chain(changes) {
        let shown = format!("{:?} {:?}", of.sizes, of.strides);
        with(of, |tensor| {
            let found = tensor.map(drop).unwrap_err().to_string();
            assert!(found.contains(why), "{shown}: {found}");
        });
    }
}

/// A tensor whose type or address nothing can read as elements gives no bytes and no views.
#[test]
fn hostile_elements() {
    let dtypes = [
        (2, 32, 0),
        (2, 32, u16::MAX),
        (255, 32, 1),
        (2, 0, 1),
        (2, 255, 1),
        (0, 4, 1),
    ];
    for (code, bits, lanes) in dtypes {
        let mut of = foreign(&[2, 3], &[3, 1], 0);
        of.tensor.dl_tensor.dtype = DLDataType { code, bits, lanes };
        with(of, |tensor| {
            let mut tensor = tensor.unwrap();
            assert!(tensor.byte_strides().is_err(), "{code} {bits} {lanes}");
            // SAFETY: nothing else uses the elements.
            unsafe {
                assert!(tensor.bytes().is_err(), "{code} {bits} {lanes}");
                assert!(tensor.bytes_mut().is_err());
                assert!(tensor.view::<f32, [usize; 2]>().is_err());
                assert!(tensor.copy::<f32, _>(layout("f32[2,3]")).is_err());
            }
        });
    }
    for offset in [1, 2, 3] {
        with(foreign(&[2], &[1], offset), |tensor| {
            let tensor = tensor.unwrap();
            // SAFETY: as above.
            let why = unsafe { tensor.view::<f32, [usize; 1]>() }
                .map(drop)
                .unwrap_err();
            assert!(matches!(why, DlpackError::Alignment { expected: 4, .. }));
            // Bytes need no alignment.
            // SAFETY: as above.
            assert_eq!(unsafe { tensor.bytes() }.unwrap().0.len(), 8);
        });
    }
}

/// A tensor without a deleter does not own its memory, so nobody frees it.
#[test]
fn tensors_without_a_deleter() {
    let mut of = foreign(&[2, 3], &[3, 1], 0);
    of.tensor.deleter = None;
    // SAFETY: the tensor is valid until the end of this function.
    drop(unsafe { Import::from_raw(&raw mut of.tensor) }.unwrap());
    of.tensor.dl_tensor.ndim = -1;
    // SAFETY: as above.
    assert!(unsafe { Import::from_raw(&raw mut of.tensor) }.is_err());
    // SAFETY: the counter is a box of this test.
    assert_eq!(*unsafe { Box::from_raw(of.deleted) }, 0);
}

#[test]
fn bytes_that_are_no_bool() {
    let mut of = foreign(&[4], &[1], 0);
    of.data[0] = f32::from_bits(0x0001_0200);
    of.tensor.dl_tensor.dtype = DLDataType {
        code: 6,
        bits: 8,
        lanes: 1,
    };
    with(of, |tensor| {
        // SAFETY: nothing else uses the elements.
        let copy = unsafe { tensor.unwrap().copy::<bool, _>(layout("pred[4]")) };
        assert_eq!(copy.unwrap_err(), DlpackError::NotPred { found: 2 });
    });
}
