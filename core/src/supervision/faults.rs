//! Injected panics for tests.

use std::collections::BTreeSet;
use std::sync::Mutex;

use super::part::{Part, lock};

/// The points that the parts of a node have passed, and the planned panic.
#[derive(Debug, Default)]
pub struct Faults {
    seen: Mutex<BTreeSet<(&'static str, &'static str)>>,
    next: Mutex<Option<PlannedPanic>>,
}

#[derive(Debug)]
struct PlannedPanic {
    part: Part,
    what: &'static str,
    times: u32,
}

impl Faults {
    /// All points so far, as `(part, what)`.
    #[must_use]
    pub fn seen(&self) -> Vec<(&'static str, &'static str)> {
        lock(&self.seen).iter().copied().collect()
    }

    /// Plans panics for the next `times` that a part passes a point. Replaces an earlier plan.
    pub fn plan(&self, part: Part, what: &'static str, times: u32) {
        *lock(&self.next) = Some(PlannedPanic { part, what, times });
    }

    /// Whether all planned panics have happened.
    #[must_use]
    pub fn all_triggered(&self) -> bool {
        lock(&self.next).is_none()
    }

    #[expect(clippy::panic, reason = "injects a panic")]
    pub(super) fn pass(&self, part: Part, what: &'static str) {
        lock(&self.seen).insert((part.name(), what));
        let due = lock(&self.next).as_mut().is_some_and(|planned| planned.take(part, what));
        lock(&self.next).take_if(|planned| planned.times == 0);
        if due {
            panic!("a test wants {} to panic at {what}", part.name());
        }
    }
}

impl PlannedPanic {
    fn take(&mut self, part: Part, what: &'static str) -> bool {
        let due = self.part == part && self.what == what && self.times > 0;
        self.times -= u32::from(due);
        due
    }
}
