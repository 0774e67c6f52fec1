//! A cache of plans.

use alloc::vec::Vec;

use xlayout_core::ArrayLayout;

use crate::error::{End, RelayoutError};
use crate::plan::Plan;

/// A cache of a few plans. It finds a plan by where both sides place the elements. A new plan
/// replaces the one that was least recently used.
///
/// For programs that use the same few layouts again and again and cannot keep the plans themselves. A
/// look-up compares strides, allocated elements and the owner of the padding with each plan in turn,
/// so keep the cache small. Layouts with the same memory map share a plan, whatever their notation; a
/// slice and a padded layout of the same shape do not.
///
/// ```
/// use xlayout_core::DynLayout;
/// use xlayout_relayout::PlanCache;
///
/// let a: DynLayout = "f32[2,3]{1,0}".parse().unwrap();
/// let b: DynLayout = "f32[2,3]{0,1}".parse().unwrap();
/// let mut cache = PlanCache::new(16);
/// for _ in 0..3 {
///     let mut out = [0.0_f32; 6];
///     cache.plan(&a, &b).unwrap().run(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], &mut out).unwrap();
///     assert_eq!(out[1], 4.0);
/// }
/// assert_eq!(cache.len(), 1);
/// ```
///
/// Its plans learn as all plans do: see [the crate](crate#plans-learn).
#[derive(Clone, Debug)]
pub struct PlanCache {
    /// From the least to the most recently used one.
    plans: Vec<Plan>,
    most: usize,
}

impl PlanCache {
    /// Creates a cache of at most `most` plans, and of at least one.
    #[must_use]
    pub const fn new(most: usize) -> Self {
        Self {
            plans: Vec::new(),
            most: if most == 0 { 1 } else { most },
        }
    }

    /// Returns the plan for two layouts, and makes it if the cache does not have it.
    ///
    /// # Errors
    /// As [`Plan::new`].
    pub fn plan(
        &mut self,
        src: &impl ArrayLayout,
        dst: &impl ArrayLayout,
    ) -> Result<&Plan, RelayoutError> {
        let known = self.plans.iter().rposition(|plan| {
            let identity = &plan.identity;
            identity.is_for(End::Source, src) && identity.is_for(End::Destination, dst)
        });
        match known {
            Some(at) => self.plans[at..].rotate_left(1),
            None => {
                let plan = Plan::new(src, dst)?;
                if self.plans.len() >= self.most {
                    self.plans.remove(0);
                }
                self.plans.push(plan);
            }
        }
        let last = self.plans.len() - 1;
        Ok(&self.plans[last])
    }

    /// The number of plans in the cache.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.plans.len()
    }

    /// Whether the cache has no plan.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.plans.is_empty()
    }

    /// Removes all plans. What was learned is kept.
    pub fn clear(&mut self) {
        self.plans.clear();
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use xlayout_core::DynLayout;

    use super::PlanCache;

    fn layouts(texts: &[&str]) -> Vec<DynLayout> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    /// The elements of each plan in the cache, the most recently used one last.
    fn kept(cache: &PlanCache) -> Vec<usize> {
        cache.plans.iter().map(|plan| plan.elements()).collect()
    }

    #[test]
    fn the_plan_that_was_not_used_for_longest_makes_room() {
        let shapes = layouts(&["u8[1]", "u8[2]", "u8[3]", "u8[4]"]);
        let mut cache = PlanCache::new(3);
        let ask = |cache: &mut PlanCache, n: usize| {
            let plan = cache.plan(&shapes[n - 1], &shapes[n - 1]).unwrap();
            assert_eq!(plan.elements(), n);
        };
        for (n, after) in [
            (1, &[1][..]),
            (2, &[1, 2]),
            (1, &[2, 1]),
            (3, &[2, 1, 3]),
            (2, &[1, 3, 2]),
            (2, &[1, 3, 2]),
            (4, &[3, 2, 4]),
            (1, &[2, 4, 1]),
        ] {
            ask(&mut cache, n);
            assert_eq!(kept(&cache), after);
            assert_eq!((cache.len(), cache.is_empty()), (after.len(), false));
        }
        cache.clear();
        assert_eq!((cache.len(), cache.is_empty()), (0, true));
        // The cache keeps at least one plan.
        let mut cache = PlanCache::new(0);
        ask(&mut cache, 1);
        ask(&mut cache, 2);
        assert_eq!(kept(&cache), [2]);
    }

    /// Plans that differ in one property, of the source or of the destination, are two plans.
    #[test]
    fn every_difference_counts() {
        for (texts, differ) in [
            (
                &[
                    "u8[4,6]{1,0}",
                    "u8[4,6]{0,1}",
                    "u8[4,6]{1,0:T(2,3)}",
                    "u8[4,6]{1,0:L(32)}",
                    "u8[4,6]<1,0>, padded_dimensions = [4, 7]",
                    "u8[4,6]{1,0:T(3,4)(2,3)}",
                    "u8[4,6]{1,0:T(3,4)(2,3)L(256)}",
                ][..],
                7,
            ),
            (&["s4[5]", "s4[5]{0:E(4)}", "s4[5]{0:E(16)}"], 3),
            // Equal memory: another notation, another memory space.
            (&["f32[1,5]{1,0}", "f32[1,5]{0,1}", "f32[1,5]{1,0:S(1)}"], 1),
            (&["f32[]"], 1),
        ] {
            let layouts = layouts(texts);
            let mut cache = PlanCache::new(100);
            for _ in 0..2 {
                for src in &layouts {
                    for dst in &layouts {
                        let plan = cache.plan(src, dst).unwrap();
                        let bytes = |of: &DynLayout| xlayout_core::ArrayLayout::bytes(of);
                        assert_eq!(plan.buffers(), (bytes(src), bytes(dst)));
                    }
                }
                assert_eq!(cache.len(), differ * differ, "{texts:?}");
            }
        }
        // Sizes and element types.
        let mut cache = PlanCache::new(100);
        let texts = [
            "f32[2,3]",
            "f32[3,2]",
            "f32[2,3,1]",
            "f32[6]",
            "s32[6]",
            "f32[0,3]",
            "f32[3,0]",
        ];
        for layout in layouts(&texts) {
            cache.plan(&layout, &layout).unwrap();
        }
        assert_eq!(cache.len(), texts.len());
    }
}
