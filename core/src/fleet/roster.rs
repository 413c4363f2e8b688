//! Who is there: the workers of this node as they last said, shared with every thread.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::{Capabilities, Change, WorkerChanged, WorkerConfig, WorkerLink, WorkerState, WorkerView};
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
    /// Goes up with every change of what workers can do.
    generation: u64,
}

struct Member {
    config: WorkerConfig,
    state: WorkerState,
    draining: bool,
    reason: Option<String>,
    capabilities: Option<Arc<Capabilities>>,
    link: Option<WorkerLink>,
    /// The job this node gave it and that has not ended.
    job: Option<JobId>,
    /// The needs of the job it ran last: what is loaded.
    warm: Option<String>,
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
                Change::Remove => member.draining = true,
            }
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

    /// Goes up whenever [`Roster::definitions`] may have changed.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.read().generation
    }

    /// The first of these pools with a worker that has what is needed, and whether such a worker is connected.
    #[must_use]
    pub fn pool_for(&self, pools: &[String], needs: &Needs) -> Option<(String, bool)> {
        let workers = self.read();
        let able = |pool: &String, connected: bool| {
            workers.by_id.values().any(|member| {
                member.config.pool == *pool
                    && (!connected || member.is_connected())
                    && member.capabilities.as_ref().is_some_and(|can| needs.met_by(&can.definitions))
            })
        };
        let pick = |connected| pools.iter().find(|pool| able(pool, connected)).cloned();
        pick(true).map(|pool| (pool, true)).or_else(|| pick(false).map(|pool| (pool, false)))
    }

    /// Whether a connected worker of this pool has what is needed; paused and draining ones do not count.
    #[must_use]
    pub fn can_run(&self, pool: &str, needs: &Needs) -> bool {
        self.read().by_id.values().any(|member| {
            member.config.pool == pool
                && member.is_connected()
                && member.capabilities.as_ref().is_some_and(|can| needs.met_by(&can.definitions))
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
            let unmet = member.capabilities.as_ref().map(|can| needs.unmet(&can.definitions));
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
            } else if able && (member.config.paused || member.draining) {
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
        self.generation += 1;
    }
}

impl Member {
    fn is_connected(&self) -> bool {
        !self.config.paused && !self.draining && matches!(self.state, WorkerState::Idle | WorkerState::Busy)
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
            draining: self.draining,
        }
    }
}
