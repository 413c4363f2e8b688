//! Who strikes: ends processes as the plan says, and starts them again as whoever watches over a server does.

use std::time::{Duration, Instant};

use crate::error::Result;
use crate::platform::Platform;
use crate::scenarios::drill::Strike;
use crate::scenarios::drill::plan::{Blow, Plan, Target};

/// Strikes one blow after the other as the work goes on.
pub struct Striker<'a> {
    blows: std::iter::Peekable<std::slice::Iter<'a, Blow>>,
    /// How much work was done at the last look.
    progress: usize,
    /// When the next blow falls, once its moment has come.
    due: Option<Instant>,
    server_up_at: Option<Instant>,
    /// Workers that are dead, and when they come back.
    workers_up_at: Vec<(usize, Instant)>,
    /// The last start of the server, until work went on.
    started: Option<(Instant, usize)>,
    pub struck: Struck,
}

/// What was done so far.
#[derive(Debug, Default)]
pub struct Struck {
    pub server: usize,
    pub workers: usize,
    pub database: usize,
    /// Times from a start of the server until work went on.
    pub recoveries: Vec<Duration>,
    /// Lives of the server that ended by themselves.
    pub fell_over: usize,
}

impl Strike for Striker<'_> {
    async fn look(&mut self, platform: &mut Platform, progress: usize) -> Result<()> {
        self.progress = progress;
        let now = Instant::now();
        self.start_again(platform, now).await?;
        if let Some((at, before)) = self.started
            && self.progress > before
        {
            self.struck.recoveries.push(at.elapsed());
            self.started = None;
        }
        let Some(blow) = self.blows.peek().copied() else { return Ok(()) };
        if self.due.is_none() && self.progress >= blow.progress {
            self.due = Some(now + blow.delay);
        }
        if self.due.is_some_and(|due| due <= now) && self.can_fall(blow) {
            self.blows.next();
            self.due = None;
            self.strike(blow, platform).await?;
        }
        Ok(())
    }

    fn is_done(&mut self) -> bool {
        self.blows.peek().is_none() && self.server_up_at.is_none() && self.workers_up_at.is_empty()
    }
}

impl<'a> Striker<'a> {
    /// Ready for the first blow.
    pub fn new(plan: &'a Plan) -> Self {
        Self {
            blows: plan.blows.iter().peekable(),
            progress: 0,
            due: None,
            server_up_at: None,
            workers_up_at: Vec::new(),
            started: None,
            struck: Struck::default(),
        }
    }

    /// A dead process cannot be killed.
    fn can_fall(&self, blow: &Blow) -> bool {
        match blow.target {
            Target::Server => self.server_up_at.is_none(),
            Target::Worker(number) => self.workers_up_at.iter().all(|(dead, _)| *dead != number),
            Target::Database(_) => true,
        }
    }

    async fn strike(&mut self, blow: &Blow, platform: &mut Platform) -> Result<()> {
        match blow.target {
            Target::Server => {
                platform.server.kill();
                self.struck.server += 1;
                self.server_up_at = Some(Instant::now() + blow.down);
            }
            Target::Worker(number) => {
                if let Some(worker) = platform.workers.get_mut(number) {
                    worker.kill();
                    self.struck.workers += 1;
                    self.workers_up_at.push((number, Instant::now() + blow.down));
                }
            }
            Target::Database(shutdown) => {
                platform.database.restart(shutdown).await?;
                self.struck.database += 1;
            }
        }
        Ok(())
    }

    async fn start_again(&mut self, platform: &mut Platform, now: Instant) -> Result<()> {
        if self.server_up_at.is_some_and(|at| at <= now) {
            self.server_up_at = None;
            platform.server.launch()?;
            self.started = Some((Instant::now(), self.progress));
        } else if self.server_up_at.is_none() && platform.server.has_ended() {
            // It may give up where the database was away while it started.
            self.struck.fell_over += 1;
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
