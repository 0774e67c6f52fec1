//! What devices receive when a sharding becomes another one.
//!
//! ```text
//! for each device:
//!     it keeps what its old part and its new part have in common
//!     it receives the rest of its new part
//! ```

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use anstyle::Style;
use serde_json::{Value, json};
use xlayout::ArrayLayout;

use super::{ShardedArray, elements};
use crate::error::Error;
use crate::json::number;
use crate::picture::colour::Shade;
use crate::picture::xml::document;
use crate::table::{HEADER, Table, Text, WIDTH, pairs};
use crate::words::{bytes, counted, grouped, percent};

/// The way from a sharding of an array to another one of the same array.
///
/// ```
/// use xlayout_view::{Moves, ShardedArray};
/// let array = Some("f32[8,8]");
/// let rows = ShardedArray::read("{devices=[4,1]<=[4]}", array, None)?;
/// let columns = ShardedArray::read("{devices=[1,4]<=[4]}", array, None)?;
/// let moves = Moves::between(rows, columns)?;
/// assert_eq!(moves.to_json()["received_bytes"], 4 * 48);
/// # Ok::<(), xlayout_view::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Moves {
    a: ShardedArray,
    b: ShardedArray,
    devices: Vec<DeviceMoves>,
}

/// Elements of one device.
#[derive(Clone, Copy, Debug)]
struct DeviceMoves {
    device: i64,
    held: u128,
    needed: u128,
    kept: u128,
}

impl DeviceMoves {
    fn received(&self) -> u128 {
        self.needed - self.kept
    }
}

impl Moves {
    /// What moves from `a` to `b`.
    ///
    /// # Errors
    /// Shardings of two arrays, or of an array that is not known; summands, which are added and not
    /// moved.
    pub fn between(a: ShardedArray, b: ShardedArray) -> Result<Self, Error> {
        let (Some(array), Some(other)) = (&a.array, &b.array) else {
            return Err(Error::new("the array is not known")
                .help("give its shape behind the two shardings: `f32[1024,512]`"));
        };
        if array.dims() != other.dims() || array.element_type() != other.element_type() {
            let what = format_args!("A is a sharding of {array}, B of {other}");
            return Err(Error::new(what).help("compare shardings of one array"));
        }
        if a.is_unreduced() || b.is_unreduced() {
            return Err(Error::new("a device holds a summand, and no elements")
                .help("what moves is a sum over devices: compare the shardings of its result"));
        }
        let whole: Vec<Range<i64>> = array.dims().iter().map(|&size| 0..size as i64).collect();
        let mut of_device: BTreeMap<i64, [Option<Vec<Range<i64>>>; 2]> = BTreeMap::new();
        for (side, sharded) in [&a, &b].into_iter().enumerate() {
            for part in &sharded.parts {
                for &device in &part.devices {
                    of_device.entry(device).or_default()[side] = Some(part.ranges.clone());
                }
            }
        }
        // A replicated array is on the devices of the other one.
        let everywhere = [a.devices().is_none(), b.devices().is_none()];
        let devices = of_device.iter().map(|(&device, sides)| {
            let side = |side: usize| match &sides[side] {
                None if everywhere[side] => Some(&whole),
                part => part.as_ref(),
            };
            let common = side(0).zip(side(1)).map_or(0, |(old, new)| {
                let both = old.iter().zip(new);
                let both = both.map(|(o, n)| o.start.max(n.start)..o.end.min(n.end));
                elements(&both.collect::<Vec<_>>())
            });
            DeviceMoves {
                device,
                held: side(0).map_or(0, |part| elements(part)),
                needed: side(1).map_or(0, |part| elements(part)),
                kept: common,
            }
        });
        Ok(Self {
            devices: devices.collect(),
            a,
            b,
        })
    }

    /// Whether no device receives anything.
    #[must_use]
    pub fn nothing_moves(&self) -> bool {
        self.devices.iter().all(|device| device.received() == 0)
    }

    fn received(&self) -> u128 {
        self.devices.iter().map(DeviceMoves::received).sum()
    }

    /// The most bytes that one device receives, and the least that some device sends: the elements
    /// that move, divided among those that hold any.
    fn bounds(&self) -> (u128, u128) {
        let received = self.devices.iter().map(DeviceMoves::received).max();
        let holders = self.devices.iter().filter(|device| device.held > 0).count() as u128;
        let sent = self.received().div_ceil(holders.max(1));
        (
            self.a.bytes_of(received.unwrap_or(0)),
            self.a.bytes_of(sent),
        )
    }

