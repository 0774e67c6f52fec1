//! The parts of a layout: setting, clearing and asking for them.

use crate::error::{Error, ErrorKind};
use crate::layout::Layout;
use crate::order::MinorToMajor;
use crate::shape::ShapeError;
use crate::split::{SplitConfig, SplitConfigs};
use crate::tile::Tiles;

/// The layout of a scalar (XLA: `Layout()`).
impl Default for Layout {
    fn default() -> Self {
        Self::new(MinorToMajor::default())
    }
}

impl Layout {
    /// The default memory of a device (XLA: `Layout::kDefaultMemorySpace`).
    #[doc(alias = "kDefaultMemorySpace")]
    pub const DEFAULT_MEMORY_SPACE: i8 = 0;

    /// A fast memory of a device (XLA: `Layout::kGenericFastMemorySpace`).
    #[doc(alias = "kGenericFastMemorySpace")]
    pub const GENERIC_FAST_MEMORY_SPACE: i8 = 1;

    /// The memory of the host (XLA: `Layout::kHostMemorySpace`).
    #[doc(alias = "kHostMemorySpace")]
    pub const HOST_MEMORY_SPACE: i8 = 5;

    /// The same layout with these tiles (XLA: `Layout(minor_to_major, tiles, …)`).
    ///
    /// ```
    /// use xlayout_shape::{Layout, Tiles};
    /// use xlayout_shape::TileDim::Size;
    /// let tiles = Tiles::from_tiles(&[&[Size(8), Size(128)]]).unwrap();
    /// let layout = Layout::row_major(2).unwrap().with_tiles(tiles).with_element_size_in_bits(4);
    /// assert_eq!(layout.to_string(), "{1,0:T(8,128)E(4)}");
    /// ```
    #[must_use]
    pub fn with_tiles(self, tiles: Tiles) -> Self {
        Self { tiles, ..self }
    }

    /// The same layout with this alignment of the end, in elements; 1 is "none".
    ///
    /// ```
    /// use xlayout_shape::Layout;
    /// let layout = Layout::row_major(1).unwrap();
    /// let aligned = layout.clone().with_tail_padding_alignment_in_elements(100).unwrap();
    /// assert_eq!(aligned.to_string(), "{0:L(100)}");
    /// assert_eq!(
    ///     layout.with_tail_padding_alignment_in_elements(0).unwrap_err().to_string(),
    ///     "the tail padding alignment is 0",
    /// );
    /// ```
    ///
    /// # Errors
    /// When it is below 1, where XLA aborts.
    pub fn with_tail_padding_alignment_in_elements(
        mut self,
        alignment: i64,
    ) -> Result<Self, Error> {
        self.set_tail_padding_alignment_in_elements(alignment)?;
        Ok(self)
    }

    /// Sets the alignment of the end, in elements; 1 is "none"
    /// (XLA: `Layout::set_tail_padding_alignment_in_elements`).
    ///
    /// ```
    /// use xlayout_shape::Layout;
    /// let mut layout = Layout::row_major(1).unwrap();
    /// layout.set_tail_padding_alignment_in_elements(100).unwrap();
    /// assert!(layout.set_tail_padding_alignment_in_elements(-1).is_err());
    /// assert_eq!(layout.to_string(), "{0:L(100)}");
    /// ```
    ///
    /// # Errors
    /// When it is below 1, where XLA aborts; the layout is then as it was.
    pub fn set_tail_padding_alignment_in_elements(&mut self, alignment: i64) -> Result<(), Error> {
        if alignment < 1 {
            return Err(Error::new(ErrorKind::TailAlignment { alignment }, None));
        }
        self.tail_padding_alignment_in_elements = alignment;
        Ok(())
    }

    /// The same layout with this element size; 0 is "whole bytes, as wide as the type".
    ///
    /// ```
    /// use xlayout_shape::Layout;
    /// let layout = Layout::row_major(1).unwrap().with_element_size_in_bits(4);
    /// assert_eq!(layout.to_string(), "{0:E(4)}");
    /// ```
    #[must_use]
    pub fn with_element_size_in_bits(self, element_size_in_bits: i64) -> Self {
        Self {
            element_size_in_bits,
            ..self
        }
    }

    /// The same layout in another memory.
    ///
    /// ```
    /// use xlayout_shape::Layout;
    /// let layout = Layout::row_major(1).unwrap().with_memory_space(Layout::HOST_MEMORY_SPACE);
    /// assert_eq!(layout.to_string(), "{0:S(5)}");
    /// ```
    #[must_use]
    pub fn with_memory_space(self, memory_space: i8) -> Self {
        Self {
            memory_space,
            ..self
        }
    }

    /// The same layout with these splits.
    ///
    /// ```
    /// use xlayout_shape::{Layout, SplitConfigs};
    /// let mut splits = SplitConfigs::new();
    /// splits.push(0, &[30]).unwrap();
    /// let layout = Layout::row_major(2).unwrap().with_split_configs(splits);
    /// assert_eq!(layout.to_string(), "{1,0:SC(0:30)}");
    /// ```
    #[must_use]
    pub fn with_split_configs(self, split_configs: SplitConfigs) -> Self {
        Self {
            split_configs,
            ..self
        }
    }

