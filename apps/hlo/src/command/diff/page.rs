//! The differences on a page.

use serde_json::{Value, json};
use xlayout_view::json::number;

use super::words::{change, place, sums};
use crate::diff::{Changed, Diff};
use crate::page::{COPIES, Page, shown};

impl Page {
    /// Makes the page show the differences between its two modules.
    pub(crate) fn compare(&mut self, diff: &Diff) {
        if !self.is_wanted {
            return;
        }
        let sums = sums(diff).into_iter().map(|(what, a, b)| {
            json!({ "what": what, "a": number(a), "b": number(b), "change": change(a, b) })
        });
        let layout = |changed: &Changed| {
            let place = place(changed);
            json!({ "place": place, "a": changed.shape_a, "b": changed.shape_b })
        };
        let layouts: Vec<Value> = diff.layouts.iter().take(COPIES).map(layout).collect();
        self.diff = Some(json!({
            "a": diff.a.file, "b": diff.b.file, "sums": sums.collect::<Vec<_>>(), "layouts": layouts, "layouts_in_all": diff.layouts.len(),
            "removed": shown(&diff.removed), "removed_in_all": diff.removed.len(),
            "added": shown(&diff.added), "added_in_all": diff.added.len(),
        }));
    }
}
