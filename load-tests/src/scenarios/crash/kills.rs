//! Kills processes as planned, and restarts them like a process supervisor.

use std::time::{Duration, Instant};

use crate::error::Result;
use crate::platform::Platform;
use crate::scenarios::drill::FaultInjector;
use crate::scenarios::drill::plan::{Kill, Plan, Target};

/// Kills one process after the other as jobs progress.
pub struct KillSchedule<'a> {
    kills: std::iter::Peekable<std::slice::Iter<'a, Kill>>,
    /// Progress at the last check.
    progress: usize,
    /// When the next kill is due, once its progress is reached.
    due: Option<Instant>,
    server_up_at: Option<Instant>,
    /// Dead workers, and when to revive them.
    workers_up_at: Vec<(usize, Instant)>,
    /// The last start of the server, until jobs progress again.
    started: Option<(Instant, usize)>,
    pub stats: KillStats,
}

#[derive(Debug, Default)]
pub struct KillStats {
    pub server: usize,
    pub workers: usize,
    pub database: usize,
    /// Times from a start of the server until jobs progressed.
    pub recoveries: Vec<Duration>,
    /// Starts of the server that failed by themselves.
    pub failed_starts: usize,
}

impl FaultInjector for KillSchedule<'_> {
    async fn step(&mut self, platform: &mut Platform, progress: usize) -> Result<()> {
        self.progress = progress;
        let now = Instant::now();
        self.restart_due(platform, now).await?;
        if let Some((at, before)) = self.started
            && self.progress > before
        {
            self.stats.recoveries.push(at.elapsed());
            self.started = None;
        }
        let Some(kill) = self.kills.peek().copied() else { return Ok(()) };
        if self.due.is_none() && self.progress >= kill.progress {
            self.due = Some(now + kill.delay);
        }
        if self.due.is_some_and(|due| due <= now) && self.is_possible(kill) {
            self.kills.next();
            self.due = None;
            self.inject(kill, platform).await?;
        }
        Ok(())
    }

    fn is_done(&mut self) -> bool {
        self.kills.peek().is_none() && self.server_up_at.is_none() && self.workers_up_at.is_empty()
    }
}

impl<'a> KillSchedule<'a> {
    pub fn new(plan: &'a Plan) -> Self {
        Self {
            kills: plan.kills.iter().peekable(),
            progress: 0,
            due: None,
            server_up_at: None,
            workers_up_at: Vec::new(),
            started: None,
            stats: KillStats::default(),
        }
    }

    /// A dead process cannot be killed.
    fn is_possible(&self, kill: &Kill) -> bool {
        match kill.target {
            Target::Server => self.server_up_at.is_none(),
            Target::Worker(number) => self.workers_up_at.iter().all(|(dead, _)| *dead != number),
            Target::Database(_) => true,
        }
    }

    async fn inject(&mut self, kill: &Kill, platform: &mut Platform) -> Result<()> {
        match kill.target {
            Target::Server => {
                platform.server.kill();
                self.stats.server += 1;
                self.server_up_at = Some(Instant::now() + kill.down);
            }
            Target::Worker(number) => {
                if let Some(worker) = platform.workers.get_mut(number) {
                    worker.kill();
                    self.stats.workers += 1;
                    self.workers_up_at.push((number, Instant::now() + kill.down));
                }
            }
            Target::Database(shutdown) => {
                platform.database.restart(shutdown).await?;
                self.stats.database += 1;
            }
        }
        Ok(())
    }

    async fn restart_due(&mut self, platform: &mut Platform, now: Instant) -> Result<()> {
        if self.server_up_at.is_some_and(|at| at <= now) {
            self.server_up_at = None;
            platform.server.launch()?;
            self.started = Some((Instant::now(), self.progress));
        } else if self.server_up_at.is_none() && platform.server.has_ended() {
            // It may exit if the database was down while it started.
            self.stats.failed_starts += 1;
            self.server_up_at = Some(now + Duration::from_millis(200));
        }
        let due: Vec<usize> =
            self.workers_up_at.iter().filter(|(_, at)| *at <= now).map(|(number, _)| *number).collect();
        self.workers_up_at.retain(|(_, at)| *at > now);
        for number in due {
            if let Some(worker) = platform.workers.get_mut(number) {
                worker.revive().await?;
            }
        }
        Ok(())
    }
}
