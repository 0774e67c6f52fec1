//! `input_output_alias`, results that take the memory of parameters, and the same of instructions.

use super::{Alias, tail};
use crate::wrong::Wrong;

/// Reads `{ {0}: (1, {}, may-alias), {1,0}: (2, {0}, must-alias) }`. Returns the aliases, and the
/// error of the first item that has another form.
pub(super) fn aliases(text: &str) -> (Vec<Alias>, Option<Wrong>) {
    let mut aliases = Vec::new();
    let mut wrong = None;
    for item in items(text).unwrap_or_else(|| vec![text]) {
        match alias(item) {
            Some(alias) => aliases.push(alias),
            None => {
                let item = xlayout_words::shortened(item, 60);
                let message = format!("`{item}` in `input_output_alias` cannot be read");
                let help = "write the result, the parameter's number and the place in it: `{0}: (1, {}, may-alias)`";
                wrong = wrong.or(Some(Wrong::new(message, help)));
            }
        }
    }
    (aliases, wrong)
}

/// Reads the aliases of an instruction: `{{0}: (1, {}), {1}: (2, {0})}` of
/// `output_to_operand_aliasing`. Returns `None` if one cannot be read.
pub(crate) fn of_operands(text: &str) -> Option<Vec<Alias>> {
    items(text)?.into_iter().map(alias).collect()
}

fn items(list: &str) -> Option<Vec<&str>> {
    Some(tail::parts(
        list.trim().strip_prefix('{')?.strip_suffix('}')?,
    ))
}

/// Reads `{0}: (1, {}, may-alias)`; aliases of operands have no kind.
fn alias(item: &str) -> Option<Alias> {
    let index = |text: &str| -> Option<Box<[u32]>> {
        tail::numbers(text)?
            .into_iter()
            .map(|number| u32::try_from(number).ok())
            .collect()
    };
    let (result, target) = item.split_once(':')?;
    let fields = tail::parts(target.trim().strip_prefix('(')?.strip_suffix(')')?);
    // Older versions of XLA leave out the kind.
    let is_known = matches!(fields.get(2), None | Some(&("must-alias" | "may-alias")));
    Some(Alias {
        result: index(result)?,
        parameter: fields.first()?.parse().ok()?,
        index: index(fields.get(1)?)?,
    })
    .filter(|_| is_known)
}
