//! What measuring a plan found, as text.

use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use crate::error::RelayoutError;
use crate::kernels::cost::{Along, Choice, MOST_COLUMNS, MOST_ROWS, Shape, Strategy, Walk};

/// The strategy that was the fastest for a plan: what [`Plan::measurement`](crate::Plan::measurement)
/// gives and [`Plan::with_measurement`](crate::Plan::with_measurement) takes.
///
/// It is written and read as one line of text. It holds for the machine that it was measured on: on
/// another one the copy is as correct, but another strategy may be faster.
///
/// ```
/// use xlayout_core::DynLayout;
/// use xlayout_relayout::{Measurement, Plan};
///
/// let a: DynLayout = "f32[512,512]{1,0}".parse().unwrap();
/// let b: DynLayout = "f32[512,512]{0,1}".parse().unwrap();
/// let saved = "lines 64 x 64 staged then right, streamed";
/// let measurement: Measurement = saved.parse().unwrap();
/// let plan = Plan::new(&a, &b).unwrap().with_measurement(measurement);
/// assert_eq!(plan.measurement().unwrap().to_string(), saved);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measurement(pub(crate) Choice);

impl fmt::Display for Measurement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.strategy {
            Strategy::Elements => f.write_str("elements")?,
            Strategy::Blocks(Along::Rows) => f.write_str("blocks along rows")?,
            Strategy::Blocks(Along::Columns) => f.write_str("blocks along columns")?,
            Strategy::Pack => f.write_str("packed")?,
            Strategy::Lines(shape) => {
                let Shape {
                    rows,
                    columns,
                    direct,
                    walk,
                } = shape;
                let by = if direct { "direct" } else { "staged" };
                let walk = match walk {
                    Walk::Right => "then right",
                    Walk::Down => "then down",
                };
                write!(f, "lines {rows} x {columns} {by} {walk}")?;
            }
            Strategy::Finish(shape) => write!(f, "finish {} x {}", shape.rows, shape.columns)?,
        }
        f.write_str(if self.0.past {
            ", streamed"
        } else {
            ", stored"
        })
    }
}

impl FromStr for Measurement {
    type Err = RelayoutError;

    fn from_str(text: &str) -> Result<Self, RelayoutError> {
        let refuse = || RelayoutError::NotMeasurement { found: text.into() };
        let (strategy, stores) = text.trim().split_once(", ").ok_or_else(refuse)?;
        let past = match stores {
            "streamed" => true,
            "stored" => false,
            _ => return Err(refuse()),
        };
        let number = |text: &str, most| match text.parse() {
            Ok(number) if (1..=most).contains(&number) => Ok(number),
            _ => Err(refuse()),
        };
        let words: Vec<_> = strategy.split_ascii_whitespace().collect();
        let strategy = match &words[..] {
            ["elements"] => Strategy::Elements,
            ["blocks", "along", "rows"] => Strategy::Blocks(Along::Rows),
            ["blocks", "along", "columns"] => Strategy::Blocks(Along::Columns),
            ["packed"] => Strategy::Pack,
            [
                "lines",
                rows,
                "x",
                columns,
                by @ ("direct" | "staged"),
                walk @ ..,
            ] => Strategy::Lines(Shape {
                rows: number(rows, MOST_ROWS)?,
                columns: number(columns, MOST_COLUMNS)?,
                direct: *by == "direct",
                walk: match walk {
                    ["then", "right"] => Walk::Right,
                    ["then", "down"] => Walk::Down,
                    _ => return Err(refuse()),
                },
            }),
            ["finish", rows, "x", columns] => Strategy::Finish(Shape::finish(
                number(rows, MOST_ROWS)?,
                number(columns, MOST_COLUMNS)?,
            )),
            _ => return Err(refuse()),
        };
        let past_only = matches!(strategy, Strategy::Finish(_));
        if past_only && !past {
            return Err(refuse());
        }
        Ok(Self(Choice { strategy, past }))
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::ToString;

    use super::Measurement;

    #[test]
    fn what_is_written_is_read() {
        for strategy in [
            "elements",
            "blocks along rows",
            "blocks along columns",
            "packed",
            "lines 1024 x 256 direct then down",
            "lines 1 x 1 staged then right",
            "lines 32 x 256 direct then down",
            "lines 64 x 64 staged then right",
            "finish 64 x 256",
        ] {
            let text = format!("{strategy}, streamed");
            assert_eq!(text.parse::<Measurement>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for text in [
            "",
            "packed",
            "packed,stored",
            "packed, kept",
            "packed twice, stored",
            "lines 0 x 16 direct then right, streamed",
            "lines 1025 x 16 direct then right, streamed",
            "lines 16 x 257 direct then right, streamed",
            "lines 16 x 16, streamed",
            "lines 16 x 16 direct then up, streamed",
            "lines 16 x 16 direct then down down, streamed",
            "lines 16 x 16 direct, streamed",
            "lines 16 x 16 direct along lines, stored",
            "lines 16 x 16 direct direct then right, streamed",
            "finish 16 x 99999999999999999999, streamed",
            "finish 0 x 16, streamed",
            "finish 16 x 4, stored",
        ] {
            let error = text.parse::<Measurement>().unwrap_err().to_string();
            assert!(error.contains(&format!("`{text}`")), "{error}");
        }
    }
}
