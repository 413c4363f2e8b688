//! The workers of the installation, shared by all threads. This node's workers are known from their connections, all
//! others from their rows ([`super::ownership`]).

mod differing;
mod offers;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use chrono::{DateTime, TimeDelta, Utc};
use indexmap::IndexMap;
use tokio::sync::Notify;

use self::differing::{DifferingClasses, differing};
pub use self::offers::FleetOffer;
use super::member::{FreeWorker, Member, WorkerOwner};
use super::store::{ConnectionStatus, WorkerRow};
use super::{Capabilities, FleetCommand, WorkerChanged, WorkerLink, WorkerSpec, WorkerState, WorkerView};
use crate::graph::{Needs, NodeDefinitions};
use crate::ids::{JobId, NodeId, WorkerId};

/// The workers of the installation. Cheap to clone.
#[derive(Clone, Default)]
pub struct Roster {
    workers: Arc<RwLock<Workers>>,
    /// Notified when the connected workers may have other classes or models than before.
    changes: Arc<Notify>,
}

#[derive(Default)]
pub(super) struct Workers {
    pub(super) by_id: BTreeMap<WorkerId, Member>,
    /// The merged definitions of some pools; cleared when one of their workers changes.
    definitions: BTreeMap<String, Arc<NodeDefinitions>>,
    /// The validation groups of some pools; cleared likewise.
    validation_groups: BTreeMap<String, Arc<[ValidationGroup]>>,
    differing: Option<Arc<DifferingClasses>>,
    /// Incremented with every change of capabilities.
    generation: u64,
}

/// Workers that validate prompts alike, apart from their model files.
#[derive(Debug, Clone)]
pub struct ValidationGroup {
    /// See [`NodeDefinitions::shape`].
    pub shape: Arc<str>,
    /// Their merged definitions.
    pub definitions: Arc<NodeDefinitions>,
}

/// Which workers of a pool can run a job.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PoolAvailability {
    /// Connected workers that can run it.
    pub able: Vec<WorkerId>,
    /// How many of them are free, counting this node's workers only.
    pub idle: usize,
    /// Those of them that other nodes own.
    pub remote: Vec<WorkerId>,
    /// Workers that could run it but are paused or draining.
    pub kept_out: usize,
    /// Workers that could run it but are disconnected.
    pub away: usize,
    /// All connected workers of the pool.
    pub connected: usize,
    /// What the best connected worker lacks: node classes, and models as `folder/name`.
    pub missing: Vec<String>,
}

impl Roster {
    /// Applies the workers' rows. `can` returns the capabilities of a row. Returns the commands for the connections of
    /// the node `me`.
    pub(super) fn apply_rows(
        &self,
        me: NodeId,
        rows: Vec<WorkerRow>,
        can: impl Fn(&WorkerRow) -> Option<Arc<Capabilities>>,
    ) -> Vec<FleetCommand> {
        let mut workers = self.write();
        let connected = workers.connected();
        let mut commands = Vec::new();
        let there: HashSet<WorkerId> = rows.iter().map(|row| row.config.id).collect();
        for member in workers.by_id.values_mut().filter(|member| !there.contains(&member.config.id)) {
            if member.here && !std::mem::replace(&mut member.leaving, true) {
                commands.push(FleetCommand::Remove(member.config.id));
            }
        }
        let before = workers.by_id.len();
        workers.by_id.retain(|id, member| member.here || there.contains(id));
        let mut changed = workers.by_id.len() != before;
        for row in rows {
            let known = can(&row);
            let member = workers.by_id.entry(row.config.id).or_insert_with(|| {
                changed = true;
                Member::new(row.config.clone())
            });
            changed |= member.config.pool != row.config.pool;
            commands.extend(member.apply_row(me, row, known, &mut changed));
        }
        if changed {
            workers.forget_definitions();
        }
        if changed || workers.connected() != connected {
            self.changes.notify_one();
        }
        commands
    }

    /// Marks the workers in `give`, which get no new jobs from now on. Returns those that can be released now: they
    /// were marked before and run nothing.
    pub(super) fn releasing(&self, give: &[WorkerId]) -> Vec<WorkerId> {
        let mut ready = Vec::new();
        for member in self.write().by_id.values_mut() {
            let noted = std::mem::replace(&mut member.releasing, give.contains(&member.config.id));
            if noted && member.releasing && !member.is_busy() {
                ready.push(member.config.id);
            }
        }
        ready
    }

