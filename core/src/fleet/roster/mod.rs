//! Who is there: the workers of the installation, shared with every thread. Those that this node connects to are known
//! as they last said, the others as their owners wrote it down ([`super::ownership`]).

mod differing;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use chrono::{DateTime, TimeDelta, Utc};
use indexmap::IndexMap;

use self::differing::{DifferingClasses, differing};
use super::member::{FreeWorker, Member, Owner};
use super::store::{Told, WorkerRow};
use super::{Capabilities, FleetCommand, Wanted, WorkerChanged, WorkerLink, WorkerState, WorkerView};
use crate::graph::{Needs, NodeDefinitions};
use crate::ids::{JobId, NodeId, WorkerId};

/// The workers of the installation. Cheap to clone.
#[derive(Clone, Default)]
pub struct Roster(Arc<RwLock<Workers>>);

#[derive(Default)]
pub(super) struct Workers {
    pub(super) by_id: BTreeMap<WorkerId, Member>,
    /// What all workers of a pool have together; made anew when a worker of the pool changes.
    definitions: BTreeMap<String, Arc<NodeDefinitions>>,
    /// The ways in which workers of some pools judge prompts; made anew likewise.
    judges: BTreeMap<String, Arc<[Judge]>>,
    differing: Option<Arc<DifferingClasses>>,
    /// Goes up with every change of what workers can do.
    generation: u64,
}

/// Workers that judge every prompt alike, but for the models that each has.
#[derive(Debug, Clone)]
pub struct Judge {
    /// See [`NodeDefinitions::shape`].
    pub shape: Arc<str>,
    /// What they have together.
    pub definitions: Arc<NodeDefinitions>,
}

/// The workers of a pool, seen by one job.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Prospects {
    /// Connected workers that can run it.
    pub able: Vec<WorkerId>,
    /// How many of them are free, of those that this node connects to.
    pub idle: usize,
    /// Those of them that other nodes connect to.
    pub remote: Vec<WorkerId>,
    /// Workers that could run it and are paused or draining.
    pub kept_out: usize,
    /// Workers that could run it, by what they said when they were last connected.
    pub away: usize,
    /// Connected workers of the pool, whatever they can do.
    pub connected: usize,
    /// What the connected worker that comes nearest lacks: node classes, and models as `folder/name`.
    pub missing: Vec<String>,
}

