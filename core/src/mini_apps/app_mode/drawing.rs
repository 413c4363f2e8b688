//! Places in a graph of the editor's format: nodes, also those of subgraphs, and where the value of a widget goes in the
//! prompt that the front end makes of the graph.

use std::collections::HashMap;

use serde_json::Value;

/// Subgraphs can be nested; a graph that nests deeper, or in a circle, has no places there.
const MAX_DEPTH: usize = 32;
/// Places that a search visits at most. Where an input of a subgraph leads to two subgraphs, they double at each level.
const MAX_VISITS: usize = 1000;
/// The node that stands for the inputs of a subgraph inside it.
const INPUT_NODE: &str = "-10";
/// Spelling of promoted widgets that belong to an input of the subgraph.
const OF_THE_INPUT: &str = "-1";

/// An input of a node in the prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Target {
    /// The node's id in the prompt: `10:6` is node 6 of subgraph node 10.
    pub node: String,
    pub input: String,
}

/// A search for the targets of a widget.
#[derive(Default)]
struct Search {
    found: Vec<Target>,
    visits: usize,
}

/// A graph in the editor's format.
pub(super) struct Drawing<'a> {
    root: &'a Value,
    subgraphs: HashMap<&'a str, &'a Value>,
}

impl<'a> Drawing<'a> {
    pub(super) fn of(root: &'a Value) -> Self {
        let mut subgraphs = HashMap::new();
        collect(root, &mut subgraphs, 0);
        Self { root, subgraphs }
    }

    /// The node at a path such as `10:6`.
    pub(super) fn node(&self, path: &str) -> Option<&'a Value> {
        self.place(path).map(|(_, node)| node)
    }

    /// The index of a node in the outermost graph.
    pub(super) fn index(&self, id: &str) -> Option<usize> {
        nodes(self.root).position(|node| id_of(node.get("id")).as_deref() == Some(id))
    }

    /// The graph that has the node, and the node.
    fn place(&self, path: &str) -> Option<(&'a Value, &'a Value)> {
        let mut graph = self.root;
        let mut found = None;
        for id in path.split(':') {
            if let Some((_, node)) = found {
                graph = self.subgraph(node)?;
            }
            found = Some((graph, nodes(graph).find(|node| id_of(node.get("id")).as_deref() == Some(id))?));
        }
        found
    }

    fn subgraph(&self, node: &Value) -> Option<&'a Value> {
        self.subgraphs.get(node.get("type")?.as_str()?).copied()
    }

    /// Where the value of a widget goes: through the inputs of subgraphs down to inner nodes, and from a primitive node
    /// to the nodes that it feeds.
    pub(super) fn targets(&self, path: &str, widget: &str) -> Vec<Target> {
        let mut search = Search::default();
        self.collect_targets(path, widget, 0, &mut search);
        search.found
    }

    fn collect_targets(&self, path: &str, widget: &str, depth: usize, search: &mut Search) {
        search.visits += 1;
        if depth >= MAX_DEPTH || search.visits > MAX_VISITS {
            return;
        }
        let Some((graph, node)) = self.place(path) else { return };
        let inside = |id: &str| format!("{path}:{id}");
        if let Some(subgraph) = self.subgraph(node) {
            let Some(slot) = list(subgraph, "inputs").position(|input| text(input, "name") == Some(widget)) else {
                for (id, inner) in proxies(node).filter(|(id, inner)| id != OF_THE_INPUT && inner == widget) {
                    self.collect_targets(&inside(&id), &inner, depth + 1, search);
                }
                return;
            };
            for link in links(subgraph).filter(|link| link.origin == INPUT_NODE && link.origin_slot == Some(slot)) {
                if let Some(input) = self.slot_name(subgraph, &link) {
                    self.collect_targets(&inside(&link.target), &input, depth + 1, search);
                }
            }
        } else if text(node, "type") == Some("PrimitiveNode") {
            let beside = |id: &str| match path.rsplit_once(':') {
                Some((outer, _)) => format!("{outer}:{id}"),
                None => id.to_owned(),
            };
            let own = id_of(node.get("id"));
            for link in links(graph).filter(|link| own.as_deref() == Some(link.origin.as_str())) {
                if let Some(input) = self.slot_name(graph, &link) {
                    self.collect_targets(&beside(&link.target), &input, depth + 1, search);
                }
            }
        } else {
            let target = Target { node: path.to_owned(), input: widget.to_owned() };
            if !search.found.contains(&target) {
                search.found.push(target);
            }
        }
    }

    /// The name of the input that a link leads to.
    fn slot_name(&self, graph: &Value, link: &Link) -> Option<String> {
        let node = nodes(graph).find(|node| id_of(node.get("id")).as_deref() == Some(&link.target))?;
        let slot = list(node, "inputs").find(|slot| slot.get("link").is_some_and(|own| id_of(Some(own)) == link.id));
        let slot = slot.or_else(|| list(node, "inputs").nth(link.target_slot?))?;
        let name =
            if self.subgraph(node).is_some() { None } else { slot.pointer("/widget/name").and_then(Value::as_str) };
        name.or_else(|| text(slot, "name")).map(str::to_owned)
    }

    /// Nodes of the outermost graph that are subgraphs, with the names of the widgets that they show.
    pub(super) fn promoted(&self) -> impl Iterator<Item = (String, String)> {
        let outer = nodes(self.root).filter_map(|node| Some((id_of(node.get("id"))?, node, self.subgraph(node)?)));
        outer.flat_map(|(id, node, subgraph)| {
            let names = list(subgraph, "inputs").filter_map(|input| text(input, "name")).map(str::to_owned);
            let proxies = proxies(node).filter(|(inner, _)| inner != OF_THE_INPUT).map(|(_, name)| name);
            names.chain(proxies).map(move |name| (id.clone(), name)).collect::<Vec<_>>()
        })
    }

    /// The label that the form of the front end shows for a widget.
    pub(super) fn label(&self, path: &str, widget: &str) -> Option<&'a str> {
        let node = self.node(path)?;
        let is_named = |slot: &&Value| slot.pointer("/widget/name").and_then(Value::as_str) == Some(widget);
        let slot = list(node, "inputs").find(is_named);
        let inner = || list(self.subgraph(node)?, "inputs").find(|input| text(input, "name") == Some(widget));
        let label = |slot: &'a Value| text(slot, "label").map(str::trim).filter(|label| !label.is_empty());
        slot.and_then(label).or_else(|| inner().and_then(label))
    }
}

