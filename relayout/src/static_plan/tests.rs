//! The compiler plans one-off copies of layouts that the types fix.

use std::string::ToString;
use std::vec::Vec;

use xlayout_core::types::{MinorToMajor, Nat, StaticLayout, Tile};
use xlayout_core::{Array, ArrayLayout, ConstLayout, DynLayout};

use super::Planned;
use crate::{RelayoutError, relayout};

type Rows<M, N> = StaticLayout<f32, (M, N), MinorToMajor<(Nat<1>, Nat<0>)>, ()>;
type Columns<M, N> = StaticLayout<f32, (M, N), MinorToMajor<(Nat<0>, Nat<1>)>, ()>;
type Tiles<M, N> =
    StaticLayout<f32, (M, N), MinorToMajor<(Nat<1>, Nat<0>)>, (Tile<(Nat<4>, Nat<8>)>,)>;

/// Copies by `relayout`, and returns whether the compiler made the plan.
fn copied<A: ConstLayout<Type = f32>, B: ConstLayout<Type = f32>>() -> bool {
    let values: Vec<f32> = (0..A::BUFFER_LEN).map(|k| k as f32).collect();
    let from: DynLayout = A::NEW.array_shape().to_string().parse().unwrap();
    let to: DynLayout = B::NEW.array_shape().to_string().parse().unwrap();
    let mut expected = Array::zeros(to).unwrap();
    relayout(&Array::new(from, values.clone()).unwrap(), &mut expected).unwrap();
    let mut found = Array::zeros(B::NEW).unwrap();
    relayout(&Array::new(A::NEW, values.clone()).unwrap(), &mut found).unwrap();
    assert_eq!(found.memory(), expected.memory());
    let mut again = std::vec![0.0; B::BUFFER_LEN];
    // SAFETY: both have the lengths of the layouts.
    let planned = unsafe { Planned::<f32, A, B>::run(values.as_ptr(), again.as_mut_ptr()) };
    assert!(!planned || again == expected.memory());
    planned
}

/// A one-off copy between two layouts that the types fix plans nothing at run time.
#[test]
fn the_compiler_plans_for_types_that_say_all() {
    assert!(copied::<Rows<Nat<3>, Nat<5>>, Columns<Nat<3>, Nat<5>>>());
    assert!(copied::<Rows<Nat<16>, Nat<16>>, Columns<Nat<16>, Nat<16>>>());
    assert!(copied::<Rows<Nat<70>, Nat<90>>, Tiles<Nat<70>, Nat<90>>>());
    assert!(copied::<Tiles<Nat<7>, Nat<9>>, Columns<Nat<7>, Nat<9>>>());
}

fn is_planned<A: ArrayLayout, B: ArrayLayout>(_: &A, _: &B) -> bool {
    !matches!(Planned::<f32, A, B>::MADE, super::Made::Later)
}

/// Layouts that the types do not fix are planned at run time.
#[test]
fn other_types_are_left_to_the_run_time() {
    let (rows, dynamic) = (Rows::<Nat<4>, Nat<8>>::NEW, "f32[4,8]{1,0}");
    let dynamic: DynLayout = dynamic.parse().unwrap();
    assert!(is_planned(&rows, &rows));
    assert!(!is_planned(&rows, &dynamic) && !is_planned(&dynamic, &rows));
    let memory: Vec<f32> = (0..32).map(|k| k as f32).collect();
    let array = Array::new(rows, memory).unwrap();
    let part = array.with_step::<1>(.., -2).unwrap();
    assert!(!is_planned(part.layout(), &Rows::<Nat<4>, Nat<4>>::NEW));
}

/// Sizes that differ are a run-time error, also if the compiler knows them.
#[test]
fn other_sizes_are_an_error() {
    let from = Array::<f32, _>::zeros(Rows::<Nat<4>, Nat<8>>::NEW).unwrap();
    let mut to = Array::<f32, _>::zeros(Rows::<Nat<4>, Nat<9>>::NEW).unwrap();
    let error = relayout(&from, &mut to).unwrap_err();
    assert!(
        matches!(error, RelayoutError::Size { dimension: 1, .. }),
        "{error}"
    );
}
