//! Locates the prompt by queue and history: when to ask, what the answer means, and when to give up.

use std::sync::Arc;

use verdigraph_core::fleet::ReportEvent;

use super::decision::Decision;
use super::event::Action;
use super::work::{LocateFailure, Phase, PromptLocation, Work};
use crate::comfy::output::UNREAD;
use crate::comfy::{HistoryEntry, PromptEnd};

/// How often a prompt must be missing before it counts as never accepted.
const MAX_MISSES: u32 = 3;

impl Decision {
    pub(super) fn located(&mut self, located: PromptLocation) {
        let (now, poll_every, tunnel_is_down) = (self.now, self.state.pace.poll_every, self.state.tunnel_is_down);
        let Some(work) = self.work_mut() else { return };
        work.locating = false;
        if matches!(work.phase, Phase::Uploading | Phase::Posting | Phase::Collecting(_)) {
            return;
        }
        let was_unanswered = work.unanswered.is_some();
        work.unanswered = match located {
            PromptLocation::Unknown(why) => {
                // The tunnel's local listener accepts connections and cannot tell what is wrong behind it.
                let why = if tunnel_is_down { LocateFailure::Unreachable } else { why };
                // It was asked before, and has been silent since.
                Some((work.unanswered.map_or(work.located_at, |(since, _)| since), why))
            }
            _ => None,
        };
        if was_unanswered != work.unanswered.is_some() {
            self.actions.push(Action::Announce);
        }
        let Some(work) = self.work_mut() else { return };
        match located {
            PromptLocation::Unknown(_) => {}
            PromptLocation::Ended(ended) => {
                let quiet = now.saturating_duration_since(work.heard_at) >= poll_every;
                let socket_stale = quiet && matches!(work.phase, Phase::Queued | Phase::Running);
                self.state.socket_stale |= socket_stale;
                self.settle(*ended);
            }
            PromptLocation::TooLarge => {
                let end = match &work.phase {
                    Phase::Ending { end, .. } => end.clone(),
                    _ => PromptEnd::Success,
                };
                let is_known = |node: &&String| work.executed.iter().any(|(known, _)| known == *node);
                let unread = work.node_order.iter().filter(|node| !is_known(node));
                let outputs = unread.map(|node| (node.clone(), Arc::new(UNREAD))).collect();
                self.settle(HistoryEntry { end, outputs, display_nodes: Vec::new(), started_ms: None, ended_ms: None });
            }
            PromptLocation::Running => {
                let cancel = work.stop_wanted && matches!(work.phase, Phase::Unconfirmed { .. });
                self.started(None);
                if cancel {
                    self.cancel();
                }
            }
            PromptLocation::Pending => {
                let unconfirmed = matches!(work.phase, Phase::Unconfirmed { .. });
                if unconfirmed {
                    work.phase = Phase::Queued;
                }
                let (cancel, withdraw) = (work.stop_wanted && unconfirmed, work.withdraw_wanted && unconfirmed);
                self.accepted();
                if cancel {
                    self.cancel();
                } else if withdraw {
                    self.take_back();
                }
            }
            PromptLocation::Absent => self.absent(),
        }
    }

    /// Handles that the server does not know the prompt.
    fn absent(&mut self) {
        let now = self.now;
        let Some(work) = self.work_mut() else { return };
        let stopped = work.stop_wanted;
        match &mut work.phase {
            // Other clients can clear the history. The messages contain all that is needed.
            Phase::Ending { end, .. } => {
                let end = end.clone();
                self.collect(end, Vec::new());
            }
            Phase::Unconfirmed { misses, reason, .. } => {
                *misses += 1;
                if *misses >= MAX_MISSES {
                    let reason = format!("the prompt was not taken: {reason}");
                    self.end(if stopped {
                        ReportEvent::Interrupted { outputs: Vec::new(), ran_ms: 0 }
                    } else {
                        ReportEvent::Unreachable { reason }
                    });
                }
            }
            Phase::Queued if !stopped && work.withdraw_wanted => self.end(ReportEvent::Withdrawn),
            // A deleted prompt leaves no trace at the worker.
            _ if stopped => {
                work.ended_at = Some(now);
                self.collect(PromptEnd::Interrupted, Vec::new());
            }
            _ => self.end(ReportEvent::Lost {
                reason: "the worker no longer knows the prompt: it was started again, or its queue was cleared".into(),
            }),
        }
    }

