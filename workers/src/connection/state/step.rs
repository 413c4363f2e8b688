//! One decision while it is being made, and what all decisions are made of: reports, ends, questions.

use std::time::Instant;

use verdigraph_core::fleet::ReportEvent;

use super::connection::{Link, State};
use super::event::Action;
use super::work::Phase;

/// How many left-behind prompts are remembered for stopping.
const MAX_ORPHANS: usize = 16;

/// One decision while it is being made.
pub(super) struct Step {
    pub(super) state: State,
    pub(super) actions: Vec<Action>,
    pub(super) now: Instant,
}

impl Step {
    pub(super) fn accepted(&mut self) {
        if let Some(work) = self.state.work.as_mut().filter(|work| !work.accepted) {
            work.accepted = true;
            self.report(ReportEvent::Accepted);
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

    pub(super) fn discard_orphans(&mut self) {
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
}