    /// Workers of this node that have not been checked for prompts of an earlier owner.
    pub(super) fn uncleared(&self) -> Vec<WorkerId> {
        let workers = self.read();
        workers.by_id.values().filter(|member| member.here && !member.cleared).map(|member| member.config.id).collect()
    }

    /// Detaches all workers of this node, and returns them.
    pub(super) fn leave(&self) -> Vec<WorkerId> {
        let mut workers = self.write();
        let here = workers.by_id.values_mut().filter(|member| member.here && !member.leaving);
        here.map(|member| {
            (member.here, member.link) = (false, None);
            member.config.id
        })
        .collect()
    }

    /// Marks these workers as checked, with the attempts that go on there. Returns the commands for the connections.
    pub(super) fn clear(
        &self,
        cleared: &[WorkerId],
        found: &HashMap<WorkerId, Vec<(JobId, i32)>>,
    ) -> Vec<FleetCommand> {
        let mut workers = self.write();
        let mut commands = Vec::new();
        for id in cleared {
            if let Some(member) = workers.by_id.get_mut(id).filter(|member| member.here && !member.cleared) {
                (member.cleared, member.expects) = (true, found.get(id).cloned().unwrap_or_default());
                commands.push(FleetCommand::Add(member.spec()));
            }
        }
        commands
    }

    #[must_use]
    pub fn owner(&self, worker: WorkerId) -> WorkerOwner {
        match self.read().by_id.get(&worker) {
            None => WorkerOwner::Unknown,
            Some(member) if member.here => WorkerOwner::ThisNode,
            Some(member) => member.owner.map_or(WorkerOwner::Unowned, WorkerOwner::Node),
        }
    }

    /// A worker of this node whose connection can take messages, in any state.
    #[must_use]
    pub fn reachable(&self, worker: WorkerId) -> Option<FreeWorker> {
        let workers = self.read();
        workers.by_id.get(&worker).filter(|member| member.here).and_then(Member::as_free)
    }

    pub(super) fn busy(&self) -> HashSet<WorkerId> {
        self.read().by_id.values().filter(|member| member.is_busy()).map(|member| member.config.id).collect()
    }

    /// Applies a change that a connection reports. Returns whether the capabilities changed.
    pub(super) fn apply(&self, changed: WorkerChanged, now: DateTime<Utc>) -> bool {
        let mut workers = self.write();
        let Some(member) = workers.by_id.get_mut(&changed.worker) else { return false };
        if changed.state == WorkerState::Gone {
            if member.leaving {
                workers.by_id.remove(&changed.worker);
                workers.forget_definitions();
                self.changes.notify_one();
            }
            return false;
        }
        // A connection that was released may have sent this before it knew.
        if !member.here {
            return false;
        }
        let was_connected = member.is_connected();
        member.state = changed.state;
        member.reason = changed.reason;
        // A later report of the same silence must not move its start.
        let before = member.unanswered_since;
        member.unanswered_since =
            changed.unanswered_for.map(|span| before.unwrap_or(now - TimeDelta::from_std(span).unwrap_or_default()));
        member.note_fetching(&changed.fetching);
        member.link = Some(changed.link);
        if member.is_connected() != was_connected {
            self.changes.notify_one();
        }
        let Some(capabilities) = changed.capabilities else { return false };
        let same = member.capabilities.as_ref().is_some_and(|known| Arc::ptr_eq(known, &capabilities));
        if !same {
            member.capabilities = Some(capabilities);
            workers.forget_definitions();
            self.changes.notify_one();
        }
        !same
    }

    /// The states of this node's connections that differ from their rows.
    pub(super) fn changed_connections(&self, rows: &[WorkerRow]) -> Vec<ConnectionStatus> {
        let workers = self.read();
        let changed_connections = rows.iter().filter_map(|row| {
            let member = workers.by_id.get(&row.config.id).filter(|member| member.here)?;
            let connected = member.state != WorkerState::Connecting;
            let same = (row.connected, &row.reason, row.unanswered_since)
                == (connected, &member.reason, member.unanswered_since);
            let (reason, unanswered_since) = (member.reason.clone(), member.unanswered_since);
            (!same).then_some(ConnectionStatus { worker: row.config.id, connected, reason, unanswered_since })
        });
        changed_connections.collect()
    }