    /// The same layout with a header of so many bytes for the dynamic sizes; 0 is "none".
    ///
    /// ```
    /// use xlayout_shape::Layout;
    /// let layout = Layout::row_major(1).unwrap().with_dynamic_shape_metadata_prefix_bytes(8);
    /// assert_eq!(layout.to_string(), "{0:M(8)}");
    /// ```
    #[must_use]
    pub fn with_dynamic_shape_metadata_prefix_bytes(self, bytes: i64) -> Self {
        Self {
            dynamic_shape_metadata_prefix_bytes: bytes,
            ..self
        }
    }

    /// Makes this the layout of a scalar (XLA: `Layout::Clear`).
    ///
    /// ```
    /// use xlayout_shape::Layout;
    /// let mut layout: Layout = "{1,0:T(8,128)S(1)}".parse().unwrap();
    /// layout.clear();
    /// assert_eq!(layout, Layout::default());
    /// ```
    #[doc(alias = "Clear")]
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// The only split, if there is one (XLA: `LayoutUtil::GetSplitConfig`).
    ///
    /// ```
    /// use xlayout_shape::Layout;
    /// let layout: Layout = "{1,0:SC(0:30)}".parse().unwrap();
    /// assert_eq!(layout.get_split_config().unwrap().unwrap().split_indices, [30]);
    /// let layout: Layout = "{1,0:SC(0:30)(1:4)}".parse().unwrap();
    /// assert_eq!(
    ///     layout.get_split_config().unwrap_err().to_string(),
    ///     "the layout has 2 splits, and at most one is expected; look at each of `split_configs`",
    /// );
    /// ```
    ///
    /// # Errors
    /// When there are several, where XLA aborts.
    #[doc(alias = "GetSplitConfig")]
    pub fn get_split_config(&self) -> Result<Option<SplitConfig<'_>>, ShapeError> {
        match self.split_configs.len() {
            0 | 1 => Ok(self.split_configs.get(0)),
            splits => Err(ShapeError::SeveralSplits { splits }),
        }
    }

    /// Takes out a dimension; those with higher numbers move down by one
    /// (XLA: `Layout::DeleteDimension`).
    ///
    /// Tiles stay, as in XLA: they cover the most minor dimensions that there then are. A split of
    /// the dimension goes, and other splits keep cutting the dimension that they cut; XLA leaves
    /// the numbers of splits as they were.
    ///
    /// ```
    /// use xlayout_shape::Layout;
    /// let mut layout: Layout = "{0,2,1:SC(2:8)}".parse().unwrap();
    /// layout.delete_dimension(1).unwrap();
    /// assert_eq!(layout.to_string(), "{0,1:SC(1:8)}");
    /// assert!(layout.delete_dimension(2).is_err());
    /// ```
    ///
    /// # Errors
    /// For a dimension that the layout does not list, where XLA aborts; the layout is then as it
    /// was.
    #[doc(alias = "DeleteDimension")]
    pub fn delete_dimension(&mut self, dimension: usize) -> Result<(), ShapeError> {
        let rank = self.minor_to_major.len();
        let number = i64::try_from(dimension).ok();
        let at = number.and_then(|number| self.minor_to_major.remove(number));
        let at = at.ok_or(ShapeError::no_such_dimension(dimension, rank))?;
        let gone = (rank - 1 - at) as i64;
        self.split_configs = self.split_configs.renumbered(|physical| {
            (physical != gone).then_some(if physical > gone {
                physical - 1
            } else {
                physical
            })
        });
        self.padded_dimensions.remove(dimension);
        Ok(())
    }

    /// The same layout with this dimension as the most major one
    /// (XLA: `LayoutUtil::MoveDimToMajor`). All but minor_to_major stays.
    ///
    /// ```
    /// use xlayout_shape::Layout;
    /// let layout: Layout = "{2,0,3,1:S(1)}".parse().unwrap();
    /// assert_eq!(layout.move_dim_to_major(0).unwrap().to_string(), "{2,3,1,0:S(1)}");
    /// ```
    ///
    /// # Errors
    /// For a dimension that the layout does not list, which XLA would add.
    #[doc(alias = "MoveDimToMajor")]
    pub fn move_dim_to_major(&self, dimension: usize) -> Result<Self, ShapeError> {
        self.moved(dimension, MinorToMajor::move_dim_to_major)
    }

    /// The same layout with this dimension as the most minor one
    /// (XLA: `LayoutUtil::MoveDimToMinor`). All but minor_to_major stays.
    ///
    /// ```
    /// use xlayout_shape::Layout;
    /// let layout: Layout = "{2,0,3,1}".parse().unwrap();
    /// assert_eq!(layout.move_dim_to_minor(3).unwrap().to_string(), "{3,2,0,1}");
    /// assert!(layout.move_dim_to_minor(4).is_err());
    /// ```
    ///
    /// # Errors
    /// For a dimension that the layout does not list, which XLA would add.
    #[doc(alias = "MoveDimToMinor")]
    pub fn move_dim_to_minor(&self, dimension: usize) -> Result<Self, ShapeError> {
        self.moved(dimension, MinorToMajor::move_dim_to_minor)
    }

    fn moved(
        &self,
        dimension: usize,
        to: impl FnOnce(&MinorToMajor, i64) -> Option<MinorToMajor>,
    ) -> Result<Self, ShapeError> {
        let number = i64::try_from(dimension).unwrap_or(i64::MAX);
        let minor_to_major = to(&self.minor_to_major, number).ok_or(
            ShapeError::no_such_dimension(dimension, self.minor_to_major.len()),
        )?;
        Ok(Self {
            minor_to_major,
            ..self.clone()
        })
    }
}
