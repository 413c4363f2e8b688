//! Everything that a drill chooses, drawn from its seed before it runs.

use std::time::Duration;

use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use crate::platform::Shutdown;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    pub jobs: usize,
    pub server_kills: usize,
    pub worker_kills: usize,
    pub database_restarts: usize,
    pub accounts: usize,
    /// Including bad workers.
    pub workers: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    pub jobs: Vec<Job>,
    /// Sorted by time.
    pub kills: Vec<Kill>,
}

/// One job and its client's behavior.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    pub account: usize,
    /// As a mini app's form or as a raw prompt.
    pub by_form: bool,
    /// How long the client waits for an answer before it disconnects and retries.
    pub patience: Duration,
    /// When its owner cancels it.
    pub cancel_after: Option<Duration>,
}

/// The kill of one process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kill {
    /// The sum of accepted and ended jobs at which it is due.
    pub progress: usize,
    /// Additional delay.
    pub delay: Duration,
    pub target: Target,
    /// How long the process stays dead.
    pub down: Duration,
}

/// The process to kill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    Server,
    /// By number.
    Worker(usize),
    Database(Shutdown),
}

impl Plan {
    /// Draws a drill. The same seed and size give the same plan.
    #[must_use]
    pub fn draw(seed: u64, size: &Size) -> Self {
        let mut random = StdRng::seed_from_u64(seed);
        let ms = |random: &mut StdRng, from: u64, to: u64| Duration::from_millis(random.random_range(from..to));
        let jobs = (0..size.jobs)
            .map(|_| Job {
                account: random.random_range(0..size.accounts.max(1)),
                by_form: random.random_bool(0.5),
                // Every twentieth client disconnects while the server may still process its request.
                patience: if random.random_bool(0.05) { ms(&mut random, 1, 30) } else { Duration::from_secs(5) },
                cancel_after: random.random_bool(0.03).then(|| ms(&mut random, 0, 2000)),
            })
            .collect();
        let mut targets = vec![Target::Server; size.server_kills];
        for _ in 0..size.worker_kills {
            targets.push(Target::Worker(random.random_range(0..size.workers.max(1))));
        }
        for _ in 0..size.database_restarts {
            let shutdown = if random.random_bool(0.5) { Shutdown::Fast } else { Shutdown::Immediate };
            targets.push(Target::Database(shutdown));
        }
        targets.shuffle(&mut random);
        // From the first jobs to the last tenth, so that there is work left to recover.
        let (first, last) = (size.jobs / 50, (size.jobs * 18 / 10).max(size.jobs / 50 + 1));
        let mut moments: Vec<usize> = targets.iter().map(|_| random.random_range(first..last)).collect();
        moments.sort_unstable();
        let kills = targets.into_iter().zip(moments).map(|(target, progress)| Kill {
            progress,
            delay: ms(&mut random, 0, 400),
            target,
            down: match target {
                Target::Server => ms(&mut random, 0, 800),
                Target::Worker(_) => ms(&mut random, 0, 3000),
                Target::Database(_) => Duration::ZERO,
            },
        });
        Self { jobs, kills: kills.collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Size =
        Size { jobs: 500, server_kills: 20, worker_kills: 20, database_restarts: 5, accounts: 8, workers: 6 };

    #[test]
    fn seed_repeats_every_choice() {
        assert_eq!(Plan::draw(7, &SIZE), Plan::draw(7, &SIZE));
        let (one, other) = (Plan::draw(7, &SIZE), Plan::draw(8, &SIZE));
        assert_ne!(one.jobs, other.jobs);
        assert_ne!(one.kills, other.kills);
    }

    #[test]
    fn all_kills_are_drawn_while_there_is_work() {
        let plan = Plan::draw(1, &SIZE);
        let count = |wanted: fn(&Target) -> bool| plan.kills.iter().filter(|kill| wanted(&kill.target)).count();
        assert_eq!(count(|target| matches!(target, Target::Server)), 20);
        assert_eq!(count(|target| matches!(target, Target::Worker(number) if *number < 6)), 20);
        assert_eq!(count(|target| matches!(target, Target::Database(_))), 5);
        assert!(plan.kills.is_sorted_by_key(|kill| kill.progress));
        assert!(plan.kills.iter().all(|kill| kill.progress < 900), "the work ends at 1,000");
        assert!(plan.jobs.iter().any(|job| job.cancel_after.is_some()));
    }
}