impl Roster {
    /// Takes in what the rows say of the workers; `can` is what each can do that said so in these words. Tells what the
    /// connections of the node `me` have to do about it.
    pub(super) fn settle(
        &self,
        me: NodeId,
        rows: Vec<WorkerRow>,
        can: impl Fn(&WorkerRow) -> Option<Arc<Capabilities>>,
    ) -> Vec<FleetCommand> {
        let mut workers = self.write();
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
            commands.extend(member.settle(me, row, known, &mut changed));
        }
        if changed {
            workers.forget_definitions();
        }
        commands
    }

    /// Notes which workers this node is about to give up; they get nothing new. Tells which of them it may give up now:
    /// those that it had noted before, and that run nothing.
    pub(super) fn giving(&self, give: &[WorkerId]) -> Vec<WorkerId> {
        let mut ready = Vec::new();
        for member in self.write().by_id.values_mut() {
            let noted = std::mem::replace(&mut member.giving, give.contains(&member.config.id));
            if noted && member.giving && !member.is_busy() {
                ready.push(member.config.id);
            }
        }
        ready
    }

    /// The workers that this node has taken, and that nobody has cleared since.
    pub(super) fn uncleared(&self) -> Vec<WorkerId> {
        let workers = self.read();
        workers.by_id.values().filter(|member| member.here && !member.cleared).map(|member| member.config.id).collect()
    }

    /// This node leaves: none of its workers gets anything any more. Tells which it has.
    pub(super) fn leave(&self) -> Vec<WorkerId> {
        let mut workers = self.write();
        let here = workers.by_id.values_mut().filter(|member| member.here && !member.leaving);
        here.map(|member| {
            (member.here, member.link) = (false, None);
            member.config.id
        })
        .collect()
    }

    /// What an earlier owner left at these workers was looked for, and for some attempts of jobs were found that go on;
    /// tells what the connections have to know of it.
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
                commands.push(FleetCommand::Add(member.wanted()));
            }
        }
        commands
    }

    /// Who has a worker.
    #[must_use]
    pub fn owner(&self, worker: WorkerId) -> Owner {
        match self.read().by_id.get(&worker) {
            None => Owner::Nobody,
            Some(member) if member.here => Owner::Here,
            Some(member) => member.owner.map_or(Owner::Soon, Owner::Node),
        }
    }

    /// A worker of this node whose connection can be spoken to, whatever it does.
    #[must_use]
    pub fn reachable(&self, worker: WorkerId) -> Option<FreeWorker> {
        let workers = self.read();
        workers.by_id.get(&worker).filter(|member| member.here).and_then(Member::as_free)
    }

    /// The workers of this node that run something.
    pub(super) fn busy(&self) -> HashSet<WorkerId> {
        self.read().by_id.values().filter(|member| member.is_busy()).map(|member| member.config.id).collect()
    }

    /// A worker of this node said what it is. Tells whether it can do other things than before.
    pub(super) fn apply(&self, changed: WorkerChanged, now: DateTime<Utc>) -> bool {
        let mut workers = self.write();
        let Some(member) = workers.by_id.get_mut(&changed.worker) else { return false };
        if changed.state == WorkerState::Gone {
            if member.leaving {
                workers.by_id.remove(&changed.worker);
                workers.forget_definitions();
            }
            return false;
        }
        // A connection that was given up may have said something before it heard of that.
        if !member.here {
            return false;
        }
        member.state = changed.state;
        member.reason = changed.reason;
        // Clocks tick on between two announcements of one silence: the first one says since when.
        let before = member.unanswered_since;
        member.unanswered_since =
            changed.unanswered_for.map(|span| before.unwrap_or(now - TimeDelta::from_std(span).unwrap_or_default()));
        member.note_over(&changed.over);
        member.link = Some(changed.link);
        let Some(capabilities) = changed.capabilities else { return false };
        let same = member.capabilities.as_ref().is_some_and(|known| Arc::ptr_eq(known, &capabilities));
        if !same {
            member.capabilities = Some(capabilities);
            workers.forget_definitions();
        }
        !same
    }

    /// What the rows of this node's workers should say of their connections, where they say something else.
    pub(super) fn untold(&self, rows: &[WorkerRow]) -> Vec<Told> {
        let workers = self.read();
        let untold = rows.iter().filter_map(|row| {
            let member = workers.by_id.get(&row.config.id).filter(|member| member.here)?;
            let connected = member.state != WorkerState::Connecting;
            let same = (row.connected, &row.reason, row.unanswered_since)
                == (connected, &member.reason, member.unanswered_since);
            let (reason, unanswered_since) = (member.reason.clone(), member.unanswered_since);
            (!same).then_some(Told { worker: row.config.id, connected, reason, unanswered_since })
        });
        untold.collect()
    }

    /// The workers that should be connected to.
    #[must_use]
    pub fn wanted(&self) -> Vec<Wanted> {
        self.read().by_id.values().filter(|member| member.here && !member.leaving).map(Member::wanted).collect()
    }

    /// Everything that the workers of these pools have together, connected or not.
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

    /// The ways in which the workers of these pools judge prompts, those of connected workers first, and how many
    /// they are.
    #[must_use]
    pub fn judges(&self, pools: &[String]) -> (Vec<Judge>, usize) {
        let mut judges = self.all_judges(pools).to_vec();
        let workers = self.read();
        let members = workers.by_id.values().filter(|member| member.is_connected());
        let members = members.filter(|member| pools.contains(&member.config.pool));
        let shapes: BTreeSet<Arc<str>> =
            members.filter_map(|member| Some(Arc::clone(&member.capabilities.as_ref()?.shape))).collect();
        judges.sort_by_key(|judge| !shapes.contains(&judge.shape));
        let connected = judges.iter().filter(|judge| shapes.contains(&judge.shape)).count();
        (judges, connected)
    }

    fn all_judges(&self, pools: &[String]) -> Arc<[Judge]> {
        let key = pools.join("\n");
        if let Some(known) = self.read().judges.get(&key) {
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
        let judges = by_shape.into_iter().map(|(shape, parts)| Judge {
            shape,
            definitions: match parts.as_slice() {
                [one] => Arc::clone(one),
                // Of one shape they differ in lists of files alone.
                several => Arc::new(NodeDefinitions::merged(several.iter().map(AsRef::as_ref))),
            },
        });
        let judges: Arc<[Judge]> = judges.collect();
        workers.judges.insert(key, Arc::clone(&judges));
        judges
    }

    /// What each known worker of these pools can do, those that are connected first.
    #[must_use]
    pub fn each_of(&self, pools: &[String]) -> Vec<Arc<Capabilities>> {
        let workers = self.read();
        let mut members: Vec<&Member> =
            workers.by_id.values().filter(|member| pools.contains(&member.config.pool)).collect();
        members.sort_by_key(|member| !member.is_connected());
        members.into_iter().filter_map(|member| member.capabilities.clone()).collect()
    }

    /// Goes up whenever [`Roster::definitions`] may have changed.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.read().generation
    }

    /// The first of these pools with a worker that has what is needed, and how many such workers are connected.
    #[must_use]
    pub fn pool_for(&self, pools: &[String], needs: &Needs) -> Option<(String, usize)> {
        let workers = self.read();
        // For each pool, how many of its workers can run it, and how many of them are connected.
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

    /// Whether a connected worker of this pool has what is needed; paused and draining ones do not count.
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
        let prospects = self.prospects(pool, needs);
        if prospects.connected == 0 {
            return format!("no worker of the pool {pool} is connected");
        }
        format!("missing in the pool {pool}: {}", prospects.missing.join(", "))
    }

    /// Who of a pool can run what needs this, and what keeps the others from it.
    #[must_use]
    pub fn prospects(&self, pool: &str, needs: &Needs) -> Prospects {
        let workers = self.read();
        let mut prospects = Prospects::default();
        let mut missing: Option<Vec<String>> = None;
        for member in workers.by_id.values().filter(|member| member.config.pool == pool) {
            let unmet = member.capabilities.as_ref().map(|can| can.lack(needs));
            let able = unmet.as_ref().is_some_and(Vec::is_empty);
            if member.is_connected() {
                prospects.connected += 1;
                if able {
                    prospects.able.push(member.config.id);
                    prospects.idle += usize::from(member.is_free());
                    if !member.here {
                        prospects.remote.push(member.config.id);
                    }
                } else if let Some(unmet) = unmet
                    && missing.as_ref().is_none_or(|least| unmet.len() < least.len())
                {
                    missing = Some(unmet);
                }
            } else if able && (member.is_kept_out()) {
                prospects.kept_out += 1;
            } else if able {
                prospects.away += 1;
            }
        }
        prospects.missing = missing.unwrap_or_default();
        prospects
    }

    /// Whether a worker belongs to this pool, connected or not.
    #[must_use]
    pub fn has_pool(&self, pool: &str) -> bool {
        self.read().by_id.values().any(|member| member.config.pool == pool)
    }

    /// Connected workers of some pools: those that this node connects to, and those of other nodes.
    pub(super) fn connected_of(&self, pools: &[String]) -> (Vec<WorkerId>, Vec<WorkerId>) {
        let workers = self.read();
        let members =
            workers.by_id.values().filter(|member| member.is_connected() && pools.contains(&member.config.pool));
        let (here, remote): (Vec<&Member>, Vec<&Member>) = members.partition(|member| member.here);
        let ids = |members: Vec<&Member>| members.into_iter().map(|member| member.config.id).collect();
        (ids(here), ids(remote))
    }

    /// Whether this node connects to a worker.
    pub(super) fn is_here(&self, worker: WorkerId) -> bool {
        self.read().by_id.get(&worker).is_some_and(|member| member.here)
    }

    /// What a worker said it can do.
    pub(super) fn capabilities(&self, worker: WorkerId) -> Option<Arc<Capabilities>> {
        self.read().by_id.get(&worker).and_then(|member| member.capabilities.clone())
    }

    /// Workers of a pool that are connected and neither paused nor draining.
    #[must_use]
    pub fn connected_in(&self, pool: &str) -> usize {
        self.read().by_id.values().filter(|member| member.config.pool == pool && member.is_connected()).count()
    }

    /// How to reach a worker's connection.
    #[must_use]
    pub fn link(&self, worker: WorkerId) -> Option<WorkerLink> {
        self.read().by_id.get(&worker).and_then(|member| member.link.clone())
    }

    /// Every worker, as operators see it.
    #[must_use]
    pub fn views(&self) -> Vec<WorkerView> {
        let differing = self.differing();
        self.read().by_id.values().map(|member| member.view(&differing)).collect()
    }

    /// As [`Self::views`].
    #[must_use]
    pub fn view(&self, worker: WorkerId) -> Option<WorkerView> {
        let differing = self.differing();
        self.read().by_id.get(&worker).map(|member| member.view(&differing))
    }

    /// Computed when it is asked for after a change.
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
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn write(&self) -> RwLockWriteGuard<'_, Workers> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Workers {
    fn forget_definitions(&mut self) {
        self.definitions.clear();
        self.judges.clear();
        self.differing = None;
        self.generation += 1;
    }
}