    /// The collective of XLA that does it, where one does.
    fn collective(&self) -> &'static str {
        let all = |holds: &dyn Fn(&DeviceMoves) -> bool| self.devices.iter().all(holds);
        if self.nothing_moves() {
            return "nothing moves: each device has its new part already";
        }
        if all(&|device| {
            device.held == device.needed && (device.kept == 0 || device.received() == 0)
        }) {
            return "whole parts go to other devices: a collective-permute";
        }
        if all(&|device| device.kept == device.held) {
            return "each device keeps what it has, and gets more: an all-gather";
        }
        if all(&|device| device.held == device.needed) {
            return "parts are cut and exchanged: an all-to-all";
        }
        "parts are cut, exchanged and put together"
    }

    /// Both shardings as SVG, A above B.
    #[must_use]
    pub fn to_svg(&self) -> String {
        let mut both = self.a.fragment();
        both.below(40, &self.b.fragment());
        let title = format!("{} to {}", self.a.title(), self.b.title());
        document(&title, &self.to_text(100, 0).plain(), "", &both)
    }

    /// Both shardings as text, A above B. `paint` gives a cell its colours.
    #[must_use]
    pub fn picture_text(&self, width: usize, paint: Option<&dyn Fn(Shade) -> Style>) -> Text {
        Text::of(width, |out| {
            for (name, sharded) in [("A", &self.a), ("B", &self.b)] {
                out.line(
                    0,
                    format_args!("{HEADER}{name}{HEADER:#} {}", sharded.sharding),
                );
                write!(out, "{}", sharded.picture_text(width, paint).styled());
            }
        })
    }

    /// The answer in lines of `width` columns, with at most `most` devices.
    #[must_use]
    pub fn to_text(&self, width: usize, most: usize) -> Text {
        Text::of(width, |out| self.write(out, most))
    }

    fn write(&self, out: &mut Text, most: usize) {
        let array = self
            .a
            .array
            .as_ref()
            .map_or(String::new(), ToString::to_string);
        out.paragraph(format_args!("{HEADER}{array}{HEADER:#}"));
        let all = self.a.bytes_of(self.received());
        let needed: u128 = self.devices.iter().map(|device| device.needed).sum();
        let (most_received, least_sent) = self.bounds();
        let share = percent(self.received(), needed);
        let bound = format!(
            "some device receives {}, and some sends at least {}",
            bytes(most_received),
            bytes(least_sent)
        );
        let rows = [
            ("from", self.a.sharding.to_string().into()),
            ("to", self.b.sharding.to_string().into()),
            ("what", self.collective().into()),
            (
                "received",
                format!(
                    "{} by {}, {share} of what they need",
                    bytes(all),
                    counted(self.devices.len() as u64, "device")
                )
                .into(),
            ),
            ("at least", bound.into()),
        ];
        pairs(out, &rows[..if self.nothing_moves() { 3 } else { 5 }], 2);
        let mut assumed = [self.a.assumed.clone(), self.b.assumed.clone()].concat();
        assumed.dedup();
        for sentence in assumed {
            out.line(2, sentence);
        }
        if self.nothing_moves() || most == 0 {
            return;
        }
        out.blank();
        let mut table = Table::with_header(">device|>holds|>needs|>keeps|>receives");
        for device in self.devices.iter().take(most) {
            let size = |elements: u128| bytes(self.a.bytes_of(elements));
            table.row([
                device.device.to_string(),
                size(device.held),
                size(device.needed),
                size(device.kept),
                size(device.received()),
            ]);
        }
        table.write(out, 0);
        if let Some(more @ 1..) = self.devices.len().checked_sub(most) {
            out.line(
                0,
                format_args!("… {} more: `--top all`", grouped(more as u64)),
            );
        }
    }

    /// The answer as JSON, with all devices.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let size = |elements: u128| number(self.a.bytes_of(elements));
        let (most_received, least_sent) = self.bounds();
        let devices = self.devices.iter().map(|device| {
            json!({
                "device": device.device,
                "held_bytes": size(device.held),
                "needed_bytes": size(device.needed),
                "kept_bytes": size(device.kept),
                "received_bytes": size(device.received()),
            })
        });
        json!({
            "shape": self.a.array.as_ref().map(ToString::to_string),
            "a": self.a.sharding.to_string(),
            "b": self.b.sharding.to_string(),
            "what": self.collective(),
            "received_bytes": size(self.received()),
            "most_received_bytes": number(most_received),
            "least_sent_bytes": number(least_sent),
            "devices": devices.collect::<Vec<_>>(),
        })
    }
}

impl fmt::Display for Moves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_text(WIDTH, 32).plain())
    }
}
