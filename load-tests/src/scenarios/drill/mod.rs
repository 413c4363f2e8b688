//! What drills have in common: clients submit, blows fall, jobs end, and afterwards nothing may be lost or doubled.

pub mod checks;
pub mod clients;
pub mod plan;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use self::checks::{Ends, none};
use self::clients::{Notes, People, Progress};
use self::plan::Plan;
use crate::error::{Error, Result};
use crate::platform::Platform;
use crate::report::{Report, Table};

/// Clients that submit at the same time.
pub const CLIENTS: usize = 16;
const LOOK_EVERY: Duration = Duration::from_millis(5);
/// How often rows are compared with what was seen before.
const COMPARE_EVERY: Duration = Duration::from_millis(200);
/// The longest time without any job accepted or ended.
const STUCK_AFTER: Duration = Duration::from_secs(120);

/// Who makes blows fall as the work goes on.
pub trait Strike {
    /// Does what is due when so much work was done.
    ///
    /// # Errors
    /// Something cannot be started again.
    async fn look(&mut self, platform: &mut Platform, progress: usize) -> Result<()>;

    /// Whether all blows fell, and all that they hit stands again.
    fn is_done(&mut self) -> bool;
}

/// A drill that goes on: what is done, by whom, and what was seen of it.
pub struct Drill {
    plan: Arc<Plan>,
    pub people: Arc<People>,
    pub progress: Arc<Progress>,
    ends: Ends,
}

impl Drill {
    /// People arrive at these nodes, to do what is planned.
    ///
    /// # Errors
    /// A node refuses something.
    pub async fn begin(plan: &Arc<Plan>, nodes: Vec<String>, accounts: usize) -> Result<Self> {
        let people = Arc::new(People::arrive(nodes, accounts).await?);
        Ok(Self { plan: Arc::clone(plan), people, progress: Arc::default(), ends: Ends::default() })
    }

    /// Lets clients submit, blows fall and jobs end, until nothing is left to do or nothing happens any more.
    ///
    /// # Errors
    /// A blow cannot be struck, or a client ends.
    pub async fn strike(&mut self, platform: &mut Platform, striker: &mut impl Strike) -> Result<()> {
        let window = (self.plan.jobs.len() / 5).max(CLIENTS);
        let mut clients = clients::start(window, &self.plan, &self.people, &self.progress);
        let mut compared = Instant::now();
        let mut moved = (Instant::now(), 0);
        loop {
            let sum = self.progress.sum();
            striker.look(platform, sum).await?;
            if compared.elapsed() >= COMPARE_EVERY {
                // While the database restarts nobody can look; the next look sees it all the same.
                drop(self.look(platform).await);
                compared = Instant::now();
            }
            while let Some(ended) = clients.try_join_next() {
                ended.map_err(|error| Error::Other(format!("a client ended: {error}")))?;
            }
            let accepted = self.progress.accepted.load(Ordering::Relaxed);
            if clients.is_empty() && striker.is_done() && self.progress.ended.load(Ordering::Relaxed) >= accepted {
                return Ok(());
            }
            if sum != moved.1 {
                moved = (Instant::now(), sum);
            } else if moved.0.elapsed() > STUCK_AFTER {
                println!("nothing has happened for {STUCK_AFTER:?}: what is there is checked");
                return Ok(());
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    /// Compares the ends of jobs with what was seen before.
    ///
    /// # Errors
    /// The database does not answer.
    pub async fn look(&mut self, platform: &Platform) -> Result<()> {
        self.ends.look(&platform.database.pool, &self.progress).await
    }

    /// Adds what holds after every drill: the tables, the bars, and what is wrong.
    ///
    /// # Errors
    /// The platform does not answer any more.
    pub async fn check(&mut self, platform: &Platform, notes: Notes, report: &mut Report) -> Result<()> {
        let found = checks::check(platform, &self.plan, &self.people, &notes).await?;
        self.look(platform).await?;
        report.bars.extend(found.bars);
        report.bars.push(none("ends of jobs that changed later", self.ends.changed.len()));
        report.bars.push(none("answers that no client should get", notes.wrong.len()));
        for wrong in [found.oddities, std::mem::take(&mut self.ends.changed), notes.wrong] {
            report.notes.extend(wrong.into_iter().take(5));
        }
        Ok(())
    }
}

/// How jobs ended, and what clients had to say again.
pub fn tables(distribution: &BTreeMap<&'static str, usize>, notes: &Notes) -> [Table; 2] {
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
