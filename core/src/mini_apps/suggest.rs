//! Which mini apps fit what somebody wishes for in their own words, and why.
//!
//! An app is suggested for a reason that can be told: it draws what is described, or words of the wish stand in its name,
//! its tags, its choices or what it says of itself. Whole words count, so that a cat is no cathedral.

use std::collections::BTreeSet;

use super::form::field::Field;
use super::form::rule::Rule;
use crate::graph::{InputKind, Needs, NodeDefinitions};
use crate::workflows::{self, AppWanted, Sort, Takes, Workflow};
use crate::{Caller, Core, Result, html, names};

/// The apps that are looked at: those that people look at most.
const LOOKED_AT: i64 = 100;
/// Words of a wish that count.
const MAX_WORDS: usize = 24;
/// Suggestions of one answer.
const MOST: usize = 6;
/// Added to the score of an app that draws what is described: it comes first, and no number of words gets there.
const DRAWS: i64 = 1000;
/// A word that long is found by its beginning: mountain, mountains.
const STEM: usize = 4;

/// An app that fits, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Suggested {
    pub workflow: Workflow,
    /// The words of the wish that it has, in their order.
    pub words: Vec<String>,
    /// Whether it draws what is described.
    pub draws_words: bool,
}

/// What fits a wish.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Suggestions {
    /// The best first.
    pub fitting: Vec<Suggested>,
    /// Apps that would draw what is described, and that no worker can run as things are.
    pub waiting: Vec<Workflow>,
    /// What people look at most, for whoever finds nothing above.
    pub others: Vec<Workflow>,
}

/// What fits a wish; `runs` tells whether some worker has what an app needs.
///
/// # Errors
/// Database errors.
pub async fn suggest(
    core: &Core,
    definitions: &NodeDefinitions,
    wish: &str,
    runs: impl Fn(&Needs) -> bool,
) -> Result<Suggestions> {
    let mut asked = words(wish);
    asked.truncate(MAX_WORDS);
    let apps = workflows::published_apps(core, AppWanted::default(), Sort::View, None, LOOKED_AT).await?.items;
    let drawing = AppWanted { takes: Some(Takes::Text), ..AppWanted::default() };
    let mut drawers = workflows::published_apps(core, drawing, Sort::View, None, LOOKED_AT).await?.items;
    drawers.retain(|drawer| apps.iter().all(|app| app.id != drawer.id));
    let candidates: Vec<Workflow> = apps.into_iter().chain(drawers).collect();
    let ids: Vec<_> = candidates.iter().map(|app| app.id).collect();
    let tags = workflows::tags_of(core, &ids).await?;
    let apis: Vec<_> = candidates.iter().filter_map(|app| app.workflow_api).collect();
    let apps = super::all_compiled(core, &Caller::guest(), &apis).await?;
    let mut scored: Vec<(i64, Suggested)> = Vec::new();
    let mut found = Suggestions::default();
    for workflow in candidates {
        let Some(compiled) = workflow.workflow_api.and_then(|api| apps.get(&api)) else { continue };
        let draws_words = workflow.app.takes.contains(&Takes::Text);
        if !runs(&Needs::of(compiled.prompt(), definitions)) {
            if draws_words {
                found.waiting.push(workflow);
            }
            continue;
        }
        let tag_words = tags.get(&workflow.id).into_iter().flatten().map(|tag| format!("{} {}", tag.name, tag.name_ko));
        let places = [
            (5, workflow.names().collect::<Vec<_>>().join(" ")),
            (3, tag_words.collect::<Vec<_>>().join(" ")),
            (3, choices(compiled.fields())),
            (1, workflow.descriptions().map(html::text).collect::<Vec<_>>().join(" ")),
        ];
        let (score, words) = score(&asked, &places);
        let fits = draws_words || score >= 3 || (!asked.is_empty() && words.len() * 2 > asked.len());
        if fits && !asked.is_empty() {
            scored.push((score + i64::from(draws_words) * DRAWS, Suggested { workflow, words, draws_words }));
        } else {
            found.others.push(workflow);
        }
    }
    scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    // What has the half of the best one's reasons at least: one word in common is little beside three.
    let best = scored.iter().map(|(score, _)| score % DRAWS).max().unwrap_or(0);
    scored.retain(|(score, suggested)| suggested.draws_words || score * 2 >= best);
    found.fitting = scored.into_iter().map(|(_, suggested)| suggested).take(MOST).collect();
    found.waiting.truncate(MOST);
    found.others.truncate(MOST);
    Ok(found)
}

