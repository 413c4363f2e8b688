//! One worker of the roster: what its row and its connection say of it, and what follows from that.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use chrono::{DateTime, Utc};

use super::agents::agent::AgentStanding;
use super::store::WorkerRow;
use super::{Capabilities, FleetCommand, Wanted, WorkerConfig, WorkerLink, WorkerState, WorkerView};
use crate::ids::{JobId, NodeId, WorkerId};
use crate::outbound;

/// Prompts that are over and still fetched, at most, when a worker is given a second one.
const OVER_WITH_TWO: usize = 1;

/// A worker.
pub(super) struct Member {
    pub config: WorkerConfig,
    pub state: WorkerState,
    pub draining: bool,
    /// Removed, and still to be told so by its connection.
    pub leaving: bool,
    /// The node that connects to it.
    pub owner: Option<NodeId>,
    /// Whether that is this one.
    pub here: bool,
    /// What an earlier owner left at it was looked for since this node has it; before that it gets nothing new.
    pub cleared: bool,
    /// See [`Wanted::expects`].
    pub expects: Vec<(JobId, i32)>,
    /// To be given up when it runs nothing: it gets nothing new.
    pub giving: bool,
    pub reason: Option<String>,
    /// Since when it answers no question about the prompt that it runs.
    pub unanswered_since: Option<DateTime<Utc>>,
    pub capabilities: Option<Arc<Capabilities>>,
    pub link: Option<WorkerLink>,
    /// The jobs this node gave it whose prompts are not over.
    pub jobs: Vec<JobId>,
    /// Those whose prompts are over, until their outputs are committed.
    pub over: Vec<JobId>,
    /// The job it has begun to execute, and from when on another one may be posted behind it.
    pub began: Option<(JobId, Instant)>,
    /// The needs of the job it ran last: what is loaded.
    pub warm: Option<String>,
    /// How its agent is connected, where one connects it.
    pub agent: Option<AgentStanding>,
}

/// Who connects to a worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// This node.
    Here,
    /// Another one, which may be gone.
    Node(NodeId),
    /// Nobody has taken it yet.
    Soon,
    /// There is no such worker any more.
    Nobody,
}

/// A worker that can take a job now, or behind the one that it runs.
#[derive(Clone)]
pub struct FreeWorker {
    pub id: WorkerId,
    pub pool: String,
    pub capabilities: Arc<Capabilities>,
    pub link: WorkerLink,
    /// The needs of the job it ran last, whose models are still loaded.
    pub warm: Option<String>,
    /// Whether it runs something: a prompt can be posted behind that.
    pub is_busy: bool,
}

impl Member {
    /// Whether it gets nothing new.
    pub fn is_kept_out(&self) -> bool {
        self.config.paused || self.draining || self.leaving
    }

    pub fn is_connected(&self) -> bool {
        !self.is_kept_out() && matches!(self.state, WorkerState::Idle | WorkerState::Busy)
    }

    /// Whether this node may give it something new.
    pub fn gets_more(&self) -> bool {
        self.here && self.cleared && !self.giving && self.is_connected()
    }

    /// Whether a prompt may be posted behind the one that it runs. What is still fetched of others counts as well, so that
    /// a slow store holds back.
    pub fn has_room_behind(&self, now: Instant) -> bool {
        let [job] = self.jobs.as_slice() else { return false };
        let is_time = self.began.is_some_and(|(began, room_at)| began == *job && room_at <= now);
        is_time && self.gets_more() && self.state == WorkerState::Busy && self.over.len() <= OVER_WITH_TWO
    }

    pub fn is_free(&self) -> bool {
        self.gets_more() && self.state == WorkerState::Idle && self.jobs.is_empty()
    }

    /// Whether it runs something for this node, or has what this node still wants.
    pub fn is_busy(&self) -> bool {
        let has_jobs = !self.jobs.is_empty() || !self.over.is_empty();
        self.here && (has_jobs || matches!(self.state, WorkerState::Busy))
    }

    /// The prompts of these jobs are over.
    pub fn note_over(&mut self, over: &[JobId]) {
        let (over, jobs) = std::mem::take(&mut self.jobs).into_iter().partition(|job| over.contains(job));
        self.jobs = jobs;
        self.over.extend::<Vec<JobId>>(over);
    }

    /// It has only those of its jobs that are `kept`.
    pub fn keep_jobs(&mut self, kept: impl Fn(&JobId) -> bool) {
        self.jobs.retain(&kept);
        self.over.retain(&kept);
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
            giving: false,
            reason: None,
            unanswered_since: None,
            capabilities: None,
            link: None,
            jobs: Vec::new(),
            over: Vec::new(),
            began: None,
            warm: None,
            agent: None,
        }
    }

    /// Where its connection can be spoken to.
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

    pub fn wanted(&self) -> Wanted {
        let Self { draining, cleared, .. } = *self;
        Wanted { config: self.config.clone(), draining, cleared, expects: self.expects.clone() }
    }

    /// Takes in its row; `changed` is set where it can do other things than before.
    pub fn settle(
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
            (self.link, self.giving) = (None, false);
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
        changed.then(|| FleetCommand::Add(self.wanted()))
    }

    /// `differing` has the classes that workers describe otherwise than most.
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
