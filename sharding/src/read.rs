//! Shardings: `{devices=[2,4]<=[8]}`, alone or in a tuple.
//!
//! The first mistake ends the reading. Sources: `hlo_parser.cc` (`ParseSharding`,
//! `ParseSingleSharding`, `ParseTileAssignment`, `ParseMetadata`).

use alloc::vec::Vec;
use core::str::FromStr;

use super::error::ATTRIBUTES;
use super::reader::{ReadError, Reader, Span, first, whole};
use super::{
    OpMetadata, ShardGroup, Sharding, ShardingError, ShardingErrorKind as Kind, SubgroupType,
    TileAssignment,
};
use xlayout_shape::error::{ErrorKind, Item, ItemWords, nearest};
use xlayout_shape::text::lex::TokenKind;

/// Reads XLA's text of a sharding (XLA: `ParseSharding`), by devices or by the axes of a mesh, or
/// Shardy's. Whether it fits a shape is a question for [`Sharding::validate`].
///
/// ```
/// use xlayout_sharding::Sharding;
///
/// let text = "{devices=[2,4]<=[6]}";
/// let error = text.parse::<Sharding>().unwrap_err();
/// assert_eq!(
///     error.render(text).to_string(),
///     "error: there are 8 tiles, but 6 devices\n\
///      \x20 {devices=[2,4]<=[6]}\n\
///      \x20          ^^^^^^^^^^\n\
///      help: the numbers in `devices=[…]` multiply to the number of tiles, subgroups included; \
///      each has one device",
/// );
/// ```
impl FromStr for Sharding {
    type Err = ReadError;

    fn from_str(text: &str) -> Result<Self, ReadError> {
        whole(text, |reader| reader.sharding())
    }
}

/// Reads the sharding at the beginning of a longer text, such as what follows `sharding=` in an HLO
/// instruction, and says at which byte it ends.
///
/// ```
/// use xlayout_sharding::read_sharding_prefix;
/// let (sharding, end) = read_sharding_prefix("{replicated}, metadata={}").unwrap();
/// assert!(sharding.is_replicated());
/// assert_eq!(end, 12);
/// ```
///
/// # Errors
/// The first mistake in the sharding.
pub fn read_sharding_prefix(text: &str) -> Result<(Sharding, usize), ReadError> {
    first(text, |reader| {
        let sharding = reader.sharding()?;
        Some((sharding, reader.last_end))
    })
}

/// The words for a whole sharding. As in XLA, one overrides those behind it, but the last overrides
/// all except the first.
const KINDS: [&str; 5] = ["replicated", "manual", "unknown", "unreduced", "maximal"];
const MAXIMAL: usize = 4;

/// The other words without `=`.
const WORDS: [&str; 3] = ["last_tile_dim_replicate", "shard_as", "shard_like"];

// What to write instead.
const IN_BRACES: &str = "write it in braces: `{replicated}`; a tuple as `{{…}, {…}}`";
const GRID: &str = "write into how many parts each dimension is cut: `devices=[2,4]<=[8]`";
const IOTA: &str =
    "write `<=[8]` for the devices 0 to 7; several dimensions need a transpose: `<=[4,2]T(1,0)`";
const SUBGROUPS: &str = "write the kinds in braces: `last_tile_dims={manual, replicated}`";

/// The numbers that only shardings have.
const PARTS: Item = Item::Other(&ItemWords {
    one: "number of parts",
    many: "numbers of parts",
    help: GRID,
});
const DEVICE: Item = Item::Other(&ItemWords {
    one: "device",
    many: "devices",
    help: "list the devices, `[2,2]0,1,2,3`, or write `[2,2]<=[4]` for 0, 1, 2, …",
});
const DEVICES: Item = Item::Other(&ItemWords {
    one: "dimension of the devices",
    many: "dimensions",
    help: "write how many devices there are: `<=[8]`",
});
const TRANSPOSED: Item = Item::Other(&ItemWords {
    one: "transposed dimension",
    many: "dimensions",
    help: "list each dimension of `<=[…]` once, counted from 0: `<=[4,2]T(1,0)`",
});
const GROUP: Item = Item::Other(&ItemWords {
    one: "shard group number",
    many: "shard group numbers",
    help: "write the number of the group: `shard_as 1`",
});

