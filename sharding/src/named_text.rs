//! Shardings by the names of axes, in XLA's text and in Shardy's.
//!
//! Sources: XLA's `named_sharding.cc` and `mesh_and_axis.cc` (`ToString`), `hlo_parser.cc`;
//! Shardy's `attrs.td` and `parsers.cc`.
//!
//! ```text
//! XLA     {mesh[x=2,y=4], device_ids=(…), [{x}, {y:(1)2, ?}], replicated={…}, unreduced={…},
//!     manual={…}}
//! Shardy  #sdy.sharding<mesh<["x"=2, "y"=4], device_ids=[…]>, [{"x"}, {"y":(1)2, ?}p1],
//!     replicated={…}, unreduced={…}>
//! ```
//!
//! A `?` allows a compiler to cut a dimension further, and `p1` is the priority of a cut. Neither
//! says where an element is: both are read, and not kept.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{Display, Formatter, Result as Written};
use core::str::FromStr;

use super::reader::{ReadError, Reader, whole};
use super::{
    AxisRef, NamedSharding, OpMetadata, Sharding, ShardingError, ShardingErrorKind as Kind,
    TileAssignment,
};
use xlayout_shape::error::{Item, ItemWords};
use xlayout_shape::text::lex::TokenKind;

const NAMED: &str = "write `{mesh[x=2,y=4], [{x}, {y}]}` or \
                     `#sdy.sharding<mesh<[\"x\"=2, \"y\"=4]>, [{\"x\"}, {\"y\"}]>`";
const DEVICES: &str =
    "write `device_ids=(0,2,1,3)` after XLA's mesh, `device_ids=[0,2,1,3]` in Shardy's";

const SIZE: Item = Item::Other(&ItemWords {
    one: "size of an axis",
    many: "sizes of axes",
    help: "write `mesh[x=2,y=4]`; of a part of an axis the product of the sizes before it, and \
           its own: `y:(1)2`",
});
const DEVICE: Item = Item::Other(&ItemWords {
    one: "device",
    many: "devices",
    help: DEVICES,
});

/// Reads XLA's text or Shardy's.
///
/// ```
/// use xlayout_sharding::NamedSharding;
/// let named: NamedSharding = "{mesh['x'=2,'y'=4], [{'y'}, {}]}".parse()?;
/// assert_eq!(named.to_string(), "{mesh[x=2,y=4], [{y}, {}]}");
/// assert_eq!(format!("{named:#}"), r#"#sdy.sharding<mesh<["x"=2, "y"=4]>, [{"y"}, {}]>"#);
/// assert_eq!(format!("{named:#}").parse::<NamedSharding>()?, named);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl FromStr for NamedSharding {
    type Err = ReadError;

    fn from_str(text: &str) -> Result<Self, ReadError> {
        whole(text, |reader| {
            if reader.at(b'#') {
                return reader.shardy();
            }
            reader.need(b'{', &["`{mesh[`", NAMED])?;
            Some(reader.named()?.0)
        })
    }
}

impl Reader<'_, '_> {
    /// Whether what follows a `{` is a mesh.
    pub(super) fn at_mesh(&self) -> bool {
        self.token.tok == TokenKind::Word
            && matches!(self.slice(self.here()), "mesh" | "maximal_mesh")
            && self.second().tok == TokenKind::Mark(b'[')
    }

    /// XLA's text, behind its `{`, as devices.
    pub(super) fn named_devices(&mut self, start: usize) -> Option<Sharding> {
        let (named, metadata) = self.named()?;
        let sharding = self.made(start, named.to_sharding())?;
        Some(sharding.with_metadata(metadata))
    }

    /// Shardy's text as devices.
    pub(super) fn shardy_devices(&mut self) -> Option<Sharding> {
        let start = self.token.start;
        let named = self.shardy()?;
        self.made(start, named.to_sharding())
    }

    /// What is made of the text since `start`.
    fn made<T>(&mut self, start: usize, made: Result<T, ShardingError>) -> Option<T> {
        match made {
            Ok(made) => Some(made),
            Err(error) => self.wrong_at(*error.kind(), (start, self.last_end)),
        }
    }

