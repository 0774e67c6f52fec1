//! Keeps the ways of one-off copies for the next copy of the same kind on the same thread, without
//! a lock.
//!
//! ```text
//! key = what decides the way: widths, sizes, strides, modes
//! the slot of the key's hash holds this key, and nothing was read or forgotten meanwhile:
//!                                  copy by its way
//! the slot saw this hash before:   plan, put the way into the slot, copy by it
//! otherwise:                       note the hash; the caller plans and copies
//! ```
//!
//! A copy that occurs once does not pay for keeping its way.
#![allow(unsafe_code)]

use core::cell::RefCell;
use std::boxed::Box;

use xlayout_core::ArrayLayout;

use crate::kernels::Run;
use crate::learn::{self, Lessons, Pages, generation};
use crate::piece::Share;
use crate::way::Way;

/// The most ways that a thread keeps. Each takes a kilobyte or two.
const SLOTS: usize = 32;
/// The most words of a key: strides of 8 dimensions, and layouts of 8 dimensions with 10 modes.
const OF_STRIDES: usize = 26;
const OF_LAYOUTS: usize = 96;

/// What decides the way of a copy: at most `N` words.
pub(crate) struct Key<const N: usize> {
    words: [usize; N],
    /// If it is larger than `N`, the words have no room, and the copy is not kept.
    len: usize,
    hash: u64,
}

impl<const N: usize> Key<N> {
    #[inline(always)]
    const fn new() -> Self {
        Self {
            words: [0; N],
            len: 0,
            hash: 0,
        }
    }

    #[inline(always)]
    fn push(&mut self, word: usize) {
        if let Some(place) = self.words.get_mut(self.len) {
            *place = word;
        }
        self.len += 1;
        // The multiplier is odd and has bits everywhere; the slot is in the highest bits.
        self.hash = (self.hash ^ word as u64)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(29);
    }

    fn words(&self) -> Option<&[usize]> {
        self.words.get(..self.len)
    }
}

impl Key<OF_STRIDES> {
    /// The key of a copy between strides in bytes, of elements of `width` bytes.
    #[inline(always)]
    pub(crate) fn of_strides(
        width: usize,
        sizes: &[usize],
        strides: impl Iterator<Item = (isize, isize)>,
    ) -> Self {
        let mut key = Self::new();
        key.push(0);
        key.push(width);
        for (&size, (src, dst)) in sizes.iter().zip(strides) {
            key.push(size);
            key.push(src as usize);
            key.push(dst as usize);
        }
        key
    }
}

impl Key<OF_LAYOUTS> {
    /// The key of a copy between layouts of the same sizes. `None` if coordinates are merged.
    pub(crate) fn of_layouts(src: &impl ArrayLayout, dst: &impl ArrayLayout) -> Option<Self> {
        let mut key = Self::new();
        key.push(1);
        key.push(src.element_type() as usize);
        for &size in dst.shape().as_ref() {
            key.push(size);
        }
        key.push_layout(src)?;
        key.push_layout(dst)?;
        Some(key)
    }

    fn push_layout(&mut self, layout: &impl ArrayLayout) -> Option<()> {
        if layout.terms().next().is_some() {
            return None;
        }
        self.push(layout.element_bits());
        self.push(layout.bytes());
        for mode in layout.modes() {
            let flags = usize::from(mode.top) | usize::from(layout.is_reversed(mode.dim)) << 1;
            for word in [mode.dim << 2 | flags, mode.divisor, mode.size, mode.stride] {
                self.push(word);
            }
        }
        // Separates the modes of both sides: no mode has this number.
        self.push(usize::MAX);
        Some(())
    }
}

/// A way, and what its runs need.
struct Kept {
    words: Box<[usize]>,
    generation: usize,
    way: Way,
    run: Run,
    lessons: Option<Lessons>,
}

struct Slot {
    /// The hash that was seen last.
    hash: u64,
    kept: Option<Box<Kept>>,
}

