//! Faults of nodes and of their shared services while jobs run.

use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use crate::error::Result;
use crate::platform::{Platform, Server, Shutdown};
use crate::scenarios::drill::FaultInjector;
use crate::scenarios::follow::now_us;

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum NodeFaultKind {
    /// `kill -9` of a node.
    Kill,
    /// A node is paused for longer than its lease.
    Freeze,
    /// A node is stopped gracefully and restarted.
    Restart,
    /// A node leaves gracefully; seconds later one joins.
    Leave,
    /// Redis is killed and loses its memory.
    Redis,
    /// The S3-compatible store does not answer for a while.
    Store,
    /// PostgreSQL is restarted gracefully. A crash may lose the claims of half a second, so that their prompts run
    /// again; the crash drill covers that.
    Database,
}

impl NodeFaultKind {
    pub const ALL: [Self; 7] =
        [Self::Kill, Self::Freeze, Self::Restart, Self::Leave, Self::Redis, Self::Store, Self::Database];

    /// Its name in a report.
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

    /// Its duration in milliseconds.
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

/// One fault, drawn before the drill runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NodeFault {
    pub kind: NodeFaultKind,
    /// The sum of accepted and ended jobs at which it is due.
    pub progress: usize,
    /// The affected node, for faults of nodes.
    node: usize,
    lasts: Duration,
}

/// Draws this many faults of each kind. The same seed gives the same faults.
pub fn draw(
    seed: u64,
    each: usize,
    kinds: &[NodeFaultKind],
    nodes: usize,
    jobs: usize,
    lease: Duration,
) -> Vec<NodeFault> {
    let mut random = StdRng::seed_from_u64(seed);
    let mut kinds: Vec<NodeFaultKind> = kinds.iter().flat_map(|kind| std::iter::repeat_n(*kind, each)).collect();
    kinds.shuffle(&mut random);
    let (first, last) = (jobs / 20, jobs * 18 / 10);
    let count = kinds.len();
    kinds
        .into_iter()
        .enumerate()
        .map(|(number, kind)| NodeFault {
            kind,
            progress: first + (last - first) * number / count.max(1),
            node: random.random_range(0..nodes),
            lasts: Duration::from_millis(random.random_range(kind.lasts(lease))),
        })
        .collect()
}

/// Injects one fault after the other as jobs progress, and ends each after its time.
pub struct FaultSchedule {
    faults: std::iter::Peekable<std::vec::IntoIter<NodeFault>>,
    /// Active faults, and when they end.
    open: Vec<(NodeFault, Instant)>,
    pub injected: Vec<NodeFaultKind>,
    /// Log of faults and their ends.
    pub log: Vec<String>,
    /// Intervals without the store, in microseconds since 1970.
    pub away: Vec<(i64, i64)>,
}

impl FaultInjector for FaultSchedule {
    async fn step(&mut self, platform: &mut Platform, progress: usize) -> Result<()> {
        let now = Instant::now();
        let mut due = Vec::new();
        for (fault, until) in std::mem::take(&mut self.open) {
            // A graceful stop takes as long as it takes.
            let stops = fault.is_graceful() && !node(platform, fault.node).has_ended();
            if until <= now && !stops { due.push(fault) } else { self.open.push((fault, until)) }
        }
        for fault in due {
            undo(platform, fault)?;
            self.log.push(fault.log_line("ends"));
            if fault.kind == NodeFaultKind::Store {
                let now = now_us();
                self.away.push((now - i64::try_from(fault.lasts.as_micros()).unwrap_or(i64::MAX), now));
            }
        }
        for number in 0..=platform.others.len() {
            let is_out = self.open.iter().any(|(fault, _)| fault.is_of_node() && fault.node == number);
            if !is_out && node(platform, number).has_ended() {
                // It may exit if the database was down while it started.
                node(platform, number).kill();
                node(platform, number).launch()?;
            }
        }
        let Some(fault) = self.faults.peek().copied() else { return Ok(()) };
        if progress >= fault.progress && self.is_possible(&fault, platform) {
            self.faults.next();
            self.injected.push(fault.kind);
            self.log.push(fault.log_line("starts"));
            inject(platform, fault).await?;
            self.open.push((fault, Instant::now() + fault.lasts));
        }
        Ok(())
    }

