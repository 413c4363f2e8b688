//! How workers are spread over the living nodes: in proportion to their weights.
//!
//! Each node decides on its own from the same rows. It takes workers without a living owner up to its share, and
//! releases some if it has more and another node has less. A worker finishes its prompts before it is released.

use std::collections::{BTreeMap, HashSet};

use crate::ids::{NodeId, WorkerId};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::fleet) struct LivingNode {
    pub id: NodeId,
    /// The node's name.
    pub instance: String,
    pub weight: u32,
}

/// What decides a worker's owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::fleet) struct WorkerOwnership {
    pub worker: WorkerId,
    /// The only node that can reach it, by name, if there is one.
    pub home: Option<String>,
    pub owner: Option<NodeId>,
    pub tunnel: Tunnel,
}

/// How an agent connects the worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::fleet) enum Tunnel {
    /// Without an agent: every node can reach it, or only its `home`.
    None,
    /// The agent is not connected.
    Down,
    /// The agent is connected to this node, which may be gone.
    At(NodeId),
}

/// The workers that a node takes and releases.
#[derive(Debug, Default, PartialEq, Eq)]
pub(in crate::fleet) struct Moves {
    /// To own from now on.
    pub take: Vec<WorkerId>,
    /// To release once they run nothing.
    pub give: Vec<WorkerId>,
    /// To release at once, whatever they run: only another node can reach them now, and it resumes their prompts.
    pub hand_over: Vec<WorkerId>,
}

/// The moves of the node `me`. It releases `busy` workers last.
pub(in crate::fleet) fn moves(
    me: NodeId,
    nodes: &[LivingNode],
    workers: &[WorkerOwnership],
    busy: &HashSet<WorkerId>,
) -> Moves {
    let Some(own) = nodes.iter().find(|node| node.id == me) else { return Moves::default() };
    let mut take: Vec<WorkerId> = workers
        .iter()
        .filter(|worker| worker.home.as_ref() == Some(&own.instance) && worker.owner != Some(me))
        .map(|worker| worker.worker)
        .collect();
    let living = |id: NodeId| nodes.iter().any(|node| node.id == id);
    let mut hand_over = Vec::new();
    for worker in workers {
        match worker.tunnel {
            Tunnel::At(node) if node == me && worker.owner != Some(me) => take.push(worker.worker),
            Tunnel::At(node) if node != me && living(node) && worker.owner == Some(me) => hand_over.push(worker.worker),
            // The worker of a disconnected agent stays until the agent is back, here or at another node.
            Tunnel::None | Tunnel::Down | Tunnel::At(_) => {}
        }
    }
    let shared: Vec<&WorkerOwnership> =
        workers.iter().filter(|worker| worker.home.is_none() && worker.tunnel == Tunnel::None).collect();
    let shares = shares(nodes, shared.len());
    let owner = |worker: &WorkerOwnership| worker.owner.filter(|owner| shares.contains_key(owner));
    let has = |node: NodeId| shared.iter().filter(|worker| owner(worker) == Some(node)).count();
    let share = |node: NodeId| shares.get(&node).copied().unwrap_or(0);

    let free: Vec<WorkerId> =
        shared.iter().filter(|worker| owner(worker).is_none()).map(|worker| worker.worker).collect();
    // Each node starts at a different offset, so that two rarely take the same worker.
    let place = shares.keys().position(|node| *node == me).unwrap_or(0);
    let begin = place * free.len() / shares.len().max(1);
    take.extend(free.iter().cycle().skip(begin).take(free.len()).take(share(me).saturating_sub(has(me))));

    let lacking: usize = nodes.iter().map(|node| share(node.id).saturating_sub(has(node.id))).sum();
    let surplus = has(me).saturating_sub(share(me)).min(lacking.saturating_sub(free.len()));
    let mut mine: Vec<WorkerId> =
        shared.iter().filter(|worker| worker.owner == Some(me)).map(|worker| worker.worker).collect();
    mine.sort_by_key(|worker| (busy.contains(worker), *worker));
    mine.truncate(surplus);
    Moves { take, give: mine, hand_over }
}

