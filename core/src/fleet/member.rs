//! One worker of the roster: its row, the state of its connection, and what follows from both.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use chrono::{DateTime, Utc};

use super::agents::agent::AgentStatus;
use super::store::WorkerRow;
use super::{Capabilities, FleetCommand, WorkerConfig, WorkerLink, WorkerSpec, WorkerState, WorkerView};
use crate::ids::{JobId, NodeId, WorkerId};
use crate::outbound;

/// A prompt is prefetched only while at most so many outputs are being fetched.
const MAX_FETCHING_WITH_PREFETCH: usize = 1;

pub(super) struct Member {
    pub config: WorkerConfig,
    pub state: WorkerState,
    pub draining: bool,
    /// Removed; its connection still has to confirm.
    pub leaving: bool,
    /// The node that owns it.
    pub owner: Option<NodeId>,
    /// Whether this node owns it.
    pub here: bool,
    /// This node has checked what an earlier owner left at the worker. Until then it gets no new jobs.
    pub cleared: bool,
    /// See [`WorkerSpec::expects`].
    pub expects: Vec<(JobId, i32)>,
    /// To be released once it runs nothing; gets no new jobs.
    pub releasing: bool,
    pub reason: Option<String>,
    /// Since when it has not answered questions about the running prompt.
    pub unanswered_since: Option<DateTime<Utc>>,
    pub capabilities: Option<Arc<Capabilities>>,
    pub link: Option<WorkerLink>,
    /// Jobs of this node whose prompts are not done.
    pub jobs: Vec<JobId>,
    /// Jobs whose prompts are done and whose outputs are not committed yet.
    pub fetching: Vec<JobId>,
    /// The running job, and when the next prompt may be posted behind it.
    pub began: Option<(JobId, Instant)>,
    /// The needs of its last job, whose models are loaded.
    pub warm: Option<String>,
    /// Set if the worker is connected through an agent.
    pub agent: Option<AgentStatus>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorkerOwner {
    ThisNode,
    /// Another node, which may be gone.
    Node(NodeId),
    /// No node has taken the worker yet.
    Unowned,
    /// The worker does not exist.
    Unknown,
}

/// A worker that can take a job now, either at once or behind the running one.
#[derive(Clone)]
pub struct FreeWorker {
    pub id: WorkerId,
    pub pool: String,
    pub capabilities: Arc<Capabilities>,
    pub link: WorkerLink,
    /// The needs of its last job, whose models are still loaded.
    pub warm: Option<String>,
    /// Whether it runs something, so that a prompt would be posted behind it.
    pub is_busy: bool,
}

impl Member {
    /// Whether an operator keeps new jobs away from it.
    pub fn is_kept_out(&self) -> bool {
        self.config.paused || self.draining || self.leaving
    }

    pub fn is_connected(&self) -> bool {
        !self.is_kept_out() && matches!(self.state, WorkerState::Idle | WorkerState::Busy)
    }

    /// Whether this node may assign new jobs to it.
    pub fn accepts_jobs(&self) -> bool {
        self.here && self.cleared && !self.releasing && self.is_connected()
    }

    /// Whether the next prompt may be posted behind the running one. Outputs still being fetched count too, so that a
    /// slow storage holds jobs back.
    pub fn can_prefetch(&self, now: Instant) -> bool {
        let [job] = self.jobs.as_slice() else { return false };
        let is_time = self.began.is_some_and(|(began, room_at)| began == *job && room_at <= now);
        is_time
            && self.accepts_jobs()
            && self.state == WorkerState::Busy
            && self.fetching.len() <= MAX_FETCHING_WITH_PREFETCH
    }

    pub fn is_free(&self) -> bool {
        self.accepts_jobs() && self.state == WorkerState::Idle && self.jobs.is_empty()
    }

    /// Whether it runs something for this node, or has outputs that this node still fetches.
    pub fn is_busy(&self) -> bool {
        let has_jobs = !self.jobs.is_empty() || !self.fetching.is_empty();
        self.here && (has_jobs || matches!(self.state, WorkerState::Busy))
    }