std::thread_local! {
    static SLOTS_OF_THREAD: RefCell<[Slot; SLOTS]> = const {
        RefCell::new([const { Slot { hash: 0, kept: None } }; SLOTS])
    };
}

/// Copies `total` bytes by the way that is kept for a key, or that `plan` makes when the key occurs
/// for the second time. Returns whether it copied.
///
/// # Safety
/// All ways that `plan` makes for this key copy alike, and as [`Way::run`] of such a way.
#[inline]
pub(crate) unsafe fn run<const N: usize>(
    key: &Key<N>,
    total: usize,
    ends: (*const u8, *mut u8),
    mut plan: impl FnMut() -> Option<Way>,
) -> bool {
    let Some(words) = key.words() else {
        return false;
    };
    // SAFETY: the caller's promise.
    unsafe { run_words(words, key.hash, total, ends, &mut plan) }
}

/// [`run`] of the words and the hash of a key. A function of its own: the compiler makes code for
/// it once, not for each pair of layouts.
///
/// # Safety
/// As there.
unsafe fn run_words(
    words: &[usize],
    hash: u64,
    total: usize,
    (src, dst): (*const u8, *mut u8),
    plan: &mut dyn FnMut() -> Option<Way>,
) -> bool {
    let copy = |slots: &RefCell<[Slot; SLOTS]>| {
        let Ok(mut slots) = slots.try_borrow_mut() else {
            return false;
        };
        let slot = &mut slots[(hash >> (u64::BITS - SLOTS.ilog2())) as usize];
        let is_known = |kept: &&Kept| *kept.words == *words && kept.generation == generation();
        if slot.kept.as_deref().filter(is_known).is_none() {
            if core::mem::replace(&mut slot.hash, hash) != hash {
                return false;
            }
            let Some(way) = plan() else { return false };
            slot.kept = Some(Box::new(Kept::new(words.into(), way, total)));
        }
        let Some(kept) = &slot.kept else { return false };
        // SAFETY: the caller's promise.
        unsafe { kept.run(src, dst) };
        true
    };
    // A thread that ends no longer has its slots.
    SLOTS_OF_THREAD.try_with(copy).unwrap_or(false)
}

impl Kept {
    #[cold]
    fn new(words: Box<[usize]>, way: Way, total: usize) -> Self {
        Self {
            words,
            generation: generation(),
            run: way.prepared(Run::of(total)),
            lessons: Lessons::new(&way, total, 1, Pages::Known),
            way,
        }
    }

    /// # Safety
    /// As [`Way::run`].
    #[inline(always)]
    unsafe fn run(&self, src: *const u8, dst: *mut u8) {
        // SAFETY: the caller's promise.
        let copy = |run: &Run| unsafe { self.way.run(src, dst, run, Share::WHOLE) };
        learn::run(&self.lessons, dst, &self.run, copy);
    }
}

#[cfg(test)]
mod tests {
    use std::prelude::v1::*;

    use xlayout_core::{Array, ArrayLayout, DynLayout};

    use super::{Key, run};
    use crate::Plan;
    use crate::learn::tests::simulated::in_process;
    use crate::learn::tests::steady;
    use crate::way::Way;

    fn layout(text: &str) -> DynLayout {
        text.parse().unwrap()
    }

    fn way(from: &DynLayout, to: &DynLayout) -> Option<Way> {
        Some(Plan::new(from, to).unwrap().way.clone())
    }

