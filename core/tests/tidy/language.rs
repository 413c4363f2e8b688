//! The words and names that the house style leaves out.

use std::collections::BTreeMap;

use super::source::Source;

/// Words that hide their subject.
const UNCLEAR: [&str; 6] = ["somebody", "nobody", "whoever", "anybody", "anew", "meanwhile"];

/// Type names that were metaphors or verbs, and are gone for good.
const RETIRED: [&str; 22] = [
    "Ables",
    "Arrivals",
    "Ask",
    "Behind",
    "Bells",
    "Came",
    "Coming",
    "Departures",
    "Ears",
    "Farewell",
    "Folded",
    "Glimpse",
    "Hand",
    "Laid",
    "Letter",
    "Nothing",
    "Parcel",
    "Reach",
    "Said",
    "Told",
    "Whereabouts",
    "Workshop",
];

/// How often a text has one of the unclear words, in any case.
pub fn unclear(text: &str) -> usize {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| UNCLEAR.iter().any(|unclear| word.eq_ignore_ascii_case(unclear)))
        .count()
}

/// The types that a source declares, with whether they are public.
fn types(source: &Source) -> impl Iterator<Item = (bool, &str)> {
    source.live.lines().filter_map(|line| {
        let line = line.trim_start();
        let (public, rest) = match line.strip_prefix("pub ") {
            Some(rest) => (true, rest),
            None => {
                (false, line.strip_prefix("pub(").and_then(|rest| rest.split_once(") ")).map_or(line, |(_, rest)| rest))
            }
        };
        let rest = ["struct ", "enum ", "trait "].iter().find_map(|word| rest.strip_prefix(word))?;
        // In a macro the name is a variable.
        Some((public, &rest[..rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len())]))
            .filter(|(_, name)| !name.is_empty())
    })
}

/// A retired name that a type of this source has.
pub fn retired(source: &Source) -> Vec<String> {
    types(source)
        .filter(|(_, name)| RETIRED.contains(name))
        .map(|(_, name)| format!("{}: the name {name} is a metaphor; use the field's noun", source.path))
        .collect()
}

/// Public types that share a name.
pub fn homonyms(sources: &[Source]) -> Vec<String> {
    let mut homes: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for source in sources {
        for (_, name) in types(source).filter(|(public, _)| *public) {
            homes.entry(name).or_default().push(&source.path);
        }
    }
    homes
        .into_iter()
        .filter(|(_, homes)| homes.len() > 1)
        .map(|(name, homes)| format!("{name} names several types: {}", homes.join(", ")))
        .collect()
}

#[test]
fn words_and_names_are_found_in_any_form() {
    assert_eq!(unclear("Nobody's row; whoever reads it, anew. newanew some_body"), 3);
    let one = Source::read("a.rs", "/// Hand\npub struct Hand;\npub(super) enum Kept<T> { A(T) }\npub trait Port {}\n");
    let other = Source::read("b.rs", "pub struct Port { hand: u8 }\nstruct Kept;\n");
    assert_eq!(retired(&one), ["a.rs: the name Hand is a metaphor; use the field's noun"]);
    assert_eq!(homonyms(&[one, other]), ["Port names several types: a.rs, b.rs"]);
}
