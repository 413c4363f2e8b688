//! Panics on purpose, for tests: which parts were at what, and where the next panic comes.

use std::collections::BTreeSet;
use std::sync::Mutex;

use super::part::{Part, lock};

/// What a node's parts were at, and where one of them is to panic.
#[derive(Debug, Default)]
pub struct Faults {
    seen: Mutex<BTreeSet<(&'static str, &'static str)>>,
    next: Mutex<Option<Planned>>,
}

#[derive(Debug)]
struct Planned {
    part: Part,
    what: &'static str,
    times: u32,
}

impl Faults {
    /// Everything that the parts were at so far, as `(part, what)`.
    #[must_use]
    pub fn seen(&self) -> Vec<(&'static str, &'static str)> {
        lock(&self.seen).iter().copied().collect()
    }

    /// The next times that this part is at this, it panics. Takes the place of what was planned before.
    pub fn plan(&self, part: Part, what: &'static str, times: u32) {
        *lock(&self.next) = Some(Planned { part, what, times });
    }

    /// Whether all planned panics have come.
    #[must_use]
    pub fn came(&self) -> bool {
        lock(&self.next).is_none()
    }

    #[expect(clippy::panic, reason = "this is what it is for")]
    pub(super) fn meet(&self, part: Part, what: &'static str) {
        lock(&self.seen).insert((part.name(), what));
        let due = lock(&self.next).as_mut().is_some_and(|planned| planned.meets(part, what));
        lock(&self.next).take_if(|planned| planned.times == 0);
        if due {
            panic!("a test wants {} to panic at {what}", part.name());
        }
    }
}

impl Planned {
    fn meets(&mut self, part: Part, what: &'static str) -> bool {
        let due = self.part == part && self.what == what && self.times > 0;
        self.times -= u32::from(due);
        due
    }
}
