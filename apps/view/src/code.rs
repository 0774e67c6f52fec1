//! The index arithmetic of a text as code of other languages.

use xlayout::interop::{CuteLayout, Given};
use xlayout_emit::{EmitError, Functions, IndexMap};

use crate::error::Error;
use crate::maps::cute::map_of;
use crate::maps::map_text::MapText;
use crate::read::read;

/// The functions of a text: a layout in any notation, or a map, of which CuTe's text needs no
/// element type. `swizzle` are the numbers of a swizzle of the offsets.
///
/// ```
/// use xlayout_emit::{Language, Options};
/// use xlayout_view::{Given, functions};
/// let functions = functions("SHAPE", "(4,8):(8,1)", &Given::default(), None)?;
/// let code = functions.emit(&Options::new(Language::C)).unwrap();
/// assert!(code.contains("i0 * 8 + i1"));
/// # Ok::<(), xlayout_view::Error>(())
/// ```
///
/// # Errors
/// What is not understood, and maps of which there is no code.
pub fn functions(
    origin: &str,
    text: &str,
    given: &Given<'_>,
    swizzle: Option<(u32, u32, i32)>,
) -> Result<Functions, Error> {
    let own = MapText::read(origin, text, given).transpose()?;
    let mut map = match (&own, text.parse::<CuteLayout>()) {
        (Some(own), _) => {
            let cute = own.cute().map(|(cute, _)| cute.to_string());
            let title = cute.unwrap_or_else(|| own.parts().0.to_string());
            IndexMap::of_map(&title, own.parts().0)
        }
        (None, Ok(cute)) => IndexMap::of_map(text.trim(), &map_of::<256>(&cute)?),
        (None, Err(_)) => IndexMap::of(&read(origin, text, given)?),
    }?;
    if let Some(swizzle) = own.as_ref().and_then(|own| own.parts().1) {
        let (bits, base, shift) = swizzle.numbers();
        map = map.swizzled(bits.into(), base.into(), shift.into())?;
    }
    if let Some((bits, base, shift)) = swizzle {
        map = map.swizzled(bits, base, shift)?;
    }
    Ok(Functions::new(&map)?)
}

impl From<EmitError> for Error {
    fn from(error: EmitError) -> Self {
        Self::new(error.message()).help(error.help())
    }
}
