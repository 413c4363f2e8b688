//! One decision while it is being made, and what all decisions are made of: reports, ends, questions.

use std::time::Instant;

use verdigraph_core::fleet::ReportEvent;

use super::connection::{Link, State};
use super::event::Action;
use super::work::{Phase, Work};

/// How many left-behind prompts are remembered for stopping.
const MAX_ORPHANS: usize = 16;

/// One decision while it is being made.
pub(super) struct Step {
    pub(super) state: State,
    pub(super) actions: Vec<Action>,
    pub(super) now: Instant,
    /// The assignment that is decided about.
    pub(super) about: Option<u64>,
}

impl Step {
    /// Decides about one assignment, where it is still there.
    pub(super) fn about(&mut self, serial: u64, decide: impl FnOnce(&mut Self)) {
        let before = self.about.replace(serial);
        if self.work().is_some() {
            decide(self);
        }
        self.about = before;
    }

    /// Decides about every assignment that is `concerned`.
    pub(super) fn about_each(&mut self, concerned: impl Fn(&Work) -> bool, decide: impl Fn(&mut Self)) {
        let serials: Vec<u64> =
            self.state.works.iter().filter(|work| concerned(work)).map(|work| work.serial).collect();
        for serial in serials {
            self.about(serial, &decide);
        }
    }

    pub(super) fn work(&self) -> Option<&Work> {
        self.about.and_then(|serial| self.state.work(serial))
    }

    pub(super) fn work_mut(&mut self) -> Option<&mut Work> {
        let serial = self.about?;
        self.state.works.iter_mut().find(|work| work.serial == serial)
    }

    pub(super) fn accepted(&mut self) {
        if let Some(work) = self.work_mut().filter(|work| !work.accepted) {
            work.accepted = true;
            self.report(ReportEvent::Accepted);
        }
    }

    /// Sends an intermediate report about the work.
    pub(super) fn report(&mut self, event: ReportEvent) {
        if let Some(&Work { serial, job, attempt, .. }) = self.work() {
            self.actions.push(Action::Report { serial, job, attempt, event });
        }
    }

    /// Tells once that the worker is done: it may have the next prompt, while what this one made is fetched.
    pub(super) fn tell_over(&mut self) {
        let now = self.now;
        let Some(work) = self.work_mut().filter(|work| !work.over_told) else { return };
        work.over_told = true;
        work.ended_at = work.ended_at.or(Some(now));
        let ran_ms = work.ran_ms(now);
        self.report(ReportEvent::Over { ran_ms });
        let about = self.about;
        for next in self.state.works.iter_mut().filter(|next| Some(next.serial) != about) {
            next.behind = false;
        }
        self.listen_again();
        self.actions.push(Action::Announce);
    }

    /// Opens another socket, where the server no longer speaks to this one.
    fn listen_again(&mut self) {
        if self.state.deaf && self.state.is_up() {
            self.state.link = Link::Connecting { failures: 0 };
            self.state.reason = Some("the worker no longer spoke to our socket".into());
            self.actions.push(Action::Connect { fresh: self.state.current().is_none() });
        }
    }

    /// Ends the work with its last report.
    pub(super) fn end(&mut self, event: ReportEvent) {
        if matches!(event, ReportEvent::Refused { .. } | ReportEvent::Failed { .. } | ReportEvent::Broke { .. }) {
            self.state.refresh_wanted = true;
        }
        let before = self.state.shown();
        let Some(at) = self.state.works.iter().position(|work| Some(work.serial) == self.about) else { return };
        let work = self.state.works.remove(at);
        let event = match event {
            ReportEvent::Lost { reason } if work.waits() => ReportEvent::LostBeforeStart { reason },
            event => event,
        };
        self.actions.push(Action::Report { serial: work.serial, job: work.job, attempt: work.attempt, event });
        self.listen_again();
        if self.state.shown() != before {
            self.actions.push(Action::Announce);
        }
    }

    /// Ends the work though its prompt may still be at the worker: it is stopped as soon as the worker answers.
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

    /// Deletes the prompt from the worker's queue, unless it runs by now.
    pub(super) fn take_back(&mut self) {
        let now = self.now;
        if let Some(work) = self.work_mut().filter(|work| work.phase == Phase::Queued) {
            (work.locating, work.located_at) = (true, now);
            let serial = work.serial;
            self.actions.push(Action::Withdraw(serial));
        }
    }
}
