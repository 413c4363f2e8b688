//! The prompt that a worker has: its phases, and how messages and whereabouts move them. Pure, as `state`.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::Value;
use verdigraph_core::fleet::{NodeOutput, NodeProgress, ReportEvent};
use verdigraph_core::ids::JobId;

use super::state::{Action, CollectError, Step, last_report, merge};
use crate::comfy::{End, Ended, ServerMessage};

/// How many times an unknown prompt must be looked for before it counts as never taken.
const MISSES: u32 = 3;
/// By how much the worker's clock may run ahead of ours within one prompt before it is not believed.
const CLOCK_SLACK: Duration = Duration::from_secs(5);

/// One assignment on its way through the worker.
#[derive(Debug, Clone)]
pub struct Work {
    pub job: JobId,
    pub attempt: i32,
    pub prompt_id: String,
    pub phase: Phase,
    pub stop_wanted: bool,
    /// Last time a message about it arrived.
    pub heard_at: Instant,
    /// Last time its whereabouts were asked for.
    pub located_at: Instant,
    pub locating: bool,
    /// Since when the server does not say where it is.
    unanswered_since: Option<Instant>,
    accepted: bool,
    assigned_at: Instant,
    started_at: Option<Instant>,
    ended_at: Option<Instant>,
    /// The worker's clock, in milliseconds.
    started_ms: Option<i64>,
    ended_ms: Option<i64>,
    node_order: Arc<Vec<String>>,
    current_node: Option<String>,
    progress: BTreeMap<String, (f64, f64)>,
    executed: Vec<(String, Arc<Value>)>,
}

/// Where the assignment is.
#[derive(Debug, Clone, PartialEq)]
pub enum Phase {
    Uploading,
    Posting,
    /// Nobody knows whether the worker took the prompt; it is looked for.
    Doubtful {
        since: Instant,
        misses: u32,
        reason: String,
    },
    Queued,
    Running,
    /// Its last message came; the history entry is wanted.
    Ending {
        end: End,
        since: Instant,
    },
    Collecting(End),
}

/// What queue and history say about the prompt.
#[derive(Debug, Clone, PartialEq)]
pub enum Located {
    Pending,
    Running,
    Ended(Box<Ended>),
    /// The server answered and knows nothing of it.
    Absent,
    /// The server did not answer.
    Unanswered(String),
}

impl Work {
    pub(super) fn new(
        job: JobId,
        attempt: i32,
        prompt_id: String,
        uploads: bool,
        node_order: Arc<Vec<String>>,
        now: Instant,
    ) -> Self {
        Self {
            job,
            attempt,
            prompt_id,
            phase: if uploads { Phase::Uploading } else { Phase::Posting },
            stop_wanted: false,
            heard_at: now,
            located_at: now,
            locating: false,
            unanswered_since: None,
            accepted: false,
            assigned_at: now,
            started_at: None,
            ended_at: None,
            started_ms: None,
            ended_ms: None,
            node_order,
            current_node: None,
            progress: BTreeMap::new(),
            executed: Vec::new(),
        }
    }

    /// How long it ran: by the worker's clock where that is plausible, else by ours.
    fn ran_ms(&self, now: Instant) -> u64 {
        let Some(started_at) = self.started_at else { return 0 };
        let ended_at = self.ended_at.unwrap_or(now);
        let ours = millis(ended_at.saturating_duration_since(started_at));
        // The worker may have begun before we heard of it, but not before it was asked.
        let longest = millis(ended_at.saturating_duration_since(self.assigned_at) + CLOCK_SLACK);
        let theirs =
            self.started_ms.zip(self.ended_ms).and_then(|(start, end)| u64::try_from(end.checked_sub(start)?).ok());
        theirs.filter(|ran| *ran <= longest).unwrap_or(ours)
    }