/// What is in the braces of one sharding.
#[derive(Default)]
struct Given {
    /// Which of `KINDS`.
    kinds: [bool; KINDS.len()],
    replicate: bool,
    subgroups: Vec<SubgroupType>,
    /// Where the grid begins and its devices end.
    tiles: Option<Span>,
    dimensions: Vec<i64>,
    iota: Option<(Vec<i64>, Vec<i64>)>,
    /// Whether `device=` gave them.
    device: bool,
    devices: Vec<i64>,
    shard_as: bool,
    group: Option<i64>,
    metadata: Vec<OpMetadata>,
}

impl Reader<'_, '_> {
    /// Numbers with commas between them; at least one.
    pub(super) fn numbers(&mut self, item: Item) -> Option<Vec<i64>> {
        self.list(|reader| reader.integer(item).ok())
    }

    /// A sharding or a tuple of them.
    fn sharding(&mut self) -> Option<Sharding> {
        if self.token.tok == TokenKind::End {
            return self.wrong(Kind::Empty);
        }
        if self.at(b'#') {
            return self.shardy_devices();
        }
        let start = self.token.start;
        self.need(b'{', &["`{`", IN_BRACES])?;
        if !self.at(b'{') && !self.at(b'}') {
            return self.single(start);
        }
        let mut elements = Vec::new();
        if !self.at(b'}') {
            elements = self.list(|reader| {
                let start = reader.token.start;
                reader.need(b'{', &["a sharding in braces", IN_BRACES])?;
                if reader.at(b'{') {
                    reader.wrong(Kind::NestedTuple)
                } else {
                    reader.single(start)
                }
            })?;
        }
        self.need(
            b'}',
            &[
                "`,` or `}`",
                "separate the shardings of a tuple with commas: `{{…}, {…}}`",
            ],
        )?;
        Sharding::tuple(elements).ok()
    }

    /// What follows the `{` of one sharding, up to its `}`.
    fn single(&mut self, start: usize) -> Option<Sharding> {
        if self.at_mesh() {
            return self.named_devices(start);
        }
        let mut given = Given::default();
        while !self.at(b'}') {
            self.part(start, &mut given)?;
        }
        let whole = (start, self.token.end);
        self.advance();
        let devices = given.devices.len();
        let mut kind = given.kinds.iter().position(|said| *said);
        if given.kinds[MAXIMAL] && kind != Some(0) {
            kind = Some(MAXIMAL);
        }
        let sharding = match kind {
            Some(MAXIMAL) if devices == 1 => Sharding::maximal(given.devices[0]),
            Some(MAXIMAL) => return self.wrong_at(Kind::MaximalDevices { devices }, whole),
            Some(kind) if devices > 0 => {
                return self.wrong_at(Kind::DevicesGiven { of: KINDS[kind] }, whole);
            }
            Some(0) => Sharding::replicated(),
            Some(1) => Sharding::manual(),
            Some(2) => Sharding::unknown(),
            Some(_) => Sharding::unreduced(),
            None => match tiled(&given) {
                Ok(sharding) => sharding,
                Err(error) => return self.wrong_at(*error.kind(), given.tiles.unwrap_or(whole)),
            },
        };
        let group = given.group.map(|group| {
            if given.shard_as {
                ShardGroup::As(group)
            } else {
                ShardGroup::Like(group)
            }
        });
        let sharding = sharding.with_shard_group(group);
        Some(sharding.with_metadata(given.metadata))
    }

    /// One word or attribute.
    fn part(&mut self, start: usize, given: &mut Given) -> Option<()> {
        let span = self.here();
        let found = self.found();
        let word = match self.token.tok {
            TokenKind::Word => self.slice(span),
            TokenKind::Mark(b'{') => return self.expected(&["`}`", IN_BRACES]),
            TokenKind::End => {
                let open = '{';
                let close = '}';
                self.say(ErrorKind::Unclosed { open, close }, (start, start + 1));
                return None;
            }
            _ => {
                return self.wrong(Kind::UnknownWord {
                    found,
                    suggestion: None,
                });
            }
        };
        let next = self.second();
        let equals = next.tok == TokenKind::Mark(b'=') && next.start == span.1;
        let kind = KINDS.iter().position(|kind| *kind == word);
        if !equals && (kind.is_some() || WORDS.contains(&word)) {
            self.advance();
            if let Some(kind) = kind {
                given.kinds[kind] = true;
            } else if word == "last_tile_dim_replicate" {
                given.replicate = true;
                if !given.subgroups.is_empty() {
                    return self.wrong_at(Kind::TwoSubgroups, span);
                }
            } else {
                given.shard_as |= word == "shard_as";
                given.group = Some(self.integer(GROUP).ok()?);
            }
            return Some(());
        }
        let Some(&attribute) = ATTRIBUTES.iter().find(|a| **a == word) else {
            let known = KINDS.iter().chain(&WORDS).chain(&ATTRIBUTES);
            let suggestion = nearest(word, known.map(|known| (*known, *known)));
            return self.wrong(Kind::UnknownWord { found, suggestion });
        };
        if !equals {
            return self.wrong(Kind::NoEquals { attribute });
        }
        self.advance();
        self.advance();
        self.attribute(attribute, span, given)
    }

