//! Which kinds of layouts and of memory have met which operation: recorded by the tests when they
//! run, and compared with the types that the source defines and with the tables in
//! `tests/README.md`.
#![cfg_attr(not(test), allow(dead_code, reason = "only the tests compare"))]

use std::any::type_name;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// The name of a type, and an operation that it was tested with.
type Seen = BTreeSet<(String, &'static str)>;

thread_local! {
    static SEEN: RefCell<BTreeSet<(&'static str, &'static str)>> = const { RefCell::new(BTreeSet::new()) };
    static MEMORY: RefCell<BTreeSet<(&'static str, &'static str)>> = const { RefCell::new(BTreeSet::new()) };
}

/// A layout of this type has met an operation.
pub(crate) fn seen(layout: &'static str, operation: &'static str) {
    SEEN.with_borrow_mut(|seen| seen.insert((layout, operation)));
}

/// The same, for the type of a layout.
pub(crate) fn seen_type<L>(operation: &'static str) {
    seen(type_name::<L>(), operation);
}

/// Memory of this type has met an operation.
pub(crate) fn seen_memory(memory: &'static str, operation: &'static str) {
    MEMORY.with_borrow_mut(|seen| seen.insert((memory, operation)));
}

/// A type without its path and its parameters: `&DynLayout`, `RegionLayout`, `&mut [T]`. The
/// integers of a `StridedLayout` are other code, and so are the coordinates of a `DynLayout`.
fn short(name: &str) -> String {
    let (reference, name) = match (name.strip_prefix("&mut "), name.strip_prefix('&')) {
        (Some(name), _) => ("&mut ", name),
        (None, Some(name)) => ("&", name),
        _ => ("", name),
    };
    if name.starts_with('[') {
        return format!("{reference}[T]");
    }
    let path = name.split('<').next().unwrap_or(name);
    let last = path.rsplit("::").next().unwrap_or(path);
    let parameters = match last {
        "DynLayout" if name.contains("<[usize") => "<[usize; N]>",
        "StridedLayout" if name.ends_with(", isize>") => "<_, isize>",
        "StridedLayout" if name.contains("<[u32") => "<[u32; N]>",
        _ => "",
    };
    format!("{reference}{last}{parameters}")
}

fn taken(of: &RefCell<BTreeSet<(&'static str, &'static str)>>) -> Seen {
    of.borrow()
        .iter()
        .map(|(name, operation)| (short(name), *operation))
        .collect()
}

/// Takes the properties of layouts and of memory that this thread has tested.
pub(crate) fn all() -> [Seen; 2] {
    [SEEN.with(taken), MEMORY.with(taken)]
}