    /// The first copy notes the key, the second one plans, and later ones do not plan, until
    /// something is forgotten.
    #[test]
    fn the_second_copy_plans() {
        in_process(steady, || {
            let from = layout("u8[3,5]{1,0}");
            let to = layout("u8[3,5]{0,1}");
            let src: Vec<u8> = (0..15).collect();
            let mut expected = vec![0; 15];
            let plan = Plan::new(&from, &to).unwrap();
            plan.run(&src, &mut expected).unwrap();
            let mut planned = 0;
            for (copy, plans) in [(0, 0), (1, 1), (2, 1), (3, 1)] {
                let mut found = vec![0; 15];
                let key = Key::of_layouts(&from, &to).unwrap();
                let src = src.as_ptr();
                let dst = found.as_mut_ptr();
                // SAFETY: the buffers have the lengths of the layouts.
                let copied = unsafe {
                    run(&key, 15, (src, dst), || {
                        planned += 1;
                        way(&from, &to)
                    })
                };
                assert_eq!((copied, planned), (copy > 0, plans), "copy {copy}");
                assert!(!copied || found == expected);
            }
            crate::forget_wisdom();
            let key = Key::of_layouts(&from, &to).unwrap();
            let mut found = vec![0; 15];
            // SAFETY: as above.
            let copied = unsafe {
                run(&key, 15, (src.as_ptr(), found.as_mut_ptr()), || {
                    planned += 1;
                    way(&from, &to)
                })
            };
            assert!(copied && planned == 2 && found == expected);
        });
    }

    /// These are not kept: copies that cannot be planned, merged coordinates, and more dimensions
    /// than a key has room for.
    #[test]
    fn what_is_not_kept() {
        let mut bytes = [0_u8; 2];
        let key = Key::of_strides(1, &[7, 7, 7], [(1, 1), (2, 2), (3, 3)].into_iter());
        let pair = (bytes.as_ptr(), bytes.as_mut_ptr());
        for _ in 0..3 {
            // SAFETY: there is no way, so it copies nothing.
            assert!(unsafe { !run(&key, 1, pair, || None) });
        }
        let merged = layout("s32[2,4]{0,1:T(3,1)(2)(*,2,1)}");
        assert!(Key::of_layouts(&merged, &merged).is_none());
        let many = [1; 40];
        let key = Key::of_strides(1, &many, core::iter::repeat_n((1, 1), 40));
        assert!(key.words().is_none());
    }

    /// Copies that have different ways have different keys.
    #[test]
    fn every_difference_is_in_the_key() {
        let texts = [
            "u8[4,6]{1,0}",
            "u8[4,6]{0,1}",
            "u8[6,4]{1,0}",
            "s8[4,6]{1,0}",
            "u8[4,6]{1,0:T(2,3)}",
            "u8[4,6]{1,0:L(32)}",
            "u4[4,6]{1,0:E(4)}",
            "u4[4,6]{1,0}",
        ];
        let layouts: Vec<_> = texts.iter().map(|text| layout(text)).collect();
        let mut keys = std::collections::BTreeSet::new();
        for from in &layouts {
            let same = |to: &&DynLayout| {
                to.dims() == from.dims() && to.element_type() == from.element_type()
            };
            for to in layouts.iter().filter(same) {
                let key = Key::of_layouts(from, to).unwrap();
                assert!(
                    keys.insert(key.words().unwrap().to_vec()),
                    "{from:?} -> {to:?}"
                );
            }
        }
        // Four layouts of one type and the same sizes make 16 pairs, two others make 4, and two
        // pairs stand alone.
        assert_eq!(keys.len(), 16 + 4 + 1 + 1);
    }

    /// So have copies of parts that differ in the direction of a dimension only, on either side.
    #[test]
    fn the_direction_is_in_the_key() {
        let whole: Array<u8, _> = Array::zeros(layout("u8[4,6]{1,0}")).unwrap();
        let whole = whole.ranked::<2>().unwrap();
        let part = |steps: [isize; 2]| {
            let rows = whole.with_step::<0>(.., steps[0]).unwrap();
            let part = rows.with_step::<1>(.., steps[1]).unwrap();
            *part.layout()
        };
        let parts = [[1, 1], [1, -1], [-1, 1], [-1, -1]].map(part);
        let mut keys = std::collections::BTreeSet::new();
        for from in &parts {
            for to in &parts {
                let key = Key::of_layouts(from, to).unwrap();
                let words = key.words().unwrap().to_vec();
                assert!(keys.insert(words), "{from:?} -> {to:?}");
            }
        }
    }
}