    /// The one of these words that comes next.
    fn word<'w>(&mut self, words: &[&'w str], part: &'static [&'static str; 2]) -> Option<&'w str> {
        let found = self.slice(self.here());
        match words.iter().find(|word| **word == found) {
            Some(&word) if self.token.tok == TokenKind::Word => {
                self.advance();
                Some(word)
            }
            _ => self.expected(part),
        }
    }

    fn named(&mut self) -> Option<(NamedSharding, Vec<OpMetadata>)> {
        let mut named = NamedSharding::default();
        let mut metadata = Vec::new();
        let mesh = self.word(&["mesh", "maximal_mesh"], &["`mesh[`", NAMED])?;
        self.need(b'[', &["`[` and the axes of the mesh", NAMED])?;
        if mesh == "maximal_mesh" {
            self.word(&["device_id"], &["`device_id=`", NAMED])?;
            self.need(b'=', &["`=` and the device", NAMED])?;
            named.device_ids.push(self.integer(DEVICE).ok()?);
            self.need(b']', &["`]`", NAMED])?;
        } else {
            self.axes(&mut named)?;
        }
        let mut dimensions = false;
        while self.eat(b',') {
            if self.at(b'[') && !dimensions {
                dimensions = true;
                self.dimensions(&mut named)?;
                continue;
            }
            let words = [
                "device_ids",
                "replicated",
                "unreduced",
                "manual",
                "metadata",
            ];
            let word = self.word(
                &words,
                &[
                    "the dimensions, `[{x}, {y}]`, or a list of axes, `replicated={x}`",
                    NAMED,
                ],
            )?;
            let whole = || (0..named.axis_sizes.len()).map(AxisRef::from).collect();
            match (word, self.eat(b'=')) {
                ("device_ids", true) => {
                    self.need(b'(', &["`(` and the devices", DEVICES])?;
                    named.device_ids = self.mesh_devices(&named.axis_sizes)?;
                    self.need(b')', &["`,` or `)`", DEVICES])?;
                }
                ("metadata", true) => self.metadata(&mut metadata)?,
                (word, true) => self.listed(&mut named, word)?,
                ("replicated", false) => {}
                ("unreduced", false) => named.unreduced_axes = whole(),
                ("manual", false) => named.manual_axes = whole(),
                _ => return self.expected(&["`=`", NAMED]),
            }
        }
        self.need(b'}', &["`,` or `}`", NAMED])?;
        Some((named, metadata))
    }

    fn shardy(&mut self) -> Option<NamedSharding> {
        let mut named = NamedSharding::default();
        self.need(b'#', &["`#sdy.sharding<`", NAMED])?;
        self.word(&["sdy.sharding"], &["`#sdy.sharding<`", NAMED])?;
        self.need(b'<', &["`<` and the mesh", NAMED])?;
        if self.at(b'@') {
            let found = self.found();
            return self.wrong(Kind::Mesh { found });
        }
        self.word(&["mesh"], &["`mesh<`", NAMED])?;
        self.need(b'<', &["`<` and the axes of the mesh", NAMED])?;
        self.need(b'[', &["`[` and the axes of the mesh", NAMED])?;
        self.axes(&mut named)?;
        if self.eat(b',') {
            self.word(&["device_ids"], &["`device_ids=`", DEVICES])?;
            self.need(b'=', &["`=` and the devices", DEVICES])?;
            self.need(b'[', &["`[` and the devices", DEVICES])?;
            named.device_ids = self.mesh_devices(&[])?;
            self.need(b']', &["`,` or `]`", DEVICES])?;
        }
        self.need(b'>', &["`>`", NAMED])?;
        self.need(b',', &["`,` and the dimensions", NAMED])?;
        self.dimensions(&mut named)?;
        while self.eat(b',') {
            let part = &["a list of axes, `replicated={\"x\"}`", NAMED];
            let word = self.word(&["replicated", "unreduced"], part)?;
            self.need(b'=', &["`=`", NAMED])?;
            self.listed(&mut named, word)?;
        }
        self.need(b'>', &["`,` or `>`", NAMED])?;
        Some(named)
    }

    /// `x=2,y=4]`
    fn axes(&mut self, named: &mut NamedSharding) -> Option<()> {
        while !self.eat(b']') {
            let span = self.here();
            let found = self.found();
            let name = self.axis_name()?;
            if named.axis_names.contains(&name) {
                return self.wrong_at(Kind::AxisNameTwice { found }, span);
            }
            self.need(b'=', &["`=` and the size of the axis", NAMED])?;
            named.axis_names.push(name);
            named.axis_sizes.push(self.integer(SIZE).ok()?);
            self.comma_or(b']', &["`,` or `]`", NAMED])?;
        }
        Some(())
    }

    /// A word, or a text in quotes.
    fn axis_name(&mut self) -> Option<String> {
        let span = self.here();
        let found = self.found();
        let text = self.slice(span);
        let name = match self.token.tok {
            TokenKind::Word => text,
            TokenKind::Quoted => {
                let quote = &text[..1];
                let inner = text[1..].strip_suffix(quote);
                match inner.filter(|inner| !inner.contains('\\')) {
                    Some(inner) => inner,
                    None => return self.wrong_at(Kind::Quote { found }, span),
                }
            }
            _ => return self.expected(&["the name of an axis", NAMED]),
        };
        self.advance();
        Some(name.to_owned())
    }

    /// `[4,16]T(1,0)` or `0,2,1,3`; nothing where they are 0, 1, 2, …
    fn mesh_devices(&mut self, sizes: &[i64]) -> Option<Vec<i64>> {
        let start = self.token.start;
        if !self.eat(b'[') {
            return self.numbers(DEVICE);
        }
        let shape = self.numbers(DEVICE)?;
        self.need(b']', &["`,` or `]`", DEVICES])?;
        self.word(&["T"], &["`T(`", DEVICES])?;
        self.need(b'(', &["`T(`", DEVICES])?;
        let permutation = self.numbers(DEVICE)?;
        self.need(b')', &["`,` or `)`", DEVICES])?;
        let assignment = TileAssignment::transposed(sizes, &shape, &permutation);
        let devices = assignment.and_then(|assignment| Ok(assignment.written_out()?));
        self.made(start, devices)
    }

    /// `[{x}, {y}]`
    fn dimensions(&mut self, named: &mut NamedSharding) -> Option<()> {
        self.need(b'[', &["`[` and the axes of each dimension", NAMED])?;
        while !self.eat(b']') {
            let axes = self.axis_list(named, true)?;
            named.dim_shardings.push(axes);
            if self.token.tok == TokenKind::Word {
                let word = self.slice(self.here());
                let digits = word.strip_prefix('p').unwrap_or_default();
                if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                    return self.expected(&["`,` or `]`", NAMED]);
                }
                self.advance();
            }
            self.comma_or(b']', &["`,` or `]`", NAMED])?;
        }
        Some(())
    }

    /// The axes that are replicated, unreduced or manual.
    fn listed(&mut self, named: &mut NamedSharding, word: &str) -> Option<()> {
        let axes = self.axis_list(named, false)?;
        match word {
            "replicated" => named.replicated_axes = axes,
            "unreduced" => named.unreduced_axes = axes,
            _ => named.manual_axes = axes,
        }
        Some(())
    }

    /// `{x, y:(1)2}`, of a dimension also `{x, ?}`
    fn axis_list(&mut self, named: &NamedSharding, open: bool) -> Option<Vec<AxisRef>> {
        let mut axes = Vec::new();
        self.need(b'{', &["`{` and axes", NAMED])?;
        while !self.eat(b'}') {
            if open && self.eat(b'?') {
                self.need(b'}', &["`}`", NAMED])?;
                break;
            }
            let span = self.here();
            let found = self.found();
            let name = self.axis_name()?;
            let Some(axis) = named.axis_names.iter().position(|known| *known == name) else {
                return self.wrong_at(Kind::NoSuchAxis { found }, span);
            };
            let mut sub_axis = None;
            if self.eat(b':') {
                self.need(b'(', &["`(` and the sizes before the part", NAMED])?;
                let before = self.integer(SIZE).ok()?;
                self.need(b')', &["`)` and the size of the part", NAMED])?;
                let own = self.integer(SIZE).ok()?;
                let size = named.axis_sizes.get(axis).copied().unwrap_or(1);
                let product = before.checked_mul(own);
                let is_part = |product: i64| before > 0 && own > 0 && size % product == 0;
                if !product.is_some_and(is_part) {
                    let kind = Kind::AxisPart {
                        found,
                        before,
                        own,
                        size,
                    };
                    return self.wrong_at(kind, (span.0, self.last_end));
                }
                sub_axis = Some((before, own));
            }
            axes.push(AxisRef { axis, sub_axis });
            self.comma_or(b'}', &["`,` or `}`", NAMED])?;
        }
        Some(axes)
    }
}

