//! Closures and destructors that panic in the midst of an array: what was done before stays,
//! nothing else is touched, and the array can be used afterwards. Under Miri, memory that is lost
//! or freed twice is an error.
#![cfg(feature = "std")]

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use xlayout::{Array, ArrayLayout, DynLayout, Packed, ViewMut};

/// The number of elements after which a closure panics.
const AFTER: usize = 5;

fn read(text: &str) -> DynLayout {
    text.parse().unwrap()
}

/// Calls something that has to panic at the call number `AFTER` of the closure that it gets.
fn panics<R>(call: impl FnOnce(&mut dyn FnMut()) -> R) {
    let mut calls = 0;
    let mut step = || {
        if calls == AFTER {
            // No message is printed.
            resume_unwind(Box::new(AFTER));
        }
        calls += 1;
    };
    let result = catch_unwind(AssertUnwindSafe(|| drop(call(&mut step))));
    let panic = result.expect_err("the closure panics");
    assert_eq!(
        panic.downcast_ref::<usize>(),
        Some(&AFTER),
        "the panic of the closure"
    );
    assert_eq!(calls, AFTER);
}

/// Layouts of 2 by 4: row-major, column-major, in tiles with padding.
const LAYOUTS: [&str; 3] = ["{1,0", "{0,1", "{1,0:T(2,3)"];

fn bytes(of: &str) -> Array<i8, DynLayout> {
    let layout = read(&format!("s8[2,4]{of}}}"));
    Array::from_fn(layout, |at| (10 * at[0] + at[1]) as i8).unwrap()
}

fn packed(of: &str) -> Array<Packed, DynLayout> {
    let colon = if of.contains(':') { "" } else { ":" };
    let layout = read(&format!("u4[2,4]{of}{colon}E(4)}}"));
    Array::packed_from_fn(layout, |at| (4 * at[0] + at[1]) as i8).unwrap()
}

#[test]
fn new_arrays() {
    for of in LAYOUTS {
        let bytes = bytes(of);
        let packed = packed(of);
        panics(|step| {
            Array::from_fn(bytes.layout().clone(), |_| {
                step();
                1_i8
            })
        });
        panics(|step| {
            Array::packed_from_fn(packed.layout().clone(), |_| {
                step();
                1
            })
        });
        panics(|step| {
            bytes.map(|x| {
                step();
                *x
            })
        });
        panics(|step| {
            packed.map(|x| {
                step();
                x
            })
        });
        let layout = read("s32[2,4]{0,1}");
        panics(|step| {
            bytes.map_to(layout.clone(), |x| {
                step();
                i32::from(*x)
            })
        });
        panics(|step| {
            packed.map_to(layout.clone(), |x| {
                step();
                i32::from(x)
            })
        });
    }
}

#[test]
fn elements_that_are_read() {
    for of in LAYOUTS {
        let bytes = bytes(of);
        let packed = packed(of);
        let before = bytes.clone();
        let before_packed = packed.clone();
        panics(|step| bytes.for_each_in_memory(|_, _| step()));
        panics(|step| packed.for_each_in_memory(|_, _| step()));
        panics(|step| bytes.iter().for_each(|_| step()));
        panics(|step| packed.iter().for_each(|_| step()));
        panics(|step| bytes.branded(|view| view.for_each_in_memory(|_, _| step())));
        panics(|step| bytes.indexed_iter().zip(&packed).for_each(|_| step()));
        assert_eq!((bytes, packed), (before, before_packed));
    }
}

#[test]
fn elements_that_are_written() {
    for of in LAYOUTS {
        let mut bytes = bytes(of);
        let mut packed = packed(of);
        let before = bytes.clone();
        let before_packed = packed.clone();
        let mut written = Vec::new();
        panics(|step| {
            bytes.for_each_in_memory_mut(|at, x| {
                step();
                written.push(at.clone());
                *x = 15;
            });
        });
        for (at, &x) in bytes.indexed_iter() {
            let expected = if written.contains(&at) {
                15
            } else {
                before[&at]
            };
            assert_eq!(x, expected, "{of} {at:?}");
        }
        written.clear();
        panics(|step| {
            packed.for_each_in_memory_mut(|at, x| {
                // Not written back.
                let number = std::mem::replace(x, 15);
                step();
                written.push(at.clone());
                *x = number ^ 8;
            });
        });
        for (at, x) in packed.indexed_iter() {
            let old = before_packed.at(&at);
            let expected = if written.contains(&at) { old ^ 8 } else { old };
            assert_eq!(x, expected, "{of} {at:?}");
        }
    }
}

/// Writes to a part when it is dropped.
struct WritesLast<'a, L: ArrayLayout>(ViewMut<'a, Packed, L>);

impl<L: ArrayLayout> Drop for WritesLast<'_, L> {
    fn drop(&mut self) {
        self.0.fill(9);
    }
}

/// Parts that are dropped while a panic of another one unwinds, and write then.
#[test]
fn parts_while_a_panic_unwinds() {
    let layout = read("u4[4,2]{1,0:E(4)}").ranked::<2>().unwrap();
    let mut array = Array::packed_from_fn(layout, |&[i, j]| (2 * i + j) as i8).unwrap();
    panics(|step| {
        let (above, mut below) = array.split_at_mut::<0>(2).unwrap();
        let _last = WritesLast(above);
        (0..=i8::MAX).for_each(|k| {
            step();
            below.fill(k);
        });
    });
    assert!(array.iter().eq([9, 9, 9, 9, 4, 4, 4, 4]));
    // An iterator of parts, in the midst of it.
    array.fill(3);
    panics(|step| {
        (0..AFTER - 1).for_each(|_| step());
        for (k, row) in array.rows_mut().enumerate() {
            let mut row = WritesLast(row);
            row.0.fill(k as i8);
            step();
        }
    });
    assert!(array.iter().eq([9, 9, 9, 9, 3, 3, 3, 3]));
    // What is refused by a panic has lent nothing, and the array lends again.
    let mut three = Array::<Packed, _>::zeros(read("u4[3,2]{0,1:E(4)}")).unwrap();
    let mut three = three.as_view_mut().ranked::<2>().unwrap();
    assert!(catch_unwind(AssertUnwindSafe(|| three.rows_mut().len())).is_err());
    three.fill(5);
    assert!(three.iter().all(|number| number == 5));
}