fn collect<'a>(graph: &'a Value, found: &mut HashMap<&'a str, &'a Value>, depth: usize) {
    let Some(subgraphs) = graph.pointer("/definitions/subgraphs").and_then(Value::as_array) else { return };
    for subgraph in subgraphs {
        if let Some(id) = text(subgraph, "id") {
            found.entry(id).or_insert(subgraph);
        }
        if depth < MAX_DEPTH {
            collect(subgraph, found, depth + 1);
        }
    }
}

/// A link. Old graphs have lists, newer ones and subgraphs have objects.
struct Link {
    id: Option<String>,
    origin: String,
    origin_slot: Option<usize>,
    target: String,
    target_slot: Option<usize>,
}

fn links(graph: &Value) -> impl Iterator<Item = Link> {
    list(graph, "links").filter_map(|link| {
        let part = |index: usize, name: &str| if link.is_array() { link.get(index) } else { link.get(name) };
        let slot = |index, name| part(index, name).and_then(Value::as_u64).and_then(|slot| usize::try_from(slot).ok());
        Some(Link {
            id: id_of(part(0, "id")),
            origin: id_of(part(1, "origin_id"))?,
            origin_slot: slot(2, "origin_slot"),
            target: id_of(part(3, "target_id"))?,
            target_slot: slot(4, "target_slot"),
        })
    })
}

/// Widgets of inner nodes that a subgraph node shows, as front ends of 2025 wrote them: id and name.
fn proxies(node: &Value) -> impl Iterator<Item = (String, String)> {
    let proxies = node.pointer("/properties/proxyWidgets").and_then(Value::as_array).into_iter().flatten();
    proxies.filter_map(|proxy| Some((id_of(proxy.get(0))?, proxy.get(1)?.as_str()?.to_owned())))
}

fn nodes(graph: &Value) -> impl Iterator<Item = &Value> {
    list(graph, "nodes")
}

fn list<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    value.get(key).and_then(Value::as_array).into_iter().flatten()
}

fn text<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    value.get(key).and_then(Value::as_str)
}

/// An id, which is a number or a text.
pub(super) fn id_of(value: Option<&Value>) -> Option<String> {
    match value? {
        Value::String(id) if !id.is_empty() => Some(id.clone()),
        Value::Number(id) => Some(id.to_string()),
        _ => None,
    }
}
