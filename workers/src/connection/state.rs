//! What a connection does next: one pure function, [`next`].
//!
//! ```text
//! link   Waiting ──tick──> Connecting ──Connected──> Up ──SocketClosed / too much rubbish──> Waiting
//!            ^──────────ConnectFailed──────┘
//!
//! work   Uploading ─> Posting ─> Queued ─> Running ─> Ending ─> Collecting ─> Finished / Failed / Interrupted
//!            │           ├─> Refused         │           (every phase after Posting is corrected by Located)
//!            │           └─> Doubtful ─> Queued, Running, Ending or Unreachable
//!            └─> Unreachable, Broke          └─> Lost, Silent, Broke
//! ```
//!
//! The link and the work live side by side: a prompt outlives its socket for [`Pace::grace`], because a worker goes on
//! without us. Messages say quickly what happens; queue and history ([`Event::Located`]) say what is true.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::Value;
use verdigraph_core::fleet::{NodeOutput, Preview, ReportEvent, WorkerState};
use verdigraph_core::ids::JobId;

use super::ports::{Limits, Pace};
use super::work::{Located, Phase, Work};
use crate::comfy::{End, PostAnswer, ServerMessage};

/// How many left-behind prompts are remembered for stopping.
const MAX_ORPHANS: usize = 16;
/// A link that stood this long starts again without waiting.
const STABLE: Duration = Duration::from_secs(5);

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
    malformed: u32,
    health_failures: u32,
    checked_at: Instant,
    refreshed_at: Instant,
    refresh_wanted: bool,
    pub(super) pace: Pace,
    limits: Limits,
}

/// What happens to a connection.
#[derive(Debug, Clone)]
pub enum Event {
    /// An assignment; `prompt_id` is fresh.
    Assign {
        job: JobId,
        attempt: i32,
        prompt_id: String,
        uploads: bool,
        node_order: Arc<Vec<String>>,
    },
    Stop {
        job: JobId,
        attempt: i32,
    },
    Duty(Duty),
    /// The server's address changed.
    Moved,
    /// `probed` says that its capabilities were read as well.
    Connected {
        probed: bool,
    },
    /// `jitter` in 0..1 spreads the reconnects of a fleet.
    ConnectFailed {
        reason: String,
        jitter: f64,
    },
    SocketClosed {
        reason: String,
        jitter: f64,
    },
    Health {
        failure: Option<String>,
        jitter: f64,
    },
    Uploaded,
    /// `broke` parts a server that answered wrongly from one that was not there.
    UploadFailed {
        reason: String,
        broke: bool,
    },
    Posted(PostAnswer),
    /// The worker took the prompt in part, and all of it was wanted.
    TakenInPart {
        prompt_id: String,
        validation: Value,
    },
    /// The worker says that input files of ours are gone; `taken` is the prompt that it took without them, where it
    /// did, and `prompt_id` is fresh.
    InputsGone {
        prompt_id: String,
        taken: Option<String>,
    },
    Message(ServerMessage),
    Malformed {
        reason: String,
        jitter: f64,
    },
    Located(Located),
    Collected(Result<Vec<NodeOutput>, CollectError>),
    Tick,
}

/// Why outputs could not be fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CollectError {
    /// The worker went away.
    Gone(String),
    /// It named a file that it does not have: its output folder was cleaned, and its cache did not notice.
    Missing(String),
    /// It answered, but not with the file; or the file is over a limit.
    Bad(String),
}

/// What the actor has to do, in this order.
#[derive(Debug, Clone)]
pub enum Action {
    /// Connect under a new client id, or under the old one to go on hearing of a prompt.
    Connect {
        fresh: bool,
    },
    Disconnect,
    Upload,
    Post,
    /// Ask queue and history where the prompt is.
    Locate,
    /// Delete and interrupt the prompt, then locate it.
    Cancel,
    /// Stop prompts that nobody waits for; answers do not matter.
    Discard(Vec<String>),
    /// Fetch and store what these nodes gave; `strict` means that a missing file is an error.
    Collect {
        outputs: Vec<(String, Arc<Value>)>,
        strict: bool,
    },
    Report {
        job: JobId,
        attempt: i32,
        event: ReportEvent,
    },
    /// Tell the roster.
    Announce,
    CheckHealth,
    Refresh,
}

/// The new state and what it takes.
#[derive(Debug)]
pub struct Outcome {
    pub state: State,
    pub actions: Vec<Action>,
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

    pub(super) fn is_up(&self) -> bool {
        matches!(self.link, Link::Up { .. })
    }
}