/// Whether workers with these classes and models draw what is described, given a graph that does.
#[must_use]
pub fn draws_words(definitions: &NodeDefinitions) -> bool {
    let has_models = |class: &str, input: &str| {
        let input = definitions.get(class).and_then(|class| class.input(input).cloned());
        input.is_some_and(|input| matches!(&input.kind, InputKind::Combo { options } if !options.is_empty()))
    };
    ["KSampler", "CLIPTextEncode"].iter().all(|class| definitions.contains(class))
        && (has_models("CheckpointLoaderSimple", "ckpt_name") || has_models("UNETLoader", "unet_name"))
}

/// What people choose among in a form.
fn choices(fields: &[Field]) -> String {
    let mut all = Vec::new();
    for field in fields {
        if let Rule::Select { labels, .. } = &field.rule {
            all.extend(labels.iter().map(String::as_str));
            all.extend(field.other_choices());
        }
    }
    all.join(" ")
}

/// How well the asked words stand in these places, and which do.
fn score(asked: &[String], places: &[(i64, String)]) -> (i64, Vec<String>) {
    let places: Vec<(i64, BTreeSet<String>)> =
        places.iter().map(|(weight, text)| (*weight, words(text).into_iter().collect())).collect();
    let (mut score, mut found) = (0, Vec::new());
    for word in asked {
        let best =
            places.iter().filter(|(_, known)| known.iter().any(|one| is_same(word, one))).map(|(weight, _)| weight);
        if let Some(best) = best.max() {
            score += best;
            found.push(word.clone());
        }
    }
    (score, found)
}

/// Whether two words are one, but for their endings.
fn is_same(one: &str, other: &str) -> bool {
    if one == other {
        return true;
    }
    // Korean ends its words with particles: 산이, 산을.
    let is_hangul = |word: &str| word.chars().all(|c| matches!(c, '\u{ac00}'..='\u{d7a3}'));
    if is_hangul(one) && is_hangul(other) {
        let (short, long) = if one.chars().count() < other.chars().count() { (one, other) } else { (other, one) };
        return short.chars().count() >= 2 && long.starts_with(short);
    }
    let stem = |word: &str| {
        let endings = ["ings", "ing", "ies", "es", "ed", "s", "y"];
        let cut = endings.iter().find_map(|ending| word.strip_suffix(ending));
        cut.filter(|stem| stem.chars().count() >= STEM).unwrap_or(word).to_owned()
    };
    one.chars().count() > STEM && stem(one) == stem(other)
}

/// The words of a text that say something, each once, in their order.
fn words(text: &str) -> Vec<String> {
    const NOTHING: [&str; 38] = [
        "a",
        "an",
        "and",
        "any",
        "as",
        "at",
        "be",
        "by",
        "for",
        "from",
        "give",
        "i",
        "image",
        "in",
        "into",
        "is",
        "it",
        "make",
        "me",
        "my",
        "of",
        "on",
        "or",
        "over",
        "photo",
        "picture",
        "please",
        "some",
        "something",
        "that",
        "the",
        "this",
        "to",
        "under",
        "want",
        "with",
        "you",
        "your",
    ];
    let mut found: Vec<String> = Vec::new();
    for word in names::composed(text).to_lowercase().split(|c: char| !c.is_alphanumeric()) {
        if word.is_empty() || NOTHING.contains(&word) || found.iter().any(|known| known == word) {
            continue;
        }
        if word.chars().count() < 3 && word.is_ascii() {
            continue;
        }
        found.push(word.to_owned());
        if found.len() >= 400 {
            break;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reasons(wish: &str, name: &str, says: &str) -> (i64, Vec<String>) {
        score(&words(wish), &[(5, name.to_owned()), (1, says.to_owned())])
    }

    #[test]
    fn a_cat_is_no_cathedral() {
        let (score, found) = reasons("a cat in a red hat", "Cathedral Window", "Red glass, that fills a wall");
        assert_eq!((score, found), (1, vec!["red".to_owned()]), "the one word that is really there");
    }

    #[test]
    fn words_are_found_with_other_endings_in_both_languages() {
        assert_eq!(reasons("a misty mountain at dusk", "Misty Mountains", "").1, ["misty", "mountain"]);
        assert_eq!(reasons("안개산을 그려줘", "안개산", "").1, ["안개산을"]);
        assert_eq!(reasons("Cafe\u{301}", "Caf\u{e9}", "").1, ["caf\u{e9}"]);
        assert_eq!(reasons("paint", "Pain", "").1, Vec::<String>::new());
    }

    #[test]
    fn words_that_say_nothing_are_no_reason() {
        assert_eq!(words("Make me a picture of the sea, please: THE sea!"), ["sea"]);
    }
}
