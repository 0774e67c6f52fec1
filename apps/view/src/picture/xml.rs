//! Pieces of SVG with their sizes: text, boxes and lines.
//!
//! Colours are attributes, not CSS, because every program that shows SVG supports them. A page may
//! still change them by their classes, since CSS overrides attributes.

use std::fmt::Write as _;

/// Escapes `<`, `&` and quotes, and removes characters that XML does not allow.
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut rest = text;
    // Most texts have none: what is between them is copied at once.
    while let Some((at, c)) = rest.char_indices().find(|&(_, c)| is_special(c)) {
        escaped += &rest[..at];
        escaped += match c {
            '<' => "&lt;",
            '>' => "&gt;",
            '&' => "&amp;",
            '"' => "&quot;",
            _ => "\u{fffd}",
        };
        rest = &rest[at + c.len_utf8()..];
    }
    escaped + rest
}

fn is_special(c: char) -> bool {
    match c {
        '<' | '>' | '&' | '"' | '\u{fffe}' | '\u{ffff}' => true,
        '\t' | '\n' => false,
        c => c.is_control(),
    }
}

pub(crate) const MONO: &str =
    "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace";
pub(crate) const SANS: &str = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', \
                               'DejaVu Sans', Arial, sans-serif";

/// The style and the alignment of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Face {
    family: &'static str,
    pub(crate) size: u32,
    bold: bool,
    muted: bool,
    anchor: Anchor,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Anchor {
    Start,
    Middle,
    End,
}

impl Face {
    pub(crate) const HEADING: Self = Self::new(MONO, 20).bold();
    pub(crate) const TEXT: Self = Self::new(SANS, 14);
    pub(crate) const SMALL: Self = Self::new(SANS, 12).muted();
    pub(crate) const NUMBER: Self = Self::new(MONO, 11).muted();
    pub(crate) const LABEL: Self = Self::new(MONO, 13).bold();

    const fn new(family: &'static str, size: u32) -> Self {
        Self {
            family,
            size,
            bold: false,
            muted: false,
            anchor: Anchor::Start,
        }
    }

    const fn bold(self) -> Self {
        Self { bold: true, ..self }
    }

    pub(crate) const fn muted(mut self) -> Self {
        self.muted = true;
        self
    }

    pub(crate) const fn strong(mut self) -> Self {
        self.muted = false;
        self
    }

    /// The same style, centred at the position.
    pub(crate) const fn centred(mut self) -> Self {
        self.anchor = Anchor::Middle;
        self
    }

    /// The same style, with the right end at the position.
    pub(crate) const fn right(mut self) -> Self {
        self.anchor = Anchor::End;
        self
    }

    /// The approximate width of a text: fonts differ.
    pub(crate) fn width(self, text: &str) -> u32 {
        // A list of a million devices is no part of a picture that fits anything.
        let columns = unicode_width::UnicodeWidthStr::width(text).min(1 << 16) as u32;
        let thousandths = if self.family == MONO { 610 } else { 520 };
        (columns * self.size * thousandths).div_ceil(1000)
    }
}

/// A part of the picture with its own origin.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fragment {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) body: String,
}

impl Fragment {
    /// Text whose base line is at `y`.
    pub(crate) fn text(&mut self, (x, y): (u32, u32), face: Face, text: &str) {
        let width = face.width(text);
        let (attribute, right) = match face.anchor {
            Anchor::Start => ("", x + width),
            Anchor::Middle => (" text-anchor=\"middle\"", x + width / 2),
            Anchor::End => (" text-anchor=\"end\"", x),
        };
        let Face { family, size, .. } = face;
        let weight = if face.bold {
            " font-weight=\"600\""
        } else {
            ""
        };
        let (class, fill) = if face.muted {
            ("muted", "#5b6470")
        } else {
            ("ink", "#161b22")
        };
        let _ = writeln!(
            self.body,
            "<text x=\"{x}\" y=\"{y}\"{attribute} class=\"{class}\" fill=\"{fill}\" \
             font-family=\"{family}\" font-size=\"{size}\"{weight}>{}</text>",
            escaped(text)
        );
        self.width = self.width.max(right);
        self.height = self.height.max(y + size / 4);
    }

    /// Adds a part at this position.
    pub(crate) fn put(&mut self, x: u32, y: u32, part: &Self) {
        if part.body.is_empty() {
            return;
        }
        let _ = writeln!(
            self.body,
            "<g transform=\"translate({x} {y})\">\n{}</g>",
            part.body
        );
        self.width = self.width.max(x + part.width);
        self.height = self.height.max(y + part.height);
    }

    /// Adds a part below the content.
    pub(crate) fn below(&mut self, gap: u32, part: &Self) {
        if part.body.is_empty() {
            return;
        }
        let gap = if self.height == 0 { 0 } else { gap };
        self.put(0, self.height + gap, part);
    }
}

/// Parts one after the other, in lines of at most `width` pixels.
pub(crate) fn flow(parts: &[Fragment], width: u32, gap: u32) -> Fragment {
    let mut all = Fragment::default();
    let mut x = 0;
    let mut y = 0;
    for part in parts {
        if x > 0 && x + part.width > width {
            x = 0;
            y = all.height + gap;
        }
        all.put(x, y, part);
        x += part.width + gap;
    }
    all
}

/// The empty space around a picture.
const MARGIN: u32 = 32;

/// A whole file: the picture with a margin, `definitions` before it. Screen readers read the title
/// and the description.
pub(crate) fn document(
    title: &str,
    description: &str,
    definitions: &str,
    picture: &Fragment,
) -> String {
    let width = picture.width + 2 * MARGIN;
    let height = picture.height + 2 * MARGIN;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" aria-labelledby=\"title desc\">\n<title \
         id=\"title\">{}</title>\n<desc id=\"desc\">{}</desc>\n{definitions}",
        escaped(title),
        escaped(description),
    );
    let _ = writeln!(
        svg,
        "<rect class=\"ground\" width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>"
    );
    let mut moved = Fragment::default();
    moved.put(MARGIN, MARGIN, picture);
    svg + &moved.body + "</svg>\n"
}
