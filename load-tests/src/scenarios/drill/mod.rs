//! Common parts of drills: clients submit jobs, faults are injected, and afterwards no job may be lost or doubled.

pub mod checks;
pub mod clients;
pub mod plan;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use self::checks::{JobEnds, none};
use self::clients::{ClientNotes, People, Progress};
use self::plan::Plan;
use crate::error::{Error, Result};
use crate::platform::Platform;
use crate::report::{Report, Table};

/// Clients that submit concurrently.
pub const CLIENTS: usize = 16;
const POLL_EVERY: Duration = Duration::from_millis(5);
/// Interval between comparisons of rows with earlier observations.
const COMPARE_EVERY: Duration = Duration::from_millis(200);
/// Give up after this long without an accepted or ended job.
const STUCK_AFTER: Duration = Duration::from_secs(120);

/// Injects faults as jobs progress.
pub trait FaultInjector {
    /// Injects faults that are due at this progress, and ends those that are over.
    async fn step(&mut self, platform: &mut Platform, progress: usize) -> Result<()>;

    /// Whether all faults were injected and ended.
    fn is_done(&mut self) -> bool;
}

/// A running drill.
pub struct Drill {
    plan: Arc<Plan>,
    pub people: Arc<People>,
    pub progress: Arc<Progress>,
    ends: JobEnds,
}

impl Drill {
    /// Creates accounts on these nodes for the plan.
    pub async fn begin(plan: &Arc<Plan>, nodes: Vec<String>, accounts: usize) -> Result<Self> {
        let people = Arc::new(People::arrive(nodes, accounts).await?);
        Ok(Self { plan: Arc::clone(plan), people, progress: Arc::default(), ends: JobEnds::default() })
    }

    /// Runs clients and faults until all jobs have ended or nothing progresses any more.
    pub async fn run_with(&mut self, platform: &mut Platform, injector: &mut impl FaultInjector) -> Result<()> {
        let window = (self.plan.jobs.len() / 5).max(CLIENTS);
        let mut clients = clients::start(window, &self.plan, &self.people, &self.progress);
        let mut compared = Instant::now();
        let mut moved = (Instant::now(), 0);
        loop {
            let sum = self.progress.sum();
            injector.step(platform, sum).await?;
            if compared.elapsed() >= COMPARE_EVERY {
                // Fails while the database restarts; the next check covers it.
                drop(self.check_ends(platform).await);
                compared = Instant::now();
            }
            while let Some(ended) = clients.try_join_next() {
                ended.map_err(|error| Error::Other(format!("a client ended: {error}")))?;
            }
            let accepted = self.progress.accepted.load(Ordering::Relaxed);
            if clients.is_empty() && injector.is_done() && self.progress.ended.load(Ordering::Relaxed) >= accepted {
                return Ok(());
            }
            if sum != moved.1 {
                moved = (Instant::now(), sum);
            } else if moved.0.elapsed() > STUCK_AFTER {
                println!("nothing has happened for {STUCK_AFTER:?}: what is there is checked");
                return Ok(());
            }
            tokio::time::sleep(POLL_EVERY).await;
        }
    }

    /// Compares the ends of jobs with earlier observations.
    pub async fn check_ends(&mut self, platform: &Platform) -> Result<()> {
        self.ends.update(&platform.database.pool, &self.progress).await
    }

    /// Runs the checks of every drill and adds tables, bars and findings to the report.
    pub async fn check(&mut self, platform: &Platform, notes: ClientNotes, report: &mut Report) -> Result<()> {
        let found = checks::check(platform, &self.plan, &self.people, &notes).await?;
        self.check_ends(platform).await?;
        report.bars.extend(found.bars);
        report.bars.push(none("ends of jobs that changed later", self.ends.changed.len()));
        report.bars.push(none("answers that no client should get", notes.wrong.len()));
        for wrong in [found.oddities, std::mem::take(&mut self.ends.changed), notes.wrong] {
            report.notes.extend(wrong.into_iter().take(5));
        }
        Ok(())
    }
}

/// Final statuses of jobs, and retries of clients.
pub fn tables(distribution: &BTreeMap<&'static str, usize>, notes: &ClientNotes) -> [Table; 2] {
    let mut ended = Table::new(&["status", "jobs"]);
    for (status, jobs) in distribution {
        ended.row([(*status).to_owned(), jobs.to_string()]);
    }
    let mut repeated = Table::new(&["requests that were repeated", "times"]);
    for (why, times) in &notes.repeated {
        repeated.row([why.clone(), times.to_string()]);
    }
    [ended, repeated]
}
