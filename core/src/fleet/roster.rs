//! Who is there: the workers of this node as they last said, shared with every thread.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use indexmap::IndexMap;

use super::{Capabilities, Change, Wanted, WorkerChanged, WorkerConfig, WorkerLink, WorkerState, WorkerView};
use crate::graph::{Needs, NodeDefinitions};
use crate::ids::{JobId, WorkerId};

/// The workers of this node. Cheap to clone.
#[derive(Clone, Default)]
pub struct Roster(Arc<RwLock<Workers>>);

#[derive(Default)]
struct Workers {
    by_id: BTreeMap<WorkerId, Member>,
    /// What all workers of a pool have together; made anew when a worker of the pool changes.
    definitions: BTreeMap<String, Arc<NodeDefinitions>>,
    /// The ways in which workers of some pools judge prompts; made anew likewise.
    judges: BTreeMap<String, Arc<[Judge]>>,
    /// Goes up with every change of what workers can do.
    generation: u64,
}

struct Member {
    config: WorkerConfig,
    state: WorkerState,
    draining: bool,
    /// Removed, and still to be told so by its connection.
    leaving: bool,
    reason: Option<String>,
    capabilities: Option<Arc<Capabilities>>,
    link: Option<WorkerLink>,
    /// The job this node gave it and that has not ended.
    job: Option<JobId>,
    /// The needs of the job it ran last: what is loaded.
    warm: Option<String>,
}

/// Workers that judge every prompt alike, but for the models that each has.
#[derive(Debug, Clone)]
pub struct Judge {
    /// See [`NodeDefinitions::shape`].
    pub shape: Arc<str>,
    /// What they have together.
    pub definitions: Arc<NodeDefinitions>,
}

/// A worker that can take a job now.
#[derive(Clone)]
pub struct FreeWorker {
    pub id: WorkerId,
    pub pool: String,
    pub capabilities: Arc<Capabilities>,
    pub link: WorkerLink,
    /// The needs of the job it ran last, whose models are still loaded.
    pub warm: Option<String>,
}

/// The workers of a pool, seen by one job.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Prospects {
    /// Connected workers that can run it.
    pub able: Vec<WorkerId>,
    /// How many of them are free.
    pub idle: usize,
    /// Workers that could run it and are paused or draining.
    pub kept_out: usize,
    /// Workers that could run it, by what they said when they were last connected.
    pub away: usize,
    /// Connected workers of the pool, whatever they can do.
    pub connected: usize,
    /// What the connected worker that comes nearest lacks: node classes, and models as `folder/name`.
    pub missing: Vec<String>,
    /// All workers of this node, of any pool.
    pub local: Vec<WorkerId>,
}

impl Roster {
    /// Takes a configured worker in, before it is connected to; `known` is what it said at an earlier time.
    pub fn remember(&self, config: &WorkerConfig, known: Option<Arc<Capabilities>>) {
        let mut workers = self.write();
        let member = workers.by_id.entry(config.id).or_insert_with(|| Member {
            config: config.clone(),
            state: WorkerState::Connecting,
            draining: false,
            leaving: false,
            reason: None,
            capabilities: None,
            link: None,
            job: None,
            warm: None,
        });
        member.config = config.clone();
        if member.capabilities.is_none() {
            member.capabilities = known;
        }
        workers.forget_definitions();
    }

    /// A worker said what it is. Tells whether it can do other things than before.
    pub(super) fn apply(&self, changed: WorkerChanged) -> bool {
        let mut workers = self.write();
        if changed.state == WorkerState::Gone {
            workers.by_id.remove(&changed.worker);
            workers.forget_definitions();
            return true;
        }
        let Some(member) = workers.by_id.get_mut(&changed.worker) else { return false };
        member.state = changed.state;
        member.reason = changed.reason;
        member.link = Some(changed.link);
        let Some(capabilities) = changed.capabilities else { return false };
        let same = member.capabilities.as_ref().is_some_and(|known| Arc::ptr_eq(known, &capabilities));
        if !same {
            member.capabilities = Some(capabilities);
            workers.forget_definitions();
        }
        !same
    }

