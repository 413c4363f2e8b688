//! When the server is restarted.
//!
//! ```text
//! Starting ──answers──▶ Well ──silent──▶ Silent ──too long, or ended──▶ Waiting ──its time──▶ Starting
//!    └────────────── too long, or ended ─────────────────────────────────▲ │
//!                                         Silent ──answers──▶ Well         └─ too often ──▶ Left ──an hour──▶ Waiting
//! ```

use std::time::{Duration, Instant};

/// The first wait before a restart; doubles with each that did not help.
const FIRST_WAIT: Duration = Duration::from_secs(1);
const LONGEST_WAIT: Duration = Duration::from_secs(300);
/// So many restarts within an hour help nobody: somebody has to look.
pub const RESTARTS_AN_HOUR: usize = 6;
const HOUR: Duration = Duration::from_secs(3600);
/// A server that answered for so long starts again without waiting.
const STABLE: Duration = Duration::from_secs(600);

/// What happened to the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    Answered,
    /// It was asked and did not answer, for this reason.
    Silent(String),
    /// Its process ended, or could not be started.
    Ended(String),
    /// Some time is over.
    Tick,
}

/// Where the server is.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Phase {
    Starting {
        since: Instant,
    },
    Well {
        since: Instant,
    },
    Silent {
        since: Instant,
        well_for: Duration,
    },
    /// To be started again at this time.
    Waiting {
        until: Instant,
    },
    /// Restarted too often; tried again at this time.
    Left {
        until: Instant,
    },
}

/// How patient the guard is, and whether it may restart the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    pub hung_after: Duration,
    pub start_within: Duration,
    pub restarts: bool,
}

/// What the guard remembers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guard {
    phase: Phase,
    restarts: Vec<Instant>,
    /// Restarts in a row after which it did not stay well.
    failures: u32,
    /// What is with the server, for operators.
    pub note: Option<String>,
}

/// What follows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    pub guard: Guard,
    /// The server is to be ended, where it is there, and started.
    pub restart: bool,
}

impl Guard {
    /// A server that may just be starting.
    pub fn new(now: Instant) -> Self {
        Self { phase: Phase::Starting { since: now }, restarts: Vec::new(), failures: 0, note: None }
    }
}

/// What becomes of the guard.
pub fn next(guard: &Guard, event: Event, now: Instant, bounds: Bounds) -> Outcome {
    let mut guard = guard.clone();
    let mut restart = false;
    match (guard.phase.clone(), event) {
        (Phase::Well { since }, Event::Answered) => {
            if now.duration_since(since) >= STABLE {
                guard.failures = 0;
            }
        }
        (Phase::Silent { since, well_for }, Event::Answered) => {
            guard.phase = Phase::Well { since: since.checked_sub(well_for).unwrap_or(since) };
            guard.note = None;
        }
        // Also one that somebody else has started.
        (_, Event::Answered) => {
            guard.phase = Phase::Well { since: now };
            guard.note = None;
        }
        (Phase::Well { since }, Event::Silent(why)) => {
            guard.phase = Phase::Silent { since: now, well_for: now.duration_since(since) };
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
        (Phase::Starting { .. } | Phase::Well { .. } | Phase::Silent { .. }, Event::Ended(why)) => {
            guard.give_up(format!("the server ended: {why}"), now, bounds);
        }
        (Phase::Waiting { until } | Phase::Left { until }, Event::Tick | Event::Silent(_)) if now >= until => {
            restart = true;
            guard.phase = Phase::Starting { since: now };
            guard.restarts.push(now);
        }
        // It is still so.
        (Phase::Starting { .. } | Phase::Well { .. } | Phase::Silent { .. }, Event::Tick)
        | (Phase::Silent { .. }, Event::Silent(_))
        | (Phase::Waiting { .. } | Phase::Left { .. }, Event::Silent(_) | Event::Ended(_) | Event::Tick) => {}
    }
    Outcome { guard, restart }
}

impl Guard {
    /// The server is of no use as it is.
    fn give_up(&mut self, why: String, now: Instant, bounds: Bounds) {
        if !bounds.restarts {
            self.phase = Phase::Starting { since: now };
            self.note = Some(why);
            return;
        }
        if let Phase::Well { since } = self.phase
            && now.duration_since(since) >= STABLE
        {
            self.failures = 0;
        }
        self.restarts.retain(|at| now.duration_since(*at) < HOUR);
        if self.restarts.len() >= RESTARTS_AN_HOUR {
            self.phase = Phase::Left { until: now + HOUR };
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
    fn a_server_that_hangs_is_restarted_after_its_time_and_not_before() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let well = after(&Guard::new(start), Event::Answered, at(10)).guard;
        let hung = after(&well, silent(), at(20)).guard;
        assert!(hung.note.is_some(), "operators are told at once");
        let hung = after(&hung, silent(), at(79)).guard;
        assert!(!after(&hung, Event::Tick, at(79)).restart);
        let back = after(&hung, Event::Answered, at(79)).guard;
        assert_eq!(back.note, None, "a server that was only busy is left alone");
        let waiting = after(&hung, silent(), at(80)).guard;
        assert!(after(&waiting, Event::Tick, at(80)).restart);
    }

    #[test]
    fn restarts_come_ever_later_and_end() {
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
    fn a_server_that_somebody_else_looks_after_is_never_restarted() {
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
    fn a_server_that_loads_for_long_while_it_starts_is_given_that_time() {
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