    /// Records that the prompts of these jobs are done.
    pub fn note_fetching(&mut self, fetching: &[JobId]) {
        let (fetching, jobs) = std::mem::take(&mut self.jobs).into_iter().partition(|job| fetching.contains(job));
        self.jobs = jobs;
        self.fetching.extend::<Vec<JobId>>(fetching);
    }

    pub fn keep_jobs(&mut self, kept: impl Fn(&JobId) -> bool) {
        self.jobs.retain(&kept);
        self.fetching.retain(&kept);
    }

    pub fn new(config: WorkerConfig) -> Self {
        Self {
            config,
            state: WorkerState::Connecting,
            draining: false,
            leaving: false,
            owner: None,
            here: false,
            cleared: false,
            expects: Vec::new(),
            releasing: false,
            reason: None,
            unanswered_since: None,
            capabilities: None,
            link: None,
            jobs: Vec::new(),
            fetching: Vec::new(),
            began: None,
            warm: None,
            agent: None,
        }
    }

    /// `None` unless it is connected.
    pub fn as_free(&self) -> Option<FreeWorker> {
        Some(FreeWorker {
            id: self.config.id,
            pool: self.config.pool.clone(),
            capabilities: self.capabilities.clone()?,
            link: self.link.clone()?,
            warm: self.warm.clone(),
            is_busy: false,
        })
    }

    pub fn spec(&self) -> WorkerSpec {
        let Self { draining, cleared, .. } = *self;
        WorkerSpec { config: self.config.clone(), draining, cleared, expects: self.expects.clone() }
    }

    /// Applies the worker's row. Sets `changed` if its capabilities changed.
    pub fn apply_row(
        &mut self,
        me: NodeId,
        row: WorkerRow,
        known: Option<Arc<Capabilities>>,
        changed: &mut bool,
    ) -> Option<FleetCommand> {
        let was_here = std::mem::replace(&mut self.here, row.owner == Some(me));
        (self.owner, self.agent) = (row.owner, row.agent);
        let before = std::mem::replace(&mut self.config, row.config);
        let drained = std::mem::replace(&mut self.draining, row.draining);
        if !self.here || self.capabilities.is_none() {
            let same = match (&self.capabilities, &known) {
                (Some(one), Some(other)) => Arc::ptr_eq(one, other),
                (one, other) => one.is_none() && other.is_none(),
            };
            if !same {
                self.capabilities = known;
                *changed = true;
            }
        }
        if !self.here {
            (self.link, self.releasing) = (None, false);
            self.keep_jobs(|_| false);
            self.state = if row.connected { WorkerState::Idle } else { WorkerState::Connecting };
            (self.reason, self.unanswered_since) = (row.reason, row.unanswered_since);
            return was_here.then_some(FleetCommand::Release(self.config.id));
        }
        if !was_here {
            (self.state, self.reason, self.warm) = (WorkerState::Connecting, None, None);
            self.unanswered_since = None;
            (self.cleared, self.expects) = (false, Vec::new());
        }
        let changed = !was_here || before != self.config || drained != self.draining;
        changed.then(|| FleetCommand::Add(self.spec()))
    }

    /// `differing` lists node classes that differ from those of most workers.
    pub fn view(&self, differing: &HashMap<WorkerId, Vec<String>>) -> WorkerView {
        WorkerView {
            id: self.config.id,
            name: self.config.name.clone(),
            url: outbound::without_credentials(&self.config.url),
            pool: self.config.pool.clone(),
            state: self.state,
            reason: self.reason.clone(),
            unanswered_since: self.unanswered_since,
            version: self.capabilities.as_ref().and_then(|can| can.version.clone()),
            different_classes: differing.get(&self.config.id).cloned().unwrap_or_default(),
            node_classes: self.capabilities.as_ref().map_or(0, |can| can.definitions.len()),
            node: self.owner,
            node_name: None,
            job: self.jobs.first().copied(),
            paused: self.config.paused,
            draining: self.draining || self.leaving,
            agent: self.agent.clone(),
        }
    }
}
