//! What is known of the parts of a node while they live.

use std::any::Any;
use std::sync::{Arc, Mutex, MutexGuard};

#[cfg(feature = "testing")]
use super::faults::Faults;
use super::part::{Health, Part, lock};
use crate::metrics::{self, Counters};

static PANICS: Counters<{ Part::ALL.len() }> = Counters::new(metrics::PANICS, "part", || Part::ALL.map(Part::name));

/// How all parts do.
#[derive(Debug)]
pub(super) struct Parts {
    pub health: [Mutex<Health>; Part::ALL.len()],
    #[cfg(feature = "testing")]
    pub faults: Faults,
}

impl Default for Parts {
    fn default() -> Self {
        PANICS.begin();
        let health = Part::ALL.map(|part| Mutex::new(Health { part, panics: 0, down: 0, last: None }));
        Self {
            health,
            #[cfg(feature = "testing")]
            faults: Faults::default(),
        }
    }
}

/// What the supervisor knows of one actor or loop. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Watch {
    parts: Arc<Parts>,
    part: Part,
    /// What it was at last.
    at: Arc<Mutex<&'static str>>,
}

impl Watch {
    pub(super) fn new(parts: Arc<Parts>, part: Part) -> Self {
        Self { parts, part, at: Arc::new(Mutex::new("start")) }
    }

    /// Says what is done next, so that a panic tells at what it came.
    pub fn at(&self, what: &'static str) {
        *lock(&self.at) = what;
        #[cfg(feature = "testing")]
        self.parts.faults.meet(self.part, what);
    }

    pub(super) fn panicked(&self, panic: &(dyn Any + Send)) {
        let (part, at, says) = (self.part, *lock(&self.at), said(panic));
        tracing::error!(part = part.name(), at, says, "a part of this node panicked");
        PANICS.add(part as usize, 1);
        let mut health = self.health();
        health.panics += 1;
        health.last = Some(format!("{at}: {says}"));
    }

    pub(super) fn rests(&self) -> Rest {
        self.health().down += 1;
        Rest(self.clone())
    }

    fn health(&self) -> MutexGuard<'_, Health> {
        lock(&self.parts.health[self.part as usize])
    }
}

/// A part is down until this is dropped.
pub(super) struct Rest(Watch);

impl Drop for Rest {
    fn drop(&mut self) {
        let mut health = self.0.health();
        health.down = health.down.saturating_sub(1);
    }
}

/// What a panic said.
fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "nothing that can be read".to_owned())
}
