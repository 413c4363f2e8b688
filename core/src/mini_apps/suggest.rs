//! Suggestions of mini apps for a description in the user's own words.
//!
//! Each suggestion has a reason: the app draws a prompt, or words of the description are in its name, tags, choices or
//! description. Only whole words count, so that `cat` does not match `cathedral`.

use std::collections::BTreeSet;

use super::form::field::Field;
use super::form::rule::Rule;
use crate::graph::{InputKind, Needs, NodeDefinitions};
use crate::list::ListQuery;
use crate::workflows::{self, AppFilter, Makes, Takes, Workflow, WorkflowOrder};
use crate::{Caller, Core, Result, html, names};

/// The apps that are searched: the most viewed.
const MAX_CANDIDATES: i64 = 100;
/// Words of a description; later ones are ignored.
const MAX_WORDS: usize = 24;
/// Suggestions of one answer.
const MOST: usize = 6;
/// Added to the score of an app that draws a prompt. It exceeds every sum of word scores.
const DRAWS: i64 = 1000;
/// Longer words match by their beginnings: mountain, mountains.
const STEM: usize = 4;

/// A suggested app and the reason.
#[derive(Debug, Clone, PartialEq)]
pub struct Suggestion {
    pub workflow: Workflow,
    /// The words of the description that match, in their order.
    pub words: Vec<String>,
    /// Whether the app draws a prompt.
    pub draws_words: bool,
}

/// Suggestions for a description.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Suggestions {
    /// The best first.
    pub fitting: Vec<Suggestion>,
    /// Apps that draw a prompt, but that no worker can run now.
    pub waiting: Vec<Workflow>,
    /// The most viewed apps, for the case that nothing fits.
    pub others: Vec<Workflow>,
}

/// Suggests apps, with `makes` only those that make this; `runs` is whether a worker has what an app needs.
pub async fn suggest(
    core: &Core,
    definitions: &NodeDefinitions,
    wish: &str,
    makes: Option<Makes>,
    runs: impl Fn(&Needs) -> bool,
) -> Result<Suggestions> {
    let mut asked = words(wish);
    asked.truncate(MAX_WORDS);
    let most_viewed = |filter| ListQuery::at(filter, None, MAX_CANDIDATES).sorted(WorkflowOrder::View);
    let apps = workflows::published_apps(core, most_viewed(AppFilter { makes, ..AppFilter::default() })).await?.items;
    let drawing = AppFilter { takes: Some(Takes::Text), makes, ..AppFilter::default() };
    let mut drawers = workflows::published_apps(core, most_viewed(drawing)).await?.items;
    drawers.retain(|drawer| apps.iter().all(|app| app.id != drawer.id));
    let candidates: Vec<Workflow> = apps.into_iter().chain(drawers).collect();
    let ids: Vec<_> = candidates.iter().map(|app| app.id).collect();
    let tags = workflows::tags_of(core, &ids).await?;
    let apis: Vec<_> = candidates.iter().filter_map(|app| app.workflow_api).collect();
    let apps = super::all_compiled(core, &Caller::guest(), &apis).await?;
    let mut scored: Vec<(i64, Suggestion)> = Vec::new();
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
            scored.push((score + i64::from(draws_words) * DRAWS, Suggestion { workflow, words, draws_words }));
        } else {
            found.others.push(workflow);
        }
    }
    scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    // Apps with less than half of the best score are dropped.
    let best = scored.iter().map(|(score, _)| score % DRAWS).max().unwrap_or(0);
    scored.retain(|(score, suggested)| suggested.draws_words || score * 2 >= best);
    found.fitting = scored.into_iter().map(|(_, suggested)| suggested).take(MOST).collect();
    found.waiting.truncate(MOST);
    found.others.truncate(MOST);
    Ok(found)
}

/// Whether workers with these classes and models draw a prompt, given a graph that does.
#[must_use]
pub fn draws_words(definitions: &NodeDefinitions) -> bool {
    let has_models = |class: &str, input: &str| {
        let input = definitions.get(class).and_then(|class| class.input(input).cloned());
        input.is_some_and(|input| matches!(&input.kind, InputKind::Combo { options } if !options.is_empty()))
    };
    ["KSampler", "CLIPTextEncode"].iter().all(|class| definitions.contains(class))
        && (has_models("CheckpointLoaderSimple", "ckpt_name") || has_models("UNETLoader", "unet_name"))
}

/// The choices of a form.
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

/// The score of the words in these texts, and the words that match.
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

/// Whether two words are the same but for their endings.
fn is_same(one: &str, other: &str) -> bool {
    if one == other {
        return true;
    }
    // Korean adds particles to words: 산이, 산을.
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

/// The meaningful words of a text, each once, in their order.
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
    fn only_whole_words_match() {
        let (score, found) = reasons("a cat in a red hat", "Cathedral Window", "Red glass, that fills a wall");
        assert_eq!((score, found), (1, vec!["red".to_owned()]), "the one word that is really there");
    }

    #[test]
    fn words_match_with_other_endings_in_both_languages() {
        assert_eq!(reasons("a misty mountain at dusk", "Misty Mountains", "").1, ["misty", "mountain"]);
        assert_eq!(reasons("안개산을 그려줘", "안개산", "").1, ["안개산을"]);
        assert_eq!(reasons("Cafe\u{301}", "Caf\u{e9}", "").1, ["caf\u{e9}"]);
        assert_eq!(reasons("paint", "Pain", "").1, Vec::<String>::new());
    }

    #[test]
    fn stop_words_do_not_match() {
        assert_eq!(words("Make me a picture of the sea, please: THE sea!"), ["sea"]);
    }
}
