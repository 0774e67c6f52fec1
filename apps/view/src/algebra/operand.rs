//! The operands of an operation: maps from one index to an offset.

use xlayout::algebra::{Map, MapError, Swizzle, map_of};
use xlayout::interop::{CuteLayout, Given};

use crate::error::{Error, Outcome};
use crate::maps::map_text::{MapText, failure};
use crate::read::read;

/// A map, as it was written.
pub(super) enum Operand {
    /// CuTe's text: the modes, of which the first one changes first, and what is done to the
    /// offset.
    Cute {
        sizes: Vec<u64>,
        strides: Vec<i64>,
        offset: i64,
        swizzle: Option<Swizzle>,
    },
    /// Any other text.
    Layout(Box<Map>),
}

impl Operand {
    /// Reads the text as Triton's, then as CuTe's, then as any other notation of a layout. `origin`
    /// is the argument that has the text.
    pub(super) fn read(origin: &str, text: &str, given: &Given<'_>) -> Outcome<Self> {
        let own = MapText::read(origin, text, given).transpose()?;
        if let Some(own) = own {
            let Some((cute, offset)) = own.cute() else {
                let map = own.map().flatten();
                let map = map.map_err(|error| failure(error, origin, text))?;
                return Ok(Self::Layout(Box::new(map)));
            };
            return Ok(Self::of_cute(cute, offset, own.parts().1));
        }
        let parsed = text.parse::<CuteLayout>();
        // A text that begins with a number is meant as CuTe's: the error of its reader is shown.
        let looks_like_cute = text.trim_start_matches('(').starts_with(char::is_numeric);
        if let (Err(error), true) = (&parsed, looks_like_cute) {
            return Err(Error::of_text(error, origin, text));
        }
        let Ok(cute) = parsed else {
            let layout = read(origin, text, given)?;
            let map = map_of(&layout).and_then(|map| map.flatten());
            return map
                .map(|map| Self::Layout(Box::new(map)))
                .map_err(|error| failure(error, origin, text));
        };
        Ok(Self::of_cute(&cute, 0, None))
    }

    fn of_cute(cute: &CuteLayout, offset: i64, swizzle: Option<Swizzle>) -> Self {
        let digits = (0..cute.rank()).flat_map(|dimension| cute.digits(dimension));
        let (sizes, strides) = digits
            .map(|(size, stride)| (size.unsigned_abs(), stride))
            .unzip();
        Self::Cute {
            sizes,
            strides,
            offset,
            swizzle,
        }
    }

    pub(super) fn map(&self) -> Result<Map, MapError> {
        self.extended(0)
    }

    /// The map for `size` indices, if it has fewer: the last mode of CuTe's layout continues.
    pub(super) fn extended(&self, size: u64) -> Result<Map, MapError> {
        match self {
            Self::Cute {
                sizes,
                strides,
                offset,
                swizzle,
            } => {
                let times = |product: u64, mode: &u64| product.saturating_mul(*mode);
                let own_size = sizes.iter().fold(1, times);
                let map = Map::cute_extended(sizes, strides, own_size.max(size))?;
                let map = map.scale(1, *offset)?;
                swizzle.map_or(Ok(map), |swizzle| map.swizzle(swizzle))
            }
            Self::Layout(map) => Ok(**map),
        }
    }
}