    fn is_done(&mut self) -> bool {
        self.faults.peek().is_none() && self.open.is_empty()
    }
}

impl FaultSchedule {
    pub fn new(faults: Vec<NodeFault>) -> Self {
        Self {
            faults: faults.into_iter().peekable(),
            open: Vec::new(),
            injected: Vec::new(),
            log: Vec::new(),
            away: Vec::new(),
        }
    }

    /// At least one node is always up, and nothing has two faults at a time.
    fn is_possible(&self, fault: &NodeFault, platform: &Platform) -> bool {
        let out = self.open.iter().filter(|(open, _)| open.is_of_node());
        if fault.is_of_node() {
            return out.clone().count() < platform.others.len()
                && out.into_iter().all(|(open, _)| open.node != fault.node);
        }
        self.open.iter().all(|(open, _)| open.kind != fault.kind)
    }
}

impl NodeFault {
    fn is_of_node(&self) -> bool {
        matches!(self.kind, NodeFaultKind::Kill | NodeFaultKind::Freeze) || self.is_graceful()
    }

    /// A log line about this fault.
    fn log_line(&self, what: &str) -> String {
        let whom = if self.is_of_node() { format!(", node {}", self.node) } else { String::new() };
        format!("{} fault {what}: {}{whom}", super::diagnosis::moment(chrono::Utc::now()), self.kind.name())
    }

    /// Whether it stops its node gracefully.
    fn is_graceful(&self) -> bool {
        matches!(self.kind, NodeFaultKind::Restart | NodeFaultKind::Leave)
    }
}

fn node(platform: &mut Platform, number: usize) -> &mut Server {
    match number.checked_sub(1) {
        Some(other) if other < platform.others.len() => &mut platform.others[other],
        _ => &mut platform.server,
    }
}

async fn inject(platform: &mut Platform, fault: NodeFault) -> Result<()> {
    match fault.kind {
        NodeFaultKind::Kill => node(platform, fault.node).kill(),
        NodeFaultKind::Freeze => node(platform, fault.node).freeze(true),
        NodeFaultKind::Restart | NodeFaultKind::Leave => node(platform, fault.node).terminate(),
        NodeFaultKind::Redis => platform.services.iter_mut().for_each(|services| services.redis.kill()),
        NodeFaultKind::Store => platform.services.iter().for_each(|services| services.store.freeze(true)),
        NodeFaultKind::Database => platform.database.restart(Shutdown::Fast).await?,
    }
    Ok(())
}

fn undo(platform: &mut Platform, fault: NodeFault) -> Result<()> {
    match fault.kind {
        NodeFaultKind::Kill => node(platform, fault.node).launch(),
        NodeFaultKind::Freeze => {
            node(platform, fault.node).freeze(false);
            Ok(())
        }
        NodeFaultKind::Restart | NodeFaultKind::Leave => {
            node(platform, fault.node).kill();
            node(platform, fault.node).launch()
        }
        NodeFaultKind::Redis => platform.services.iter_mut().try_for_each(|services| services.redis.launch()),
        NodeFaultKind::Store => {
            platform.services.iter().for_each(|services| services.store.freeze(false));
            Ok(())
        }
        NodeFaultKind::Database => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seed_repeats_the_drill_with_equal_counts_per_kind() {
        let lease = Duration::from_secs(4);
        let drawn = draw(7, 3, &NodeFaultKind::ALL, 3, 1000, lease);
        assert_eq!(drawn, draw(7, 3, &NodeFaultKind::ALL, 3, 1000, lease));
        assert_ne!(drawn, draw(8, 3, &NodeFaultKind::ALL, 3, 1000, lease));
        for kind in NodeFaultKind::ALL {
            assert_eq!(drawn.iter().filter(|fault| fault.kind == kind).count(), 3);
        }
        assert!(drawn.iter().all(|fault| fault.node < 3 && fault.progress < 1800));
        assert!(drawn.iter().filter(|fault| fault.kind == NodeFaultKind::Freeze).all(|fault| fault.lasts > lease));
    }
}
