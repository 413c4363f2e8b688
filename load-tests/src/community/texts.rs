//! Names and texts from a small vocabulary, in which some words are common and most are rare.

use super::random::{Draw, SeededRandom};

const ENGLISH: [&str; 64] = [
    "light",
    "mist",
    "harbor",
    "forest",
    "night",
    "city",
    "portrait",
    "river",
    "glass",
    "storm",
    "garden",
    "mountain",
    "neon",
    "paper",
    "winter",
    "golden",
    "quiet",
    "shadow",
    "ocean",
    "desert",
    "lantern",
    "cinematic",
    "watercolor",
    "bridge",
    "castle",
    "meadow",
    "copper",
    "velvet",
    "crystal",
    "autumn",
    "temple",
    "sailor",
    "comet",
    "violet",
    "ember",
    "marble",
    "orchid",
    "raven",
    "valley",
    "thunder",
    "ivory",
    "canyon",
    "lotus",
    "silver",
    "falcon",
    "lagoon",
    "mosaic",
    "nebula",
    "prairie",
    "quartz",
    "saffron",
    "tundra",
    "willow",
    "zephyr",
    "amber",
    "basalt",
    "cobalt",
    "dahlia",
    "fjord",
    "glacier",
    "heron",
    "indigo",
    "juniper",
    "kestrel",
];
const KOREAN: [&str; 16] = [
    "풍경",
    "사진",
    "인물",
    "바다",
    "도시",
    "밤하늘",
    "수채화",
    "정원",
    "겨울",
    "노을",
    "강가",
    "숲속",
    "등불",
    "구름",
    "거리",
    "고양이",
];

/// A word. The first ones of the vocabulary are common.
fn word(random: SeededRandom, number: u64) -> &'static str {
    let share = random.share(Draw::Words, number);
    let list: &[&str] = if number.is_multiple_of(7) { &KOREAN } else { &ENGLISH };
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a place in a short list"
    )]
    let place = (share * share * list.len() as f64) as usize;
    list.get(place).copied().unwrap_or("light")
}

/// The `number`-th text, with this many words.
pub(super) fn text(random: SeededRandom, number: u64, words: u64) -> String {
    let mut text = String::with_capacity(usize::try_from(words).unwrap_or(0) * 8);
    for place in 0..words {
        if place > 0 {
            text.push(' ');
        }
        text.push_str(word(random, number.wrapping_mul(1009).wrapping_add(place)));
    }
    text
}

/// A text in paragraphs, in the editor's HTML.
pub(super) fn html(random: SeededRandom, number: u64, words: u64) -> String {
    let mut html = String::with_capacity(usize::try_from(words).unwrap_or(0) * 8 + 32);
    let mut left = words.max(1);
    let mut paragraph = 0;
    while left > 0 {
        let now = left.min(30);
        let text = text(random, number.wrapping_mul(31).wrapping_add(paragraph), now);
        html.push_str("<p>");
        match text.split_once(' ') {
            // Some words are bold.
            Some((first, rest)) if (number + paragraph).is_multiple_of(5) => {
                html.push_str(&format!("<strong>{first}</strong> {rest}"));
            }
            _ => html.push_str(&text),
        }
        html.push_str("</p>");
        left -= now;
        paragraph += 1;
    }
    html
}
