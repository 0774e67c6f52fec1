//! The command line.

use clap::{ColorChoice, Parser, ValueEnum};

/// The program without its commands.
#[derive(Debug, Parser)]
#[command(
    name = "xlayout",
    version,
    about = "See how the elements of an array lie in memory",
    max_term_width = 80
)]
pub(crate) struct Program {
    /// Colours: on a terminal only, always, or never
    ///
    /// `auto` is: on a terminal, unless NO_COLOR is set; CLICOLOR_FORCE=1 turns them on everywhere.
    #[arg(long, value_name = "WHEN", value_enum, global = true, display_order = 900, default_value_t = ColorChoice::Auto)]
    color: ColorChoice,
}

/// Applies the choice of colours in the words of a command line to the answer, to errors, and to
/// what clap prints. It comes before clap reads the words, because clap's help and errors have
/// colours, too.
pub(crate) fn apply_color(words: &[String]) {
    let options = words.iter().take_while(|word| *word != "--");
    let mut next = options.clone().skip(1);
    let mut found = None;
    for word in options {
        let following = next.next();
        let value = match word.strip_prefix("--color") {
            Some("") => following.map(String::as_str),
            Some(value) => value.strip_prefix('='),
            None => None,
        };
        found = value
            .and_then(|value| ColorChoice::from_str(value, false).ok())
            .or(found);
    }
    match found {
        None => return,
        Some(ColorChoice::Auto) => anstream::ColorChoice::Auto,
        Some(ColorChoice::Always) => anstream::ColorChoice::Always,
        Some(ColorChoice::Never) => anstream::ColorChoice::Never,
    }
    .write_global();
}
