//! Stores what this process has learned, and writes it as text, as FFTW's wisdom.

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::collections::BTreeMap;
use std::format;
use std::string::String;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::vec::Vec;

use super::{Class, Lesson};
use crate::error::RelayoutError;
use crate::kernels::cost::Choice;
use crate::machine::processor;
use crate::measurement::Measurement;

/// The most classes that are remembered: a program with more different copies runs each of them rarely.
const MOST_CLASSES: usize = 4096;

type Store = BTreeMap<Class, Arc<Lesson>>;

fn store() -> MutexGuard<'static, Store> {
    static STORE: Mutex<Store> = Mutex::new(BTreeMap::new());
    // Nothing panics during a change.
    STORE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the lesson of a class. A new lesson begins with what is known, otherwise with the first candidate.
pub(crate) fn lesson(class: Class, candidates: impl FnOnce() -> Vec<Choice>) -> Arc<Lesson> {
    let mut store = store();
    let lesson = match store.get(&class) {
        Some(lesson) if !lesson.is_kept() => return Arc::clone(lesson),
        Some(kept) => Lesson::of(kept.best(), &candidates()),
        None => Lesson::new(&candidates()),
    };
    let lesson = Arc::new(lesson);
    insert(&mut store, class, Arc::clone(&lesson));
    lesson
}

fn insert(store: &mut Store, class: Class, lesson: Arc<Lesson>) {
    if store.len() < MOST_CLASSES || store.contains_key(&class) {
        store.insert(class, lesson);
    }
}

/// Counts how often a choice was stored, or all were forgotten: earlier plans may have another choice.
static GENERATION: AtomicUsize = AtomicUsize::new(0);

/// Returns a number that changes with each change of the store.
#[inline]
pub(crate) fn generation() -> usize {
    GENERATION.load(Relaxed)
}

/// Stores a choice, by `Plan::measured` or from a text, with which new plans of a class begin.
pub(crate) fn keep(class: Class, choice: Choice) {
    GENERATION.fetch_add(1, Relaxed);
    insert(&mut store(), class, Arc::new(Lesson::of(choice, &[])));
}

/// Returns what the plans of this process have learned, as text for [`load_wisdom`] in another run of the
/// program.
///
/// The first line names the processor. Each other line is a class of copies with the strategy that was the
/// fastest.
///
/// ```
/// use std::time::Duration;
/// use xlayout_core::DynLayout;
/// use xlayout_relayout::{Plan, load_wisdom, wisdom};
///
/// let a: DynLayout = "f32[300,200]{1,0}".parse()?;
/// let b: DynLayout = "f32[300,200]{0,1}".parse()?;
/// Plan::new(&a, &b)?.measured(Duration::from_millis(1))?;
/// let saved = wisdom();
/// assert!(saved.lines().count() > 1);
/// load_wisdom(&saved)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn wisdom() -> String {
    let mut text = processor();
    text.push('\n');
    for (class, lesson) in store().iter() {
        if let Some(choice) = lesson.learned() {
            text.push_str(&format!("{:?}: {}\n", class.0, Measurement(choice)));
        }
    }
    text
}

/// Reads the text of [`wisdom`] from a processor of the same kind. New plans begin with it. Classes of which plans
/// of this process have already learned stay as they are.
///
/// # Errors
/// [`RelayoutError::OtherProcessor`] if the text is of another processor, [`RelayoutError::NotWisdom`] with the
/// first line that is not a line of such a text. Then nothing changes.
pub fn load_wisdom(text: &str) -> Result<(), RelayoutError> {
    let mut lines = text.lines();
    let found = lines.next().unwrap_or_default();
    let expected = processor();
    if found != expected {
        return Err(RelayoutError::OtherProcessor {
            expected: expected.into(),
            found: found.into(),
        });
    }
    let read = |line: &str| {
        let (class, choice) = line.split_once(": ")?;
        Some((Class::read(class)?, choice.parse::<Measurement>().ok()?.0))
    };
    let mut known = Vec::new();
    for line in lines.filter(|line| !line.trim().is_empty()) {
        known.push(read(line).ok_or_else(|| RelayoutError::NotWisdom { found: line.into() })?);
    }
    for (class, choice) in known {
        let by_runs = |lesson: &Arc<Lesson>| !lesson.is_kept() && lesson.learned().is_some();
        if !store().get(&class).is_some_and(by_runs) {
            keep(class, choice);
        }
    }
    Ok(())
}

/// Forgets all that this process has learned. Plans that were made before keep what they know.
pub fn forget_wisdom() {
    store().clear();
    GENERATION.fetch_add(1, Relaxed);
}
