//! Arrays, tokens and opaque values: shapes without parts that are shapes.

use super::lex::Tok;
use super::read::{Reader, Span};
use super::read_list::{Known, Read, Stop};
use crate::dims::{Dim, Dims, INLINE_RANK};
use crate::dynamic::check_addressable;
use crate::error::{ErrorKind, Excerpt, Item, NotAnArray, suggest_type};
use crate::layout::Layout;
use crate::list::List;
use crate::modes::LowerError;
use crate::primitive::PrimitiveType;
use crate::shape::ArrayShape;
use crate::validate::{self, Place};

/// Where the parts of a shape stand in the text.
#[derive(Default)]
pub(super) struct Spans {
    element_type: Span,
    dims: Span,
    dim: List<Span, INLINE_RANK>,
    pub(super) order: Span,
    pub(super) order_entry: List<Span, INLINE_RANK>,
    pub(super) tail: Span,
    pub(super) index_type: Span,
    pub(super) pointer_type: Span,
    pub(super) tile: List<Span, 4>,
    pub(super) tile_entry: List<Span, 12>,
    pub(super) element_size: Span,
    pub(super) splits: Span,
    pub(super) padded: Span,
    pub(super) padded_entry: List<Span, INLINE_RANK>,
}

impl Spans {
    fn at(&self, place: Place) -> Span {
        // Without a heap the lists of places are short: fall back to the whole.
        fn entry<const N: usize>(list: &List<Span, N>, k: usize, whole: Span) -> Span {
            list.get(k).copied().unwrap_or(whole)
        }
        match place {
            Place::ElementType => self.element_type,
            Place::Dims => self.dims,
            Place::Dim(k) => entry(&self.dim, k, self.dims),
            Place::Order => self.order,
            Place::OrderEntry(k) => entry(&self.order_entry, k, self.order),
            Place::TailAlignment => self.tail,
            Place::IndexType => self.index_type,
            Place::PointerType => self.pointer_type,
            Place::Tile(k) => entry(&self.tile, k, self.order),
            Place::TileEntry(k) => entry(&self.tile_entry, k, self.order),
            Place::ElementSize => self.element_size,
            Place::Splits => self.splits,
            Place::Padded => self.padded,
            Place::PaddedEntry(k) => entry(&self.padded_entry, k, self.padded),
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
            Tok::End => {
                self.say(ErrorKind::Empty, (start, start));
                return None;
            }
            Tok::Mark(b'(') => NotAnArray::Tuple,
            _ if self.at_buffer() => NotAnArray::Buffer,
            Tok::Word if self.slice(self.here()) == "token" => NotAnArray::Token,
            Tok::Word if self.slice(self.here()) == "opaque" => NotAnArray::Opaque,
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
        self.token.tok == Tok::Word
            && self.slice(self.here()) == "b"
            && self.second().tok == Tok::Mark(b'(')
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
        match element_type {
            Some(kind @ (PrimitiveType::Token | PrimitiveType::OpaqueType)) => {
                if !dims.is_empty() {
                    self.say(ErrorKind::NoDimensions { element_type: kind }, spans.dims);
                }
                self.no_layout(kind);
                Some(if kind == PrimitiveType::Token {
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
    pub(super) fn no_layout(&mut self, element_type: PrimitiveType) {
        if self.at_layout() {
            let start = self.token.start;
            self.skip_group();
            self.say(ErrorKind::NoLayout { element_type }, (start, self.last_end));
        }
    }

    fn element_type(&mut self) -> Option<PrimitiveType> {
        let found = self.found();
        match self.token.tok {
            Tok::Word => {
                let name = self.slice(self.here());
                let element_type = PrimitiveType::from_name(name);
                if element_type.is_none() {
                    let suggestion = suggest_type(name);
                    self.blame(ErrorKind::UnknownType { found, suggestion });
                }
                self.advance();
                element_type
            }
            _ => {
                self.blame(ErrorKind::MissingType { found });
                if !matches!(self.token.tok, Tok::Mark(_) | Tok::End) {
                    self.advance();
                }
                None
            }
        }
    }

    /// `[2,<=3,?]`
    fn dims(&mut self, element_type: Option<PrimitiveType>, spans: &mut Spans) -> (Dims, Known) {
        let mut dims = Dims::new();
        match (self.token.tok, element_type) {
            (Tok::Mark(b'['), _) => {}
            (Tok::Mark(mark @ (b'(' | b'{' | b'<')), Some(element_type)) => {
                let span = self.here();
                let text = &self.text[span.1..];
                let close = char::from(super::read::closing(mark));
                let inside = Excerpt::new(text[..text.find(close).unwrap_or(text.len())].trim());
                let open = char::from(mark);
                self.blame(ErrorKind::WrongBracket {
                    element_type,
                    open,
                    inside,
                });
            }
            (_, element_type) => {
                if let Some(element_type) = element_type {
                    let found = self.found();
                    self.blame(ErrorKind::MissingDimensions {
                        element_type,
                        found,
                    });
                }
                return (dims, Known::NOTHING);
            }
        }
        let open = self.enter();
        // A layout may begin where `]` was forgotten.
        let stop = Stop {
            marks: if open.tok == Tok::Mark(b'{') {
                &[]
            } else {
                b"{"
            },
            attributes: false,
        };
        let mut known = self.items(open, Item::Dimension, stop, &mut |reader| {
            let start = reader.token.start;
            let (dim, read) = match reader.dim(dims.len()) {
                Ok(dim) => (dim, Read::Well),
                // It is one dimension nevertheless: keep its place.
                Err(read) => (Dim::Unbounded, read),
            };
            let _ = spans.dim.try_push((start, reader.last_end.max(start)));
            match reader.push(&mut dims, dim, Item::Dimension) {
                Read::Well => read,
                full => full,
            }
        });
        if !self.leave(open) {
            known = Known::NOTHING;
        }
        spans.dims = (open.start, self.last_end);
        (dims, known)
    }

    fn dim(&mut self, dimension: usize) -> Result<Dim, Read> {
        let start = self.token.start;
        let bounded = match self.token.tok {
            Tok::Mark(b'?') => {
                self.advance();
                if self.token.tok == Tok::Word {
                    self.blame(ErrorKind::NamedRunTimeSize {
                        found: self.found(),
                    });
                    self.advance();
                    return Err(Read::Badly);
                }
                return Ok(Dim::Unbounded);
            }
            Tok::AtMost => {
                self.advance();
                true
            }
            Tok::Mark(b'<' | b'=' | b'>') => {
                self.blame(ErrorKind::BoundSign {
                    found: self.found(),
                });
                // `<3`, `=<3`, `>=3`: the number belongs to it.
                while matches!(self.token.tok, Tok::Mark(b'<' | b'=' | b'>') | Tok::AtMost) {
                    self.advance();
                }
                if matches!(self.token.tok, Tok::Int | Tok::Number(_)) {
                    self.advance();
                }
                return Err(Read::Badly);
            }
            _ => false,
        };
        let item = if bounded {
            Item::Bound
        } else {
            Item::Dimension
        };
        let size = self.integer(item)?;
        if size < 0 {
            self.say(
                ErrorKind::NegativeDimension { dimension, size },
                (start, self.last_end),
            );
            return Err(Read::Badly);
        }
        Ok(if bounded {
            Dim::Bounded(size)
        } else {
            Dim::Static(size)
        })
    }

    /// Whether a layout begins here. Behind a shape in a longer text, `{` may begin something
    /// else; there XLA's rule holds: a layout begins with a number or with `:`.
    fn at_layout(&self) -> bool {
        match self.token.tok {
            Tok::Mark(b'{') if self.prefix => {
                matches!(self.second().tok, Tok::Int | Tok::Mark(b':'))
            }
            Tok::Mark(b'{') => true,
            Tok::Mark(b'<') => !self.prefix,
            _ => false,
        }
    }

    /// The layout and the options of an array, and the checks.
    fn array(
        &mut self,
        element_type: Option<PrimitiveType>,
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
            let (span, mark) = (self.here(), self.token.tok);
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
            if mark == Tok::Mark(b'<') && !self.extended() {
                self.skip_group();
                let span = (span.0, self.last_end);
                let found = Excerpt::new(self.slice(span));
                self.say(ErrorKind::NotXla { found }, span);
                continue;
            }
            if mark == Tok::Mark(b'{') && self.second().tok == Tok::Mark(b'}') {
                self.skip_group();
                let rank = dims.len();
                self.say(ErrorKind::EmptyLayout { rank }, (span.0, self.last_end));
                continue;
            }
            layout.minor_to_major = Default::default();
            order_known = self.layout(&mut layout, spans);
        }
        let padded_known = self.options(&mut layout, rank, spans);

        let shape = ArrayShape {
            element_type: element_type.unwrap_or(PrimitiveType::Pred),
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
        let (rank, listed) = (shape.dims.len(), layout.minor_to_major.len());
        let order_read = order_known.items;
        let order_known = order_read && dims_known.count;
        let (validate, addressable) = (self.validate, self.rules.addressable);
        let mut report = |place, kind| self.say(kind, spans.at(place));
        if !validate {
            // XLA's own reader compares the lengths, and leaves the rest to the validation.
            if order_known && listed != rank {
                report(Place::Order, ErrorKind::MinorToMajorLength { listed, rank });
            }
            return;
        }
        if sizes_known {
            validate::sizes(shape.element_type, &shape.dims, Some(layout), &mut report);
        }
        if order_known {
            validate::order(&layout.minor_to_major, rank, &mut report);
        } else if order_read {
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
                LowerError::BadSplit => Place::Splits,
                // What else can go wrong is too much padding, or dimensions merged too early.
                _ if layout.tiles.is_empty() => Place::TailAlignment,
                _ => Place::Tile(0),
            };
            self.say(ErrorKind::Lower(error), spans.at(place));
        }
    }
}
