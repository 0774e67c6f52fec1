//! The option `, sharding = {devices=[2,4]<=[8]}`: core reads it and checks it against the layout;
//! what comes of it is a sharding as a type, and the layout of what each device holds.

use proc_macro2::{Delimiter, TokenTree};

use crate::mistake::{Mistake, TokenRange};
use crate::text::{inside, is_punct, is_quoted, is_word};

const HELP: &str = "write it behind the layout: `, sharding = {devices=[2,4]<=[8]}`";

/// The braces of a sharding.
pub(crate) struct ShardingTokens {
    braces: TokenTree,
}

/// Takes the option out of the tokens of a layout.
pub(crate) fn take(
    tokens: &[TokenTree],
    mistakes: &mut Vec<Mistake>,
) -> (Vec<TokenTree>, Option<ShardingTokens>) {
    let mut rest = Vec::new();
    let mut given = None;
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if rest.is_empty() || !is_word(Some(token), "sharding") {
            rest.push(token.clone());
            at += 1;
            continue;
        }
        let mut mistake = |place, found: &str, help: &str| {
            mistakes.push(Mistake::new(place, found, help).at_offset(usize::MAX));
        };
        if is_punct(rest.last(), ',') {
            rest.pop();
        } else {
            mistake(
                TokenRange::of(token),
                "there is no comma before `sharding`",
                HELP,
            );
        }
        if given.is_some() {
            let help = "keep one of them";
            mistake(TokenRange::of(token), "`sharding` is given twice", help);
        }
        let value = match tokens.get(at + 1) {
            equals if is_punct(equals, '=') => at + 2,
            _ => {
                mistake(TokenRange::of(token), "no `=` follows `sharding`", HELP);
                0
            }
        };
        let end = tokens[at..]
            .iter()
            .position(|token| is_punct(Some(token), ','));
        at = end.map_or(tokens.len(), |end| at + end);
        if value == 0 {
            continue;
        }
        match &tokens[value..at] {
            [braces] if inside(Some(braces), Delimiter::Brace).is_some() => {
                given = Some(ShardingTokens {
                    braces: braces.clone(),
                });
            }
            [braces, more @ ..] if inside(Some(braces), Delimiter::Brace).is_some() => {
                let help = "remove it, or write a comma before another option";
                mistake(
                    TokenRange::of_all(more),
                    "unexpected text after the sharding",
                    help,
                );
            }
            [] => mistake(TokenRange::of(token), "`sharding` is given nothing", HELP),
            [TokenTree::Literal(text)] if is_quoted(text) => mistake(
                text.span().into(),
                "a sharding is written as it is, without quotes",
                HELP,
            ),
            value => mistake(
                TokenRange::of_all(value),
                "a sharding is written in braces",
                HELP,
            ),
        }
    }
    (rest, given)
}

/// Without the feature `sharding` none is read. Its placeholder is never made.
#[cfg(not(feature = "sharding"))]
mod without_sharding {
    use core::convert::Infallible;

    use proc_macro2::TokenStream;

    use super::ShardingTokens;
    use crate::array::{Array, Spread};
    use crate::mistake::{Mistake, TokenRange};

    impl ShardingTokens {
        pub(crate) fn read(&self, mistakes: &mut Vec<Mistake>) -> Option<ReadSharding> {
            mistakes.push(Mistake::new(
                TokenRange::of(&self.braces),
                "a sharding in `layout!` needs the feature `sharding` of xlayout",
                "turn it on in Cargo.toml: `xlayout = { …, features = [\"sharding\"] }`",
            ));
            None
        }
    }

    pub(crate) struct ReadSharding(Infallible);

    impl ReadSharding {
        pub(crate) fn spread(&self, _global: &Array) -> Result<Spread, Mistake> {
            match self.0 {}
        }
    }

    impl Spread {
        pub(crate) fn rule(&self, _fixed: &TokenStream) -> TokenStream {
            match self.sharding {}
        }
    }
}

#[cfg(feature = "sharding")]
mod with_sharding {
    use proc_macro2::{Span, TokenStream, TokenTree};
    use quote::quote;
    use xlayout_shape::text::read_array;
    use xlayout_shape::{Dim, Shape};
    use xlayout_sharding::{
        Sharding, ShardingErrorKind, ShardingKind, SubgroupType, TileAssignment, Tiling,
    };

    use super::ShardingTokens;
    use crate::array::{Array, RULES, Spread, beyond_a_type, of_core};
    use crate::mistake::{Mistake, TokenRange};
    use crate::path::Path;
    use crate::sizes::Size;
    use crate::text::Text;

    /// The most devices that a type lists.
    const MOST_LISTED: usize = 1024;

    /// A sharding that was read.
    pub(crate) struct ReadSharding {
        sharding: Sharding,
        text: Text,
        place: TokenRange,
    }

