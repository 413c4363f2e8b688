//! The way to the server: made, cut, made again after a while that grows.

use std::time::Duration;

use verdigraph_core::fleet::ReportEvent;

use super::connection::{Duty, Link};
use super::event::Action;
use super::step::Step;
use super::work::{Phase, Work};

/// A link that stood this long starts again without waiting.
const STABLE: Duration = Duration::from_secs(5);

impl Step {
    pub(super) fn change_duty(&mut self, duty: Duty) {
        let before = self.state.shown();
        if duty == Duty::Gone {
            self.about_each(
                |_| true,
                |step| step.end_orphaned(|| ReportEvent::Lost { reason: "the worker was removed".into() }),
            );
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

    /// What runs there goes on under another node.
    pub(super) fn released(&mut self) {
        for Work { serial, job, attempt, .. } in std::mem::take(&mut self.state.works) {
            self.actions.push(Action::Report { serial, job, attempt, event: ReportEvent::Released });
        }
        self.state.orphans.clear();
        self.state.duty = Duty::Gone;
        self.actions.extend([Action::Disconnect, Action::Announce]);
    }

    pub(super) fn moved(&mut self) {
        self.about_each(
            |_| true,
            |step| step.end_orphaned(|| ReportEvent::Lost { reason: "the worker's address was changed".into() }),
        );
        self.discard_orphans();
        self.actions.push(Action::Disconnect);
        self.state.link = Link::Connecting { failures: 0 };
        self.actions.extend([Action::Connect { fresh: true }, Action::Announce]);
    }

    /// Connects again under the client id that the actor has now.
    pub(super) fn rejoin(&mut self) {
        if matches!(self.state.link, Link::Up { .. } | Link::Connecting { .. }) {
            self.state.link = Link::Connecting { failures: 0 };
            self.actions.push(Action::Connect { fresh: false });
        }
    }

    pub(super) fn connected(&mut self, probed: bool) {
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
        for work in &mut self.state.works {
            work.heard_at = self.now;
        }
        self.about_each(|work| !matches!(work.phase, Phase::Posting | Phase::Collecting(_)), Self::locate);
        self.discard_orphans();
        self.actions.push(Action::Announce);
    }

    /// The link is down; `reason` says why.
    pub(super) fn cut(&mut self, reason: String, jitter: f64) {
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
        self.about_each(
            |work| work.phase == Phase::Uploading,
            |step| step.end(ReportEvent::Unreachable { reason: reason.clone() }),
        );
        if was_up {
            self.about_each(|work| !matches!(work.phase, Phase::Posting | Phase::Collecting(_)), Self::locate);
        }
        if was_up || !same_reason {
            self.actions.push(Action::Announce);
        }
    }

    /// A way that is there again is gone at once.
    pub(super) fn way(&mut self, is_cut: bool) {
        self.state.way_is_cut = is_cut;
        if let (false, Link::Waiting { until, failures }) = (is_cut, &mut self.state.link) {
            (*until, *failures) = (self.now, 0);
            self.tick_link();
        }
    }

    fn wait(&self, failures: u32, jitter: f64) -> Duration {
        let pace = &self.state.pace;
        if failures == 0 {
            return Duration::ZERO;
        }
        let doubled = pace.backoff_first.saturating_mul(2_u32.saturating_pow((failures - 1).min(16)));
        // While a prompt may still be running, giving up early costs its result.
        let longest =
            if !self.state.works.is_empty() { pace.backoff_max.min(pace.grace / 8) } else { pace.backoff_max };
        doubled.min(longest).mul_f64(0.5 + jitter.clamp(0.0, 1.0) / 2.0)
    }

    pub(super) fn health(&mut self, failure: Option<String>, jitter: f64) {
        let Some(reason) = failure else {
            self.state.health_failures = 0;
            return;
        };
        self.state.health_failures += 1;
        if self.state.health_failures >= 3 && self.state.is_up() && self.state.current().is_none() {
            self.actions.push(Action::Disconnect);
            self.cut(format!("gives no sign of life: {reason}"), jitter);
        }
    }

    pub(super) fn malformed(&mut self, reason: &str, jitter: f64) {
        self.state.malformed += 1;
        if self.state.malformed <= self.state.limits.malformed {
            return;
        }
        self.state.malformed = 0;
        let reason = format!("too many malformed messages, the last: {reason}");
        // What is over can be fetched all the same.
        self.about_each(
            |work| !work.is_over(),
            |step| step.end_orphaned(|| ReportEvent::Broke { reason: reason.clone() }),
        );
        self.actions.push(Action::Disconnect);
        self.cut(reason, jitter);
    }

    pub(super) fn tick_link(&mut self) {
        let pace = self.state.pace;
        match self.state.link {
            Link::Waiting { until, failures } if self.now >= until => {
                self.state.link = Link::Connecting { failures };
                self.actions.push(Action::Connect { fresh: self.state.current().is_none() });
            }
            Link::Up { .. } => {
                let free = self.state.current().is_none();
                if free && self.now.duration_since(self.state.checked_at) >= pace.health_every {
                    self.state.checked_at = self.now;
                    self.actions.push(Action::CheckHealth);
                }
                let age = self.now.duration_since(self.state.refreshed_at);
                let wanted = self.state.refresh_wanted && free && age >= pace.health_every;
                if wanted || age >= pace.refresh_every {
                    self.state.refreshed_at = self.now;
                    self.state.refresh_wanted = false;
                    self.actions.push(Action::Refresh);
                }
            }
            _ => {}
        }
    }
}
