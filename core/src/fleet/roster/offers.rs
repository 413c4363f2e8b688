//! What the workers offer together, whichever of them have it. A farm of equal workers offers what one of them does.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::json;
use tokio::sync::Notify;

use super::{Roster, Workers};
use crate::fleet::Capabilities;
use crate::fleet::member::Member;
use crate::graph::{Needs, NodeDefinitions, content_hash};
use crate::ids::WorkerId;

/// The different capabilities of some workers at one moment.
#[derive(Debug, Clone, Default)]
pub struct FleetOffer {
    /// The merged definitions of all workers.
    pub definitions: Arc<NodeDefinitions>,
    connected: Vec<Arc<Capabilities>>,
    /// Of workers that are disconnected, paused or draining.
    away: Vec<Arc<Capabilities>>,
}

impl FleetOffer {
    /// The different capabilities of the connected workers.
    #[must_use]
    pub fn connected(&self) -> &[Arc<Capabilities>] {
        &self.connected
    }

    /// The different capabilities of workers that are disconnected, paused or draining.
    #[must_use]
    pub fn away(&self) -> &[Arc<Capabilities>] {
        &self.away
    }

    /// Whether a connected worker meets the needs.
    #[must_use]
    pub fn is_met(&self, needs: &Needs) -> bool {
        self.connected.iter().any(|can| can.meet(needs))
    }

    /// Whether a worker that is not connected meets the needs. It may come back.
    #[must_use]
    pub fn is_met_by_an_away_worker(&self, needs: &Needs) -> bool {
        self.away.iter().any(|can| can.meet(needs))
    }

    /// What the nearest connected worker lacks; `None` where none is connected.
    #[must_use]
    pub fn unmet(&self, needs: &Needs) -> Option<Needs> {
        let unmet = self.connected.iter().map(|can| needs.unmet_by(&can.definitions));
        unmet.min_by_key(|unmet| unmet.classes.len() + unmet.models.len())
    }

    /// The same for the same classes and models, on each node and after a restart.
    #[must_use]
    pub fn digest(&self) -> String {
        let digests =
            |all: &[Arc<Capabilities>]| all.iter().map(|can| can.needs_digest().to_string()).collect::<BTreeSet<_>>();
        content_hash(&json!({ "connected": digests(&self.connected), "away": digests(&self.away) }))
    }
}

impl Roster {
    /// What the workers of these pools offer now.
    #[must_use]
    pub fn offer(&self, pools: &[String]) -> FleetOffer {
        let definitions = self.definitions(pools);
        let all: Vec<(bool, Arc<Capabilities>)> = {
            let workers = self.read();
            let members = workers.by_id.values().filter(|member| pools.contains(&member.config.pool));
            members.filter_map(|member| Some((member.is_connected(), member.capabilities.clone()?))).collect()
        };
        // Digests are computed without the lock.
        let different = |connected: bool| -> Vec<Arc<Capabilities>> {
            let these = all.iter().filter(|(is_connected, _)| *is_connected == connected);
            let by_digest: BTreeMap<Arc<str>, Arc<Capabilities>> =
                these.map(|(_, can)| (Arc::clone(can.needs_digest()), Arc::clone(can))).collect();
            by_digest.into_values().collect()
        };
        FleetOffer { definitions, connected: different(true), away: different(false) }
    }

    /// The capabilities of each worker of these pools, connected workers first.
    #[must_use]
    pub fn capabilities_of(&self, pools: &[String]) -> Vec<Arc<Capabilities>> {
        let workers = self.read();
        let mut members: Vec<&Member> =
            workers.by_id.values().filter(|member| pools.contains(&member.config.pool)).collect();
        members.sort_by_key(|member| !member.is_connected());
        members.into_iter().filter_map(|member| member.capabilities.clone()).collect()
    }

    /// Notified when [`Roster::offer`] may have changed.
    #[must_use]
    pub fn changes(&self) -> &Notify {
        &self.changes
    }
}

impl Workers {
    pub(super) fn connected(&self) -> BTreeSet<WorkerId> {
        self.by_id.values().filter(|member| member.is_connected()).map(|member| member.config.id).collect()
    }
}
