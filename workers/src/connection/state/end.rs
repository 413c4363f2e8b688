//! The end of a prompt: it is stopped or ends by itself, its outputs are fetched, its last report is sent.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;
use verdigraph_core::fleet::{NodeOutput, ReportEvent};
use verdigraph_core::ids::JobId;

use super::decision::Decision;
use super::event::{Action, CollectError, CollectPolicy};
use super::work::Phase;
use crate::comfy::PromptEnd;

impl Decision {
    pub(super) fn stop(&mut self, job: JobId, attempt: i32) {
        self.for_each_work(|work| work.job == job && work.attempt == attempt, Self::stop_work);
    }

    pub(super) fn withdraw(&mut self, job: JobId, attempt: i32) {
        self.for_each_work(|work| work.job == job && work.attempt == attempt, Self::withdraw_work);
    }

    fn withdraw_work(&mut self) {
        // The dispatcher asks in each of its rounds; `tick_work` repeats what had no effect.
        let Some(work) = self.work_mut().filter(|work| !work.withdraw_wanted) else { return };
        work.withdraw_wanted = true;
        match work.phase {
            Phase::Uploading => self.end(ReportEvent::Withdrawn),
            Phase::Queued => self.take_back(),
            // Posting and Unconfirmed: withdrawn as soon as the answer is known. A running prompt is not withdrawn.
            _ => {}
        }
    }

    fn stop_work(&mut self) {
        let now = self.now;
        let Some(work) = self.work_mut() else { return };
        let is_wanted_already = std::mem::replace(&mut work.stop_wanted, true);
        match work.phase {
            Phase::Uploading => self.end(ReportEvent::Interrupted { outputs: Vec::new(), ran_ms: 0 }),
            // A second interrupt beside the first could hit the next prompt; `tick_work` repeats what had no effect.
            Phase::Queued | Phase::Running if is_wanted_already => {}
            Phase::Queued | Phase::Running => self.cancel(),
            // The prompt has ended and waits for the storage, for an unknown time.
            Phase::Collecting(_) if work.awaits_storage => {
                let ran_ms = work.ran_ms(now);
                self.end(ReportEvent::Interrupted { outputs: Vec::new(), ran_ms });
            }
            // Posting and Unconfirmed: canceled as soon as the answer is known. Ending: it has ended already.
            _ => {}
        }
    }

    pub(super) fn collect(&mut self, end: PromptEnd, history: Vec<(String, Arc<Value>)>) {
        let Some(work) = self.work_mut() else { return };
        let shown = merge(&work.executed, history);
        let shown = shown.into_iter().map(|(node, output)| (work.display_node(&node).to_owned(), output)).collect();
        let outputs = in_order(shown, &work.node_order);
        let end = match end {
            PromptEnd::Error(exception) => PromptEnd::Error(work.with_display_node(exception)),
            end => end,
        };
        let policy = match end {
            PromptEnd::Success => CollectPolicy::Required,
            PromptEnd::Error(_) => CollectPolicy::BestEffort,
            PromptEnd::Interrupted => CollectPolicy::Immediate,
        };
        work.phase = Phase::Collecting(end);
        let serial = work.serial;
        self.report_ended();
        self.actions.push(Action::Collect { serial, outputs, policy });
    }

    /// The worker is done, and the outputs wait for the storage. The running time ends here.
    pub(super) fn storage_away(&mut self) {
        let now = self.now;
        let Some(work) = self.work_mut().filter(|work| matches!(work.phase, Phase::Collecting(_))) else {
            return;
        };
        work.awaits_storage = true;
        work.ended_at = work.ended_at.or(Some(now));
        let ran_ms = work.ran_ms(now);
        self.report(ReportEvent::AwaitingStorage { ran_ms });
    }

    pub(super) fn storage_back(&mut self) {
        if let Some(work) = self.work_mut() {
            work.awaits_storage = false;
        }
    }

    pub(super) fn collected(&mut self, result: Result<Vec<NodeOutput>, CollectError>) {
        let Some(work) = self.work() else { return };
        let Phase::Collecting(end) = &work.phase else { return };
        let event = match result {
            Ok(outputs) => last_report(end.clone(), outputs, work.ran_ms(self.now)),
            Err(CollectError::WorkerGone(reason)) => ReportEvent::Lost { reason },
            Err(CollectError::FileMissing(reason) | CollectError::Failed(reason)) => {
                ReportEvent::ProtocolError { reason }
            }
        };
        self.end(event);
    }
}

/// Node outputs from messages and history. History wins.
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

/// Sorts node outputs by the prompt's order of nodes. The order within one node is kept.
pub(in crate::connection) fn in_order(
    mut shown: Vec<(String, Arc<Value>)>,
    order: &[String],
) -> Vec<(String, Arc<Value>)> {
    let places: BTreeMap<&str, usize> = order.iter().enumerate().map(|(place, node)| (node.as_str(), place)).collect();
    shown.sort_by_key(|(node, _)| places.get(node.as_str()).copied().unwrap_or(usize::MAX));
    shown
}

/// The last report of a prompt whose outputs were fetched.
fn last_report(end: PromptEnd, outputs: Vec<NodeOutput>, ran_ms: u64) -> ReportEvent {
    match end {
        PromptEnd::Success => ReportEvent::Finished { outputs, ran_ms },
        PromptEnd::Error(exception) => ReportEvent::Failed { exception, outputs, ran_ms },
        PromptEnd::Interrupted => ReportEvent::Interrupted { outputs, ran_ms },
    }
}
