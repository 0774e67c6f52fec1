//! The option `, sharding = {devices=[2,4]<=[8]}`: core reads it and checks it against the layout;
//! what comes of it is a sharding as a type, and the layout of what each device holds.

use proc_macro2::{Delimiter, TokenTree};

use crate::mistake::{Mistake, TokenRange, kind};
use crate::text::{inside, is_punct, is_quoted, is_word};

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
        let place = TokenRange::of(token);
        let mut push = |mistake: Mistake| mistakes.push(mistake.at_offset(usize::MAX));
        if is_punct(rest.last(), ',') {
            rest.pop();
        } else {
            push(kind::no_comma_before_sharding(place));
        }
        if given.is_some() {
            push(kind::sharding_twice(place));
        }
        let value = match tokens.get(at + 1) {
            equals if is_punct(equals, '=') => at + 2,
            _ => {
                push(kind::no_equals(place));
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
                push(kind::text_after_sharding(TokenRange::of_all(more)));
            }
            [] => push(kind::sharding_is_nothing(place)),
            [TokenTree::Literal(text)] if is_quoted(text) => {
                push(kind::quoted_sharding(text.span().into()));
            }
            value => push(kind::sharding_without_braces(TokenRange::of_all(value))),
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
    use crate::mistake::{Mistake, TokenRange, kind};

    impl ShardingTokens {
        pub(crate) fn read(&self, mistakes: &mut Vec<Mistake>) -> Option<ReadSharding> {
            mistakes.push(kind::without_sharding(TokenRange::of(&self.braces)));
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
    use crate::mistake::{Mistake, TokenRange, kind};
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
            let kind = if sharding.tuple_elements().is_some_and(<[_]>::is_empty) {
                kind::empty_sharding
            } else if sharding.is_tuple() {
                kind::tuple_of_shardings
            } else if sharding.shard_group().is_some() {
                kind::shard_group
            } else {
                return Some(ReadSharding {
                    sharding,
                    text,
                    place,
                });
            };
            mistakes.push(kind(place));
            None
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
                return Err(kind::too_many_devices(place, &MOST_LISTED));
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
            let why = first.or_else(|| beyond_a_type(place, &tile).map(Mistake::found));
            if let Some(why) = why {
                return Err(kind::no_layout_per_device(place, &held, &why));
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
        let run_time = |span: Span| Err(kind::run_time_size_is_cut(span.into(), &dim, &parts));
        match size {
            Size::Text(span) if dim_of_text != Dim::Unbounded => Ok(Size::Text(*span)),
            Size::Text(span) => run_time(*span),
            Size::Named(name) => run_time(name.span()),
            Size::Computed { span, .. } => run_time(*span),
            Size::Const { value: tokens, .. } | Size::Type(tokens) => {
                let tokens: Vec<_> = tokens.clone().into_iter().collect();
                let place = TokenRange::of_all(&tokens);
                Err(kind::constant_is_cut(place, &dim, &parts))
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
