//! Processes of their own for tests of learning: nothing is known in them yet, and their clock
//! tells how long a copy takes.

use core::cell::RefCell;
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::boxed::Box;
use std::rc::Rc;
use std::time::Duration;
use std::vec::Vec;

use crate::kernels::cost::Choice;
use crate::learn::store::Store;

type Clock = dyn FnMut(Choice) -> Duration;

pub(in crate::learn) struct Process {
    pub(in crate::learn) store: Store,
    clock: RefCell<Box<Clock>>,
    /// The choices of the copies that were timed.
    timed: RefCell<Vec<Choice>>,
}

std::thread_local! {
    static PROCESS: RefCell<Option<Rc<Process>>> = const { RefCell::new(None) };
}

/// Returns the process that this thread is in, if it is not the one of the test program.
pub(in crate::learn) fn process() -> Option<Rc<Process>> {
    PROCESS.with_borrow(Option::clone)
}

impl Process {
    /// Returns how long a copy by a choice took.
    pub(in crate::learn) fn tell(&self, choice: Choice) -> Duration {
        self.timed.borrow_mut().push(choice);
        (self.clock.borrow_mut())(choice)
    }
}

/// Calls a function as if this thread were a process of its own, in which a copy by a choice takes
/// as long as `clock` tells. Returns the choices of the copies that were timed, one after the
/// other.
pub(crate) fn in_process(
    clock: impl FnMut(Choice) -> Duration + 'static,
    body: impl FnOnce(),
) -> Vec<Choice> {
    struct Back(Option<Rc<Process>>);
    impl Drop for Back {
        fn drop(&mut self) {
            PROCESS.set(self.0.take());
        }
    }
    // Ways that this thread keeps are of another generation.
    static PROCESSES: AtomicUsize = AtomicUsize::new(1);
    let generation = PROCESSES.fetch_add(1, Relaxed) << (usize::BITS / 2);
    let process = Rc::new(Process {
        store: Store::new(generation),
        clock: RefCell::new(Box::new(clock)),
        timed: RefCell::default(),
    });
    let _back = Back(PROCESS.replace(Some(Rc::clone(&process))));
    body();
    process.timed.take()
}
