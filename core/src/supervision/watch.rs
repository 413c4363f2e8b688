//! Records the points that parts pass, and their panics.

use std::any::Any;
use std::sync::{Arc, Mutex, MutexGuard};

#[cfg(feature = "testing")]
use super::faults::Faults;
use super::part::{Part, PartHealth, lock};
use crate::metrics::{self, Counters};

static PANICS: Counters<{ Part::ALL.len() }> = Counters::new(metrics::PANICS, "part", || Part::ALL.map(Part::name));

#[derive(Debug)]
pub(super) struct PartRegistry {
    pub health: [Mutex<PartHealth>; Part::ALL.len()],
    #[cfg(feature = "testing")]
    pub faults: Faults,
}

impl Default for PartRegistry {
    fn default() -> Self {
        PANICS.begin();
        let health = Part::ALL.map(|part| Mutex::new(PartHealth { part, panics: 0, down: 0, last: None }));
        Self {
            health,
            #[cfg(feature = "testing")]
            faults: Faults::default(),
        }
    }
}

/// The record of one actor or loop. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Watch {
    parts: Arc<PartRegistry>,
    part: Part,
    /// The last point.
    at: Arc<Mutex<&'static str>>,
}

impl Watch {
    pub(super) fn new(parts: Arc<PartRegistry>, part: Part) -> Self {
        Self { parts, part, at: Arc::new(Mutex::new("start")) }
    }

    /// Records the current point, which is reported with a panic.
    pub fn at(&self, what: &'static str) {
        *lock(&self.at) = what;
        #[cfg(feature = "testing")]
        self.parts.faults.pass(self.part, what);
    }

    pub(super) fn panicked(&self, panic: &(dyn Any + Send)) {
        let (part, at, says) = (self.part, *lock(&self.at), panic_text(panic));
        tracing::error!(part = part.name(), at, says, "a part of this node panicked");
        PANICS.add(part as usize, 1);
        let mut health = self.health();
        health.panics += 1;
        health.last = Some(format!("{at}: {says}"));
    }

    pub(super) fn mark_down(&self) -> DownGuard {
        self.health().down += 1;
        DownGuard(self.clone())
    }

    fn health(&self) -> MutexGuard<'_, PartHealth> {
        lock(&self.parts.health[self.part as usize])
    }
}

/// A part is down until this is dropped.
pub(super) struct DownGuard(Watch);

impl Drop for DownGuard {
    fn drop(&mut self) {
        let mut health = self.0.health();
        health.down = health.down.saturating_sub(1);
    }
}

/// The message of a panic.
fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic without a text".to_owned())
}
