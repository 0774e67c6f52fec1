//! The metadata of a sharding: `{op_name="a" source_line=7}`.

use alloc::string::String;
use alloc::vec::Vec;

use super::reader::Reader;
use super::{Attribute, OpMetadata, ShardingErrorKind as Kind, ShardingPart, unescape};
use xlayout_shape::error::Item;
use xlayout_shape::text::lex::TokenKind;

const METADATA: &str = "write such as `metadata={op_type=\"…\" op_name=\"…\" source_file=\"…\" \
                        source_line=7}`; numbers have 32 bits";

impl Reader<'_, '_> {
    /// `{op_name="a" source_line=7}`, or several of these in braces.
    pub(super) fn metadata(&mut self, metadata: &mut Vec<OpMetadata>) -> Option<()> {
        if !(self.at(b'{') && self.second().tok == TokenKind::Mark(b'{')) {
            metadata.push(self.one_metadata()?);
            return Some(());
        }
        self.advance();
        metadata.extend(self.list(Self::one_metadata)?);
        self.need(b'}', &["`,` or `}`", METADATA])
    }

    fn one_metadata(&mut self) -> Option<OpMetadata> {
        self.need(b'{', &["`{` and metadata", METADATA])?;
        let mut metadata = OpMetadata::default();
        while !self.eat(b'}') {
            // XLA takes commas here, and prints none.
            self.eat(b',');
            let span = self.here();
            let name = match self.token.tok {
                TokenKind::Word => self.slice(span),
                _ => "",
            };
            let next = self.second();
            let is_attribute = next.tok == TokenKind::Mark(b'=') && next.start == span.1;
            let attribute = metadata.attribute_mut(name).filter(|_| is_attribute);
            let Some(attribute) = attribute else {
                return self.expected(&["an attribute of metadata", METADATA]);
            };
            self.advance();
            self.advance();
            match attribute {
                Attribute::Text(text) => *text = self.quoted()?,
                Attribute::Number(number) => *number = self.small()?,
                Attribute::Numbers(numbers) => {
                    self.need(b'{', &["`{` and numbers", METADATA])?;
                    while !self.eat(b'}') {
                        numbers.push(self.small()?);
                        self.comma_or(b'}', &["`,` or `}`", METADATA])?;
                    }
                }
            }
        }
        Some(metadata)
    }

    /// A number of 32 bits.
    fn small(&mut self) -> Option<i32> {
        let span = self.here();
        let found = self.found();
        let number = self.integer(Item::Argument).ok()?;
        let small = i32::try_from(number).ok();
        small.or_else(|| {
            let expected = ShardingPart(&["a number of 32 bits", METADATA]);
            let kind = Kind::Expected { expected, found };
            self.wrong_at(kind, span)
        })
    }

    /// A text in double quotes.
    fn quoted(&mut self) -> Option<String> {
        let span = self.here();
        let found = self.found();
        let text = self.slice(span);
        let inside = match self.token.tok {
            // A lone quote mark is its own beginning, but not its end.
            TokenKind::Quoted if text.len() > 1 => {
                text.strip_prefix('"').and_then(|t| t.strip_suffix('"'))
            }
            _ => None,
        };
        let Some(text) = inside.and_then(unescape) else {
            return self.wrong_at(Kind::Quote { found }, span);
        };
        self.advance();
        Some(text)
    }
}