    /// The desired state of this node's connections.
    #[must_use]
    pub fn specs(&self) -> Vec<WorkerSpec> {
        self.read().by_id.values().filter(|member| member.here && !member.leaving).map(Member::spec).collect()
    }

    /// The merged definitions of these pools, including those of disconnected workers.
    #[must_use]
    pub fn definitions(&self, pools: &[String]) -> Arc<NodeDefinitions> {
        let key = pools.join("\n");
        if let Some(known) = self.read().definitions.get(&key) {
            return Arc::clone(known);
        }
        let mut workers = self.write();
        let parts: Vec<Arc<NodeDefinitions>> = workers
            .by_id
            .values()
            .filter(|member| pools.contains(&member.config.pool))
            .filter_map(|member| member.capabilities.as_ref())
            .map(|capabilities| Arc::clone(&capabilities.definitions))
            .collect();
        let merged = Arc::new(NodeDefinitions::merged(parts.iter().map(AsRef::as_ref)));
        workers.definitions.insert(key, Arc::clone(&merged));
        merged
    }

    /// The validation groups of these pools, those with connected workers first, and the number of the latter.
    #[must_use]
    pub fn validation_groups(&self, pools: &[String]) -> (Vec<ValidationGroup>, usize) {
        let mut validation_groups = self.all_validation_groups(pools).to_vec();
        let workers = self.read();
        let members = workers.by_id.values().filter(|member| member.is_connected());
        let members = members.filter(|member| pools.contains(&member.config.pool));
        let shapes: BTreeSet<Arc<str>> =
            members.filter_map(|member| Some(Arc::clone(&member.capabilities.as_ref()?.shape))).collect();
        validation_groups.sort_by_key(|judge| !shapes.contains(&judge.shape));
        let connected = validation_groups.iter().filter(|judge| shapes.contains(&judge.shape)).count();
        (validation_groups, connected)
    }

    fn all_validation_groups(&self, pools: &[String]) -> Arc<[ValidationGroup]> {
        let key = pools.join("\n");
        if let Some(known) = self.read().validation_groups.get(&key) {
            return Arc::clone(known);
        }
        let mut workers = self.write();
        let mut by_shape: IndexMap<Arc<str>, Vec<Arc<NodeDefinitions>>> = IndexMap::new();
        for pool in pools {
            let members = workers.by_id.values().filter(|member| member.config.pool == *pool);
            for can in members.filter_map(|member| member.capabilities.as_ref()) {
                by_shape.entry(Arc::clone(&can.shape)).or_default().push(Arc::clone(&can.definitions));
            }
        }
        let validation_groups = by_shape.into_iter().map(|(shape, parts)| ValidationGroup {
            shape,
            definitions: match parts.as_slice() {
                [one] => Arc::clone(one),
                // Workers of one shape differ only in their lists of files.
                several => Arc::new(NodeDefinitions::merged(several.iter().map(AsRef::as_ref))),
            },
        });
        let validation_groups: Arc<[ValidationGroup]> = validation_groups.collect();
        workers.validation_groups.insert(key, Arc::clone(&validation_groups));
        validation_groups
    }