impl NamedSharding {
    /// The name of an axis, in quotes where it is no word. Shardy always has quotes.
    fn print_name(&self, axis: usize, f: &mut Formatter<'_>) -> Written {
        let Some(name) = self.axis_names.get(axis) else {
            return if f.alternate() {
                write!(f, "\"axis_{axis}\"")
            } else {
                write!(f, "axis_{axis}")
            };
        };
        let word = |c: char| c == '_' || c.is_ascii_alphanumeric();
        let plain = name.chars().all(word)
            && name.starts_with(|c: char| c == '_' || c.is_ascii_alphabetic());
        let shardy = f.alternate();
        let quote = if plain && !shardy {
            ""
        } else if (shardy || name.contains('\'')) && !name.contains('"') {
            "\""
        } else {
            "'"
        };
        write!(f, "{quote}{name}{quote}")
    }

    /// Axes in braces.
    fn print_axes(&self, axes: &[AxisRef], f: &mut Formatter<'_>) -> Written {
        f.write_str("{")?;
        for (k, axis) in axes.iter().enumerate() {
            f.write_str(if k == 0 { "" } else { ", " })?;
            self.print_name(axis.axis, f)?;
            if let Some((before, size)) = axis.sub_axis {
                write!(f, ":({before}){size}")?;
            }
        }
        f.write_str("}")
    }
}

