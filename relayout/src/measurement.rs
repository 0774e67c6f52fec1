//! The strategy of a plan, as text.

use alloc::string::ToString;
use core::fmt;
use core::str::FromStr;

use crate::error::RelayoutError;
use crate::kernels::cost::{Along, Choice, Strategy, choices_by_likelihood};

/// The strategy that was the fastest for a plan: what
/// [`Plan::measurement`](crate::Plan::measurement) gives and
/// [`Plan::with_measurement`](crate::Plan::with_measurement) takes.
///
/// It is written and read as one line of text. It is meant for the machine that it was measured on:
/// on another machine the copy is still correct, but another strategy may be faster.
///
/// ```
/// use xlayout_core::DynLayout;
/// use xlayout_relayout::{Measurement, Plan};
///
/// let a: DynLayout = "f32[512,512]{1,0}".parse().unwrap();
/// let b: DynLayout = "f32[512,512]{0,1}".parse().unwrap();
/// let saved = "lines 8 x 4 direct, stored";
/// let measurement: Measurement = saved.parse().unwrap();
/// let plan = Plan::new(&a, &b).unwrap().with_measurement(measurement);
/// assert_eq!(plan.measurement().unwrap().to_string(), saved);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measurement(pub(crate) Choice);

impl Measurement {
    /// Every strategy that a plan can have, the likely ones first: what a test or a comparison
    /// gives to [`Plan::with_measurement`](crate::Plan::with_measurement), one after the other.
    ///
    /// ```
    /// use xlayout_relayout::Measurement;
    /// assert!(Measurement::all().any(|measurement| measurement.to_string() == "blocks along rows, stored"));
    /// ```
    pub fn all() -> impl Iterator<Item = Self> {
        choices_by_likelihood().map(Self)
    }
}

impl fmt::Display for Measurement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let direction = |along| match along {
            Along::Rows => "along rows",
            Along::Columns => "along columns",
        };
        let stores = if self.0.past { "streamed" } else { "stored" };
        match self.0.strategy {
            Strategy::Elements => write!(f, "elements, {stores}"),
            Strategy::Blocks(along) => write!(f, "blocks {}, {stores}", direction(along)),
            Strategy::Pack => write!(f, "packed, {stores}"),
            Strategy::Lines(lines) => {
                let reads = if lines.direct { "direct" } else { "staged" };
                write!(
                    f,
                    "lines {} x {} {reads}, {stores}",
                    lines.down, lines.across
                )
            }
        }
    }
}

impl FromStr for Measurement {
    type Err = RelayoutError;

    fn from_str(text: &str) -> Result<Self, RelayoutError> {
        Self::all()
            .find(|known| known.to_string() == text.trim())
            .ok_or_else(|| RelayoutError::NotMeasurement { found: text.into() })
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::ToString;

    use super::Measurement;

    #[test]
    fn what_is_written_is_read() {
        for measurement in Measurement::all() {
            assert_eq!(measurement.to_string().parse(), Ok(measurement));
        }
        let blanks = " blocks along rows, stored\n".parse::<Measurement>();
        assert_eq!(blanks.unwrap().to_string(), "blocks along rows, stored");
    }

    #[test]
    fn other_texts_are_refused() {
        for text in [
            "",
            "packed",
            "packed,stored",
            "packed, kept",
            "packed twice, stored",
            "elements, streamed",
            "lines 0 x 2 direct, streamed",
            "lines 4 x 8, streamed",
            "lines 4 x 8 direct along rows, streamed",
            "lines 4 x 8 direct rows, streamed",
            "lines 4 x 8 direct direct, streamed",
            "lines 4 x 99999999999999999999 direct, streamed",
        ] {
            let error = text.parse::<Measurement>().unwrap_err().to_string();
            assert!(error.contains(&format!("`{text}`")), "{error}");
        }
    }
}
