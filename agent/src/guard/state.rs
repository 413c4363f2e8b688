//! Decides when the server is restarted.
//!
//! ```text
//! Starting ──answers──▶ Healthy ──silent──▶ Silent ──too long, or ended──▶ Waiting ──its time──▶ Starting
//!    └──────────────── too long, or ended ──────────────────────────────────▲ │
//!                               Silent ──answers──▶ Healthy                   └─ too often ──▶ GivenUp ──an hour──▶ Waiting
//! ```

use std::time::{Duration, Instant};

/// The first pause before a restart. Doubles with each restart that did not help.
const FIRST_WAIT: Duration = Duration::from_secs(1);
const LONGEST_WAIT: Duration = Duration::from_secs(300);
/// After this many restarts within an hour an operator has to look.
pub const RESTARTS_AN_HOUR: usize = 6;
const HOUR: Duration = Duration::from_secs(3600);
/// A server that was healthy this long is restarted without a pause.
const STABLE: Duration = Duration::from_secs(600);

/// An observation about the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    Answered,
    /// It did not answer a request, for this reason.
    Silent(String),
    /// Its process ended or could not be started.
    Ended(String),
    Tick,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Phase {
    Starting {
        since: Instant,
    },
    Healthy {
        since: Instant,
    },
    Silent {
        since: Instant,
        healthy_for: Duration,
    },
    /// Will be restarted at this time.
    Waiting {
        until: Instant,
    },
    /// Restarted too often; the next attempt is at this time.
    GivenUp {
        until: Instant,
    },
}

/// Time limits, and whether the agent may restart the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    pub hung_after: Duration,
    pub start_within: Duration,
    pub restarts: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guard {
    phase: Phase,
    restarts: Vec<Instant>,
    /// Consecutive restarts after which the server did not stay healthy.
    failures: u32,
    /// The server's problem, shown to operators.
    pub note: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    pub guard: Guard,
    /// Stop the server if it runs, and start it.
    pub restart: bool,
}

impl Guard {
    /// Starts with a server that may be starting up.
    pub fn new(now: Instant) -> Self {
        Self { phase: Phase::Starting { since: now }, restarts: Vec::new(), failures: 0, note: None }
    }
}

/// Decides what to do.
pub fn next(guard: &Guard, event: Event, now: Instant, bounds: Bounds) -> Outcome {
    let mut guard = guard.clone();
    let mut restart = false;
    match (guard.phase.clone(), event) {
        (Phase::Healthy { since }, Event::Answered) => {
            if now.duration_since(since) >= STABLE {
                guard.failures = 0;
            }
        }
        (Phase::Silent { since, healthy_for }, Event::Answered) => {
            guard.phase = Phase::Healthy { since: since.checked_sub(healthy_for).unwrap_or(since) };
            guard.note = None;
        }
        // Includes a server that was started by other means.
        (_, Event::Answered) => {
            guard.phase = Phase::Healthy { since: now };
            guard.note = None;
        }
        (Phase::Healthy { since }, Event::Silent(why)) => {
            guard.phase = Phase::Silent { since: now, healthy_for: now.duration_since(since) };
            guard.note = Some(format!("the server does not answer: {why}"));
        }
        (Phase::Silent { since, .. }, Event::Silent(_) | Event::Tick)
            if now.duration_since(since) >= bounds.hung_after =>
        {
            let why = format!("the server did not answer for {} s", bounds.hung_after.as_secs());
            guard.give_up(why, now, bounds);
        }
        (Phase::Starting { since }, Event::Silent(why)) => {
            guard.note = Some(format!("the server does not answer yet: {why}"));
            if now.duration_since(since) >= bounds.start_within {
                guard.give_up(
                    format!("the server did not come up within {} s", bounds.start_within.as_secs()),
                    now,
                    bounds,
                );
            }
        }
        (Phase::Starting { .. } | Phase::Healthy { .. } | Phase::Silent { .. }, Event::Ended(why)) => {
            guard.give_up(format!("the server ended: {why}"), now, bounds);
        }
        (Phase::Waiting { until } | Phase::GivenUp { until }, Event::Tick | Event::Silent(_)) if now >= until => {
            restart = true;
            guard.phase = Phase::Starting { since: now };
            guard.restarts.push(now);
        }
        // Nothing changed.
        (Phase::Starting { .. } | Phase::Healthy { .. } | Phase::Silent { .. }, Event::Tick)
        | (Phase::Silent { .. }, Event::Silent(_))
        | (Phase::Waiting { .. } | Phase::GivenUp { .. }, Event::Silent(_) | Event::Ended(_) | Event::Tick) => {}
    }
    Outcome { guard, restart }
}

