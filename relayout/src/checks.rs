//! What a plan asks of what it is run on: the lengths of buffers, the widths of elements, layouts.

use alloc::boxed::Box;

use xlayout_core::{ArrayLayout, DType, Element};

use crate::error::{End, RelayoutError};
use crate::plan::Plan;
use crate::side::{Side, same_length, same_width};

impl Plan {
    pub(crate) fn check(&self, src: usize, dst: usize) -> Result<(), RelayoutError> {
        let (needed, to) = self.buffers();
        if self.identity().src_shape.is_some() {
            same_length(End::Source, needed, src)?;
        } else if src < needed {
            return Err(RelayoutError::Short {
                end: End::Source,
                needed,
                found: src,
            });
        }
        same_length(End::Destination, to, dst)
    }

    /// Whether slices of `T` can be run: whole elements are copied, and are values.
    pub(crate) fn check_elements<T: Element>(&self) -> Result<(), RelayoutError> {
        let found = 8 * size_of::<T>();
        let (src, dst) = (&self.identity().src, &self.identity().dst);
        same_width(End::Source, src.bits, found)?;
        same_width(End::Destination, dst.bits, found)?;
        if !T::ANY_BITS && <T::Type as DType>::TYPE != dst.element_type {
            return Err(RelayoutError::NotPred {
                found: dst.element_type,
            });
        }
        Ok(())
    }

    pub(crate) fn check_layout(
        &self,
        end: End,
        layout: &impl ArrayLayout,
    ) -> Result<(), RelayoutError> {
        let identity = self.identity();
        let (side, planned) = match end {
            End::Source => (&identity.src, identity.src_shape.as_ref()),
            End::Destination => (&identity.dst, Some(&identity.dst_shape)),
        };
        let found = Side::of(layout, end)?;
        let same = planned.is_some()
            && layout.sizes().as_ref() == identity.sizes.as_slice()
            && found.is_same(side)
            // The plan may fill the destination's padding, which a slice does not own.
            && (end == End::Source || found.owns_padding == side.owns_padding);
        if same {
            return Ok(());
        }
        Err(RelayoutError::OtherLayout {
            end,
            planned: planned.cloned().map(Box::new),
            planned_is_slice: planned.is_some() && !side.owns_padding,
            found: Box::new(layout.shape()),
            found_is_slice: !found.owns_padding,
        })
    }
}
