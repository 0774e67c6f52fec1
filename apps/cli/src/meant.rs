//! What to write in the place of a flag or of a command that other programs have.

use clap::error::{ContextKind, ContextValue, Error};

/// Each line has a command, the word that people type there (any one is `*`), and the tip. The last
/// line that fits says most.
const MEANT: &str = include_str!("meant.txt");

/// Puts the tip into an error of clap's. clap's own tip for a flag, `-- --layout`, goes: no
/// argument of this program begins with a hyphen.
pub(crate) fn tell(error: &mut Error) {
    let has_other = error.get(ContextKind::SuggestedSubcommand).is_some();
    let usage = match error.get(ContextKind::Usage) {
        Some(ContextValue::StyledStr(usage)) => usage.to_string(),
        _ => return,
    };
    let word = [ContextKind::InvalidArg, ContextKind::InvalidSubcommand];
    let word = match word.into_iter().find_map(|kind| error.get(kind)) {
        Some(ContextValue::String(word)) => word.clone(),
        Some(ContextValue::Strings(words)) => words.join(" "),
        _ => return,
    };
    let is_command = error.get(ContextKind::InvalidSubcommand).is_some();
    let tip = MEANT.lines().rev().find_map(|line| {
        let mut parts = line.splitn(3, " | ");
        let command = parts.next()?;
        let typed = parts.next()?;
        let tip = parts.next()?;
        let fits = typed == word || typed == "*" && is_command && !has_other;
        (fits && usage.contains(&format!("{command} "))).then_some(tip)
    });
    error.remove(ContextKind::Suggested);
    if let Some(tip) = tip {
        error.insert(
            ContextKind::Suggested,
            ContextValue::StyledStrs(vec![tip.into()]),
        );
    }
}
