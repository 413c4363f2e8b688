//! Walks a prompt upstream from its outputs: collects the needed nodes, their order, and all errors. Not recursive,
//! because a prompt may be a chain of 2,000 nodes.

use std::collections::BTreeSet;

use indexmap::IndexSet;
use serde_json::json;

use super::node::{IncomingLink, NodeCheck, NodeCheckResult};
use super::outcome::NormalizedInput;
use super::rules::ValidationRules;
use crate::graph::classes::definitions::NodeDefinition;
use crate::graph::prompt::Prompt;
use crate::graph::refusal::PromptError;

/// The result of a walk, beside errors.
pub(in crate::graph) struct WalkResult {
    /// Node → the nodes it depends on.
    pub links: Vec<Vec<usize>>,
    /// The nodes needed by some output, consumers first (except in cycles).
    pub order: Vec<usize>,
    pub normalised: Vec<NormalizedInput>,
    /// Mismatches that are left to a worker.
    pub doubts: Vec<PromptError>,
    /// Nodes in cycles that are not reported.
    pub stuck: BTreeSet<usize>,
}

pub(in crate::graph) struct Walk<'a> {
    prompt: &'a Prompt,
    classes: &'a [Option<&'a NodeDefinition>],
    rules: ValidationRules<'a>,
    troubles: &'a mut Vec<Vec<PromptError>>,
    links: Vec<Vec<(usize, String)>>,
    states: Vec<State>,
    finished: Vec<usize>,
    normalised: Vec<NormalizedInput>,
    doubts: Vec<PromptError>,
    stuck: BTreeSet<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Unseen,
    /// On the path from the output to the current node.
    Open,
    Done,
}

impl<'a> Walk<'a> {
    pub(in crate::graph) fn new(
        prompt: &'a Prompt,
        classes: &'a [Option<&'a NodeDefinition>],
        rules: ValidationRules<'a>,
        troubles: &'a mut Vec<Vec<PromptError>>,
    ) -> Self {
        let count = classes.len();
        Self {
            prompt,
            classes,
            rules,
            troubles,
            links: vec![Vec::new(); count],
            states: vec![State::Unseen; count],
            finished: Vec::with_capacity(count),
            normalised: Vec::new(),
            doubts: Vec::new(),
            stuck: BTreeSet::new(),
        }
    }

    /// Visits all unvisited nodes that this output needs.
    pub(in crate::graph) fn visit_output(&mut self, output: usize) {
        if self.states[output] != State::Unseen {
            return;
        }
        // The path from the output to the current node, with the number of links followed of each.
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
                State::Open if self.rules.reports_cycles() => self.report_cycle(&path, upstream),
                State::Open => {
                    self.stuck.insert(node);
                }
                State::Done => {}
            }
        }
    }

    pub(in crate::graph) fn finish(mut self) -> WalkResult {
        self.finished.reverse();
        let upstream = |links: Vec<(usize, String)>| links.into_iter().map(|(node, _)| node).collect();
        let links = self.links.into_iter().map(upstream).collect();
        let Self { finished: order, normalised, doubts, stuck, .. } = self;
        WalkResult { links, order, normalised, doubts, stuck }
    }

    fn open(&mut self, node: usize, via: Option<IncomingLink<'a>>, path: &mut Vec<(usize, usize)>) {
        self.states[node] = State::Open;
        path.push((node, 0));
        let Some(class) = self.classes[node] else { return };
        // An output starts a path of its own: in a server the order of dependent outputs follows a hash.
        let via = via.filter(|_| !class.output_node);
        let NodeCheckResult { troubles, links, normalised, doubts } =
            NodeCheck::new(self.prompt, self.classes, self.rules, node, class, via).run();
        self.troubles[node].extend(troubles);
        self.links[node] = links;
        self.normalised.extend(normalised);
        self.doubts.extend(doubts);
    }

    /// The link into this input of `consumer`.
    fn via(&self, consumer: usize, input: &str) -> Option<IncomingLink<'a>> {
        let (_, from) = self.prompt.0.get_index(consumer)?;
        let (input, link) = from.inputs.get_key_value(input)?;
        Some(IncomingLink { input, link, definition: self.classes[consumer]?.input(input)? })
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
            self.troubles[index].push(PromptError::new(
                "dependency_cycle",
                "Dependency cycle detected",
                details.as_str(),
                extra_info,
            ));
        }
    }
}
