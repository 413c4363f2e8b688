//! Generates the table of rooms in `docs/architecture.md` from the sources.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::ROOMS;
use super::rules::paths;
use super::source::Source;

/// Rooms by height, highest first, with description and calls. A room is one above the highest room that it calls.
pub fn draw(sources: &[Source]) -> String {
    let mut calls: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for source in sources {
        let Some(own) = source.room().filter(|own| ROOMS.contains(own)) else { continue };
        let called = paths(&source.live, "crate::");
        let called =
            called.iter().filter_map(|path| ROOMS.iter().find(|room| Some(**room) == path.first().map(String::as_str)));
        calls.entry(own).or_default().extend(called.copied().filter(|room| *room != own));
    }
    let mut heights: BTreeMap<&str, usize> = BTreeMap::new();
    for room in ROOMS {
        let below = calls.get(room).into_iter().flatten().filter_map(|called| heights.get(called));
        heights.insert(room, below.max().map_or(0, |height| height + 1));
    }
    let mut drawn = String::from("```text\n");
    for height in (0..=heights.values().copied().max().unwrap_or(0)).rev() {
        let here: Vec<&str> = ROOMS.into_iter().filter(|room| heights[room] == height).collect();
        writeln!(drawn, "{height:>2}  {}", here.join("  ")).expect("a string");
    }
    drawn.push_str("```\n\n| Room | What it is | Sub-rooms | Calls |\n|---|---|---|---|\n");
    for room in ROOMS.into_iter().rev() {
        let called = calls.get(room).map(|called| called.iter().copied().collect::<Vec<_>>().join(", "));
        let (words, inside) = (words(sources, room), inside(sources, room));
        writeln!(drawn, "| `{room}` | {words} | {inside} | {} |", called.unwrap_or_default()).expect("a string");
    }
    drawn
}

/// The first sentence of a room's `mod.rs`.
fn words(sources: &[Source], room: &str) -> String {
    let front = sources.iter().find(|source| source.path == format!("core/src/{room}/mod.rs"));
    let front = front.unwrap_or_else(|| panic!("{room} has no mod.rs"));
    let paragraph: Vec<&str> =
        front.comments.lines().map_while(|line| line.strip_prefix("//! ")).map(str::trim).collect();
    let paragraph = paragraph.join(" ");
    paragraph.split_once(". ").map_or(paragraph.clone(), |(first, _)| format!("{first}."))
}

fn inside(sources: &[Source], room: &str) -> String {
    let start = format!("core/src/{room}/");
    let folders: BTreeSet<&str> = sources
        .iter()
        .filter_map(|source| source.path.strip_prefix(&start)?.strip_suffix("/mod.rs"))
        .filter(|folder| !folder.contains('/') && !["store", "tests"].contains(folder))
        .collect();
    folders.into_iter().collect::<Vec<_>>().join(", ")
}

mod can_fail {
    use super::*;

    #[test]
    fn new_call_changes_the_table() {
        let front =
            |room: &str| Source::read(&format!("core/src/{room}/mod.rs"), &format!("//! The {room}. And more.\n"));
        let mut sources: Vec<Source> = ROOMS.into_iter().map(front).collect();
        let before = draw(&sources);
        assert!(before.contains("| `jobs` | The jobs. |  |  |"), "{before}");
        sources.push(Source::read("core/src/jobs/queue/mod.rs", "use crate::{Core, fleet};"));
        let after = draw(&sources);
        assert!(after.contains("| `jobs` | The jobs. | queue | fleet |"), "{after}");
        assert!(after.contains(" 1  jobs\n"), "{after}");
    }
}
