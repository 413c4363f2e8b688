//! The state of one connection: its link, what the operator wants, and its prompts.

use std::time::Instant;

use verdigraph_core::fleet::WorkerState;
use verdigraph_core::ids::JobId;

use super::super::ports::{Limits, Pace};
use super::work::Work;

/// How many ended prompts may have their outputs fetched while another one runs. A worker that is faster than the
/// storage waits, so that results do not pile up.
const MAX_COLLECTING: usize = 3;

/// The link to the server.
#[derive(Debug, Clone, PartialEq)]
pub enum LinkState {
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

/// The operator's setting for the worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DesiredState {
    Work,
    Drain,
    Pause,
    Gone,
}

#[derive(Debug, Clone)]
pub struct State {
    pub link: LinkState,
    pub desired: DesiredState,
    /// In order of assignment: prompts at the worker, and ended ones whose outputs are fetched.
    pub works: Vec<Work>,
    /// Why the link is down.
    pub reason: Option<String>,
    /// Prompts that may still be at the worker although their jobs have ended.
    pub orphans: Vec<String>,
    /// Whether the tunnel to the worker's agent is down: requests get no answer.
    pub(super) tunnel_is_down: bool,
    /// Whether a prompt ended without a message on the open socket: the server has forgotten this client.
    pub(super) socket_stale: bool,
    pub(super) malformed: u32,
    pub(super) health_failures: u32,
    pub(super) checked_at: Instant,
    pub(super) models_read_at: Instant,
    pub(super) refreshed_at: Instant,
    pub(super) refresh_wanted: bool,
    pub(super) pace: Pace,
    pub(super) limits: Limits,
}

impl State {
    #[must_use]
    pub fn new(desired: DesiredState, pace: Pace, limits: Limits, now: Instant) -> Self {
        Self {
            link: LinkState::Waiting { until: now, failures: 0 },
            desired,
            works: Vec::new(),
            reason: None,
            orphans: Vec::new(),
            tunnel_is_down: false,
            socket_stale: false,
            malformed: 0,
            health_failures: 0,
            checked_at: now,
            models_read_at: now,
            refreshed_at: now,
            refresh_wanted: false,
            pace,
            limits,
        }
    }

    /// The worker's state for the roster. Prompts whose outputs are being fetched do not block the next prompt.
    #[must_use]
    pub fn worker_state(&self) -> WorkerState {
        let over = self.works.iter().filter(|work| work.has_ended()).count();
        let busy = over < self.works.len() || over >= MAX_COLLECTING;
        match (self.desired, busy, &self.link) {
            (DesiredState::Gone, _, _) => WorkerState::Gone,
            (DesiredState::Work, true, _) => WorkerState::Busy,
            (DesiredState::Drain | DesiredState::Pause, _, _) if over + usize::from(busy) > 0 => WorkerState::Draining,
            (_, _, LinkState::Waiting { .. } | LinkState::Connecting { .. }) => WorkerState::Connecting,
            (DesiredState::Work, false, LinkState::Up { .. }) => WorkerState::Idle,
            (DesiredState::Drain, _, LinkState::Up { .. }) => WorkerState::Draining,
            (DesiredState::Pause, _, LinkState::Up { .. }) => WorkerState::Paused,
        }
    }

    /// Jobs whose prompts have ended and whose outputs are being fetched.
    #[must_use]
    pub fn over(&self) -> Vec<JobId> {
        self.works.iter().filter(|work| work.has_ended()).map(|work| work.job).collect()
    }

    /// Whether the worker can queue a prompt behind its current one.
    #[must_use]
    pub fn can_prefetch(&self) -> bool {
        let over = self.works.iter().filter(|work| work.has_ended()).count();
        self.desired == DesiredState::Work && self.is_up() && over < MAX_COLLECTING && self.works.len() <= over + 1
    }

    /// The first prompt at the worker that has not ended, waiting or running.
    #[must_use]
    pub fn current(&self) -> Option<&Work> {
        self.works.iter().find(|work| !work.has_ended())
    }

    /// Since when the worker has not answered where its current prompt is.
    #[must_use]
    pub fn unanswered_since(&self) -> Option<Instant> {
        self.current()?.unanswered.map(|(since, _)| since)
    }

    pub(in crate::connection) fn work(&self, serial: u64) -> Option<&Work> {
        self.works.iter().find(|work| work.serial == serial)
    }

    pub(in crate::connection) fn is_up(&self) -> bool {
        matches!(self.link, LinkState::Up { .. })
    }
}
