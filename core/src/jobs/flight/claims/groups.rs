//! Groups of workers by the needs that they meet, and the claims that found nothing for a group.

use std::collections::HashMap;
use std::sync::Arc;

use chrono::{DateTime, Utc};

use crate::Core;
use crate::fleet::Capabilities;
use crate::graph::Needs;
use crate::jobs::status::Lane;
use crate::jobs::store;

/// Workers that meet the same needs form a group. A group's number is valid until new needs are read.
#[derive(Default)]
pub(in crate::jobs) struct CapabilityGroups {
    needs: HashMap<String, Needs>,
    /// Keyed by `Arc` pointer: holding the `Arc` keeps the address unique.
    known: HashMap<usize, KnownCapabilities>,
    groups: Vec<CapabilityGroup>,
}

struct KnownCapabilities {
    capabilities: Arc<Capabilities>,
    group: usize,
}

struct CapabilityGroup {
    /// The sorted hashes of the needs that the workers meet.
    needs: Arc<[String]>,
    misses: NegativeCache,
}

/// Claims that found nothing, by pool and lane.
type NegativeCache = HashMap<(String, Lane), CachedMiss>;

struct CachedMiss {
    /// Version of the change log before the claim.
    seen_version: u64,
    /// When the first paused job may be tried again.
    until: Option<DateTime<Utc>>,
}

impl CapabilityGroups {
    /// The group of the workers with these capabilities.
    pub fn group(&mut self, capabilities: &Arc<Capabilities>) -> usize {
        let key = Arc::as_ptr(capabilities).addr();
        if let Some(known) = self.known.get(&key) {
            return known.group;
        }
        let met = self.needs.iter().filter(|(_, needs)| capabilities.meet(needs));
        let mut needs: Vec<String> = met.map(|(hash, _)| hash.clone()).collect();
        needs.sort_unstable();
        let group = self.group_of(needs);
        self.known.insert(key, KnownCapabilities { capabilities: Arc::clone(capabilities), group });
        group
    }

    /// The group with the needs of `group` that none of `others` meets.
    pub fn without(&mut self, group: usize, others: &[usize]) -> usize {
        let is_theirs = |hash: &String| others.iter().any(|other| self.needs(*other).binary_search(hash).is_ok());
        let left: Vec<String> = self.needs(group).iter().filter(|hash| !is_theirs(hash)).cloned().collect();
        self.group_of(left)
    }

    fn group_of(&mut self, needs: Vec<String>) -> usize {
        let known = self.groups.iter().position(|group| *group.needs == *needs);
        known.unwrap_or_else(|| {
            self.groups.push(CapabilityGroup { needs: needs.into(), misses: NegativeCache::new() });
            self.groups.len() - 1
        })
    }

    pub fn needs(&self, group: usize) -> &Arc<[String]> {
        &self.groups[group].needs
    }

    /// Whether a lane may have a job for a group: no claim missed, or the lane has changed since, or a pause is over.
    pub fn may_have(&self, core: &Core, group: usize, pool: &str, lane: Lane, now: DateTime<Utc>) -> bool {
        let CapabilityGroup { needs, misses } = &self.groups[group];
        misses.get(&(pool.to_owned(), lane)).is_none_or(|miss| {
            let is_time = miss.until.is_some_and(|until| until <= now);
            is_time || core.queue.change_log().has_changed_since(miss.seen_version, pool, lane, needs)
        })
    }

    /// Records that a lane has no job for a group, or none before `until`.
    pub fn cache_miss(
        &mut self,
        group: usize,
        pool: &str,
        lane: Lane,
        seen_version: u64,
        until: Option<DateTime<Utc>>,
    ) {
        self.groups[group].misses.insert((pool.to_owned(), lane), CachedMiss { seen_version, until });
    }

    /// Reads the needs that this node or another has added since the last call.
    pub async fn read_needs(&mut self, core: &Core) -> sqlx::Result<()> {
        if !core.queue.take_new_needs() {
            return Ok(());
        }
        // The roster holds the capabilities of its workers. The others are of no use any more.
        self.known.retain(|_, known| Arc::strong_count(&known.capabilities) > 1);
        let known: Vec<String> = self.needs.keys().cloned().collect();
        for (hash, needs) in store::other_needs(&core.db, &known).await? {
            match Needs::from_value(&needs) {
                Some(needs) => {
                    self.needs.insert(hash, needs);
                    self.known.clear();
                    self.groups.clear();
                }
                None => tracing::error!(hash, "a row of needs cannot be read"),
            }
        }
        Ok(())
    }
}