    /// What follows the `=` of an attribute.
    fn attribute(&mut self, attribute: &'static str, span: Span, given: &mut Given) -> Option<()> {
        match attribute {
            "devices" | "device" if given.tiles.is_some() || given.device => {
                return self.wrong_at(Kind::Twice { attribute }, span);
            }
            "devices" => {
                let start = self.token.start;
                self.tiles(given)?;
                given.tiles = Some((start, self.last_end));
            }
            "device" => {
                given.device = true;
                given.devices.push(self.integer(DEVICE).ok()?);
            }
            "last_tile_dims" => {
                if !given.subgroups.is_empty() {
                    return self.wrong_at(Kind::Twice { attribute }, span);
                }
                given.subgroups = self.subgroups()?;
                if given.replicate && !given.subgroups.is_empty() {
                    return self.wrong_at(Kind::TwoSubgroups, span);
                }
            }
            _ => self.metadata(&mut given.metadata)?,
        }
        Some(())
    }

    /// `[2,4]<=[8]`, `[2,4]<=[4,2]T(1,0)` or `[2,2]0,2,1,3`
    fn tiles(&mut self, given: &mut Given) -> Option<()> {
        self.need(b'[', &["`[` and the grid of tiles", GRID])?;
        given.dimensions = self.numbers(PARTS)?;
        self.need(b']', &["`,` or `]`", GRID])?;
        if self.token.tok != TokenKind::AtMost {
            given.devices = self.numbers(DEVICE)?;
            return Some(());
        }
        self.advance();
        self.need(b'[', &["`[` after `<=`", IOTA])?;
        let reshape_dims = self.numbers(DEVICES)?;
        self.need(b']', &["`,` or `]`", IOTA])?;
        let mut transpose_perm = alloc::vec![0];
        if reshape_dims.len() > 1 {
            let transpose = self.token.tok == TokenKind::Word && self.slice(self.here()) == "T";
            if !transpose || self.second().tok != TokenKind::Mark(b'(') {
                return self.expected(&["`T(` and a transpose of the dimensions", IOTA]);
            }
            self.advance();
            self.advance();
            transpose_perm = self.numbers(TRANSPOSED)?;
            self.need(b')', &["`,` or `)`", IOTA])?;
        }
        given.iota = Some((reshape_dims, transpose_perm));
        Some(())
    }

    /// `{manual, replicated}`
    fn subgroups(&mut self) -> Option<Vec<SubgroupType>> {
        self.need(b'{', &["`{` and the kinds of the subgroups", SUBGROUPS])?;
        if self.eat(b'}') {
            return Some(Vec::new());
        }
        let subgroups = self.list(|reader| {
            let word = reader.slice(reader.here());
            let found = reader.found();
            let Some(kind) = SubgroupType::ALL.into_iter().find(|t| t.name() == word) else {
                return reader.wrong(Kind::UnknownSubgroup { found });
            };
            reader.advance();
            Some(kind)
        })?;
        self.need(b'}', &["`,` or `}`", SUBGROUPS])?;
        Some(subgroups)
    }
}

/// Puts tiles together.
fn tiled(given: &Given) -> Result<Sharding, ShardingError> {
    if given.tiles.is_none() {
        return Err(Kind::NoTiles.into());
    }
    let dimensions = &given.dimensions;
    let assignment = match &given.iota {
        Some((reshape_dims, transpose_perm)) => {
            TileAssignment::transposed(dimensions, reshape_dims, transpose_perm)?
        }
        None => TileAssignment::listed(dimensions, &given.devices)?,
    };
    if given.replicate {
        Sharding::partial_tile(assignment)
    } else {
        Sharding::subgroup(assignment, &given.subgroups)
    }
}
