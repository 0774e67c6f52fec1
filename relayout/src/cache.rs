//! Plans that are kept for the next time.

use alloc::vec::Vec;

use xlayout_core::LaidOut;

use crate::error::RelayoutError;
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
/// use xlayout_core::Dyn;
/// use xlayout_relayout::PlanCache;
///
/// let a: Dyn = "f32[2,3]{1,0}".parse().unwrap();
/// let b: Dyn = "f32[2,3]{0,1}".parse().unwrap();
/// let mut cache = PlanCache::new(16);
/// for _ in 0..3 {
///     let mut out = [0.0_f32; 6];
///     cache.plan(&a, &b).unwrap().run(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], &mut out).unwrap();
///     assert_eq!(out[1], 4.0);
/// }
/// assert_eq!(cache.len(), 1);
/// ```
#[derive(Clone, Debug)]
pub struct PlanCache {
    /// The one that was used last is the last.
    plans: Vec<Plan>,
    most: usize,
}

impl PlanCache {
    /// A cache of at most so many plans; at least one.
    #[must_use]
    pub const fn new(most: usize) -> Self {
        Self {
            plans: Vec::new(),
            most: if most == 0 { 1 } else { most },
        }
    }

    /// The plan for two layouts: the one that is kept, or a new one.
    ///
    /// # Errors
    /// As [`Plan::new`].
    pub fn plan(&mut self, src: &impl LaidOut, dst: &impl LaidOut) -> Result<&Plan, RelayoutError> {
        let (sizes, from, to) = Identity::sides(src, dst)?;
        let known = self
            .plans
            .iter()
            .rposition(|plan| plan.identity().is_for(&sizes, &from, &to));
        match known {
            Some(at) => self.plans[at..].rotate_left(1),
            None => {
                let plan = Plan::of(Identity {
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

    /// Forgets all plans.
    pub fn clear(&mut self) {
        self.plans.clear();
    }
}
