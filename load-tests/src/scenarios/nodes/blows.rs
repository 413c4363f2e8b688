//! What falls on the nodes, and on what they share, while jobs run.

use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use crate::error::Result;
use crate::platform::{Platform, Server, Shutdown};
use crate::scenarios::drill::Strike;
use crate::scenarios::follow::now_us;

/// What a blow is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Kind {
    /// `kill -9` of a node.
    Kill,
    /// A node stands still for longer than its lease, and goes on.
    Freeze,
    /// A node is stopped as by an operator, and started again.
    Restart,
    /// A node leaves in order, and the others go on without it; seconds later one joins them.
    Leave,
    /// Redis is killed, with all that it knew.
    Redis,
    /// The S3-compatible store answers nothing for a while.
    Store,
    /// PostgreSQL is restarted in order. Where it crashes it may forget the claims of half a second, and the prompts of
    /// these run again: that is the crash drill's.
    Database,
}

impl Kind {
    pub const ALL: [Self; 7] =
        [Self::Kill, Self::Freeze, Self::Restart, Self::Leave, Self::Redis, Self::Store, Self::Database];

    /// What it is called in a report.
    pub fn name(self) -> &'static str {
        match self {
            Self::Kill => "kills of a node",
            Self::Freeze => "freezes of a node",
            Self::Restart => "restarts of a node",
            Self::Leave => "leaves and joins of a node",
            Self::Redis => "kills of Redis",
            Self::Store => "freezes of the store",
            Self::Database => "restarts of PostgreSQL",
        }
    }

    /// How long it lasts, in milliseconds.
    fn lasts(self, lease: Duration) -> std::ops::Range<u64> {
        let lease = u64::try_from(lease.as_millis()).unwrap_or(u64::MAX);
        match self {
            Self::Kill => 500..lease + 2000,
            Self::Freeze => lease + 500..lease + 2500,
            Self::Restart => 200..2000,
            Self::Leave => lease + 1000..lease + 5000,
            Self::Redis => 500..3000,
            Self::Store => 1500..5000,
            Self::Database => 0..1,
        }
    }
}

/// One blow, drawn before anything runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Blow {
    pub kind: Kind,
    /// How many jobs were accepted or have ended by then, added up.
    pub progress: usize,
    /// The node that it falls on, where it falls on one.
    node: usize,
    lasts: Duration,
}

/// Draws so many blows of each of these kinds; the same seed gives the same ones.
pub fn draw(seed: u64, each: usize, kinds: &[Kind], nodes: usize, jobs: usize, lease: Duration) -> Vec<Blow> {
    let mut random = StdRng::seed_from_u64(seed);
    let mut kinds: Vec<Kind> = kinds.iter().flat_map(|kind| std::iter::repeat_n(*kind, each)).collect();
    kinds.shuffle(&mut random);
    let (first, last) = (jobs / 20, jobs * 18 / 10);
    let count = kinds.len();
    kinds
        .into_iter()
        .enumerate()
        .map(|(number, kind)| Blow {
            kind,
            progress: first + (last - first) * number / count.max(1),
            node: random.random_range(0..nodes),
            lasts: Duration::from_millis(random.random_range(kind.lasts(lease))),
        })
        .collect()
}

/// Strikes one blow after the other as the work goes on, and makes good again what each has done.
pub struct Striker {
    blows: std::iter::Peekable<std::vec::IntoIter<Blow>>,
    /// What is to be made good again, and when.
    open: Vec<(Blow, Instant)>,
    pub struck: Vec<Kind>,
    /// What fell when, and when it was made good again.
    pub story: Vec<String>,
    /// From when to when the store answered nothing, in microseconds since 1970.
    pub away: Vec<(i64, i64)>,
}

impl Strike for Striker {
    async fn look(&mut self, platform: &mut Platform, progress: usize) -> Result<()> {
        let now = Instant::now();
        let mut due = Vec::new();
        for (blow, until) in std::mem::take(&mut self.open) {
            // Who was asked to stop takes the time that it takes.
            let stops = blow.is_in_order() && !node(platform, blow.node).has_ended();
            if until <= now && !stops { due.push(blow) } else { self.open.push((blow, until)) }
        }
        for blow in due {
            mend(platform, blow)?;
            self.story.push(blow.told("is over"));
            if blow.kind == Kind::Store {
                let now = now_us();
                self.away.push((now - i64::try_from(blow.lasts.as_micros()).unwrap_or(i64::MAX), now));
            }
        }
        for number in 0..=platform.others.len() {
            let is_out = self.open.iter().any(|(blow, _)| blow.is_of_node() && blow.node == number);
            if !is_out && node(platform, number).has_ended() {
                // It may give up where the database was away while it started.
                node(platform, number).kill();
                node(platform, number).launch()?;
            }
        }
        let Some(blow) = self.blows.peek().copied() else { return Ok(()) };
        if progress >= blow.progress && self.can_fall(&blow, platform) {
            self.blows.next();
            self.struck.push(blow.kind);
            self.story.push(blow.told("falls"));
            strike(platform, blow).await?;
            self.open.push((blow, Instant::now() + blow.lasts));
        }
        Ok(())
    }