    pub(super) fn note_change(&self, worker: WorkerId, change: Change) {
        if let Some(member) = self.write().by_id.get_mut(&worker) {
            match change {
                Change::Drain => member.draining = true,
                Change::Pause => member.config.paused = true,
                Change::Resume => {
                    member.draining = false;
                    member.config.paused = false;
                }
                Change::Remove => member.leaving = true,
            }
        }
    }

    /// The workers that should be connected to.
    #[must_use]
    pub fn wanted(&self) -> Vec<Wanted> {
        let wanted = |member: &Member| Wanted { config: member.config.clone(), draining: member.draining };
        self.read().by_id.values().filter(|member| !member.leaving).map(wanted).collect()
    }

    /// Notes that no worker has a job but those of `jobs`.
    pub fn release_all_but(&self, jobs: &HashSet<JobId>) {
        for member in self.write().by_id.values_mut() {
            member.job = member.job.filter(|job| jobs.contains(job));
        }
    }

    /// Workers that can take a job now.
    #[must_use]
    pub fn free(&self) -> Vec<FreeWorker> {
        let workers = self.read();
        let free = workers.by_id.values().filter(|member| member.is_free());
        free.filter_map(|member| {
            Some(FreeWorker {
                id: member.config.id,
                pool: member.config.pool.clone(),
                capabilities: member.capabilities.clone()?,
                link: member.link.clone()?,
                warm: member.warm.clone(),
            })
        })
        .collect()
    }

    /// Notes that a worker was given a job, until [`Roster::released`].
    pub fn assigned(&self, worker: WorkerId, job: JobId, needs: &str) {
        if let Some(member) = self.write().by_id.get_mut(&worker) {
            member.job = Some(job);
            member.warm = Some(needs.to_owned());
        }
    }

    /// Notes that a worker is done with a job.
    pub fn released(&self, worker: WorkerId, job: JobId) {
        if let Some(member) = self.write().by_id.get_mut(&worker).filter(|member| member.job == Some(job)) {
            member.job = None;
        }
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
        let mut prospects = Prospects { local: workers.by_id.keys().copied().collect(), ..Prospects::default() };
        let mut missing: Option<Vec<String>> = None;
        for member in workers.by_id.values().filter(|member| member.config.pool == pool) {
            let unmet = member.capabilities.as_ref().map(|can| can.lack(needs));
            let able = unmet.as_ref().is_some_and(Vec::is_empty);
            if member.is_connected() {
                prospects.connected += 1;
                if able {
                    prospects.able.push(member.config.id);
                    prospects.idle += usize::from(member.is_free());
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

    /// Workers that are connected, by id.
    #[must_use]
    pub fn connected(&self) -> Vec<WorkerId> {
        self.read().by_id.values().filter(|member| member.is_connected()).map(|member| member.config.id).collect()
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
        self.read().by_id.values().map(Member::view).collect()
    }

    /// One worker, as operators see it.
    #[must_use]
    pub fn view(&self, worker: WorkerId) -> Option<WorkerView> {
        self.read().by_id.get(&worker).map(Member::view)
    }

    fn read(&self) -> RwLockReadGuard<'_, Workers> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Workers> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Workers {
    fn forget_definitions(&mut self) {
        self.definitions.clear();
        self.judges.clear();
        self.generation += 1;
    }
}

impl Member {
    /// Whether it gets nothing new.
    fn is_kept_out(&self) -> bool {
        self.config.paused || self.draining || self.leaving
    }

    fn is_connected(&self) -> bool {
        !self.is_kept_out() && matches!(self.state, WorkerState::Idle | WorkerState::Busy)
    }

    fn is_free(&self) -> bool {
        self.is_connected() && self.state == WorkerState::Idle && self.job.is_none()
    }

    fn view(&self) -> WorkerView {
        WorkerView {
            id: self.config.id,
            name: self.config.name.clone(),
            url: self.config.url.clone(),
            pool: self.config.pool.clone(),
            state: self.state,
            reason: self.reason.clone(),
            version: self.capabilities.as_ref().and_then(|can| can.version.clone()),
            node_classes: self.capabilities.as_ref().map_or(0, |can| can.definitions.len()),
            job: self.job,
            paused: self.config.paused,
            draining: self.draining || self.leaving,
        }
    }
}
