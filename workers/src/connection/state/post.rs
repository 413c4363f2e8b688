//! From the assignment to the worker's answer: upload, post, and handling the answer.

use std::time::Duration;

use serde_json::Value;
use verdigraph_core::fleet::{ReportEvent, WorkerState};

use super::decision::Decision;
use super::event::Action;
use super::work::{Phase, Work};
use crate::comfy::PostAnswer;

impl Decision {
    pub(super) fn assign(&mut self, work: Work) {
        if self.state.worker_state() != WorkerState::Idle {
            let Work { serial, job, attempt, .. } = work;
            let reason = format!("the worker is {:?} and takes no job", self.state.worker_state()).to_lowercase();
            self.actions.push(Action::Report { serial, job, attempt, event: ReportEvent::Unreachable { reason } });
            return;
        }
        self.begin(work);
    }

    /// Posts behind the running prompt. If there is no room any more, the job returns to the queue.
    pub(super) fn assign_prefetch(&mut self, mut work: Work) {
        if !self.state.can_prefetch() {
            let Work { serial, job, attempt, .. } = work;
            self.actions.push(Action::Report { serial, job, attempt, event: ReportEvent::Withdrawn });
            return;
        }
        work.prefetched = self.state.current().is_some();
        self.begin(work);
    }

    fn begin(&mut self, work: Work) {
        let serial = work.serial;
        self.actions.push(if work.phase == Phase::Uploading { Action::Upload(serial) } else { Action::Post(serial) });
        self.state.works.push(work);
        self.actions.push(Action::Announce);
    }

    /// Takes over a prompt that an earlier owner of the worker may have posted. Locates it even if the socket is down,
    /// and even at a worker that gets no new jobs.
    pub(super) fn find(&mut self, mut work: Work, ran: Option<Duration>) {
        work.phase =
            Phase::Unconfirmed { since: self.now, misses: 0, reason: "the node that posted it went away".to_owned() };
        if let Some(began) = ran.and_then(|ran| self.now.checked_sub(ran)) {
            (work.assigned_at, work.started_at) = (began, Some(began));
        }
        let serial = work.serial;
        self.state.works.push(work);
        self.actions.push(Action::Announce);
        self.for_work(serial, Self::locate);
    }

    pub(super) fn uploaded(&mut self) {
        if let Some(work) = self.work_mut().filter(|work| work.phase == Phase::Uploading) {
            work.phase = Phase::Posting;
            let serial = work.serial;
            self.actions.push(Action::Post(serial));
        }
    }

    pub(super) fn upload_failed(&mut self, reason: String, is_protocol_error: bool) {
        if self.work().is_some_and(|work| work.phase == Phase::Uploading) {
            self.end(if is_protocol_error {
                ReportEvent::ProtocolError { reason }
            } else {
                ReportEvent::Unreachable { reason }
            });
        }
    }

    pub(super) fn posted(&mut self, answer: PostAnswer) {
        let now = self.now;
        let Some(work) = self.work_mut() else { return };
        match answer {
            PostAnswer::Queued { prompt_id, node_errors } => {
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
            // Messages on the socket have already settled it; the answer to the post no longer matters.
            _ if work.phase != Phase::Posting => {}
            PostAnswer::Refused { validation } => {
                self.state.refresh_wanted = true;
                self.end(ReportEvent::Refused { validation });
            }
            PostAnswer::Unreachable { reason } => self.end(ReportEvent::Unreachable { reason }),
            PostAnswer::ProtocolError { reason } => self.end_orphaned(|| ReportEvent::ProtocolError { reason }),
            PostAnswer::Withheld if work.stop_wanted => {
                self.end(ReportEvent::Interrupted { outputs: Vec::new(), ran_ms: 0 });
            }
            PostAnswer::Withheld if work.withdraw_wanted => self.end(ReportEvent::Withdrawn),
            // A node that has lost the worker releases the work, which ends it.
            PostAnswer::Withheld => {
                let serial = work.serial;
                self.actions.push(Action::Post(serial));
            }
            PostAnswer::Unknown { reason } => {
                work.phase = Phase::Unconfirmed { since: now, misses: 0, reason };
                self.locate();
            }
        }
    }

    pub(super) fn taken_in_part(&mut self, prompt_id: String, validation: Value) {
        let Some(work) = self.work_mut() else { return };
        work.prompt_id = prompt_id;
        self.end_orphaned(|| ReportEvent::Refused { validation });
    }

    /// Uploads again, and posts under a new id.
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

pub(in crate::connection) fn is_filled(node_errors: &Value) -> bool {
    node_errors.as_object().is_some_and(|errors| !errors.is_empty())
}
