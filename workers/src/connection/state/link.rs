//! The link to the server: connected, cut, and reconnected after growing pauses.

use std::time::Duration;

use verdigraph_core::fleet::ReportEvent;

use super::connection::{DesiredState, LinkState};
use super::decision::Decision;
use super::event::Action;
use super::work::{Phase, Work};

/// A link that was up this long reconnects without a pause.
const STABLE: Duration = Duration::from_secs(5);

impl Decision {
    pub(super) fn set_desired_state(&mut self, desired: DesiredState) {
        let before = self.state.worker_state();
        if desired == DesiredState::Gone {
            self.for_each_work(
                |_| true,
                |decision| decision.end_orphaned(|| ReportEvent::Lost { reason: "the worker was removed".into() }),
            );
            self.discard_orphans();
            self.state.desired = desired;
            self.actions.extend([Action::Disconnect, Action::Announce]);
            return;
        }
        self.state.desired = desired;
        if self.state.worker_state() != before {
            self.actions.push(Action::Announce);
        }
    }

    /// Ends without stopping prompts: another node takes them over.
    pub(super) fn released(&mut self) {
        for Work { serial, job, attempt, .. } in std::mem::take(&mut self.state.works) {
            self.actions.push(Action::Report { serial, job, attempt, event: ReportEvent::Released });
        }
        self.state.orphans.clear();
        self.state.desired = DesiredState::Gone;
        self.actions.extend([Action::Disconnect, Action::Announce]);
    }

    pub(super) fn moved(&mut self) {
        self.for_each_work(
            |_| true,
            |decision| {
                decision.end_orphaned(|| ReportEvent::Lost { reason: "the worker's address was changed".into() })
            },
        );
        self.discard_orphans();
        self.actions.push(Action::Disconnect);
        self.state.link = LinkState::Connecting { failures: 0 };
        self.actions.extend([Action::Connect { fresh: true }, Action::Announce]);
    }

    /// Reconnects under the actor's current client id.
    pub(super) fn rejoin(&mut self) {
        if matches!(self.state.link, LinkState::Up { .. } | LinkState::Connecting { .. }) {
            self.state.link = LinkState::Connecting { failures: 0 };
            self.actions.push(Action::Connect { fresh: false });
        }
    }

    pub(super) fn connected(&mut self, probed: bool) {
        let failures = match self.state.link {
            LinkState::Connecting { failures } => failures,
            _ => return,
        };
        self.state.link = LinkState::Up { since: self.now, failures };
        self.state.socket_stale = false;
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
        self.for_each_work(|work| !matches!(work.phase, Phase::Posting | Phase::Collecting(_)), Self::locate);
        self.discard_orphans();
        self.actions.push(Action::Announce);
    }

    /// Takes the link down. `reason` says why.
    pub(super) fn cut(&mut self, reason: String, jitter: f64) {
        let failures = match self.state.link {
            LinkState::Waiting { .. } => return,
            LinkState::Connecting { failures } => failures.saturating_add(1),
            LinkState::Up { since, .. } if self.now.duration_since(since) >= STABLE => 0,
            LinkState::Up { failures, .. } => failures.saturating_add(1),
        };
        let was_up = self.state.is_up();
        self.state.link = LinkState::Waiting { until: self.now + self.wait(failures, jitter), failures };
        let same_reason = self.state.reason.as_ref() == Some(&reason);
        self.state.reason = Some(reason.clone());
        self.for_each_work(
            |work| work.phase == Phase::Uploading,
            |decision| decision.end(ReportEvent::Unreachable { reason: reason.clone() }),
        );
        if was_up {
            self.for_each_work(|work| !matches!(work.phase, Phase::Posting | Phase::Collecting(_)), Self::locate);
        }
        if was_up || !same_reason {
            self.actions.push(Action::Announce);
        }
    }

    /// Reconnects at once if the tunnel is back.
    pub(super) fn tunnel_changed(&mut self, is_down: bool) {
        self.state.tunnel_is_down = is_down;
        if is_down {
            return;
        }
        match &mut self.state.link {
            LinkState::Waiting { until, failures } => {
                (*until, *failures) = (self.now, 0);
                self.tick_link();
            }
            // This attempt may have begun before the tunnel. If it fails, the next follows soon.
            LinkState::Connecting { failures } => *failures = 0,
            LinkState::Up { .. } => {}
        }
    }

    fn wait(&self, failures: u32, jitter: f64) -> Duration {
        let pace = &self.state.pace;
        if failures == 0 {
            return Duration::ZERO;
        }
        let doubled = pace.backoff_first.saturating_mul(2_u32.saturating_pow((failures - 1).min(16)));
        // With a prompt in flight, reconnect sooner: giving up early costs its result.
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
            self.cut(format!("the worker fails health checks: {reason}"), jitter);
        }
    }

    pub(super) fn malformed(&mut self, reason: &str, jitter: f64) {
        self.state.malformed += 1;
        if self.state.malformed <= self.state.limits.malformed {
            return;
        }
        self.state.malformed = 0;
        let reason = format!("too many malformed messages, the last: {reason}");
        // Outputs of ended prompts can still be fetched.
        self.for_each_work(
            |work| !work.has_ended(),
            |decision| decision.end_orphaned(|| ReportEvent::ProtocolError { reason: reason.clone() }),
        );
        self.actions.push(Action::Disconnect);
        self.cut(reason, jitter);
    }

    pub(super) fn tick_link(&mut self) {
        let pace = self.state.pace;
        match self.state.link {
            LinkState::Waiting { until, failures } if self.now >= until => {
                self.state.link = LinkState::Connecting { failures };
                self.actions.push(Action::Connect { fresh: self.state.current().is_none() });
            }
            LinkState::Up { .. } => {
                let free = self.state.current().is_none();
                if free && self.now.duration_since(self.state.checked_at) >= pace.health_every {
                    self.state.checked_at = self.now;
                    self.actions.push(Action::CheckHealth);
                }
                if self.now.duration_since(self.state.models_read_at) >= pace.models_every {
                    self.state.models_read_at = self.now;
                    self.actions.push(Action::CheckModels);
                }
                let age = self.now.duration_since(self.state.refreshed_at);
                let wanted = self.state.refresh_wanted && free && age >= pace.health_every;
                if wanted || age >= pace.refresh_every {
                    self.refresh();
                }
            }
            _ => {}
        }
    }

    pub(super) fn refresh(&mut self) {
        self.state.refreshed_at = self.now;
        self.state.refresh_wanted = false;
        self.actions.push(Action::Refresh);
    }
}
