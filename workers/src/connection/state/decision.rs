//! One decision in progress, with the building blocks of all decisions: reports, ends, requests.

use std::time::Instant;

use verdigraph_core::fleet::ReportEvent;

use super::connection::{LinkState, State};
use super::event::Action;
use super::work::{Phase, Work};

/// How many prompts without a job are remembered for stopping.
const MAX_ORPHANS: usize = 16;

/// One decision in progress.
pub(super) struct Decision {
    pub(super) state: State,
    pub(super) actions: Vec<Action>,
    pub(super) now: Instant,
    /// The assignment that the decision is about.
    pub(super) serial: Option<u64>,
}

impl Decision {
    /// Decides about one assignment, if it still exists.
    pub(super) fn for_work(&mut self, serial: u64, decide: impl FnOnce(&mut Self)) {
        let before = self.serial.replace(serial);
        if self.work().is_some() {
            decide(self);
        }
        self.serial = before;
    }

    /// Decides about every assignment that matches.
    pub(super) fn for_each_work(&mut self, concerned: impl Fn(&Work) -> bool, decide: impl Fn(&mut Self)) {
        let serials: Vec<u64> =
            self.state.works.iter().filter(|work| concerned(work)).map(|work| work.serial).collect();
        for serial in serials {
            self.for_work(serial, &decide);
        }
    }

    pub(super) fn work(&self) -> Option<&Work> {
        self.serial.and_then(|serial| self.state.work(serial))
    }

    pub(super) fn work_mut(&mut self) -> Option<&mut Work> {
        let serial = self.serial?;
        self.state.works.iter_mut().find(|work| work.serial == serial)
    }

    pub(super) fn accepted(&mut self) {
        if let Some(work) = self.work_mut().filter(|work| !work.accepted) {
            work.accepted = true;
            self.report(ReportEvent::Accepted);
        }
    }

    /// Sends an intermediate report.
    pub(super) fn report(&mut self, event: ReportEvent) {
        if let Some(&Work { serial, job, attempt, .. }) = self.work() {
            self.actions.push(Action::Report { serial, job, attempt, event });
        }
    }

    /// Reports once that the worker is done: it may get the next prompt while these outputs are fetched.
    pub(super) fn report_ended(&mut self) {
        let now = self.now;
        let Some(work) = self.work_mut().filter(|work| !work.end_reported) else { return };
        work.end_reported = true;
        work.ended_at = work.ended_at.or(Some(now));
        let ran_ms = work.ran_ms(now);
        self.report(ReportEvent::PromptDone { ran_ms });
        let serial = self.serial;
        for next in self.state.works.iter_mut().filter(|next| Some(next.serial) != serial) {
            next.prefetched = false;
        }
        self.reconnect_if_stale();
        self.actions.push(Action::Announce);
    }

    /// Reconnects if the server no longer sends messages to this socket.
    fn reconnect_if_stale(&mut self) {
        if self.state.socket_stale && self.state.is_up() {
            self.state.link = LinkState::Connecting { failures: 0 };
            self.state.reason = Some("the worker stopped sending messages to this socket".into());
            self.actions.push(Action::Connect { fresh: self.state.current().is_none() });
        }
    }

    /// Ends the assignment with its last report.
    pub(super) fn end(&mut self, event: ReportEvent) {
        if matches!(event, ReportEvent::Refused { .. } | ReportEvent::Failed { .. } | ReportEvent::ProtocolError { .. })
        {
            self.state.refresh_wanted = true;
        }
        let before = self.state.worker_state();
        let Some(at) = self.state.works.iter().position(|work| Some(work.serial) == self.serial) else { return };
        let work = self.state.works.remove(at);
        let event = match event {
            ReportEvent::Lost { reason } if work.waits() => ReportEvent::LostBeforeStart { reason },
            event => event,
        };
        self.actions.push(Action::Report { serial: work.serial, job: work.job, attempt: work.attempt, event });
        self.reconnect_if_stale();
        if self.state.worker_state() != before {
            self.actions.push(Action::Announce);
        }
    }

    /// Ends the assignment although its prompt may still be at the worker. The prompt is stopped as soon as the worker
    /// answers.
    pub(super) fn end_orphaned(&mut self, event: impl FnOnce() -> ReportEvent) {
        let Some(work) = self.work() else { return };
        if work.phase != Phase::Uploading {
            let prompt_id = work.prompt_id.clone();
            self.state.orphans.push(prompt_id);
            let surplus = self.state.orphans.len().saturating_sub(MAX_ORPHANS);
            self.state.orphans.drain(..surplus);
        }
        self.end(event());
        if self.state.is_up() {
            self.discard_orphans();
        }
    }

    pub(super) fn discard_orphans(&mut self) {
        if !self.state.orphans.is_empty() {
            self.actions.push(Action::Discard(std::mem::take(&mut self.state.orphans)));
        }
    }

    pub(super) fn locate(&mut self) {
        let now = self.now;
        if let Some(work) = self.work_mut().filter(|work| !work.locating) {
            (work.locating, work.located_at) = (true, now);
            let serial = work.serial;
            self.actions.push(Action::Locate(serial));
        }
    }

    pub(super) fn cancel(&mut self) {
        let now = self.now;
        if let Some(work) = self.work_mut() {
            (work.locating, work.located_at) = (true, now);
            let serial = work.serial;
            self.actions.push(Action::Cancel(serial));
        }
    }

    /// Deletes the prompt from the worker's queue unless it runs by now.
    pub(super) fn take_back(&mut self) {
        let now = self.now;
        if let Some(work) = self.work_mut().filter(|work| work.phase == Phase::Queued) {
            (work.locating, work.located_at) = (true, now);
            let serial = work.serial;
            self.actions.push(Action::Withdraw(serial));
        }
    }
}