impl Guard {
    /// Schedules a restart, unless restarts are disabled or too frequent.
    fn give_up(&mut self, why: String, now: Instant, bounds: Bounds) {
        if !bounds.restarts {
            self.phase = Phase::Starting { since: now };
            self.note = Some(why);
            return;
        }
        if let Phase::Healthy { since } = self.phase
            && now.duration_since(since) >= STABLE
        {
            self.failures = 0;
        }
        self.restarts.retain(|at| now.duration_since(*at) < HOUR);
        if self.restarts.len() >= RESTARTS_AN_HOUR {
            self.phase = Phase::GivenUp { until: now + HOUR };
            self.note =
                Some(format!("{why}; it was restarted {RESTARTS_AN_HOUR} times within an hour and is left alone"));
            return;
        }
        let wait = match self.failures {
            0 => Duration::ZERO,
            failures => FIRST_WAIT.saturating_mul(2_u32.saturating_pow(failures - 1)).min(LONGEST_WAIT),
        };
        self.failures += 1;
        self.phase = Phase::Waiting { until: now + wait };
        self.note = Some(format!("{why}; it is restarted"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: Bounds =
        Bounds { hung_after: Duration::from_secs(60), start_within: Duration::from_secs(300), restarts: true };

    fn silent() -> Event {
        Event::Silent("timeout".to_owned())
    }

    fn after(guard: &Guard, event: Event, now: Instant) -> Outcome {
        next(guard, event, now, BOUNDS)
    }

    #[test]
    fn hanging_server_is_restarted_after_the_limit() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let healthy = after(&Guard::new(start), Event::Answered, at(10)).guard;
        let hung = after(&healthy, silent(), at(20)).guard;
        assert!(hung.note.is_some(), "operators are told at once");
        let hung = after(&hung, silent(), at(79)).guard;
        assert!(!after(&hung, Event::Tick, at(79)).restart);
        let back = after(&hung, Event::Answered, at(79)).guard;
        assert_eq!(back.note, None, "a server that was only busy is left alone");
        let waiting = after(&hung, silent(), at(80)).guard;
        assert!(after(&waiting, Event::Tick, at(80)).restart);
    }

    #[test]
    fn restart_pauses_grow_until_the_agent_gives_up() {
        let mut now = Instant::now();
        let mut guard = Guard::new(now);
        let mut waits = Vec::new();
        loop {
            guard = after(&guard, Event::Ended("exit code 1".to_owned()), now).guard;
            let Phase::Waiting { until } = guard.phase else { break };
            waits.push(until.duration_since(now).as_secs());
            now = until;
            let outcome = after(&guard, Event::Tick, now);
            assert!(outcome.restart);
            guard = outcome.guard;
        }
        assert_eq!(waits, [0, 1, 2, 4, 8, 16]);
        assert!(guard.note.as_ref().is_some_and(|note| note.contains("left alone")));
        assert!(!after(&guard, Event::Tick, now + Duration::from_secs(3599)).restart);
        assert!(after(&guard, Event::Tick, now + Duration::from_secs(3601)).restart, "it is tried again some day");
    }

    #[test]
    fn unmanaged_server_is_never_restarted() {
        let start = Instant::now();
        let bounds = Bounds { restarts: false, ..BOUNDS };
        let mut guard = Guard::new(start);
        for seconds in (0..4000).step_by(10) {
            for event in [silent(), Event::Tick] {
                let outcome = next(&guard, event, start + Duration::from_secs(seconds), bounds);
                assert!(!outcome.restart);
                guard = outcome.guard;
            }
        }
        assert!(guard.note.is_some());
    }

    #[test]
    fn starting_server_gets_its_start_time() {
        let start = Instant::now();
        let mut guard = Guard::new(start);
        for seconds in (0..299).step_by(13) {
            guard = after(&guard, silent(), start + Duration::from_secs(seconds)).guard;
            assert!(!after(&guard, Event::Tick, start + Duration::from_secs(seconds)).restart);
        }
        guard = after(&guard, silent(), start + Duration::from_secs(300)).guard;
        assert!(after(&guard, Event::Tick, start + Duration::from_secs(300)).restart);
    }
}