/// Decides. Total: an event that does not fit changes nothing.
#[must_use]
pub fn next(state: &State, event: Event, now: Instant) -> Outcome {
    let mut step = Step { state: state.clone(), actions: Vec::new(), now };
    step.apply(event);
    Outcome { state: step.state, actions: step.actions }
}

/// One decision while it is being made.
pub(super) struct Step {
    pub(super) state: State,
    pub(super) actions: Vec<Action>,
    pub(super) now: Instant,
}

impl Step {
    fn apply(&mut self, event: Event) {
        if self.state.duty == Duty::Gone {
            return;
        }
        match event {
            Event::Assign { job, attempt, prompt_id, uploads, node_order } => {
                self.assign(Work::new(job, attempt, prompt_id, uploads, node_order, self.now));
            }
            Event::Stop { job, attempt } => self.stop(job, attempt),
            Event::Duty(duty) => self.change_duty(duty),
            Event::Moved => self.moved(),
            Event::Connected { probed } => self.connected(probed),
            Event::ConnectFailed { reason, jitter } | Event::SocketClosed { reason, jitter } => {
                self.cut(reason, jitter)
            }
            Event::Health { failure, jitter } => self.health(failure, jitter),
            Event::Malformed { reason, jitter } => self.malformed(&reason, jitter),
            Event::Uploaded => self.uploaded(),
            Event::UploadFailed { reason, broke } => self.upload_failed(reason, broke),
            Event::Posted(answer) => self.posted(answer),
            Event::TakenInPart { prompt_id, validation } => self.taken_in_part(prompt_id, validation),
            Event::InputsGone { prompt_id, taken } => self.inputs_gone(prompt_id, taken),
            Event::Message(message) => self.message(message),
            Event::Located(located) => self.located(located),
            Event::Collected(result) => self.collected(result),
            Event::Tick => self.tick(),
        }
    }

    fn assign(&mut self, work: Work) {
        if self.state.shown() != WorkerState::Idle {
            let (job, attempt) = (work.job, work.attempt);
            let reason = format!("the worker is {:?} and takes no job", self.state.shown()).to_lowercase();
            self.actions.push(Action::Report { job, attempt, event: ReportEvent::Unreachable { reason } });
            return;
        }
        self.actions.push(if work.phase == Phase::Uploading { Action::Upload } else { Action::Post });
        self.state.work = Some(work);
        self.actions.push(Action::Announce);
    }

    fn change_duty(&mut self, duty: Duty) {
        let before = self.state.shown();
        if duty == Duty::Gone {
            self.end_orphaned(|| ReportEvent::Lost { reason: "the worker was removed".into() });
            self.discard_orphans();
            self.state.duty = duty;
            self.actions.extend([Action::Disconnect, Action::Announce]);
            return;
        }
        self.state.duty = duty;
        if self.state.shown() != before {
            self.actions.push(Action::Announce);
        }
    }

    fn moved(&mut self) {
        self.end_orphaned(|| ReportEvent::Lost { reason: "the worker's address was changed".into() });
        self.discard_orphans();
        self.actions.push(Action::Disconnect);
        self.state.link = Link::Connecting { failures: 0 };
        self.actions.extend([Action::Connect { fresh: true }, Action::Announce]);
    }

    fn connected(&mut self, probed: bool) {
        let failures = match self.state.link {
            Link::Connecting { failures } => failures,
            _ => return,
        };
        self.state.link = Link::Up { since: self.now, failures };
        self.state.deaf = false;
        self.state.reason = None;
        self.state.malformed = 0;
        self.state.health_failures = 0;
        self.state.checked_at = self.now;
        if probed {
            self.state.refreshed_at = self.now;
        }
        self.state.refresh_wanted = !probed;
        if let Some(work) = &mut self.state.work {
            work.heard_at = self.now;
            if work.phase != Phase::Posting {
                self.locate();
            }
        }
        self.discard_orphans();
        self.actions.push(Action::Announce);
    }

    /// The link is down; `reason` says why.
    fn cut(&mut self, reason: String, jitter: f64) {
        let failures = match self.state.link {
            Link::Waiting { .. } => return,
            Link::Connecting { failures } => failures.saturating_add(1),
            Link::Up { since, .. } if self.now.duration_since(since) >= STABLE => 0,
            Link::Up { failures, .. } => failures.saturating_add(1),
        };
        let was_up = self.state.is_up();
        self.state.link = Link::Waiting { until: self.now + self.wait(failures, jitter), failures };
        let same_reason = self.state.reason.as_ref() == Some(&reason);
        self.state.reason = Some(reason.clone());
        match &self.state.work {
            Some(work) if work.phase == Phase::Uploading => {
                self.end(ReportEvent::Unreachable { reason });
            }
            Some(work) if was_up && !matches!(work.phase, Phase::Posting | Phase::Collecting(_)) => self.locate(),
            _ => {}
        }
        if was_up || !same_reason {
            self.actions.push(Action::Announce);
        }
    }