    impl ShardingTokens {
        /// Reads it, by core's grammar.
        pub(crate) fn read(&self, mistakes: &mut Vec<Mistake>) -> Option<ReadSharding> {
            let place = TokenRange::of(&self.braces);
            let mut text = Text::default();
            text.push_tokens(core::slice::from_ref::<TokenTree>(&self.braces));
            let sharding: Sharding = match text.as_str().parse() {
                Ok(sharding) => sharding,
                Err(error) => {
                    mistakes.push(of_core(&error, &text));
                    return None;
                }
            };
            let mut mistake = |found: &str, help: &str| {
                mistakes.push(Mistake::new(place, found, help));
                None
            };
            if sharding.tuple_elements().is_some_and(<[_]>::is_empty) {
                return mistake(
                    "there is no sharding in the braces",
                    "write one such as `{devices=[2,4]<=[8]}` or `{replicated}`",
                );
            }
            if sharding.is_tuple() {
                return mistake(
                    "a tuple of shardings is for a tuple of arrays, and this is one array",
                    "write one of them, without the outer braces",
                );
            }
            if sharding.shard_group().is_some() {
                return mistake(
                    "a shard group says what the values of a program have in common, and a layout \
                     is of one value",
                    "leave `shard_as` or `shard_like` out",
                );
            }
            Some(ReadSharding {
                sharding,
                text,
                place,
            })
        }
    }

    impl ReadSharding {
        /// Checks it against the layout of the whole.
        pub(crate) fn spread(self, global: &Array) -> Result<Spread, Mistake> {
            let Self {
                sharding,
                text,
                place,
            } = self;
            let tiling = sharding.as_tiled();
            // The devices are those that it has: 0 to one below their number, each once.
            let devices = tiling.map(|tiling| tiling.tile_assignment().num_devices());
            let shape = Shape::Array(global.shape.clone());
            sharding.validate(&shape, devices).map_err(|error| {
                let place = blamed(error.kind(), &text).unwrap_or(place);
                Mistake::new(place, error.message(), error.help())
            })?;
            let list = tiling.and_then(|tiling| tiling.tile_assignment().device_list());
            if list.is_some_and(|list| list.len() > MOST_LISTED) {
                let found = format!("`layout!` lists up to {MOST_LISTED} devices");
                let help =
                    "write a rule, such as `<=[4,1024]T(1,0)`, or read the sharding at run time";
                return Err(Mistake::new(place, found, help));
            }
            let parts = tiling.map_or(&[][..], Tiling::parts);
            let mut sizes = global.sizes.clone();
            for (dim, &parts) in parts.iter().enumerate().filter(|(_, parts)| **parts > 1) {
                sizes[dim] = cut(dim, parts, &global.sizes[dim], global.shape.dims[dim])?;
            }
            let tile = sharding
                .tile_shape(&global.shape)
                .map_err(|error| Mistake::new(place, error.message(), error.help()))?;
            let held = tile.to_string();
            let mut first = None;
            read_array(&held, RULES, &mut |error| {
                first.get_or_insert_with(|| error.message().to_string());
            });
            let why = first.or_else(|| beyond_a_type(&tile).map(|(found, _)| found));
            if let Some(why) = why {
                return Err(Mistake::new(
                    place,
                    format!("each device would hold `{held}`, which is no layout: {why}"),
                    "cut another dimension, or into other parts",
                ));
            }
            let per_device = Box::new(Array {
                shape: tile,
                sizes,
                element_type: global.element_type,
                sharding: None,
            });
            Ok(Spread {
                per_device,
                sharding,
            })
        }
    }

    /// The tokens that break a rule of core's: a device in the list, or the grid.
    fn blamed(kind: &ShardingErrorKind, text: &Text) -> Option<TokenRange> {
        const GRID: &str = "devices=";
        let whole = text.as_str();
        let grid = whole.find(GRID)? + GRID.len();
        let list = grid + whole[grid..].find(']')? + 1;
        let device = match kind {
            ShardingErrorKind::Rank { .. } => return Some(text.place(Some(grid..list))),
            ShardingErrorKind::DeviceTwice { device }
            | ShardingErrorKind::DeviceRange { device, .. }
            | ShardingErrorKind::NegativeDevice { device } => *device,
            _ => return None,
        };
        let mut start = list;
        let mut found = None;
        // The last of two: it is the one that is too many.
        for entry in whole[list..].split([',', ' ', '}']) {
            if entry.parse() == Ok(device) {
                found = Some(start..start + entry.len());
            } else if entry.parse::<i64>().is_err() {
                break;
            }
            start += entry.len() + 1;
        }
        found.map(|range| text.place(Some(range)))
    }

