//! What workers can run, of what jobs need; and where nothing was found for them.

use std::collections::HashMap;
use std::sync::Arc;

use chrono::{DateTime, Utc};

use crate::Core;
use crate::fleet::Capabilities;
use crate::graph::Needs;
use crate::jobs::status::Lane;
use crate::jobs::store;

/// What each free worker can run. Those that can run the same are a group, whose number stands until needs are read.
#[derive(Default)]
pub(in crate::jobs) struct Ables {
    needs: HashMap<String, Needs>,
    known: HashMap<usize, Able>,
    groups: Vec<Group>,
}

/// Capabilities by their address, which is nobody else's while they are kept here.
struct Able {
    capabilities: Arc<Capabilities>,
    group: usize,
}

struct Group {
    /// The hashes of the needs that they meet, in order.
    needs: Arc<[String]>,
    /// Where nothing was found for them, by pool and lane.
    nothing: HashMap<(String, Lane), Nothing>,
}

/// Nothing can be claimed.
struct Nothing {
    /// Where the count of arrivals stood.
    stood: u64,
    /// What waits may be tried from then on.
    until: Option<DateTime<Utc>>,
}

impl Ables {
    /// The group of who has these capabilities; worked out once.
    pub fn group(&mut self, capabilities: &Arc<Capabilities>) -> usize {
        let key = Arc::as_ptr(capabilities).addr();
        if let Some(able) = self.known.get(&key) {
            return able.group;
        }
        let met = self.needs.iter().filter(|(_, needs)| capabilities.meet(needs));
        let mut needs: Vec<String> = met.map(|(hash, _)| hash.clone()).collect();
        needs.sort_unstable();
        let group = self.group_of(needs);
        self.known.insert(key, Able { capabilities: Arc::clone(capabilities), group });
        group
    }

    /// The group of who can run what one can that nobody of `others` can.
    pub fn without(&mut self, group: usize, others: &[usize]) -> usize {
        let is_theirs = |hash: &String| others.iter().any(|other| self.needs(*other).binary_search(hash).is_ok());
        let left: Vec<String> = self.needs(group).iter().filter(|hash| !is_theirs(hash)).cloned().collect();
        self.group_of(left)
    }

    fn group_of(&mut self, needs: Vec<String>) -> usize {
        let known = self.groups.iter().position(|group| *group.needs == *needs);
        known.unwrap_or_else(|| {
            self.groups.push(Group { needs: needs.into(), nothing: HashMap::new() });
            self.groups.len() - 1
        })
    }

    /// What a group can run.
    pub fn needs(&self, group: usize) -> &Arc<[String]> {
        &self.groups[group].needs
    }

    /// Whether something may wait in a lane for a group. A lane that had nothing is asked again when something has come
    /// that they can run, or may be tried again.
    pub fn may_have(&self, core: &Core, group: usize, pool: &str, lane: Lane, now: DateTime<Utc>) -> bool {
        let Group { needs, nothing } = &self.groups[group];
        nothing.get(&(pool.to_owned(), lane)).is_none_or(|nothing| {
            let is_time = nothing.until.is_some_and(|until| until <= now);
            is_time || core.queue.arrivals().since(nothing.stood, pool, lane, needs)
        })
    }

    /// Notes that a lane had nothing for a group, or nothing before `until`.
    pub fn note_nothing(&mut self, group: usize, pool: &str, lane: Lane, stood: u64, until: Option<DateTime<Utc>>) {
        self.groups[group].nothing.insert((pool.to_owned(), lane), Nothing { stood, until });
    }

    /// Learns of needs that were added since, here or on another node.
    pub async fn read(&mut self, core: &Core) -> sqlx::Result<()> {
        if !core.queue.take_new_needs() {
            return Ok(());
        }
        // Whoever else holds a worker's capabilities is the roster; what it has let go of is of no use here.
        self.known.retain(|_, able| Arc::strong_count(&able.capabilities) > 1);
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