    fn is_done(&mut self) -> bool {
        self.blows.peek().is_none() && self.open.is_empty()
    }
}

impl Striker {
    pub fn new(blows: Vec<Blow>) -> Self {
        Self {
            blows: blows.into_iter().peekable(),
            open: Vec::new(),
            struck: Vec::new(),
            story: Vec::new(),
            away: Vec::new(),
        }
    }

    /// One node always stands, and nothing is hit twice at a time.
    fn can_fall(&self, blow: &Blow, platform: &Platform) -> bool {
        let out = self.open.iter().filter(|(open, _)| open.is_of_node());
        if blow.is_of_node() {
            return out.clone().count() < platform.others.len()
                && out.into_iter().all(|(open, _)| open.node != blow.node);
        }
        self.open.iter().all(|(open, _)| open.kind != blow.kind)
    }
}

impl Blow {
    fn is_of_node(&self) -> bool {
        matches!(self.kind, Kind::Kill | Kind::Freeze) || self.is_in_order()
    }

    /// What happens with it now, as a line of a log.
    fn told(&self, what: &str) -> String {
        let whom = if self.is_of_node() { format!(", node {}", self.node) } else { String::new() };
        format!("{} blow {what}: {}{whom}", super::story::moment(chrono::Utc::now()), self.kind.name())
    }

    /// Whether its node is asked to stop.
    fn is_in_order(&self) -> bool {
        matches!(self.kind, Kind::Restart | Kind::Leave)
    }
}

fn node(platform: &mut Platform, number: usize) -> &mut Server {
    match number.checked_sub(1) {
        Some(other) if other < platform.others.len() => &mut platform.others[other],
        _ => &mut platform.server,
    }
}

async fn strike(platform: &mut Platform, blow: Blow) -> Result<()> {
    match blow.kind {
        Kind::Kill => node(platform, blow.node).kill(),
        Kind::Freeze => node(platform, blow.node).freeze(true),
        Kind::Restart | Kind::Leave => node(platform, blow.node).terminate(),
        Kind::Redis => platform.services.iter_mut().for_each(|services| services.redis.kill()),
        Kind::Store => platform.services.iter().for_each(|services| services.store.freeze(true)),
        Kind::Database => platform.database.restart(Shutdown::Fast).await?,
    }
    Ok(())
}

fn mend(platform: &mut Platform, blow: Blow) -> Result<()> {
    match blow.kind {
        Kind::Kill => node(platform, blow.node).launch(),
        Kind::Freeze => {
            node(platform, blow.node).freeze(false);
            Ok(())
        }
        Kind::Restart | Kind::Leave => {
            node(platform, blow.node).kill();
            node(platform, blow.node).launch()
        }
        Kind::Redis => platform.services.iter_mut().try_for_each(|services| services.redis.launch()),
        Kind::Store => {
            platform.services.iter().for_each(|services| services.store.freeze(false));
            Ok(())
        }
        Kind::Database => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drill_can_be_repeated_and_has_as_many_blows_of_each_kind_as_it_shall() {
        let lease = Duration::from_secs(4);
        let drawn = draw(7, 3, &Kind::ALL, 3, 1000, lease);
        assert_eq!(drawn, draw(7, 3, &Kind::ALL, 3, 1000, lease));
        assert_ne!(drawn, draw(8, 3, &Kind::ALL, 3, 1000, lease));
        for kind in Kind::ALL {
            assert_eq!(drawn.iter().filter(|blow| blow.kind == kind).count(), 3);
        }
        assert!(drawn.iter().all(|blow| blow.node < 3 && blow.progress < 1800));
        assert!(drawn.iter().filter(|blow| blow.kind == Kind::Freeze).all(|blow| blow.lasts > lease));
    }
}