/// The number of workers for each node: proportional to its weight, rounded down, with the remainder going to the nodes
/// that lose most by rounding. Zero everywhere if no node has a weight.
fn shares(nodes: &[LivingNode], workers: usize) -> BTreeMap<NodeId, usize> {
    let total: usize = nodes.iter().map(|node| node.weight as usize).sum();
    let mut shares: BTreeMap<NodeId, usize> = nodes.iter().map(|node| (node.id, 0)).collect();
    if total == 0 {
        return shares;
    }
    let mut rest = workers;
    let mut lost: Vec<(usize, NodeId)> = Vec::new();
    for node in nodes {
        let parts = workers * node.weight as usize;
        shares.insert(node.id, parts / total);
        rest -= parts / total;
        lost.push((parts % total, node.id));
    }
    lost.sort_by_key(|(part, node)| (std::cmp::Reverse(*part), *node));
    for (_, node) in lost.into_iter().take(rest) {
        *shares.entry(node).or_default() += 1;
    }
    shares
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn node(weight: u32) -> LivingNode {
        let id = NodeId::new();
        LivingNode { id, instance: id.to_string(), weight }
    }

    fn free(count: usize) -> Vec<WorkerOwnership> {
        (0..count)
            .map(|_| WorkerOwnership { worker: WorkerId::new(), home: None, owner: None, tunnel: Tunnel::None })
            .collect()
    }

    /// Applies each node's moves once, in this order. As in the database, a worker is only taken if its owner is gone.
    fn round(nodes: &[LivingNode], workers: &mut [WorkerOwnership], busy: &HashSet<WorkerId>) -> usize {
        let mut moved = 0;
        for node in nodes {
            let Moves { take, give, hand_over } = moves(node.id, nodes, workers, busy);
            for worker in workers.iter_mut() {
                let alive = worker.owner.is_some_and(|owner| nodes.iter().any(|node| node.id == owner));
                if take.contains(&worker.worker) && (!alive || worker.home.is_some()) {
                    worker.owner = Some(node.id);
                    moved += 1;
                } else if hand_over.contains(&worker.worker)
                    || give.contains(&worker.worker) && !busy.contains(&worker.worker)
                {
                    worker.owner = None;
                    moved += 1;
                }
            }
        }
        moved
    }

    fn settle(nodes: &[LivingNode], workers: &mut [WorkerOwnership]) {
        for _ in 0..10 {
            if round(nodes, workers, &HashSet::new()) == 0 {
                return;
            }
        }
        panic!("workers keep moving: {workers:?}");
    }

    fn counts(nodes: &[LivingNode], workers: &[WorkerOwnership]) -> Vec<usize> {
        nodes.iter().map(|node| workers.iter().filter(|worker| worker.owner == Some(node.id)).count()).collect()
    }

    #[test]
    fn workers_are_spread_by_weight_as_nodes_join_and_leave() {
        let mut nodes = vec![node(1), node(1)];
        let mut workers = free(30);
        settle(&nodes, &mut workers);
        assert_eq!(counts(&nodes, &workers), [15, 15]);
        let before = workers.clone();
        nodes.push(node(4));
        settle(&nodes, &mut workers);
        assert_eq!(counts(&nodes, &workers), [5, 5, 20]);
        let moved = before.iter().zip(&workers).filter(|(before, after)| before.owner != after.owner).count();
        assert_eq!(moved, 20, "no worker moves between the old nodes");
        nodes.remove(0);
        settle(&nodes, &mut workers);
        assert_eq!(counts(&nodes, &workers), [6, 24], "those of the lost node have an owner again");
    }

    #[test]
    fn node_without_weight_owns_only_its_home_worker() {
        let nodes = [node(0), node(1)];
        let mut workers = free(3);
        let home = Some(nodes[0].instance.clone());
        workers.push(WorkerOwnership { worker: WorkerId::new(), home, owner: None, tunnel: Tunnel::None });
        settle(&nodes, &mut workers);
        assert_eq!(counts(&nodes, &workers), [1, 3]);
        assert_eq!(moves(nodes[0].id, &nodes[..1], &free(3), &HashSet::new()), Moves::default());
    }

    #[test]
    fn busy_worker_is_released_last_and_only_when_idle() {
        let old = node(1);
        let mut workers = free(4);
        settle(std::slice::from_ref(&old), &mut workers);
        let nodes = [old.clone(), node(1)];
        let busy: HashSet<WorkerId> = workers.iter().take(3).map(|worker| worker.worker).collect();
        let Moves { give, .. } = moves(old.id, &nodes, &workers, &busy);
        assert_eq!(give.len(), 2);
        assert!(!busy.contains(&give[0]), "the idle one goes first");
        for _ in 0..3 {
            round(&nodes, &mut workers, &busy);
        }
        assert_eq!(counts(&nodes, &workers), [3, 1], "the busy ones stay until they are done");
        settle(&nodes, &mut workers);
        assert_eq!(counts(&nodes, &workers), [2, 2]);
    }

    #[test]
    fn worker_of_an_agent_follows_its_tunnel_and_counts_in_no_share() {
        let mut nodes = vec![node(1), node(1)];
        let mut workers = free(2);
        let tunnel = Tunnel::At(nodes[1].id);
        workers.push(WorkerOwnership { worker: WorkerId::new(), home: None, owner: None, tunnel });
        settle(&nodes, &mut workers);
        assert_eq!(workers[2].owner, Some(nodes[1].id));
        assert_eq!(counts(&nodes, &workers), [1, 2]);
        workers[2].tunnel = Tunnel::Down;
        settle(&nodes, &mut workers);
        assert_eq!(workers[2].owner, Some(nodes[1].id), "the owner keeps the worker of a disconnected agent");
        workers[2].tunnel = Tunnel::At(nodes[0].id);
        let busy: HashSet<WorkerId> = [workers[2].worker].into();
        assert_eq!(moves(nodes[1].id, &nodes, &workers, &busy).hand_over, [workers[2].worker], "whatever it runs");
        settle(&nodes, &mut workers);
        assert_eq!(workers[2].owner, Some(nodes[0].id));
        let lost = nodes.remove(0).id;
        assert_eq!(moves(nodes[0].id, &nodes, &workers, &busy).take, [workers[0].worker], "no other node can reach it");
        assert_eq!(workers[2].owner, Some(lost));
    }

    proptest! {
        #[test]
        fn every_node_has_its_share_after_random_changes(
            changes in proptest::collection::vec((0_u8..3, 0_u32..4), 1..8), count in 0_usize..25
        ) {
            let mut nodes = vec![node(1)];
            let mut workers = free(count);
            for (change, weight) in changes {
                match change {
                    0 if nodes.len() > 1 => drop(nodes.remove(0)),
                    1 => workers.extend(free(weight as usize)),
                    _ => nodes.push(node(weight)),
                }
                settle(&nodes, &mut workers);
                let has_weight = nodes.iter().any(|node| node.weight > 0);
                let shares = shares(&nodes, workers.len());
                prop_assert_eq!(shares.values().sum::<usize>(), if has_weight { workers.len() } else { 0 });
                for node in nodes.iter().filter(|_| has_weight) {
                    let has = workers.iter().filter(|worker| worker.owner == Some(node.id)).count();
                    prop_assert_eq!(has, shares[&node.id]);
                }
            }
        }
    }
}