    /// Incremented whenever [`Roster::definitions`] may have changed.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.read().generation
    }

    /// The first of these pools with a connected worker that meets the needs, else the first with any such worker; and
    /// how many of them are connected.
    #[must_use]
    pub fn pool_for(&self, pools: &[String], needs: &Needs) -> Option<(String, usize)> {
        let workers = self.read();
        // For each pool: all workers that meet the needs, and the connected ones.
        let counts = pools.iter().map(|pool| {
            let members = workers.by_id.values().filter(|member| member.config.pool == *pool);
            let able = members.filter(|member| member.capabilities.as_ref().is_some_and(|can| can.meet(needs)));
            able.fold((0_usize, 0_usize), |(all, up), member| (all + 1, up + usize::from(member.is_connected())))
        });
        let counts: Vec<(usize, usize)> = counts.collect();
        let of = |wanted: fn(&(usize, usize)) -> bool| counts.iter().position(wanted);
        let chosen = of(|(_, up)| *up > 0).or_else(|| of(|(all, _)| *all > 0))?;
        Some((pools.get(chosen)?.clone(), counts.get(chosen)?.1))
    }

    /// Whether a connected worker of this pool meets the needs. Paused and draining workers do not count.
    #[must_use]
    pub fn can_run(&self, pool: &str, needs: &Needs) -> bool {
        self.read().by_id.values().any(|member| {
            member.config.pool == pool
                && member.is_connected()
                && member.capabilities.as_ref().is_some_and(|can| can.meet(needs))
        })
    }

    /// What the best worker of a pool lacks, for people.
    #[must_use]
    pub fn lacking(&self, pool: &str, needs: &Needs) -> String {
        let availability = self.availability(pool, needs);
        if availability.connected == 0 {
            return format!("no worker of the pool {pool} is connected");
        }
        format!("missing in the pool {pool}: {}", availability.missing.join(", "))
    }

    #[must_use]
    pub fn availability(&self, pool: &str, needs: &Needs) -> PoolAvailability {
        let workers = self.read();
        let mut availability = PoolAvailability::default();
        let mut missing: Option<Vec<String>> = None;
        for member in workers.by_id.values().filter(|member| member.config.pool == pool) {
            let unmet = member.capabilities.as_ref().map(|can| can.lack(needs));
            let able = unmet.as_ref().is_some_and(Vec::is_empty);
            if member.is_connected() {
                availability.connected += 1;
                if able {
                    availability.able.push(member.config.id);
                    availability.idle += usize::from(member.is_free());
                    if !member.here {
                        availability.remote.push(member.config.id);
                    }
                } else if let Some(unmet) = unmet
                    && missing.as_ref().is_none_or(|least| unmet.len() < least.len())
                {
                    missing = Some(unmet);
                }
            } else if able && (member.is_kept_out()) {
                availability.kept_out += 1;
            } else if able {
                availability.away += 1;
            }
        }
        availability.missing = missing.unwrap_or_default();
        availability
    }

    #[must_use]
    pub fn has_pool(&self, pool: &str) -> bool {
        self.read().by_id.values().any(|member| member.config.pool == pool)
    }

    /// The connected workers of these pools: this node's, and those of other nodes.
    pub(super) fn connected_of(&self, pools: &[String]) -> (Vec<WorkerId>, Vec<WorkerId>) {
        let workers = self.read();
        let members =
            workers.by_id.values().filter(|member| member.is_connected() && pools.contains(&member.config.pool));
        let (here, remote): (Vec<&Member>, Vec<&Member>) = members.partition(|member| member.here);
        let ids = |members: Vec<&Member>| members.into_iter().map(|member| member.config.id).collect();
        (ids(here), ids(remote))
    }

    pub(super) fn is_here(&self, worker: WorkerId) -> bool {
        self.read().by_id.get(&worker).is_some_and(|member| member.here)
    }

    pub(super) fn capabilities(&self, worker: WorkerId) -> Option<Arc<Capabilities>> {
        self.read().by_id.get(&worker).and_then(|member| member.capabilities.clone())
    }

    /// Counts connected workers of a pool, without paused and draining ones.
    #[must_use]
    pub fn connected_in(&self, pool: &str) -> usize {
        self.read().by_id.values().filter(|member| member.config.pool == pool && member.is_connected()).count()
    }

    #[must_use]
    pub fn link(&self, worker: WorkerId) -> Option<WorkerLink> {
        self.read().by_id.get(&worker).and_then(|member| member.link.clone())
    }

    #[must_use]
    pub fn views(&self) -> Vec<WorkerView> {
        let differing = self.differing();
        self.read().by_id.values().map(|member| member.view(&differing)).collect()
    }

    #[must_use]
    pub fn view(&self, worker: WorkerId) -> Option<WorkerView> {
        let differing = self.differing();
        self.read().by_id.get(&worker).map(|member| member.view(&differing))
    }

    /// Computed on demand after a change.
    fn differing(&self) -> Arc<DifferingClasses> {
        let mut workers = self.write();
        if let Some(known) = &workers.differing {
            return Arc::clone(known);
        }
        let definitions = workers
            .by_id
            .values()
            .filter_map(|member| Some((member.config.id, Arc::clone(&member.capabilities.as_ref()?.definitions))));
        let definitions: Vec<_> = definitions.collect();
        Arc::clone(workers.differing.insert(Arc::new(differing(&definitions))))
    }

    pub(super) fn read(&self) -> RwLockReadGuard<'_, Workers> {
        self.workers.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn write(&self) -> RwLockWriteGuard<'_, Workers> {
        self.workers.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Workers {
    fn forget_definitions(&mut self) {
        self.definitions.clear();
        self.validation_groups.clear();
        self.differing = None;
        self.generation += 1;
    }
}