    fn wait(&self, failures: u32, jitter: f64) -> Duration {
        let pace = &self.state.pace;
        if failures == 0 {
            return Duration::ZERO;
        }
        let doubled = pace.backoff_first.saturating_mul(2_u32.saturating_pow((failures - 1).min(16)));
        // While a prompt may still be running, giving up early costs its result.
        let longest = if self.state.work.is_some() { pace.backoff_max.min(pace.grace / 8) } else { pace.backoff_max };
        doubled.min(longest).mul_f64(0.5 + jitter.clamp(0.0, 1.0) / 2.0)
    }

    fn health(&mut self, failure: Option<String>, jitter: f64) {
        let Some(reason) = failure else {
            self.state.health_failures = 0;
            return;
        };
        self.state.health_failures += 1;
        if self.state.health_failures >= 3 && self.state.is_up() && self.state.work.is_none() {
            self.actions.push(Action::Disconnect);
            self.cut(format!("gives no sign of life: {reason}"), jitter);
        }
    }

    fn malformed(&mut self, reason: &str, jitter: f64) {
        self.state.malformed += 1;
        if self.state.malformed <= self.state.limits.malformed {
            return;
        }
        self.state.malformed = 0;
        let reason = format!("too many malformed messages, the last: {reason}");
        self.end_orphaned(|| ReportEvent::Broke { reason: reason.clone() });
        self.actions.push(Action::Disconnect);
        self.cut(reason, jitter);
    }

    fn uploaded(&mut self) {
        if let Some(work) = self.state.work.as_mut().filter(|work| work.phase == Phase::Uploading) {
            work.phase = Phase::Posting;
            self.actions.push(Action::Post);
        }
    }

    fn upload_failed(&mut self, reason: String, broke: bool) {
        if self.state.work.as_ref().is_some_and(|work| work.phase == Phase::Uploading) {
            self.end(if broke { ReportEvent::Broke { reason } } else { ReportEvent::Unreachable { reason } });
        }
    }

    fn posted(&mut self, answer: PostAnswer) {
        let Some(work) = &mut self.state.work else { return };
        match answer {
            PostAnswer::Taken { prompt_id, node_errors } => {
                work.prompt_id = prompt_id;
                if work.phase == Phase::Posting {
                    work.phase = Phase::Queued;
                }
                work.heard_at = self.now;
                let stop = work.stop_wanted;
                self.accepted();
                if is_filled(&node_errors) {
                    self.report(ReportEvent::Partial { node_errors });
                }
                if stop {
                    self.cancel();
                } else if !self.state.is_up() {
                    self.locate();
                }
            }
            // The prompt speaks for itself on the socket; the answer to its post no longer matters.
            _ if work.phase != Phase::Posting => {}
            PostAnswer::Refused { validation } => {
                self.state.refresh_wanted = true;
                self.end(ReportEvent::Refused { validation });
            }
            PostAnswer::Unreachable { reason } => self.end(ReportEvent::Unreachable { reason }),
            PostAnswer::Broke { reason } => self.end_orphaned(|| ReportEvent::Broke { reason }),
            PostAnswer::Unknown { reason } => {
                work.phase = Phase::Doubtful { since: self.now, misses: 0, reason };
                self.locate();
            }
        }
    }

    fn taken_in_part(&mut self, prompt_id: String, validation: Value) {
        let Some(work) = &mut self.state.work else { return };
        work.prompt_id = prompt_id;
        self.end_orphaned(|| ReportEvent::Refused { validation });
    }

    /// Uploads again, and posts under a fresh id.
    fn inputs_gone(&mut self, prompt_id: String, taken: Option<String>) {
        let Some(work) = self.state.work.as_mut().filter(|work| work.phase == Phase::Posting) else { return };
        let stopped = work.stop_wanted;
        work.phase = Phase::Uploading;
        work.prompt_id = prompt_id;
        self.state.orphans.extend(taken);
        if self.state.is_up() {
            self.discard_orphans();
        }
        if stopped {
            self.end(ReportEvent::Interrupted { outputs: Vec::new(), ran_ms: 0 });
        } else {
            self.actions.push(Action::Upload);
        }
    }

    fn tick(&mut self) {
        self.tick_link();
        self.tick_work();
    }