    fn is_past_post(&self) -> bool {
        matches!(self.phase, Phase::Doubtful { .. } | Phase::Queued | Phase::Running)
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

impl Step {
    pub(super) fn stop(&mut self, job: JobId, attempt: i32) {
        let Some(work) = self.state.work.as_mut().filter(|work| work.job == job && work.attempt == attempt) else {
            return;
        };
        work.stop_wanted = true;
        match work.phase {
            Phase::Uploading => self.end(ReportEvent::Interrupted { outputs: Vec::new(), ran_ms: 0 }),
            Phase::Queued | Phase::Running => self.cancel(),
            // Posting and Doubtful: cancelled as soon as the answer is known. Ending: it is over already.
            _ => {}
        }
    }

    pub(super) fn accepted(&mut self) {
        if let Some(work) = self.state.work.as_mut().filter(|work| !work.accepted) {
            work.accepted = true;
            self.report(ReportEvent::Accepted);
        }
    }

    fn started(&mut self, timestamp: Option<i64>) {
        self.accepted();
        let now = self.now;
        let Some(work) = &mut self.state.work else { return };
        work.started_ms = work.started_ms.or(timestamp);
        if work.is_past_post() || work.phase == Phase::Posting {
            work.phase = Phase::Running;
        }
        if work.started_at.is_none() {
            work.started_at = Some(now);
            self.report(ReportEvent::Started);
        }
    }

    /// Whether a message with this prompt id is about the work; without one it can only be about a running prompt.
    fn concerns(&self, prompt_id: Option<&str>) -> bool {
        self.state.work.as_ref().is_some_and(|work| match prompt_id {
            Some(id) => id == work.prompt_id && work.phase != Phase::Uploading,
            None => work.phase == Phase::Running,
        })
    }

    pub(super) fn message(&mut self, message: ServerMessage) {
        let now = self.now;
        let concerned = match &message {
            ServerMessage::Status { .. } => {
                self.status();
                return;
            }
            ServerMessage::Text { .. } | ServerMessage::Unknown => return,
            ServerMessage::ExecutionStart { prompt_id, .. }
            | ServerMessage::ExecutionCached { prompt_id, .. }
            | ServerMessage::Executed { prompt_id, .. }
            | ServerMessage::ProgressState { prompt_id, .. }
            | ServerMessage::ExecutionSuccess { prompt_id, .. }
            | ServerMessage::ExecutionError { prompt_id, .. }
            | ServerMessage::ExecutionInterrupted { prompt_id, .. } => self.concerns(Some(prompt_id)),
            ServerMessage::Executing { prompt_id, .. }
            | ServerMessage::Progress { prompt_id, .. }
            | ServerMessage::Preview { prompt_id, .. } => self.concerns(prompt_id.as_deref()),
        };
        let Some(work) = self.state.work.as_mut().filter(|_| concerned) else { return };
        work.heard_at = now;
        match message {
            ServerMessage::ExecutionStart { timestamp, .. } => self.started(timestamp),
            ServerMessage::ExecutionCached { nodes, .. } => {
                self.started(None);
                if !nodes.is_empty() {
                    self.report(ReportEvent::Cached { nodes });
                }
            }
            ServerMessage::Executing { node: Some(node), .. } => {
                self.started(None);
                self.current(node);
            }
            ServerMessage::Executing { node: None, .. } => self.over(),
            ServerMessage::Executed { node, output, .. } => self.executed(node, output),
            ServerMessage::Progress { node, value, max, .. } => {
                if let Some(node) = node.or_else(|| self.current_node()) {
                    self.progress(node, value, max);
                }
            }
            ServerMessage::ProgressState { nodes, .. } => {
                for step in nodes {
                    self.progress(step.node, step.value, step.max);
                }
            }
            ServerMessage::ExecutionSuccess { timestamp, .. } => self.ending(End::Success, timestamp),
            ServerMessage::ExecutionError { exception, timestamp, .. } => self.ending(End::Error(exception), timestamp),
            ServerMessage::ExecutionInterrupted { timestamp, .. } => self.ending(End::Interrupted, timestamp),
            ServerMessage::Preview { node, content_type, bytes, .. } => {
                let node = node.or_else(|| self.current_node());
                self.preview(node, content_type, bytes);
            }
            ServerMessage::Status { .. } | ServerMessage::Text { .. } | ServerMessage::Unknown => {}
        }
    }

    fn current_node(&self) -> Option<String> {
        self.state.work.as_ref().and_then(|work| work.current_node.clone())
    }

    fn current(&mut self, node: String) {
        if let Some(work) = &mut self.state.work {
            work.current_node = Some(node.clone());
            if !work.progress.contains_key(&node) {
                self.progress(node, 0.0, 1.0);
            }
        }
    }

    /// Reports a step once, though `progress` and `progress_state` both tell of it.
    fn progress(&mut self, node: String, value: f64, max: f64) {
        let Some(work) = self.state.work.as_mut().filter(|work| work.phase == Phase::Running) else { return };
        if work.progress.insert(node.clone(), (value, max)) != Some((value, max)) {
            self.report(ReportEvent::Progress(NodeProgress { node_id: node, value, max }));
        }
    }

    fn executed(&mut self, node: String, output: Value) {
        let Some(work) = &mut self.state.work else { return };
        let output = Arc::new(output);
        match work.executed.iter_mut().find(|(known, _)| *known == node) {
            Some((_, shown)) => *shown = output,
            None => work.executed.push((node, output)),
        }
    }

    /// The prompt's last message. Its history entry is complete when the next `status` arrives.
    fn ending(&mut self, end: End, timestamp: Option<i64>) {
        self.started(None);
        let now = self.now;
        let Some(work) = &mut self.state.work else { return };
        if matches!(work.phase, Phase::Ending { .. } | Phase::Collecting(_)) {
            return;
        }
        work.ended_ms = timestamp;
        work.ended_at = Some(now);
        work.located_at = now;
        work.phase = Phase::Ending { end, since: now };
    }

    fn status(&mut self) {
        if self.state.work.as_ref().is_some_and(|work| matches!(work.phase, Phase::Ending { .. })) {
            self.locate();
        }
    }

    /// `executing: null` comes after every end; where its message was missed, history tells which.
    fn over(&mut self) {
        if self.state.work.as_ref().is_some_and(|work| !matches!(work.phase, Phase::Posting | Phase::Collecting(_))) {
            self.locate();
        }
    }

    pub(super) fn located(&mut self, located: Located) {
        let now = self.now;
        let Some(work) = &mut self.state.work else { return };
        work.locating = false;
        if matches!(work.phase, Phase::Uploading | Phase::Posting | Phase::Collecting(_)) {
            return;
        }
        work.unanswered_since = match located {
            Located::Unanswered(_) => work.unanswered_since.or(Some(now)),
            _ => None,
        };
        match located {
            Located::Unanswered(_) => {}
            Located::Ended(ended) => {
                let quiet = now.saturating_duration_since(work.heard_at) >= self.state.pace.poll_every;
                self.state.deaf |= quiet && matches!(work.phase, Phase::Queued | Phase::Running);
                self.settle(*ended);
            }
            Located::Running => {
                let cancel = work.stop_wanted && matches!(work.phase, Phase::Doubtful { .. });
                self.started(None);
                if cancel {
                    self.cancel();
                }
            }
            Located::Pending => {
                let doubtful = matches!(work.phase, Phase::Doubtful { .. });
                if doubtful {
                    work.phase = Phase::Queued;
                }
                let cancel = work.stop_wanted && doubtful;
                self.accepted();
                if cancel {
                    self.cancel();
                }
            }
            Located::Absent => self.absent(),
        }
    }

    /// The server does not know the prompt.
    fn absent(&mut self) {
        let now = self.now;
        let Some(work) = &mut self.state.work else { return };
        let stopped = work.stop_wanted;
        match &mut work.phase {
            // History can be cleared by others; the messages have told all that is needed.
            Phase::Ending { end, .. } => {
                let end = end.clone();
                self.collect(end, Vec::new());
            }
            Phase::Doubtful { misses, reason, .. } => {
                *misses += 1;
                if *misses >= MISSES {
                    let reason = format!("the prompt was not taken: {reason}");
                    self.end(if stopped {
                        ReportEvent::Interrupted { outputs: Vec::new(), ran_ms: 0 }
                    } else {
                        ReportEvent::Unreachable { reason }
                    });
                }
            }
            // A deleted prompt leaves no trace at the worker.
            _ if stopped => {
                work.ended_at = Some(now);
                self.collect(End::Interrupted, Vec::new());
            }
            _ => self.end(ReportEvent::Lost {
                reason: "the worker no longer knows the prompt: it was started again, or its queue was cleared".into(),
            }),
        }
    }

    /// History says how it ended.
    fn settle(&mut self, ended: Ended) {
        self.started(ended.started_ms);
        let now = self.now;
        let Some(work) = &mut self.state.work else { return };
        work.ended_ms = ended.ended_ms.or(work.ended_ms);
        work.ended_at = work.ended_at.or(Some(now));
        self.collect(ended.end, ended.outputs);
    }

    fn collect(&mut self, end: End, history: Vec<(String, Arc<Value>)>) {
        let Some(work) = &mut self.state.work else { return };
        let outputs = merge(&work.executed, history, &work.node_order);
        let strict = end == End::Success;
        work.phase = Phase::Collecting(end);
        self.actions.push(Action::Collect { outputs, strict });
    }

    pub(super) fn collected(&mut self, result: Result<Vec<NodeOutput>, CollectError>) {
        let Some(work) = &self.state.work else { return };
        let Phase::Collecting(end) = &work.phase else { return };
        let event = match result {
            Ok(outputs) => last_report(end.clone(), outputs, work.ran_ms(self.now)),
            Err(CollectError::Gone(reason)) => ReportEvent::Lost { reason },
            Err(CollectError::Missing(reason) | CollectError::Bad(reason)) => ReportEvent::Broke { reason },
        };
        self.end(event);
    }

    pub(super) fn tick_work(&mut self) {
        let (pace, now, up) = (self.state.pace, self.now, self.state.is_up());
        let Some(work) = &self.state.work else { return };
        let asked = now.saturating_duration_since(work.located_at);
        let unanswered = work.unanswered_since.map(|since| now.saturating_duration_since(since));
        let heard = now.saturating_duration_since(work.heard_at);
        match &work.phase {
            Phase::Uploading | Phase::Posting | Phase::Collecting(_) => {}
            Phase::Doubtful { since, reason, .. } => {
                if now.saturating_duration_since(*since) >= pace.grace {
                    let reason = format!("the worker may have taken the prompt and cannot be asked: {reason}");
                    self.end_orphaned(|| ReportEvent::Lost { reason });
                } else if asked >= pace.settle_every {
                    self.locate();
                }
            }
            Phase::Ending { end, since } => {
                if now.saturating_duration_since(*since) >= pace.grace {
                    let end = end.clone();
                    self.collect(end, Vec::new());
                } else if asked >= pace.settle_every {
                    self.locate();
                }
            }
            Phase::Queued | Phase::Running => {
                let running = work.phase == Phase::Running;
                if !up && unanswered.is_some_and(|since| since >= pace.grace) {
                    let reason = self.state.reason.clone().unwrap_or_else(|| "the connection broke".into());
                    self.end_orphaned(|| ReportEvent::Lost { reason });
                } else if heard >= pace.silence && unanswered.is_some_and(|since| since >= pace.grace.min(pace.silence))
                {
                    // One late answer of a busy server is no silence: it must have missed several.
                    let reason = format!("no message for {} s and no answer over HTTP", heard.as_secs());
                    self.end_orphaned(|| ReportEvent::Silent { reason });
                } else if heard >= pace.silence_hard {
                    let reason = |what: &str| {
                        format!("no message for {} s, though the worker says that it {what}", heard.as_secs())
                    };
                    // One that never began is not to blame for what keeps the worker busy.
                    self.end_orphaned(|| match running {
                        true => ReportEvent::Silent { reason: reason("runs") },
                        false => ReportEvent::Lost { reason: reason("waits") },
                    });
                } else if work.stop_wanted && !work.locating && asked >= pace.poll_every {
                    self.cancel();
                } else if asked >= if up { pace.poll_every } else { pace.settle_every }
                    && (!up || heard >= pace.poll_every)
                {
                    self.locate();
                }
            }
        }
    }
}
