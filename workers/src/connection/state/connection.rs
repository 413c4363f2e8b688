//! One connection: the way to the server, what an operator wants of it, and the prompts that it has.

use std::time::Instant;

use verdigraph_core::fleet::WorkerState;
use verdigraph_core::ids::JobId;

use super::super::ports::{Limits, Pace};
use super::work::Work;

/// Of so many prompts that are over the outputs may be fetched beside a prompt that runs. A worker that is faster than
/// the storage waits for it here, and not on a heap of results.
const COLLECTED_BESIDE: usize = 3;

/// The way to the server.
#[derive(Debug, Clone, PartialEq)]
pub enum Link {
    /// Until `until`, after `failures` in a row.
    Waiting {
        until: Instant,
        failures: u32,
    },
    Connecting {
        failures: u32,
    },
    Up {
        since: Instant,
        failures: u32,
    },
}

/// What an operator wants of the worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Duty {
    Work,
    Drain,
    Pause,
    Gone,
}

/// One connection.
#[derive(Debug, Clone)]
pub struct State {
    pub link: Link,
    pub duty: Duty,
    /// The prompts in the order in which they came: one that the worker has, and those that are over.
    pub works: Vec<Work>,
    /// Why the link is not up.
    pub reason: Option<String>,
    /// Prompts that may still be at the worker though nobody waits for them.
    pub orphans: Vec<String>,
    /// The way to the worker's agent is cut: whatever is asked gets no answer.
    pub(super) way_is_cut: bool,
    /// A prompt ended without a word on the open socket: the server has forgotten who listens there.
    pub(super) deaf: bool,
    pub(super) malformed: u32,
    pub(super) health_failures: u32,
    pub(super) checked_at: Instant,
    pub(super) refreshed_at: Instant,
    pub(super) refresh_wanted: bool,
    pub(super) pace: Pace,
    pub(super) limits: Limits,
}

impl State {
    /// A connection that is about to be made.
    #[must_use]
    pub fn new(duty: Duty, pace: Pace, limits: Limits, now: Instant) -> Self {
        Self {
            link: Link::Waiting { until: now, failures: 0 },
            duty,
            works: Vec::new(),
            reason: None,
            orphans: Vec::new(),
            way_is_cut: false,
            deaf: false,
            malformed: 0,
            health_failures: 0,
            checked_at: now,
            refreshed_at: now,
            refresh_wanted: false,
            pace,
            limits,
        }
    }

    /// The worker's state as the roster knows it: what is only fetched does not keep the worker from the next prompt.
    #[must_use]
    pub fn shown(&self) -> WorkerState {
        let over = self.works.iter().filter(|work| work.is_over()).count();
        let busy = over < self.works.len() || over >= COLLECTED_BESIDE;
        match (self.duty, busy, &self.link) {
            (Duty::Gone, _, _) => WorkerState::Gone,
            (Duty::Work, true, _) => WorkerState::Busy,
            (Duty::Drain | Duty::Pause, _, _) if over + usize::from(busy) > 0 => WorkerState::Draining,
            (_, _, Link::Waiting { .. } | Link::Connecting { .. }) => WorkerState::Connecting,
            (Duty::Work, false, Link::Up { .. }) => WorkerState::Idle,
            (Duty::Drain, _, Link::Up { .. }) => WorkerState::Draining,
            (Duty::Pause, _, Link::Up { .. }) => WorkerState::Paused,
        }
    }

    /// The jobs whose prompts are over, and whose outputs are being fetched.
    #[must_use]
    pub fn over(&self) -> Vec<JobId> {
        self.works.iter().filter(|work| work.is_over()).map(|work| work.job).collect()
    }

    /// Whether the worker can be given a prompt behind the one that it has.
    #[must_use]
    pub fn has_room_behind(&self) -> bool {
        let over = self.works.iter().filter(|work| work.is_over()).count();
        self.duty == Duty::Work && self.is_up() && over < COLLECTED_BESIDE && self.works.len() <= over + 1
    }

    /// The prompt that the worker has, waiting or running; where another one waits behind it, the first of both.
    #[must_use]
    pub fn current(&self) -> Option<&Work> {
        self.works.iter().find(|work| !work.is_over())
    }

    /// Since when the worker has not said where the prompt is that it has.
    #[must_use]
    pub fn unanswered_since(&self) -> Option<Instant> {
        self.current()?.unanswered.map(|(since, _)| since)
    }

    pub(in crate::connection) fn work(&self, serial: u64) -> Option<&Work> {
        self.works.iter().find(|work| work.serial == serial)
    }

    pub(in crate::connection) fn is_up(&self) -> bool {
        matches!(self.link, Link::Up { .. })
    }
}
