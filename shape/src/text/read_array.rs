//! Arrays, tokens and opaque values: shapes without parts that are shapes.

use super::lex::TokenKind;
use super::read::{Reader, Span};
use super::read_list::Known;
use crate::constant::INLINE_RANK;
use crate::dims::Dims;
use crate::element_type::ElementType;
use crate::error::{ErrorKind, NotLowered, ShortOrder, Suggestion, suggest_type};
use crate::layout::Layout;
use crate::list::List;
use crate::lowering::check_addressable;
use crate::shape::ArrayShape;
use crate::validate::{self, ShapePart};

/// Where the parts of a shape are in the text. The lists have one length, so that their code is
/// generated once.
#[derive(Default)]
pub(super) struct Spans {
    element_type: Span,
    pub(super) dims: Span,
    pub(super) dim: List<Span, INLINE_RANK>,
    pub(super) order: Span,
    pub(super) order_entry: List<Span, INLINE_RANK>,
    pub(super) tail: Span,
    pub(super) index_type: Span,
    pub(super) pointer_type: Span,
    pub(super) tile: List<Span, INLINE_RANK>,
    pub(super) tile_entry: List<Span, INLINE_RANK>,
    pub(super) element_size: Span,
    pub(super) split: List<Span, INLINE_RANK>,
    pub(super) split_index: List<Span, INLINE_RANK>,
    pub(super) splits: Span,
    pub(super) padded: Span,
    pub(super) padded_entry: List<Span, INLINE_RANK>,
}

impl Spans {
    fn at(&self, place: ShapePart) -> Span {
        // Without a heap the lists of places are short: fall back to the whole.
        fn entry(list: &List<Span, INLINE_RANK>, k: usize, whole: Span) -> Span {
            list.get(k).copied().unwrap_or(whole)
        }
        match place {
            ShapePart::ElementType => self.element_type,
            ShapePart::Dims => self.dims,
            ShapePart::Dim(k) => entry(&self.dim, k, self.dims),
            ShapePart::MinorToMajor => self.order,
            ShapePart::MinorToMajorEntry(k) => entry(&self.order_entry, k, self.order),
            ShapePart::TailAlignment => self.tail,
            ShapePart::IndexType => self.index_type,
            ShapePart::PointerType => self.pointer_type,
            ShapePart::WholeTile(k) => entry(&self.tile, k, self.order),
            ShapePart::TileEntry(k) => entry(&self.tile_entry, k, self.order),
            ShapePart::ElementSize => self.element_size,
            ShapePart::Split(k) => entry(&self.split, k, self.order),
            ShapePart::SplitIndex(k) => entry(&self.split_index, k, self.order),
            ShapePart::Splits => self.splits,
            ShapePart::Padded => self.padded,
            ShapePart::PaddedEntry(k) => entry(&self.padded_entry, k, self.padded),
        }
    }
}

/// A shape without parts that are shapes.
#[allow(clippy::large_enum_variant, reason = "it is taken apart at once")]
pub(super) enum Leaf {
    Array(ArrayShape),
    Token,
    Opaque,
}

impl Reader<'_, '_> {
    /// A whole text that is one array.
    pub(super) fn whole_array(mut self) -> Option<ArrayShape> {
        let start = self.token.start;
        let found = match self.token.tok {
            TokenKind::End => {
                self.say(ErrorKind::Empty, (start, start));
                return None;
            }
            TokenKind::Mark(b'(') if self.second().tok != TokenKind::Integer => ElementType::Tuple,
            _ if self.at_buffer() => ElementType::Buffer,
            TokenKind::Word if self.slice(self.here()) == "token" => ElementType::Token,
            TokenKind::Word if self.slice(self.here()) == "opaque" => ElementType::OpaqueType,
            _ => match self.leaf() {
                Some(Leaf::Array(array)) => {
                    self.end();
                    return (self.errors() == 0).then_some(array);
                }
                _ => return None,
            },
        };
        // One mistake, whatever else is wrong in there.
        while !self.at_end() {
            self.advance();
        }
        self.say(
            ErrorKind::NotAnArray { found },
            (start, self.last_end.max(start)),
        );
        None
    }

    /// `b(`
    pub(super) fn at_buffer(&self) -> bool {
        self.token.tok == TokenKind::Word
            && self.slice(self.here()) == "b"
            && self.second().tok == TokenKind::Mark(b'(')
    }

    /// An array, a token or an opaque value. `None` where nothing of it can be made out: what
    /// follows is not looked at then.
    #[inline(never)]
    pub(super) fn leaf(&mut self) -> Option<Leaf> {
        let mut spans = Spans {
            element_type: self.here(),
            ..Spans::default()
        };
        let element_type = self.element_type();
        if element_type.is_none() && !self.at(b'[') {
            return None;
        }
        let (dims, dims_known) = self.dims(element_type, &mut spans);
        if element_type.is_none() && self.token.tok == TokenKind::Word {
            // `[2,3]f32`: where the type belongs was said.
            let name = self.slice(self.here());
            let known = ElementType::from_name(name).is_some();
            if known || suggest_type(name) != Suggestion::None {
                self.advance();
            }
        }
        match element_type {
            Some(kind @ (ElementType::Token | ElementType::OpaqueType)) => {
                if !dims.is_empty() {
                    self.say(ErrorKind::NoDimensions { element_type: kind }, spans.dims);
                }
                self.no_layout(kind);
                Some(if kind == ElementType::Token {
                    Leaf::Token
                } else {
                    Leaf::Opaque
                })
            }
            _ => {
                let array = self.array(element_type, dims, dims_known, &mut spans);
                Some(Leaf::Array(array))
            }
        }
    }

