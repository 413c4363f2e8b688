//! Which of the living nodes connects to which worker: as many as its weight is of all weights.
//!
//! Each node decides for itself alone, from the same rows as the others: it takes workers that nobody alive has, up to
//! its share, and gives some up where it has more and another has less. What it gives up it first lets finish.

use std::collections::{BTreeMap, HashSet};

use crate::ids::{NodeId, WorkerId};

/// A node that gives signs of life.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::fleet) struct LivingNode {
    pub id: NodeId,
    /// What it is called.
    pub instance: String,
    pub weight: u32,
}

/// A worker, as far as its owner is concerned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::fleet) struct Owned {
    pub worker: WorkerId,
    /// The instance that alone can reach it, where there is one.
    pub home: Option<String>,
    pub owner: Option<NodeId>,
    pub tunnel: Tunnel,
}

/// The way to a worker that an agent connects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::fleet) enum Tunnel {
    /// No agent does: every node can reach it, or the one that it is at home at.
    None,
    /// The agent is connected to no node.
    Down,
    /// It is connected to this node, which may be gone.
    At(NodeId),
}

/// What a node does about its share.
#[derive(Debug, Default, PartialEq, Eq)]
pub(in crate::fleet) struct Moves {
    /// Of these it becomes the owner.
    pub take: Vec<WorkerId>,
    /// These it gives up as soon as they run nothing.
    pub give: Vec<WorkerId>,
    /// These it gives up at once, whatever they run: another node alone can reach them now, and goes on with that.
    pub hand_over: Vec<WorkerId>,
}

/// What `me` does. `busy` are the workers that it rather keeps: those that run something.
pub(in crate::fleet) fn moves(me: NodeId, nodes: &[LivingNode], workers: &[Owned], busy: &HashSet<WorkerId>) -> Moves {
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
            // One whose agent is away stays: it comes back, or is connected to another.
            Tunnel::None | Tunnel::Down | Tunnel::At(_) => {}
        }
    }
    let shared: Vec<&Owned> =
        workers.iter().filter(|worker| worker.home.is_none() && worker.tunnel == Tunnel::None).collect();
    let shares = shares(nodes, shared.len());
    let owner = |worker: &Owned| worker.owner.filter(|owner| shares.contains_key(owner));
    let has = |node: NodeId| shared.iter().filter(|worker| owner(worker) == Some(node)).count();
    let share = |node: NodeId| shares.get(&node).copied().unwrap_or(0);

    let free: Vec<WorkerId> =
        shared.iter().filter(|worker| owner(worker).is_none()).map(|worker| worker.worker).collect();
    // Each node begins at another place, so that they seldom want the same one.
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

/// How many workers each node has, when all is settled: whole numbers in the ratio of the weights, and what is left over
/// to those that lose most by rounding down. None where no node wants any.
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

    fn free(count: usize) -> Vec<Owned> {
        (0..count).map(|_| Owned { worker: WorkerId::new(), home: None, owner: None, tunnel: Tunnel::None }).collect()
    }

    /// Each node does once what it would, in this order, as the rows have it: a worker is taken only from nobody alive.
    fn round(nodes: &[LivingNode], workers: &mut [Owned], busy: &HashSet<WorkerId>) -> usize {
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

    fn settle(nodes: &[LivingNode], workers: &mut [Owned]) {
        for _ in 0..10 {
            if round(nodes, workers, &HashSet::new()) == 0 {
                return;
            }
        }
        panic!("workers go to and fro: {workers:?}");
    }

    fn counts(nodes: &[LivingNode], workers: &[Owned]) -> Vec<usize> {
        nodes.iter().map(|node| workers.iter().filter(|worker| worker.owner == Some(node.id)).count()).collect()
    }

    #[test]
    fn workers_are_spread_by_weight_and_follow_who_comes_and_goes() {
        let mut nodes = vec![node(1), node(1)];
        let mut workers = free(30);
        settle(&nodes, &mut workers);
        assert_eq!(counts(&nodes, &workers), [15, 15]);
        let before = workers.clone();
        nodes.push(node(4));
        settle(&nodes, &mut workers);
        assert_eq!(counts(&nodes, &workers), [5, 5, 20]);
        let moved = before.iter().zip(&workers).filter(|(before, after)| before.owner != after.owner).count();
        assert_eq!(moved, 20, "nothing moves between those that were there");
        nodes.remove(0);
        settle(&nodes, &mut workers);
        assert_eq!(counts(&nodes, &workers), [6, 24], "those of the lost node have an owner again");
    }

    #[test]
    fn a_node_without_weight_connects_to_nothing_but_its_own_worker() {
        let nodes = [node(0), node(1)];
        let mut workers = free(3);
        let home = Some(nodes[0].instance.clone());
        workers.push(Owned { worker: WorkerId::new(), home, owner: None, tunnel: Tunnel::None });
        settle(&nodes, &mut workers);
        assert_eq!(counts(&nodes, &workers), [1, 3]);
        assert_eq!(moves(nodes[0].id, &nodes[..1], &free(3), &HashSet::new()), Moves::default());
    }

    #[test]
    fn a_worker_that_runs_something_is_given_up_last_and_not_before_its_end() {
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
    fn an_agents_worker_is_the_nodes_that_the_agent_is_connected_to_and_counts_in_no_share() {
        let mut nodes = vec![node(1), node(1)];
        let mut workers = free(2);
        let tunnel = Tunnel::At(nodes[1].id);
        workers.push(Owned { worker: WorkerId::new(), home: None, owner: None, tunnel });
        settle(&nodes, &mut workers);
        assert_eq!(workers[2].owner, Some(nodes[1].id));
        assert_eq!(counts(&nodes, &workers), [1, 2]);
        workers[2].tunnel = Tunnel::Down;
        settle(&nodes, &mut workers);
        assert_eq!(workers[2].owner, Some(nodes[1].id), "an agent that is away comes back");
        workers[2].tunnel = Tunnel::At(nodes[0].id);
        let busy: HashSet<WorkerId> = [workers[2].worker].into();
        assert_eq!(moves(nodes[1].id, &nodes, &workers, &busy).hand_over, [workers[2].worker], "whatever it runs");
        settle(&nodes, &mut workers);
        assert_eq!(workers[2].owner, Some(nodes[0].id));
        let lost = nodes.remove(0).id;
        assert_eq!(moves(nodes[0].id, &nodes, &workers, &busy).take, [workers[0].worker], "nobody else can reach it");
        assert_eq!(workers[2].owner, Some(lost));
    }

    proptest! {
        #[test]
        fn whoever_comes_and_goes_each_worker_has_one_owner_and_each_node_its_share(
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
                let wanted = nodes.iter().any(|node| node.weight > 0);
                let shares = shares(&nodes, workers.len());
                prop_assert_eq!(shares.values().sum::<usize>(), if wanted { workers.len() } else { 0 });
                for node in nodes.iter().filter(|_| wanted) {
                    let has = workers.iter().filter(|worker| worker.owner == Some(node.id)).count();
                    prop_assert_eq!(has, shares[&node.id]);
                }
            }
        }
    }
}