    /// The size of a dimension that is cut: a number, for its quotient is one.
    fn cut(dim: usize, parts: i64, size: &Size, dim_of_text: Dim) -> Result<Size, Mistake> {
        let found = |place, why: &str, help: &str| {
            let found = format!("dimension {dim} is cut into {parts} parts, but {why}");
            Err(Mistake::new(place, found, help))
        };
        let run_time = |span: Span| {
            found(
                span.into(),
                "its size is known at run time only",
                "write a number or a bound, `<=8`; or cut another dimension",
            )
        };
        match size {
            Size::Text(span) if dim_of_text != Dim::Unbounded => Ok(Size::Text(*span)),
            Size::Text(span) => run_time(*span),
            Size::Named(name) => run_time(name.span()),
            Size::Computed { span, .. } => run_time(*span),
            Size::Const { value: tokens, .. } | Size::Type(tokens) => {
                let tokens: Vec<_> = tokens.clone().into_iter().collect();
                found(
                    TokenRange::of_all(&tokens),
                    "its size is no number",
                    "write the number: Rust computes no type from a constant's quotient; constants \
                     may are allowed in dimensions that are not divided",
                )
            }
        }
    }

    impl Spread {
        /// The sharding as a type. Equal shardings become equal types: core has their canonical
        /// form, and listed devices that follow a rule become the rule.
        pub(crate) fn rule(&self, fixed: &TokenStream) -> TokenStream {
            let plain = |n: i64| Path::write(&[], |path| path.number(n, Span::call_site()));
            let tiling = match self.sharding.kind() {
                ShardingKind::Tiled(tiling) => tiling,
                ShardingKind::Maximal(device) => {
                    let device = plain(*device);
                    return quote!(#fixed::Maximal<#device>);
                }
                ShardingKind::Replicated => return quote!(#fixed::Replicated),
                ShardingKind::Manual => return quote!(#fixed::Manual),
                ShardingKind::Unreduced => return quote!(#fixed::Unreduced),
                ShardingKind::Unknown => return quote!(#fixed::UnknownSharding),
                _ => unreachable!("a tuple of shardings is refused where it is read"),
            };
            let numbers = |list: &[i64]| {
                let list = list.iter().map(|&n| plain(n));
                quote!((#(#fixed::Nat<#list>,)*))
            };
            let tiles = tiling.tile_assignment();
            let by_rule = tiles.device_list().and_then(|list| rule_of(tiles, list));
            let tiles = by_rule.as_ref().unwrap_or(tiles);
            let grid = numbers(tiles.dimensions());
            let devices = match (tiles.iota_dims(), tiles.device_list()) {
                (Some((dims, transpose)), _) => {
                    // For XLA there is one transpose of two dimensions, whatever its entries say.
                    let transpose: Vec<i64> = match transpose {
                        [a, b] if a == b => vec![1, 0],
                        _ => transpose.iter().map(|&d| d as i64).collect(),
                    };
                    let dims = numbers(dims);
                    let transpose = numbers(&transpose);
                    quote!(#fixed::Iota<#dims, #transpose>)
                }
                (None, list) => {
                    let rows = list.unwrap_or(&[]).chunks(16).rev();
                    let rows = rows.fold(quote!(()), |rest, row| {
                        let row = numbers(row);
                        quote!((#row, #rest))
                    });
                    quote!(#fixed::Listed<#rows>)
                }
            };
            let groups = if tiling.replicate_on_last_tile_dim() {
                quote!(#fixed::LastTileDimReplicate)
            } else {
                let groups = tiling.subgroup_types().iter().map(|group| match group {
                    SubgroupType::Manual => quote!(#fixed::Manual),
                    SubgroupType::Unreduced => quote!(#fixed::Unreduced),
                    SubgroupType::Replicated => quote!(#fixed::Replicated),
                    SubgroupType::Maximal => quote!(#fixed::MaximalGroup),
                    _ => unreachable!("XLA has four kinds of subgroups"),
                });
                quote!((#(#groups,)*))
            };
            quote!(#fixed::Grid<#grid, #devices, #groups>)
        }
    }

    /// The rule by which devices are listed, `<=[4,2]T(1,0)`, if there is one: the list counts in
    /// digits, each with a stride of its own.
    fn rule_of(tiles: &TileAssignment, list: &[i64]) -> Option<TileAssignment> {
        let mut digits = Vec::new();
        let mut block = 1;
        while block < list.len() {
            let stride = *list.get(block)?;
            let mut count = 1;
            while list.get(block * count).copied() == stride.checked_mul(count as i64) {
                count += 1;
            }
            digits.push((stride, count as i64));
            block *= count;
        }
        // The most major digit of the list comes first in the transpose; the largest stride, in
        // what is transposed.
        digits.reverse();
        let mut dims = digits.clone();
        dims.sort_unstable_by_key(|&(stride, _)| core::cmp::Reverse(stride));
        let place = |digit| dims.iter().position(|dim| *dim == digit);
        let transpose: Option<Vec<i64>> = digits
            .iter()
            .map(|&digit| place(digit).map(|place| place as i64))
            .collect();
        let dims: Vec<i64> = dims.iter().map(|&(_, count)| count).collect();
        let found = TileAssignment::transposed(tiles.dimensions(), &dims, &transpose?).ok()?;
        (found == *tiles).then_some(found)
    }
}
