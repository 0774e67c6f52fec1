//! The colours of the terminal.

use std::io;

use anstyle::{Ansi256Color, Color, RgbColor, Style};
use xlayout_view::{Rgb, Shade};

/// How the text of a picture has colours; `None` if the terminal has none: a pipe, a file,
/// `NO_COLOR`.
pub(crate) fn of_stdout() -> Option<&'static dyn Fn(Shade) -> Style> {
    match anstream::AutoStream::choice(&io::stdout()) {
        anstream::ColorChoice::Never => None,
        _ if anstyle_query::truecolor() => Some(&in_24_bits),
        _ => Some(&in_256_colours),
    }
}

fn in_24_bits(shade: Shade) -> Style {
    let rgb = |Rgb(red, green, blue)| RgbColor(red, green, blue).into();
    style(rgb(shade.colour()), rgb(shade.colour().text()))
}

/// The 256 colours of xterm.
fn in_256_colours(shade: Shade) -> Style {
    let (ground, text) = shade.indexed();
    style(Ansi256Color(ground).into(), Ansi256Color(text).into())
}

fn style(ground: Color, text: Color) -> Style {
    Style::new().bg_color(Some(ground)).fg_color(Some(text))
}