    /// What has no layout may not be given one.
    pub(super) fn no_layout(&mut self, element_type: ElementType) {
        if self.at_layout() {
            let start = self.token.start;
            self.skip_group();
            self.say(ErrorKind::NoLayout { element_type }, (start, self.last_end));
        }
    }

    /// Whether a layout begins here. Behind a shape in a longer text, `{` may begin something
    /// else; there XLA's rule holds: a layout begins with a number or with `:`.
    fn at_layout(&self) -> bool {
        match self.token.tok {
            TokenKind::Mark(b'{') if self.prefix => {
                matches!(
                    self.second().tok,
                    TokenKind::Integer | TokenKind::Mark(b':')
                )
            }
            TokenKind::Mark(b'{') => true,
            TokenKind::Mark(b'<') => !self.prefix,
            _ => false,
        }
    }

    /// The layout and the options of an array, and the checks.
    fn array(
        &mut self,
        element_type: Option<ElementType>,
        dims: Dims,
        dims_known: Known,
        spans: &mut Spans,
    ) -> ArrayShape {
        let rank = dims_known.count.then_some(dims.len());
        // Only a rank beyond 16 without a heap fails, and that was reported with the dimensions.
        let mut layout = Layout::row_major(dims.len()).unwrap_or(Layout::new(Default::default()));
        let mut order_known = Known::NOTHING;
        let mut given = None;
        while self.at_layout() {
            let span = self.here();
            let mark = self.token.tok;
            if let Some(earlier) = given {
                let both = earlier != mark && self.extended();
                self.skip_group();
                let kind = if both {
                    ErrorKind::TwoNotations
                } else {
                    ErrorKind::LayoutTwice
                };
                self.say(kind, (span.0, self.last_end));
                continue;
            }
            given = Some(mark);
            if mark == TokenKind::Mark(b'<') && !self.extended() {
                self.skip_group();
                let (found, span) = self.read_since(span.0);
                self.say(ErrorKind::NotXla { found }, span);
                continue;
            }
            if mark == TokenKind::Mark(b'{') && self.second().tok == TokenKind::Mark(b'}') {
                self.skip_group();
                let rank = dims.len();
                self.say(ErrorKind::EmptyLayout { rank }, (span.0, self.last_end));
                continue;
            }
            if self.order_in_words_in_braces(dims.len()) {
                continue;
            }
            layout.minor_to_major = Default::default();
            order_known = self.layout(&mut layout, spans);
        }
        let order = rank.and_then(|_| ShortOrder::listed(&layout.minor_to_major));
        self.attributes_outside(order);
        let padded_known = self.options(&mut layout, rank, given.is_some(), spans);

        let shape = ArrayShape {
            // An unknown one was reported: nothing is answered, and no check looks at this.
            element_type: element_type.unwrap_or(ElementType::Pred),
            dims,
            layout: Some(layout),
        };
        let sizes_known = dims_known.items && element_type.is_some();
        self.check(
            &shape,
            sizes_known,
            dims_known,
            order_known,
            padded_known,
            spans,
        );
        shape
    }

    /// Checks what was read well.
    fn check(
        &mut self,
        shape: &ArrayShape,
        sizes_known: bool,
        dims_known: Known,
        order_known: Known,
        padded_known: Known,
        spans: &Spans,
    ) {
        let Some(layout) = &shape.layout else { return };
        let rank = shape.dims.len();
        let listed = layout.minor_to_major.len();
        let is_comparable = order_known.items && dims_known.count;
        let validate = self.validate;
        let addressable = self.rules.addressable;
        let splits_checked = self.tuples > 0 && !layout.split_configs.is_empty();
        let mut report = |place, kind| self.say(kind, spans.at(place));
        if splits_checked && is_comparable && sizes_known {
            // XLA's own reader, not its validation, looks at these splits, and for that at
            // minor_to_major.
            if !validate && listed == rank {
                validate::order(&layout.minor_to_major, rank, &mut report);
            }
            validate::splits(&shape.dims, layout, &mut report);
        }
        if !validate {
            // XLA's own reader compares the lengths, and leaves the rest to the validation.
            if is_comparable && listed != rank {
                report(
                    ShapePart::MinorToMajor,
                    ErrorKind::MinorToMajorLength { listed, rank },
                );
            }
            return;
        }
        if sizes_known {
            validate::sizes(shape.element_type, &shape.dims, Some(layout), &mut report);
        }
        if is_comparable {
            validate::order(&layout.minor_to_major, rank, &mut report);
        } else if order_known.items {
            // The rank is in doubt; a dimension that is listed twice is not.
            let any = listed.max(64);
            validate::distinct(&layout.minor_to_major, any, &mut report);
        }
        validate::attributes(layout, addressable, &mut report);
        if padded_known.items && sizes_known {
            validate::padding(shape.element_type, &shape.dims, layout, &mut report);
        }
        if addressable
            && self.errors() == 0
            && let Err(error) = check_addressable(shape, layout)
        {
            let place = match error {
                NotLowered::BadSplit => ShapePart::Splits,
                // What else can go wrong is too much padding, or dimensions merged too early.
                _ if layout.tiles.is_empty() => ShapePart::TailAlignment,
                _ => ShapePart::WholeTile(0),
            };
            self.say(ErrorKind::Lower(error), spans.at(place));
        }
    }
}
