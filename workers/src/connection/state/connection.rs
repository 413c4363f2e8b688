//! One connection: the way to the server, what an operator wants of it, and the prompt that it has.

use std::time::Instant;

use verdigraph_core::fleet::WorkerState;

use super::super::ports::{Limits, Pace};
use super::work::Work;

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
    pub work: Option<Work>,
    /// Why the link is not up.
    pub reason: Option<String>,
    /// Prompts that may still be at the worker though nobody waits for them.
    pub orphans: Vec<String>,
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
            work: None,
            reason: None,
            orphans: Vec::new(),
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

    /// The worker's state as the roster knows it.
    #[must_use]
    pub fn shown(&self) -> WorkerState {
        match (self.duty, &self.work, &self.link) {
            (Duty::Gone, _, _) => WorkerState::Gone,
            (Duty::Work, Some(_), _) => WorkerState::Busy,
            (_, Some(_), _) => WorkerState::Draining,
            (_, None, Link::Waiting { .. } | Link::Connecting { .. }) => WorkerState::Connecting,
            (Duty::Work, None, Link::Up { .. }) => WorkerState::Idle,
            (Duty::Drain, None, Link::Up { .. }) => WorkerState::Draining,
            (Duty::Pause, None, Link::Up { .. }) => WorkerState::Paused,
        }
    }

    pub(in crate::connection) fn is_up(&self) -> bool {
        matches!(self.link, Link::Up { .. })
    }
}
