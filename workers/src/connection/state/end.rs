//! The end of a prompt: stopped by us or over by itself, its outputs fetched, its last report made.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;
use verdigraph_core::fleet::{NodeOutput, ReportEvent};
use verdigraph_core::ids::JobId;

use super::event::{Action, CollectError, Need};
use super::step::Step;
use super::work::Phase;
use crate::comfy::End;

impl Step {
    pub(super) fn stop(&mut self, job: JobId, attempt: i32) {
        self.about_each(|work| work.job == job && work.attempt == attempt, Self::stop_work);
    }

    pub(super) fn withdraw(&mut self, job: JobId, attempt: i32) {
        self.about_each(|work| work.job == job && work.attempt == attempt, Self::withdraw_work);
    }

    fn withdraw_work(&mut self) {
        let Some(work) = self.work_mut() else { return };
        work.withdraw_wanted = true;
        match work.phase {
            Phase::Uploading => self.end(ReportEvent::Withdrawn),
            Phase::Queued => self.take_back(),
            // Posting and Doubtful: as soon as the answer is known. Of one that runs nothing is taken back.
            _ => {}
        }
    }

    fn stop_work(&mut self) {
        let now = self.now;
        let Some(work) = self.work_mut() else { return };
        work.stop_wanted = true;
        match work.phase {
            Phase::Uploading => self.end(ReportEvent::Interrupted { outputs: Vec::new(), ran_ms: 0 }),
            Phase::Queued | Phase::Running => self.cancel(),
            // It is over already, and only the storage keeps it: nobody knows for how long.
            Phase::Collecting(_) if work.kept_waiting => {
                let ran_ms = work.ran_ms(now);
                self.end(ReportEvent::Interrupted { outputs: Vec::new(), ran_ms });
            }
            // Posting and Doubtful: cancelled as soon as the answer is known. Ending: it is over already.
            _ => {}
        }
    }

    pub(super) fn collect(&mut self, end: End, history: Vec<(String, Arc<Value>)>) {
        let Some(work) = self.work_mut() else { return };
        let shown = merge(&work.executed, history);
        let shown = shown.into_iter().map(|(node, output)| (work.display_node(&node).to_owned(), output)).collect();
        let outputs = in_order(shown, &work.node_order);
        let end = match end {
            End::Error(exception) => End::Error(work.with_display_node(exception)),
            end => end,
        };
        let need = match end {
            End::Success => Need::All,
            End::Error(_) => Need::What,
            End::Interrupted => Need::AtOnce,
        };
        work.phase = Phase::Collecting(end);
        let serial = work.serial;
        self.tell_over();
        self.actions.push(Action::Collect { serial, outputs, need });
    }

    /// The worker is done, and what it made waits: from here on no time is its own.
    pub(super) fn storage_away(&mut self) {
        let now = self.now;
        let Some(work) = self.work_mut().filter(|work| matches!(work.phase, Phase::Collecting(_))) else {
            return;
        };
        work.kept_waiting = true;
        work.ended_at = work.ended_at.or(Some(now));
        let ran_ms = work.ran_ms(now);
        self.report(ReportEvent::KeptWaiting { ran_ms });
    }

    pub(super) fn storage_back(&mut self) {
        if let Some(work) = self.work_mut() {
            work.kept_waiting = false;
        }
    }

    pub(super) fn collected(&mut self, result: Result<Vec<NodeOutput>, CollectError>) {
        let Some(work) = self.work() else { return };
        let Phase::Collecting(end) = &work.phase else { return };
        let event = match result {
            Ok(outputs) => last_report(end.clone(), outputs, work.ran_ms(self.now)),
            Err(CollectError::Gone(reason)) => ReportEvent::Lost { reason },
            Err(CollectError::Missing(reason) | CollectError::Bad(reason)) => ReportEvent::Broke { reason },
        };
        self.end(event);
    }
}

/// What nodes showed, from messages and history; history wins.
pub(in crate::connection) fn merge(
    executed: &[(String, Arc<Value>)],
    history: Vec<(String, Arc<Value>)>,
) -> Vec<(String, Arc<Value>)> {
    let mut merged = history;
    for (node, output) in executed {
        if !merged.iter().any(|(known, _)| known == node) {
            merged.push((node.clone(), Arc::clone(output)));
        }
    }
    merged
}

/// What nodes showed, in the order of the prompt. What one node showed stays in its own order.
pub(in crate::connection) fn in_order(
    mut shown: Vec<(String, Arc<Value>)>,
    order: &[String],
) -> Vec<(String, Arc<Value>)> {
    let places: BTreeMap<&str, usize> = order.iter().enumerate().map(|(place, node)| (node.as_str(), place)).collect();
    shown.sort_by_key(|(node, _)| places.get(node.as_str()).copied().unwrap_or(usize::MAX));
    shown
}

/// The last report of a prompt whose outputs are there.
fn last_report(end: End, outputs: Vec<NodeOutput>, ran_ms: u64) -> ReportEvent {
    match end {
        End::Success => ReportEvent::Finished { outputs, ran_ms },
        End::Error(exception) => ReportEvent::Failed { exception, outputs, ran_ms },
        End::Interrupted => ReportEvent::Interrupted { outputs, ran_ms },
    }
}
