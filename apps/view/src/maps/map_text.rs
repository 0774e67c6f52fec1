//! A map that a text describes.

use xlayout::algebra::{Map, MapError, Swizzle, map_of};
use xlayout::interop::CuteLayout;
use xlayout::{ArrayLayout, DynLayout, ElementType};

use crate::error::{Error, Outcome, TextSpan};
use crate::words::{grouped, joined};

/// A map that a text describes: where each element of an array lies, or, of Triton's linear
/// layouts, which element a register of a lane has.
///
/// ```
/// use xlayout_view::{Given, MapText};
/// let text = "Sw<3,3,3> o 0 o (8,64):(64,1)";
/// let map = MapText::read("SHAPE", text, &Given::default()).unwrap()?;
/// assert_eq!(map.map().at(&[1, 0]), Some(64 + 8));
/// # Ok::<(), xlayout_view::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct MapText {
    /// Whose notation it is.
    pub(crate) notation: &'static str,
    pub(crate) element_type: Option<ElementType>,
    /// The bits of an element, if the text says no more.
    pub(crate) bits: Option<u64>,
    /// The layout before the swizzle, where it is CuTe's.
    pub(crate) cute: Option<CuteLayout>,
    /// What CuTe adds to the offsets before the swizzle.
    pub(crate) offset: i64,
    /// The map before the swizzle.
    pub(crate) base: Map,
    pub(crate) swizzles: Vec<Swizzle>,
    pub(crate) map: Map,
    /// Whether the offsets are those of memory; otherwise they are indices of the tensor.
    pub(crate) is_memory: bool,
    pub(crate) notes: Vec<String>,
}

impl MapText {
    /// The map of a layout.
    ///
    /// # Errors
    /// Too many dimensions or terms.
    pub fn of_layout(layout: &DynLayout) -> Result<Self, MapError> {
        let element_type = Some(layout.element_type());
        Ok(Self {
            element_type,
            ..Self::new("XLA", map_of(layout)?)
        })
    }

    pub(super) fn new(notation: &'static str, base: Map) -> Self {
        Self {
            notation,
            element_type: None,
            bits: None,
            cute: None,
            offset: 0,
            base,
            swizzles: Vec::new(),
            map: base,
            is_memory: true,
            notes: Vec::new(),
        }
    }

    /// The map with one more swizzle.
    pub(super) fn swizzled(mut self, swizzle: Swizzle) -> Result<Self, MapError> {
        self.map = self.map.swizzle(swizzle)?;
        self.swizzles.push(swizzle);
        Ok(self)
    }

    /// From the index to the offset in elements.
    #[must_use]
    pub const fn map(&self) -> &Map {
        &self.map
    }

    /// The map before the swizzle, and the swizzle, where there is one.
    #[must_use]
    pub fn parts(&self) -> (&Map, Option<Swizzle>) {
        match self.swizzles.as_slice() {
            [swizzle] => (&self.base, Some(*swizzle)),
            _ => (&self.map, None),
        }
    }

    /// The layout of CuTe's before the swizzle, and what is added to its offsets, if it is a text
    /// of CuTe's.
    #[must_use]
    pub fn cute(&self) -> Option<(&CuteLayout, i64)> {
        let cute = self.cute.as_ref().filter(|_| self.notation == "CuTe");
        cute.map(|cute| (cute, self.offset))
    }

    /// The bytes of an element, where they are known.
    #[must_use]
    pub fn element_bytes(&self) -> Option<u64> {
        let of_type = self.element_type.and_then(ElementType::bits).map(u64::from);
        let bits = of_type.or(self.bits)?;
        bits.is_multiple_of(8).then_some(bits / 8)
    }

    /// Whose notation it is: `CuTe`, `Triton`.
    #[must_use]
    pub const fn notation(&self) -> &'static str {
        self.notation
    }

    /// What the text says beside the map.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The array, as a line.
    #[must_use]
    pub fn title(&self) -> String {
        let sizes = joined(self.map.extents(), ",");
        let array = match (self.element_type, self.bits) {
            (Some(element_type), _) => format!("{element_type}[{sizes}]"),
            (None, Some(bits)) => format!("[{sizes}] of {bits} bits each"),
            (None, None) => format!("[{sizes}]"),
        };
        let swizzled = if self.swizzles.is_empty() {
            ""
        } else {
            ", swizzled"
        };
        array + swizzled
    }
}

/// The coordinates with a row-major index.
pub(crate) fn coordinates(mut index: u64, sizes: &[u64]) -> Vec<u64> {
    let mut coordinates = vec![0; sizes.len()];
    for (coordinate, &size) in coordinates.iter_mut().zip(sizes).rev() {
        *coordinate = index % size.max(1);
        index /= size.max(1);
    }
    coordinates
}

pub(crate) fn failure(error: MapError, origin: &str, text: &str) -> Error {
    let at = TextSpan::of_whole(origin, text);
    Error::new(error.message()).at(at).help(error.help())
}

/// The places that questions of `--at` are about.
pub(super) fn asked(map: &MapText, at: &[&str]) -> Outcome<Vec<(Vec<u64>, i64)>> {
    let place = |text: &&str| {
        let index = text.split(',').map(|number| number.trim().parse().ok());
        let index: Option<Vec<u64>> = index.collect();
        let offset = index.as_deref().and_then(|index| map.map.at(index));
        index.zip(offset).ok_or_else(|| {
            let sizes = joined(map.map.extents().iter().map(|&size| grouped(size)), " × ");
            Error::new(format_args!("`{text}` is no index of {sizes} elements"))
                .at(TextSpan::of_whole("--at", text))
                .help("write a number below each size: 1,0")
        })
    };
    at.iter().map(place).collect()
}
