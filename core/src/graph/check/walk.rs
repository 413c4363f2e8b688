//! The walk over a prompt from its outputs upstream: which nodes are needed, in which order, and what is wrong.
//! Written without recursion over nodes, because a prompt may be 2,000 nodes long.

use std::collections::BTreeSet;

use indexmap::IndexSet;
use serde_json::json;

use super::checked::Normalised;
use super::judge::Judge;
use super::node::{Found, NodeCheck, Via};
use crate::graph::classes::definitions::NodeDefinition;
use crate::graph::prompt::Prompt;
use crate::graph::refusal::Trouble;

/// What the walk saw, beside troubles.
pub(in crate::graph) struct Seen {
    /// Node → the nodes it takes something from.
    pub links: Vec<Vec<usize>>,
    /// The nodes that some output needs, consumers first (as far as there are no cycles).
    pub order: Vec<usize>,
    pub normalised: Vec<Normalised>,
    /// Mismatches that are left to a worker.
    pub doubts: Vec<Trouble>,
    /// Nodes that depend on themselves, where nothing is told of it.
    pub stuck: BTreeSet<usize>,
}

/// A walk in progress.
pub(in crate::graph) struct Walk<'a> {
    prompt: &'a Prompt,
    classes: &'a [Option<&'a NodeDefinition>],
    judge: Judge<'a>,
    troubles: &'a mut Vec<Vec<Trouble>>,
    links: Vec<Vec<(usize, String)>>,
    states: Vec<State>,
    finished: Vec<usize>,
    normalised: Vec<Normalised>,
    doubts: Vec<Trouble>,
    stuck: BTreeSet<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Unseen,
    /// On the path from the output to here.
    Open,
    Done,
}

impl<'a> Walk<'a> {
    pub(in crate::graph) fn new(
        prompt: &'a Prompt,
        classes: &'a [Option<&'a NodeDefinition>],
        judge: Judge<'a>,
        troubles: &'a mut Vec<Vec<Trouble>>,
    ) -> Self {
        let count = classes.len();
        Self {
            prompt,
            classes,
            judge,
            troubles,
            links: vec![Vec::new(); count],
            states: vec![State::Unseen; count],
            finished: Vec::with_capacity(count),
            normalised: Vec::new(),
            doubts: Vec::new(),
            stuck: BTreeSet::new(),
        }
    }

    /// Visits everything that this output needs and that was not visited yet.
    pub(in crate::graph) fn visit_output(&mut self, output: usize) {
        if self.states[output] != State::Unseen {
            return;
        }
        // The path from the output to the node at hand, each with how many of its links were followed.
        let mut path: Vec<(usize, usize)> = Vec::new();
        self.open(output, None, &mut path);
        while let Some((node, followed)) = path.last_mut() {
            let node = *node;
            let Some((upstream, input)) = self.links[node].get(*followed).cloned() else {
                self.states[node] = State::Done;
                self.finished.push(node);
                path.pop();
                continue;
            };
            *followed += 1;
            match self.states[upstream] {
                State::Unseen => self.open(upstream, self.via(node, &input), &mut path),
                State::Open if self.judge.tells_of_cycles() => self.report_cycle(&path, upstream),
                State::Open => {
                    self.stuck.insert(node);
                }
                State::Done => {}
            }
        }
    }

    pub(in crate::graph) fn finish(mut self) -> Seen {
        self.finished.reverse();
        let upstream = |links: Vec<(usize, String)>| links.into_iter().map(|(node, _)| node).collect();
        let links = self.links.into_iter().map(upstream).collect();
        let Self { finished: order, normalised, doubts, stuck, .. } = self;
        Seen { links, order, normalised, doubts, stuck }
    }

    fn open(&mut self, node: usize, via: Option<Via<'a>>, path: &mut Vec<(usize, usize)>) {
        self.states[node] = State::Open;
        path.push((node, 0));
        let Some(class) = self.classes[node] else { return };
        // An output is always entered by itself: which of two that hang together a server begins with is up to a hash.
        let via = via.filter(|_| !class.output_node);
        let Found { troubles, links, normalised, doubts } =
            NodeCheck::new(self.prompt, self.classes, self.judge, node, class, via).run();
        self.troubles[node].extend(troubles);
        self.links[node] = links;
        self.normalised.extend(normalised);
        self.doubts.extend(doubts);
    }

    /// The link that goes into this input of `consumer`.
    fn via(&self, consumer: usize, input: &str) -> Option<Via<'a>> {
        let (_, from) = self.prompt.0.get_index(consumer)?;
        let (input, link) = from.inputs.get_key_value(input)?;
        Some(Via { input, link, definition: self.classes[consumer]?.input(input)? })
    }

    fn report_cycle(&mut self, path: &[(usize, usize)], start: usize) {
        let cycle: IndexSet<usize> = path.iter().map(|(node, _)| *node).skip_while(|node| *node != start).collect();
        let nodes: Vec<_> = cycle.iter().filter_map(|&index| self.prompt.0.get_index(index)).collect();
        let ids: Vec<&String> = nodes.iter().map(|(id, _)| *id).collect();
        let round = nodes.iter().chain(nodes.first()).map(|(id, node)| format!("{id} ({})", node.class_type));
        let details = round.collect::<Vec<_>>().join(" -> ");
        for &index in &cycle {
            let Some((id, _)) = self.prompt.0.get_index(index) else { continue };
            if self.troubles[index].iter().any(|trouble| trouble.kind == "dependency_cycle") {
                continue;
            }
            let extra_info = json!({ "node_id": id, "cycle_nodes": ids });
            self.troubles[index].push(Trouble::new(
                "dependency_cycle",
                "Dependency cycle detected",
                details.as_str(),
                extra_info,
            ));
        }
    }
}