    fn tick_link(&mut self) {
        let pace = self.state.pace;
        match self.state.link {
            Link::Waiting { until, failures } if self.now >= until => {
                self.state.link = Link::Connecting { failures };
                self.actions.push(Action::Connect { fresh: self.state.work.is_none() });
            }
            Link::Up { .. } => {
                if self.state.work.is_none() && self.now.duration_since(self.state.checked_at) >= pace.health_every {
                    self.state.checked_at = self.now;
                    self.actions.push(Action::CheckHealth);
                }
                let age = self.now.duration_since(self.state.refreshed_at);
                let wanted = self.state.refresh_wanted && self.state.work.is_none() && age >= pace.health_every;
                if wanted || age >= pace.refresh_every {
                    self.state.refreshed_at = self.now;
                    self.state.refresh_wanted = false;
                    self.actions.push(Action::Refresh);
                }
            }
            _ => {}
        }
    }

    /// Sends an intermediate report about the work.
    pub(super) fn report(&mut self, event: ReportEvent) {
        if let Some(work) = &self.state.work {
            self.actions.push(Action::Report { job: work.job, attempt: work.attempt, event });
        }
    }

    /// Ends the work with its last report.
    pub(super) fn end(&mut self, event: ReportEvent) {
        if matches!(event, ReportEvent::Refused { .. } | ReportEvent::Failed { .. } | ReportEvent::Broke { .. }) {
            self.state.refresh_wanted = true;
        }
        if let Some(work) = self.state.work.take() {
            self.actions.push(Action::Report { job: work.job, attempt: work.attempt, event });
            if self.state.deaf && self.state.is_up() {
                self.state.link = Link::Connecting { failures: 0 };
                self.state.reason = Some("the worker no longer spoke to our socket".into());
                self.actions.push(Action::Connect { fresh: true });
            }
            self.actions.push(Action::Announce);
        }
    }

    /// Ends the work though its prompt may still be at the worker: it is stopped as soon as the worker answers.
    pub(super) fn end_orphaned(&mut self, event: impl FnOnce() -> ReportEvent) {
        let Some(work) = &self.state.work else { return };
        if work.phase != Phase::Uploading {
            self.state.orphans.push(work.prompt_id.clone());
            let surplus = self.state.orphans.len().saturating_sub(MAX_ORPHANS);
            self.state.orphans.drain(..surplus);
        }
        self.end(event());
        if self.state.is_up() {
            self.discard_orphans();
        }
    }

    fn discard_orphans(&mut self) {
        if !self.state.orphans.is_empty() {
            self.actions.push(Action::Discard(std::mem::take(&mut self.state.orphans)));
        }
    }

    pub(super) fn locate(&mut self) {
        if let Some(work) = self.state.work.as_mut().filter(|work| !work.locating) {
            work.locating = true;
            work.located_at = self.now;
            self.actions.push(Action::Locate);
        }
    }

    pub(super) fn cancel(&mut self) {
        if let Some(work) = &mut self.state.work {
            work.locating = true;
            work.located_at = self.now;
            self.actions.push(Action::Cancel);
        }
    }

    pub(super) fn preview(&mut self, node: Option<String>, content_type: &'static str, bytes: bytes::Bytes) {
        if bytes.len() <= self.state.limits.preview_bytes && !bytes.is_empty() {
            self.report(ReportEvent::Preview(Preview { node_id: node, content_type, bytes }));
        }
    }
}

/// Whether `node_errors` tells of anything.
pub(super) fn is_filled(node_errors: &Value) -> bool {
    node_errors.as_object().is_some_and(|errors| !errors.is_empty())
}

/// What nodes showed, from messages and history; history wins, and the order is that of the prompt.
pub(super) fn merge(
    executed: &[(String, Arc<Value>)],
    history: Vec<(String, Arc<Value>)>,
    order: &[String],
) -> Vec<(String, Arc<Value>)> {
    let mut merged = history;
    for (node, output) in executed {
        if !merged.iter().any(|(known, _)| known == node) {
            merged.push((node.clone(), Arc::clone(output)));
        }
    }
    let places: BTreeMap<&str, usize> = order.iter().enumerate().map(|(place, node)| (node.as_str(), place)).collect();
    merged.sort_by_key(|(node, _)| places.get(node.as_str()).copied().unwrap_or(usize::MAX));
    merged
}

/// The last report of a prompt whose outputs are there.
pub(super) fn last_report(end: End, outputs: Vec<NodeOutput>, ran_ms: u64) -> ReportEvent {
    match end {
        End::Success => ReportEvent::Finished { outputs, ran_ms },
        End::Error(exception) => ReportEvent::Failed { exception, outputs, ran_ms },
        End::Interrupted => ReportEvent::Interrupted { outputs, ran_ms },
    }
}
