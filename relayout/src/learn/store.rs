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

/// The most classes that are remembered: a program with more different copies runs each of them
/// rarely.
const MOST_CLASSES: usize = 4096;

type Lessons = BTreeMap<Class, Arc<Lesson>>;

/// What the plans of a process have learned.
#[derive(Debug)]
pub(super) struct Store {
    lessons: Mutex<Lessons>,
    /// Counts how often a choice was stored, or all were forgotten: earlier plans may have another
    /// choice.
    generation: AtomicUsize,
}

impl Store {
    pub(super) const fn new(generation: usize) -> Self {
        Self {
            lessons: Mutex::new(BTreeMap::new()),
            generation: AtomicUsize::new(generation),
        }
    }

    fn lessons(&self) -> MutexGuard<'_, Lessons> {
        // Nothing panics during a change.
        self.lessons.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Calls a function with the store of this process.
#[inline]
fn with<R>(ask: impl FnOnce(&Store) -> R) -> R {
    static STORE: Store = Store::new(0);
    #[cfg(test)]
    if let Some(process) = super::tests::simulated::process() {
        return ask(&process.store);
    }
    ask(&STORE)
}

/// Returns the lesson of a class. A new lesson begins with what is known, otherwise with the first
/// candidate.
pub(crate) fn lesson(class: Class, candidates: impl FnOnce() -> Vec<Choice>) -> Arc<Lesson> {
    with(|store| {
        let mut lessons = store.lessons();
        let lesson = match lessons.get(&class) {
            Some(lesson) if !lesson.is_kept() => return Arc::clone(lesson),
            Some(kept) => Lesson::of(kept.best(), &candidates()),
            None => Lesson::new(&candidates()),
        };
        let lesson = Arc::new(lesson);
        insert(&mut lessons, class, Arc::clone(&lesson));
        lesson
    })
}

fn insert(lessons: &mut Lessons, class: Class, lesson: Arc<Lesson>) {
    if lessons.len() < MOST_CLASSES || lessons.contains_key(&class) {
        lessons.insert(class, lesson);
    }
}

/// Returns a number that changes with each change of the store.
#[inline]
pub(crate) fn generation() -> usize {
    with(|store| store.generation.load(Relaxed))
}

/// Stores a choice with which new plans of a class begin.
pub(super) fn keep(class: Class, choice: Choice) {
    with(|store| {
        store.generation.fetch_add(1, Relaxed);
        let lesson = Arc::new(Lesson::of(choice, &[]));
        insert(&mut store.lessons(), class, lesson);
    });
}

/// Returns what the plans of this process have learned, as text for [`load_wisdom`] in another run
/// of the program.
///
/// The first line names the processor. Each other line is a class of copies with the strategy that
/// was the fastest.
///
/// ```
/// use xlayout_core::DynLayout;
/// use xlayout_relayout::{Plan, load_wisdom, wisdom};
///
/// let a: DynLayout = "f32[300,200]{1,0}".parse()?;
/// let b: DynLayout = "f32[300,200]{0,1}".parse()?;
/// let plan = Plan::new(&a, &b)?;
/// let (src, mut dst) = (vec![1.0_f32; 60_000], vec![0.0_f32; 60_000]);
/// for _ in 0..40 {
///     plan.run(&src, &mut dst)?;
/// }
/// let saved = wisdom();
/// assert!(saved.lines().count() > 1);
/// load_wisdom(&saved)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn wisdom() -> String {
    let mut text = processor();
    text.push('\n');
    with(|store| {
        for (class, lesson) in store.lessons().iter() {
            if let Some(choice) = lesson.learned() {
                text.push_str(&format!("{:?}: {}\n", class.0, Measurement(choice)));
            }
        }
    });
    text
}

/// Reads the text of [`wisdom`] from a processor of the same kind. New plans begin with it. Classes
/// of which plans of this process have already learned stay as they are.
///
/// # Errors
/// [`RelayoutError::OtherProcessor`] if the text is of another processor,
/// [`RelayoutError::NotWisdom`] with the first line that is not a line of such a text. Then nothing
/// changes.
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
        if !with(|store| store.lessons().get(&class).is_some_and(by_runs)) {
            keep(class, choice);
        }
    }
    Ok(())
}

/// Forgets all that this process has learned. Plans that were made before keep what they know.
pub fn forget_wisdom() {
    with(|store| {
        store.lessons().clear();
        store.generation.fetch_add(1, Relaxed);
    });
}
