//! What decides where the elements of an array lie.

use super::Resolved;
use crate::ElementType;
use crate::dims::Dim;

/// Where the elements of an array lie. Public only as far as the sealed trait `ConstLayout` needs
/// it; nothing outside can name it.
#[derive(Clone, Copy)]
pub struct MemoryMap<'a> {
    pub(crate) element_type: ElementType,
    pub(crate) dims: &'a [Dim],
    pub(crate) minor_to_major: &'a [i64],
    pub(crate) table: Resolved<'a>,
    pub(crate) memory_space: i8,
    pub(crate) metadata_prefix: i64,
    pub(crate) splits: &'a [(i64, usize)],
    pub(crate) split_indices: &'a [i64],
}
