//! The layouts of a kernel's arrays, where they are visible: XLA's custom calls on the CPU pass dense
//! arrays only. (Behind an alias the crate `xlayout-kernel` refuses the others.)

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use xlayout_shape::{Dim, Layout, PaddingValue};

use crate::mistake::{Mistake, TokenRange};
use crate::read::{layout_place, read};
use crate::sizes::Size;
use crate::text::{Text, inside, is_punct, is_word, see_through};

/// The inside of the first `layout!(…)` in a type, by whatever path the macro is called.
pub(super) fn find(of_type: &[TokenTree]) -> Option<Group> {
    of_type.iter().enumerate().find_map(|(at, token)| {
        let TokenTree::Group(group) = token else {
            return None;
        };
        let called =
            at > 1 && is_punct(of_type.get(at - 1), '!') && is_word(of_type.get(at - 2), "layout");
        match called {
            true => Some(group.clone()),
            false => find(&see_through(group.stream())),
        }
    })
}

/// The layout in a type, where it is the one that XLA passes: `Converted<…>` has any other.
pub(super) fn passed(of_type: &[TokenTree]) -> Option<Group> {
    let is_converted = of_type
        .iter()
        .any(|token| is_word(Some(token), "Converted"));
    find(of_type).filter(|_| !is_converted)
}

/// `layout!(f32[2,3]{1,0})`, as XLA writes it.
pub(super) fn shown(layout: &Group) -> String {
    let mut text = Text::default();
    text.push_tokens(&see_through(layout.stream()));
    format!("layout!({})", text.as_str())
}

/// Why XLA passes no array of this layout. A layout with mistakes reports them itself.
pub(super) fn refuse(layout: &Group) -> Option<Mistake> {
    let tokens = see_through(layout.stream());
    let array = read(&TokenStream::new(), &tokens).ok()?;
    let bound = |(dim, size): (&Dim, &Size)| {
        matches!(dim, Dim::Bounded(_)) || matches!(size, Size::Const { bound: true, .. })
    };
    if array.shape.dims.iter().zip(&array.sizes).any(bound) {
        let brackets = tokens
            .iter()
            .find(|token| inside(Some(token), Delimiter::Bracket).is_some())?;
        let found = "XLA passes arrays with their sizes, and this layout has a bound";
        let help = "write `?` in the place of `<=` and the number";
        return Some(Mistake::new(TokenRange::of(brackets), found, help));
    }
    let layout = array.shape.layout.as_ref()?;
    let has = [
        (!layout.tiles.is_empty(), "tiles"),
        (
            layout.tail_padding_alignment_in_elements != 1,
            "a tail alignment `L(…)`",
        ),
        (layout.memory_space != 0, "a memory space `S(…)`"),
        (!layout.split_configs.is_empty(), "splits `SC(…)`"),
        (
            layout.dynamic_shape_metadata_prefix_bytes != 0,
            "a prefix of metadata `M(…)`",
        ),
        (!layout.padded_dimensions.is_empty(), "padding"),
        (
            !matches!(layout.padding_value, None | Some(PaddingValue::Unknown)),
            "a padding value",
        ),
    ];
    let what = has.iter().find(|row| row.0)?.1;
    let dense = Layout::new(layout.minor_to_major.clone()).to_string();
    Some(Mistake::new(
        layout_place(&tokens),
        format!("XLA passes dense arrays on the CPU, and this layout has {what}"),
        match what {
            "tiles" | "padding" | "a tail alignment `L(…)`" => format!(
                "write `{dense}`; or `Converted<layout!(…)>` around this layout (feature `relayout`), \
                 which converts the array in the kernel"
            ),
            _ => format!("write `{dense}`"),
        },
    ))
}
