//! Plans that are kept for the next time.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use xlayout_core::ArrayLayout;

use crate::error::RelayoutError;
use crate::measurement::{Measurement, MeasurementError};
use crate::plan::Plan;
use crate::side::Identity;

/// A few plans, found again by where both sides place the elements; the one that was not used for
/// longest makes room for a new one.
///
/// For programs that meet the same few layouts again and again and cannot keep the plans
/// themselves. Looking one up compares strides, allocated elements and whose the padding is, plan
/// after plan: keep the cache small. Layouts of one memory map share a plan, whatever their notation;
/// a slice and a padded layout of the same shape do not.
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
/// With [`measuring`](Self::measuring) each new plan is measured once. [`save`](Self::save) and
/// [`load`](Self::load) keep what was measured for another run of the program.
#[derive(Clone, Debug)]
pub struct PlanCache {
    /// The one that was used last is the last.
    plans: Vec<Plan>,
    most: usize,
    /// The time for each new plan.
    #[cfg(feature = "std")]
    budget: core::time::Duration,
    /// What was measured or loaded, by the two layouts.
    measured: Vec<(String, Measurement)>,
}

impl PlanCache {
    /// A cache of at most so many plans; at least one.
    #[must_use]
    pub const fn new(most: usize) -> Self {
        Self {
            plans: Vec::new(),
            most: if most == 0 { 1 } else { most },
            #[cfg(feature = "std")]
            budget: core::time::Duration::ZERO,
            measured: Vec::new(),
        }
    }

    /// The same cache, which measures each new plan for about the time `budget`, as
    /// [`Plan::measured`] does.
    ///
    /// ```
    /// use std::time::Duration;
    /// use xlayout_core::DynLayout;
    /// use xlayout_relayout::PlanCache;
    ///
    /// let a: DynLayout = "f32[90,70]{1,0}".parse().unwrap();
    /// let b: DynLayout = "f32[90,70]{0,1}".parse().unwrap();
    /// let mut cache = PlanCache::new(16).measuring(Duration::from_millis(2));
    /// cache.plan(&a, &b).unwrap();
    /// let saved = cache.save();
    ///
    /// let mut later = PlanCache::new(16);
    /// later.load(&saved).unwrap();
    /// let plan = later.plan(&a, &b).unwrap();
    /// assert!(saved.contains(&plan.measurement().unwrap().to_string()));
    /// ```
    #[cfg(feature = "std")]
    #[must_use]
    pub const fn measuring(mut self, budget: core::time::Duration) -> Self {
        self.budget = budget;
        self
    }

    /// All that was measured or loaded, a line for each pair of layouts.
    #[must_use]
    pub fn save(&self) -> String {
        let lines = self.measured.iter();
        let lines = lines.map(|(layouts, measurement)| format!("{layouts}: {measurement}\n"));
        lines.collect()
    }

