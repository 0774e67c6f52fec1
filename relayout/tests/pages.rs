//! Parts of arrays as source and as destination: only their elements are read and written.
#![allow(unsafe_code)]

use proptest::prelude::*;
use xlayout_core::{Array, ArrayLayout, ArrayRef, DynLayout, StridedLayout};
use xlayout_relayout::{Plan, RelayoutError, relayout, relayout_in_place};

type Ranked = Array<u16, DynLayout<[usize; 2]>>;

fn layout(text: &str) -> DynLayout<[usize; 2]> {
    text.parse::<DynLayout>().unwrap().ranked().unwrap()
}

fn number([i, j]: [usize; 2]) -> u16 {
    (500 * i + j) as u16
}

fn numbered(text: &str) -> Ranked {
    Array::from_fn(layout(text), |&at| number(at)).unwrap()
}

/// The layouts on the other side.
fn others(m: usize, n: usize) -> Vec<DynLayout<[usize; 2]>> {
    [
        "{1,0}",
        "{0,1}",
        "{1,0:T(2,4)}",
        "{0,1:T(8,128)}",
        "{1,0:T(3,5)}",
    ]
    .iter()
    .map(|order| layout(&format!("u16[{m},{n}]{order}")))
    .collect()
}

/// Copies a part to other layouts by every way, and an array of other layouts to a part.
fn check<L>(part: &ArrayRef<u16, L>)
where
    L: ArrayLayout<Coordinates = [usize; 2]>,
{
    let [m, n] = part.layout().shape();
    for other in others(m, n) {
        let mut out = Array::<u16, _>::zeros(other.clone()).unwrap();
        relayout(part, &mut out).unwrap();
        assert_eq!(&out, part);
        out.fill(0);
        Plan::new(part.layout(), &other)
            .unwrap()
            .run_views(part, &mut out)
            .unwrap();
        assert_eq!(&out, part);
        out.fill(0);
        let plan = Plan::new(part.layout(), &other).unwrap();
        let chunks: Vec<_> = plan.chunks_views(part, &mut out, 3).unwrap().collect();
        chunks.into_iter().rev().for_each(|chunk| chunk.run());
        assert_eq!(&out, part);
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 64,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn there_and_back(
        (m, n) in (1..20_usize, 1..80_usize),
        order in prop_oneof![Just("1,0"), Just("0,1")],
        starts in any::<[u8; 2]>(),
        steps in [-3..=3_isize, -3..=3_isize],
    ) {
        prop_assume!(!steps.contains(&0));
        let mut whole = numbered(&format!("u16[{m},{n}]{{{order}}}"));
        let [a, b] = [starts[0] as usize % m, starts[1] as usize % n];
        check(&whole.region([a, b], [m - a, n - b]).unwrap());
        let part = whole.with_step::<0>(a.., steps[0]).unwrap();
        let part = part.with_step::<1>(b.., steps[1]).unwrap();
        check(&part);
        let [p, q] = part.layout().shape();
        // To the part: nothing else of the whole is written.
        let mut expected = whole.clone();
        {
            let mut rows = expected.with_step_mut::<0>(a.., steps[0]).unwrap();
            let mut part = rows.with_step_mut::<1>(b.., steps[1]).unwrap();
            part.for_each_in_memory_mut(|&[i, j], x| *x = 60_000 + number([i, j]) % 1000);
        }
        for other in others(p, q) {
            let from = Array::from_fn(other, |&at| 60_000 + number(at) % 1000).unwrap();
            for planned in [false, true] {
                whole.for_each_in_memory_mut(|&at, x| *x = number(at));
                let mut rows = whole.with_step_mut::<0>(a.., steps[0]).unwrap();
                let mut part = rows.with_step_mut::<1>(b.., steps[1]).unwrap();
                let copied = if planned {
                    Plan::new(from.layout(), part.layout()).and_then(|plan| plan.run_views(&from, &mut part))
                } else {
                    relayout(&from, &mut part)
                };
                match copied {
                    Ok(()) => prop_assert_eq!(&whole, &expected),
                    // Reversed tiles, which are refused.
                    Err(RelayoutError::Reversed { dimension }) => {
                        prop_assert!(steps[dimension] < 0 && !from.layout().is_strided());
                    }
                    Err(why) => prop_assert!(false, "{why}"),
                }
            }
        }
    }
}

/// Parts of tiles.
#[test]
fn parts_of_tiles() {
    let whole = numbered("u16[24,300]{1,0:T(8,128)(2,1)}");
    check(&whole.region([8, 128], [16, 172]).unwrap());
    check(&whole.region([2, 128], [4, 60]).unwrap());
}

#[test]
fn what_is_refused() {
    let mut whole = numbered("u16[4,6]{1,0}");
    let from = numbered("u16[4,3]{0,1}");
    // A destination whose rows are one row.
    let row = numbered("u16[1,3]{1,0}");
    let rows = row.broadcast::<0>(4).unwrap();
    let why = Plan::new(from.layout(), rows.layout()).unwrap_err();
    assert_eq!(why, RelayoutError::NotUnique);
    // `relayout` copies a few elements without a plan, and refuses the same.
    let mut one = Array::new(rows.layout().clone(), vec![0_u16; 3]).unwrap();
    assert_eq!(relayout(&from, &mut one), Err(RelayoutError::NotUnique));
    assert_eq!(one.memory(), [0; 3]);
    let mut out = Array::<u16, _>::zeros(layout("u16[4,3]{0,1:T(2,4)}")).unwrap();
    relayout(&rows, &mut out).unwrap();
    assert_eq!(out, rows);
    // A plan for the padded layout with the same strides.
    let padded: DynLayout = "u16[4,3]<1,0>, padded_dimensions = [4, 6]".parse().unwrap();
    let plan = Plan::new(from.layout(), &padded).unwrap();
    let mut part = whole.region_mut([0, 0], [4, 3]).unwrap();
    assert!(matches!(
        plan.run_views(&from, &mut part),
        Err(RelayoutError::OtherLayout { .. })
    ));
    // A plan for the same elements in reversed sequence.
    let line: DynLayout = "u16[6]{0}".parse().unwrap();
    let line = Array::from_fn(line, |at| at[0] as u16).unwrap();
    let [forwards, backwards] = [1, -1].map(|step| line.with_step::<0>(.., step).unwrap());
    let plan = Plan::new(backwards.layout(), line.layout()).unwrap();
    let mut out = Array::<u16, _>::zeros(line.layout().clone()).unwrap();
    let why = plan.run_views(&forwards, &mut out).unwrap_err();
    assert_eq!(
        why.to_string(),
        "the source is a slice u16[6]{0}, but the plan was made for a slice u16[6]{0} with other \
         strides; make a plan for it by `Plan::new`, or use `relayout`"
    );
    plan.run_views(&backwards, &mut out).unwrap();
    assert_eq!(out, backwards);
    // Padding of an array that is lent as a part.
    let mut tiled = numbered("u16[4,3]{1,0:T(2,4)}");
    let plan = Plan::new(from.layout(), tiled.layout())
        .unwrap()
        .fill_padding(9_u16)
        .unwrap();
    let lent: &mut ArrayRef<u16, _> = &mut tiled;
    let why = plan.run_views(&from, &mut lent.as_view_mut()).unwrap_err();
    assert_eq!(why, RelayoutError::PartPadding);
    assert!(why.to_string().contains("without `fill_padding`"));
    plan.run_views(&from, &mut tiled).unwrap();
}

/// In place, reversed dimensions are other places of the same memory.
#[test]
fn a_reversed_array_in_place() {
    let reversed = StridedLayout::new::<u16>([2, 3], [-3, 1]).unwrap();
    let forwards = StridedLayout::new::<u16>([2, 3], [3, 1]).and_then(StridedLayout::forwards);
    let forwards = forwards.unwrap();
    // The elements are [[3, 4, 5], [0, 1, 2]].
    let mut memory: Vec<u16> = (0..6).collect();
    relayout_in_place(&mut memory, &reversed, &forwards).unwrap();
    assert_eq!(memory, [3, 4, 5, 0, 1, 2]);
    relayout_in_place(&mut memory, &forwards, &reversed).unwrap();
    assert_eq!(memory, [0, 1, 2, 3, 4, 5]);
    relayout_in_place(&mut memory, &reversed, &layout("u16[2,3]{0,1}")).unwrap();
    assert_eq!(memory, [3, 0, 4, 1, 5, 2]);
}

/// Rows at the beginnings and at the ends of pages. The pages between them cannot be accessed.
#[cfg(all(target_os = "linux", not(miri)))]
mod inaccessible {
    use std::ptr::{NonNull, null_mut};

    use xlayout_core::{
        Array, DynLayout, Element, StridedLayout, View, ViewMut,
        dtype::{AnyType, StoredAs},
    };
    use xlayout_relayout::relayout;

    const PAGE: usize = 4096;

    /// Every second page of some memory.
    struct Pages {
        first: *mut u8,
        rows: usize,
    }

    impl Pages {
        fn new(rows: usize) -> Self {
            let len = (2 * rows + 1) * PAGE;
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
            // SAFETY: new memory, of which every second page may be used.
            unsafe {
                let first = libc::mmap(null_mut(), len, libc::PROT_NONE, flags, -1, 0);
                assert_ne!(first, libc::MAP_FAILED);
                let first = first.cast::<u8>();
                for row in 0..rows {
                    let page = first.add((2 * row + 1) * PAGE).cast();
                    let access = libc::PROT_READ | libc::PROT_WRITE;
                    assert_eq!(libc::mprotect(page, PAGE, access), 0);
                }
                Self { first, rows }
            }
        }

        /// The address of the first of `n` elements that begin or end a row.
        fn row<T>(&self, n: usize, ends: bool) -> NonNull<T> {
            let offset = if ends { PAGE - n * size_of::<T>() } else { 0 };
            NonNull::new(self.first.wrapping_add(PAGE + offset).cast()).unwrap()
        }
    }

    impl Drop for Pages {
        fn drop(&mut self) {
            // SAFETY: what `new` mapped.
            unsafe { libc::munmap(self.first.cast(), (2 * self.rows + 1) * PAGE) };
        }
    }

    /// Copies `m` rows of `n` elements, or the transposed array, between pages and other layouts.
    fn check<T: Element + PartialEq + std::fmt::Debug>(
        name: &str,
        (m, n): (usize, usize),
        pages: &Pages,
        value: impl Fn(usize) -> T,
    ) where
        AnyType: StoredAs<T>,
    {
        let pitch = (2 * PAGE / size_of::<T>()) as isize;
        for (sizes, strides, order) in
            [([m, n], [pitch, 1], "{1,0}"), ([n, m], [1, pitch], "{0,1}")]
        {
            let layout = StridedLayout::new::<T>(sizes, strides).unwrap();
            for other in [
                "{1,0}",
                "{0,1}",
                "{1,0:T(8,128)}",
                "{0,1:T(2,4)}",
                "{1,0:T(8,128)(2,1)}",
            ] {
                for ends in [false, true] {
                    let text = format!("{name}[{},{}]{other}", sizes[0], sizes[1]);
                    let dense: DynLayout = text.parse().unwrap();
                    let from = Array::from_fn(dense, |at| value(7 * at[0] + at[1])).unwrap();
                    let from = from.ranked::<2>().unwrap();
                    {
                        let first = pages.row(n, ends);
                        // SAFETY: the elements are in pages that may be written, and nothing else
                        // uses them.
                        let mut part = unsafe { ViewMut::from_address(layout, first) }.unwrap();
                        relayout(&from, &mut part).unwrap();
                    }
                    let first = pages.row(n, ends);
                    // SAFETY: as above.
                    let part = unsafe { View::<T, _>::from_address(layout, first) }.unwrap();
                    assert_eq!(part, from, "{text} {order}");
                    let mut back = Array::<T, _>::zeros(from.layout().clone()).unwrap();
                    relayout(&part, &mut back).unwrap();
                    assert_eq!(back, from, "{text} {order}");
                }
            }
        }
    }

    /// Copies `m` rows of `n` runs of bytes, which trade places, between pages and another layout.
    fn check_runs((m, n, run): (usize, usize, usize), pages: &Pages) {
        let layout = StridedLayout::new::<u8>([m, n, run], [2 * PAGE as isize, run as isize, 1]);
        let layout = layout.unwrap();
        let dense: DynLayout = format!("u8[{m},{n},{run}]{{2,0,1}}").parse().unwrap();
        let from = Array::from_fn(dense, |at| (7 * at[0] + 3 * at[1] + at[2]) as u8).unwrap();
        let from = from.ranked::<3>().unwrap();
        for ends in [false, true] {
            let first = pages.row(n * run, ends);
            {
                // SAFETY: the elements are in pages that may be written, and nothing else uses
                // them.
                let mut part = unsafe { ViewMut::from_address(layout, first) }.unwrap();
                relayout(&from, &mut part).unwrap();
            }
            // SAFETY: as above.
            let part = unsafe { View::<u8, _>::from_address(layout, first) }.unwrap();
            assert_eq!(part, from, "{m} x {n} runs of {run} bytes");
            let mut back = Array::<u8, _>::zeros(from.layout().clone()).unwrap();
            relayout(&part, &mut back).unwrap();
            assert_eq!(back, from, "{m} x {n} runs of {run} bytes");
        }
    }

    /// A kernel that reads or writes beside an element ends this test with a signal.
    #[test]
    fn nothing_beside_the_elements_is_touched() {
        let pages = Pages::new(130);
        let rows: &[usize] = if cfg!(debug_assertions) {
            &[1, 4, 17, 130]
        } else {
            &[1, 3, 4, 8, 17, 64, 130]
        };
        for &m in rows {
            for n in [1, 2, 3, 7, 8, 16, 17, 33, 64, 65, 128, 200, 509] {
                check::<u8>("u8", (m, n), &pages, |x| x as u8);
                check::<u16>("u16", (m, n), &pages, |x| x as u16);
                check::<u32>("u32", (m, n), &pages, |x| x as u32);
                check::<u64>("u64", (m, n), &pages, |x| x as u64);
            }
            for n in [2, 5, 17, 64] {
                for run in [3, 6, 7, 15, 17, 31, 33, 48, 63] {
                    check_runs((m, n, run), &pages);
                }
            }
        }
    }
}

/// Several threads read and write parts, and other threads may use what lies between the elements.
#[test]
fn threads_copy_parts() {
    let whole = numbered("u16[3000,1200]{1,0}");
    let part = whole.with_step::<1>(.., -2).unwrap();
    let mut expected = Array::<u16, _>::zeros(layout("u16[3000,600]{0,1}")).unwrap();
    let plan = Plan::new(part.layout(), expected.layout()).unwrap();
    plan.run_views(&part, &mut expected).unwrap();
    let mut found = Array::<u16, _>::zeros(layout("u16[3000,600]{0,1}")).unwrap();
    for threads in [0, 1, 2, 5] {
        found.fill(7);
        plan.run_views_threads(&part, &mut found, threads).unwrap();
        assert_eq!(found, expected, "{threads}");
    }
    // Views of other layouts are refused, as by `run_views`.
    let error = plan.run_views_threads(&whole, &mut found, 2).unwrap_err();
    assert_eq!(error, plan.run_views(&whole, &mut found).unwrap_err());
    let error = plan.chunks_views(&whole, &mut found, 2).unwrap_err();
    assert_eq!(error, plan.run_views(&whole, &mut found).unwrap_err());
}