/// What is written around the parts.
struct Marks {
    mesh: &'static str,
    /// Between two axes of the mesh.
    comma: &'static str,
    devices: &'static str,
    devices_end: &'static str,
    dimensions: &'static str,
    end: &'static str,
}

const XLA: Marks = Marks {
    mesh: "{mesh[",
    comma: ",",
    devices: "(",
    devices_end: ")",
    dimensions: ", [",
    end: "}",
};
const SHARDY: Marks = Marks {
    mesh: "#sdy.sharding<mesh<[",
    comma: ", ",
    devices: "[",
    devices_end: "]",
    dimensions: ">, [",
    end: ">",
};

/// XLA's text; with `{:#}` Shardy's, which has no axes that are manual: there they are left out.
impl Display for NamedSharding {
    fn fmt(&self, f: &mut Formatter<'_>) -> Written {
        let shardy = f.alternate();
        if let ([], [device], false) = (&self.axis_sizes[..], &self.device_ids[..], shardy) {
            return write!(f, "{{maximal_mesh[device_id={device}]}}");
        }
        let marks = if shardy { &SHARDY } else { &XLA };
        f.write_str(marks.mesh)?;
        for (axis, size) in self.axis_sizes.iter().enumerate() {
            f.write_str(if axis == 0 { "" } else { marks.comma })?;
            self.print_name(axis, f)?;
            write!(f, "={size}")?;
        }
        f.write_str("]")?;
        if !self.device_ids.is_empty() {
            write!(f, ", device_ids={}", marks.devices)?;
            xlayout_shape::words::joined(f, &self.device_ids, ",")?;
            f.write_str(marks.devices_end)?;
        }
        let every = |axes: &[AxisRef]| {
            axes.len() == self.axis_sizes.len()
                && (0..axes.len()).all(|k| axes[k] == AxisRef::from(k))
        };
        if !shardy && self.dim_shardings.is_empty() && self.replicated_axes.is_empty() {
            match (&self.unreduced_axes[..], &self.manual_axes[..]) {
                ([], []) => return f.write_str(", replicated}"),
                ([], manual) if every(manual) => return f.write_str(", manual}"),
                (unreduced, []) if every(unreduced) => return f.write_str(", unreduced}"),
                _ => {}
            }
        }
        f.write_str(marks.dimensions)?;
        for (k, axes) in self.dim_shardings.iter().enumerate() {
            f.write_str(if k == 0 { "" } else { ", " })?;
            self.print_axes(axes, f)?;
        }
        f.write_str("]")?;
        let manual = if shardy { &[][..] } else { &self.manual_axes };
        for (word, axes) in [
            ("replicated", &self.replicated_axes[..]),
            ("unreduced", &self.unreduced_axes),
            ("manual", manual),
        ] {
            if !axes.is_empty() {
                write!(f, ", {word}=")?;
                self.print_axes(axes, f)?;
            }
        }
        f.write_str(marks.end)
    }
}