    /// Reads what [`save`](Self::save) wrote. New plans for these layouts use it and are not measured
    /// again; a pair of layouts that is known already gets the new measurement.
    ///
    /// # Errors
    /// If a line is not a measurement. The lines before it have been read.
    pub fn load(&mut self, text: &str) -> Result<(), MeasurementError> {
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let (layouts, measurement) = line
                .rsplit_once(": ")
                .ok_or_else(|| MeasurementError::of(line))?;
            self.keep(layouts.into(), measurement.parse()?);
        }
        Ok(())
    }

    fn keep(&mut self, layouts: String, measurement: Measurement) {
        match self.measured.iter_mut().find(|known| known.0 == layouts) {
            Some(known) => known.1 = measurement,
            None => self.measured.push((layouts, measurement)),
        }
    }

    /// A new plan, measured if that is asked for.
    fn made(&mut self, identity: Identity) -> Result<Plan, RelayoutError> {
        let plan = Plan::of(identity)?;
        let layouts = match &plan.identity().src_shape {
            Some(src) => format!("{src} -> {}", plan.identity().dst_shape),
            None => return Ok(plan),
        };
        if let Some((_, measurement)) = self.measured.iter().find(|known| known.0 == layouts) {
            return Ok(plan.with_measurement(*measurement));
        }
        #[cfg(feature = "std")]
        {
            let plan = plan.measured(self.budget)?;
            if let Some(measurement) = plan.measurement() {
                self.keep(layouts, measurement);
            }
            Ok(plan)
        }
        #[cfg(not(feature = "std"))]
        Ok(plan)
    }

    /// The plan for two layouts: the one that is kept, or a new one.
    ///
    /// # Errors
    /// As [`Plan::new`]; with [`measuring`](Self::measuring) also as [`Plan::measured`].
    pub fn plan(
        &mut self,
        src: &impl ArrayLayout,
        dst: &impl ArrayLayout,
    ) -> Result<&Plan, RelayoutError> {
        let (sizes, from, to) = Identity::sides(src, dst)?;
        let known = self
            .plans
            .iter()
            .rposition(|plan| plan.identity().is_for(&sizes, &from, &to));
        match known {
            Some(at) => self.plans[at..].rotate_left(1),
            None => {
                let plan = self.made(Identity {
                    sizes,
                    src: from,
                    dst: to,
                    src_shape: Some(src.shape()),
                    dst_shape: dst.shape(),
                })?;
                if self.plans.len() >= self.most {
                    self.plans.remove(0);
                }
                self.plans.push(plan);
            }
        }
        let last = self.plans.len() - 1;
        Ok(&self.plans[last])
    }

    /// How many plans are kept.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.plans.len()
    }

    /// Whether no plan is kept.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.plans.is_empty()
    }

    /// Forgets all plans; what was measured is kept.
    pub fn clear(&mut self) {
        self.plans.clear();
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;
    use alloc::vec::Vec;

    use xlayout_core::DynLayout;

    use super::PlanCache;

    fn layouts(texts: &[&str]) -> Vec<DynLayout> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    /// The elements of the plans that are kept, the one that was used last at the end.
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
        // At least one is kept.
        let mut cache = PlanCache::new(0);
        ask(&mut cache, 1);
        ask(&mut cache, 2);
        assert_eq!(kept(&cache), [2]);
    }

    /// Each thing that a plan depends on tells plans apart, in the source and in the destination.
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

    #[test]
    fn what_was_measured_is_used_again() {
        let layouts = layouts(&["f32[90,70]{1,0}", "f32[90,70]{0,1}", "u4[90,70]{1,0:E(4)}"]);
        let text = "f32[90,70]{1,0} -> f32[90,70]{0,1}: finish 64 x 64, streamed\n\
                    f32[90,70]{0,1} -> f32[90,70]{1,0}: packed, stored\n";
        let mut cache = PlanCache::new(9);
        cache.load(text).unwrap();
        assert_eq!(cache.save(), text);
        let found = |cache: &mut PlanCache, a: usize, b: usize| {
            let plan = cache.plan(&layouts[a], &layouts[b]).unwrap();
            plan.measurement()
                .map(|measurement| measurement.to_string())
        };
        assert_eq!(found(&mut cache, 0, 1).unwrap(), "finish 64 x 64, streamed");
        assert_eq!(found(&mut cache, 1, 0).unwrap(), "packed, stored");
        assert_eq!(found(&mut cache, 0, 0), None);
        // A newer line counts.
        cache
            .load("f32[90,70]{0,1} -> f32[90,70]{1,0}: elements, stored")
            .unwrap();
        cache.clear();
        assert_eq!(found(&mut cache, 1, 0).unwrap(), "elements, stored");
        for line in ["packed, stored", "f32[1] -> f32[1]: fast"] {
            let error = cache.load(line).unwrap_err().to_string();
            assert!(error.contains("is no measurement of a plan"), "{error}");
        }
    }
}