    /// Handles a history entry: the prompt has ended.
    fn settle(&mut self, ended: HistoryEntry) {
        self.started(ended.started_ms);
        let now = self.now;
        let Some(work) = self.work_mut() else { return };
        work.ended_ms = ended.ended_ms.or(work.ended_ms);
        work.ended_at = work.ended_at.or(Some(now));
        if let Some(work) = self.work_mut() {
            for (node, display_node) in ended.display_nodes {
                work.note_display_node(&node, Some(display_node));
            }
        }
        self.collect(ended.end, ended.outputs);
    }

    pub(super) fn tick_work(&mut self) {
        let (pace, now, up) = (self.state.pace, self.now, self.state.is_up());
        let others = |work: &&Work| Some(work.serial) != self.serial && !work.has_ended();
        let ahead = self.state.works.iter().filter(others).any(|work| work.phase == Phase::Running)
            || self.state.current().map(|work| work.serial) != self.serial;
        if let Some(work) = self.work_mut().filter(|work| ahead && work.phase == Phase::Queued) {
            // A prompt that waits behind another one gets no messages. The silence counts for the running one.
            work.heard_at = now;
        }
        let Some(work) = self.work() else { return };
        let asked = now.saturating_duration_since(work.located_at);
        let unanswered = work.unanswered.map(|(since, _)| now.saturating_duration_since(since));
        let why = work.unanswered.map(|(_, why)| why);
        let patience = match why {
            Some(LocateFailure::Refused) => pace.grace,
            Some(LocateFailure::Unresponsive) => pace.silence.min(pace.gone),
            Some(LocateFailure::Unreachable) | None => pace.gone,
        };
        let heard = now.saturating_duration_since(work.heard_at);
        match &work.phase {
            Phase::Uploading | Phase::Posting | Phase::Collecting(_) => {}
            Phase::Unconfirmed { since, reason, .. } => {
                if now.saturating_duration_since(*since) >= patience {
                    let reason = format!("the worker may have taken the prompt and cannot be asked: {reason}");
                    self.end_orphaned(|| ReportEvent::Lost { reason });
                } else if asked >= pace.settle_every {
                    self.locate();
                }
            }
            Phase::Ending { end, since } => {
                // A long history entry may take as long to read as the files.
                let patience = if work.locating { pace.grace.max(pace.collect) } else { pace.grace };
                if now.saturating_duration_since(*since) >= patience {
                    let end = end.clone();
                    self.collect(end, Vec::new());
                } else if asked >= pace.settle_every {
                    self.locate();
                }
            }
            Phase::Queued | Phase::Running => {
                let running = work.phase == Phase::Running;
                if !up && unanswered.is_some_and(|since| since >= patience) {
                    let reason = self.state.reason.clone().unwrap_or_else(|| "the connection broke".into());
                    self.end_orphaned(|| ReportEvent::Lost { reason });
                } else if up
                    && heard >= pace.silence
                    && unanswered.is_some_and(|since| since >= pace.grace.min(pace.silence))
                {
                    // A single late answer of a busy server is not enough: it must have missed several.
                    let reason = format!("no message for {} s and no answer over HTTP", heard.as_secs());
                    self.end_orphaned(|| ReportEvent::Silent { reason });
                } else if heard >= pace.silence_hard {
                    let reason = |what: &str| {
                        format!("no message for {} s, though the worker says that it {what}", heard.as_secs())
                    };
                    // A prompt that never started did not make the worker silent.
                    self.end_orphaned(|| match running {
                        true => ReportEvent::Silent { reason: reason("runs") },
                        false => ReportEvent::Lost { reason: reason("waits") },
                    });
                } else if work.stop_wanted && !work.locating && asked >= pace.poll_every {
                    self.cancel();
                } else if work.withdraw_wanted && !running && !work.locating && asked >= pace.poll_every {
                    self.take_back();
                } else if asked >= if up { pace.poll_every } else { pace.settle_every }
                    && (!up || heard >= pace.poll_every)
                {
                    self.locate();
                }
            }
        }
    }
}
