//! From an assignment to the worker's answer: uploading, posting, and what the answer makes of it.

use std::time::Duration;

use serde_json::Value;
use verdigraph_core::fleet::{ReportEvent, WorkerState};

use super::event::Action;
use super::step::Step;
use super::work::{Phase, Work};
use crate::comfy::PostAnswer;

impl Step {
    pub(super) fn assign(&mut self, work: Work) {
        if self.state.shown() != WorkerState::Idle {
            let Work { serial, job, attempt, .. } = work;
            let reason = format!("the worker is {:?} and takes no job", self.state.shown()).to_lowercase();
            self.actions.push(Action::Report { serial, job, attempt, event: ReportEvent::Unreachable { reason } });
            return;
        }
        self.begin(work);
    }

    /// Posts behind the prompt that runs. Where that is not possible any more, the job waits for another turn.
    pub(super) fn assign_behind(&mut self, mut work: Work) {
        if !self.state.has_room_behind() {
            let Work { serial, job, attempt, .. } = work;
            self.actions.push(Action::Report { serial, job, attempt, event: ReportEvent::Withdrawn });
            return;
        }
        work.behind = self.state.current().is_some();
        self.begin(work);
    }

    fn begin(&mut self, work: Work) {
        let serial = work.serial;
        self.actions.push(if work.phase == Phase::Uploading { Action::Upload(serial) } else { Action::Post(serial) });
        self.state.works.push(work);
        self.actions.push(Action::Announce);
    }

    /// Goes on with what an earlier owner of the worker may have posted. It is looked for whether or not the socket
    /// stands, also at a worker that gets nothing new.
    pub(super) fn find(&mut self, mut work: Work, ran: Option<Duration>) {
        work.phase =
            Phase::Doubtful { since: self.now, misses: 0, reason: "the node that posted it went away".to_owned() };
        if let Some(began) = ran.and_then(|ran| self.now.checked_sub(ran)) {
            (work.assigned_at, work.started_at) = (began, Some(began));
        }
        let serial = work.serial;
        self.state.works.push(work);
        self.actions.push(Action::Announce);
        self.about(serial, Self::locate);
    }

    pub(super) fn uploaded(&mut self) {
        if let Some(work) = self.work_mut().filter(|work| work.phase == Phase::Uploading) {
            work.phase = Phase::Posting;
            let serial = work.serial;
            self.actions.push(Action::Post(serial));
        }
    }

    pub(super) fn upload_failed(&mut self, reason: String, broke: bool) {
        if self.work().is_some_and(|work| work.phase == Phase::Uploading) {
            self.end(if broke { ReportEvent::Broke { reason } } else { ReportEvent::Unreachable { reason } });
        }
    }

    pub(super) fn posted(&mut self, answer: PostAnswer) {
        let now = self.now;
        let Some(work) = self.work_mut() else { return };
        match answer {
            PostAnswer::Taken { prompt_id, node_errors } => {
                work.prompt_id = prompt_id;
                if work.phase == Phase::Posting {
                    work.phase = Phase::Queued;
                }
                work.heard_at = now;
                let (stop, withdraw) = (work.stop_wanted, work.withdraw_wanted);
                self.accepted();
                if is_filled(&node_errors) {
                    self.report(ReportEvent::Partial { node_errors });
                }
                if stop {
                    self.cancel();
                } else if withdraw {
                    self.take_back();
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
                work.phase = Phase::Doubtful { since: now, misses: 0, reason };
                self.locate();
            }
        }
    }

    pub(super) fn taken_in_part(&mut self, prompt_id: String, validation: Value) {
        let Some(work) = self.work_mut() else { return };
        work.prompt_id = prompt_id;
        self.end_orphaned(|| ReportEvent::Refused { validation });
    }

    /// Uploads again, and posts under a fresh id.
    pub(super) fn inputs_gone(&mut self, prompt_id: String, taken: Option<String>) {
        let Some(work) = self.work_mut().filter(|work| work.phase == Phase::Posting) else { return };
        let stopped = work.stop_wanted;
        work.phase = Phase::Uploading;
        work.prompt_id = prompt_id;
        let serial = work.serial;
        self.state.orphans.extend(taken);
        if self.state.is_up() {
            self.discard_orphans();
        }
        if stopped {
            self.end(ReportEvent::Interrupted { outputs: Vec::new(), ran_ms: 0 });
        } else {
            self.actions.push(Action::Upload(serial));
        }
    }
}

/// Whether `node_errors` tells of anything.
pub(in crate::connection) fn is_filled(node_errors: &Value) -> bool {
    node_errors.as_object().is_some_and(|errors| !errors.is_empty())
}
