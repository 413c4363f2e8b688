//! HTML from people (descriptions, comments, notices), cut down to what the editor's toolbar makes.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, LazyLock};

use ammonia::{Builder, UrlRelative};

use crate::cache::Cache;
use crate::names;

static CLEANER: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut cleaner = Builder::empty();
    cleaner
        .tags(HashSet::from(["h2", "h3", "h4", "p", "br", "strong", "em", "u", "a", "img", "ul", "ol", "li"]))
        // What was never meant to be read goes with its contents; of other tags the text stays.
        .clean_content_tags(HashSet::from([
            "script", "style", "template", "iframe", "object", "noscript", "svg", "math",
        ]))
        .tag_attributes(HashMap::from([("a", HashSet::from(["href"])), ("img", HashSet::from(["src", "alt"]))]))
        // Of itself the cleaner would leave titles and languages on all of them.
        .generic_attributes(HashSet::new())
        .url_schemes(HashSet::from(["http", "https", "mailto"]))
        // `//host/path` leaves our host and would pass as relative.
        .url_relative(UrlRelative::PassThrough)
        .attribute_filter(|element, attribute, value| match (element, attribute) {
            ("img", "src") if !is_our_media(value) => None,
            ("a", "href") if !is_plain(value) => None,
            _ => Some(value.into()),
        })
        .link_rel(Some("ugc nofollow noopener"));
    cleaner
});

/// Pictures come from our own media only: another host would learn who reads, and another address of ours would be
/// asked for with the reader's session.
fn is_our_media(address: &str) -> bool {
    let is_name = |name: &str| {
        !name.is_empty()
            && !name.starts_with('.')
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_'))
    };
    address.strip_prefix("/media/").is_some_and(|rest| rest.split('/').all(is_name))
}

/// Whether an address is read by a browser as it is by us: it says where it leads, what browsers pass over or turn
/// round is not there, and it does not leave our host by beginning with `//`.
fn is_plain(address: &str) -> bool {
    let lower = address.to_ascii_lowercase();
    let is_told = ["https://", "http://", "mailto:", "/", "#"].iter().any(|start| lower.starts_with(start));
    is_told
        && !address.starts_with("//")
        && !address.chars().any(|c| c == '\\' || c.is_whitespace() || names::is_hidden(c))
}

/// What became of HTML that was cleaned since this process began: `None` where all of it stays. A list is read much more
/// often than written, and reading its texts as a browser would costs more than all else that is done for it.
static CLEANED: LazyLock<Cache<String, Option<Arc<str>>>> = LazyLock::new(|| Cache::of_weight(REMEMBERED, TYPICAL));

/// Bytes of HTML that are remembered.
const REMEMBERED: u64 = 64 * 1024 * 1024;
const TYPICAL: u64 = 1000;

/// The HTML that may be stored and shown. Applied on write and again on read, so that a rule made stricter later
/// reaches what was stored before. Cleaning twice changes nothing more.
#[must_use]
pub fn clean(html: &str) -> String {
    if let Some(known) = CLEANED.get(html) {
        return known.map_or_else(|| html.to_owned(), |cleaned| (*cleaned).to_owned());
    }
    let cleaned = settled(html);
    let kept: Option<Arc<str>> = (cleaned != html).then(|| Arc::from(cleaned.as_str()));
    let bytes = html.len() + kept.as_ref().map_or(0, |kept| kept.len());
    CLEANED.insert_weighing(html.to_owned(), kept, u32::try_from(bytes).unwrap_or(u32::MAX));
    cleaned
}

fn settled(html: &str) -> String {
    // The stroke U+0338 would become one sign with the brackets of markup.
    let composed = if html.contains('\u{338}') { html.to_owned() } else { names::composed(html) };
    let mut cleaned = CLEANER.clean(&names::undisturbed(&composed)).to_string();
    // What was written as an entity is a character by now.
    if cleaned.contains(names::is_disruptive) {
        cleaned = names::undisturbed(&cleaned);
    }
    // Elements in places that they cannot have move when they are read again; they come to rest at once.
    for _ in 0..SETTLING {
        let again = CLEANER.clean(&cleaned).to_string();
        if again == cleaned {
            break;
        }
        cleaned = again;
    }
    cleaned
}

/// How often what moves is read again.
const SETTLING: usize = 4;

/// The text of such HTML, trimmed: what is counted, searched and quoted. Paragraphs and line breaks become spaces.
#[must_use]
pub fn text(html: &str) -> String {
    let spaced = BREAKS.iter().fold(html.to_owned(), |html, end| html.replace(end, &format!(" {end}")));
    let escaped = Builder::empty().clean(&spaced).to_string();
    let plain = ENTITIES.iter().fold(escaped, |text, (entity, character)| text.replace(entity, character));
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The files of our own media that cleaned HTML names, as addresses do: `<content>.<extension>`.
pub fn media(html: &str) -> impl Iterator<Item = &str> {
    html.split("=\"/media/").skip(1).filter_map(|rest| rest.split('"').next()?.rsplit('/').next())
}

/// Text as such HTML: each line a paragraph, and no sign of it read as a tag.
#[must_use]
pub fn of_text(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines
        .map(|line| format!("<p>{}</p>", line.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")))
        .collect()
}

/// Whether such HTML, once cleaned, shows a reader nothing: neither text nor a picture.
#[must_use]
pub fn is_blank(html: &str) -> bool {
    !html.contains("<img ") && names::is_blank(&text(html))
}

/// Ends of blocks, behind which a word does not go on.
const BREAKS: [&str; 7] = ["</p>", "<br", "</h2>", "</h3>", "</h4>", "</li>", "<li>"];

/// What the cleaner writes for characters that mean something in HTML; `&amp;` last, or it would be read twice.
const ENTITIES: [(&str, &str); 5] = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&nbsp;", " "), ("&amp;", "&")];

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{clean, text};

    #[test]
    fn what_is_remembered_is_what_was_cleaned() {
        for html in ["<p>kept</p>", "<p onclick=\"x()\">cut</p>", "<script>x()</script>", "", "a & b"] {
            let first = clean(html);
            assert_eq!(clean(html), first, "{html}");
            assert_eq!(super::settled(html), first, "{html}");
        }
    }

    #[test]
    fn what_the_toolbar_makes_stays() {
        let html = "<h2>Title</h2><p>Some <strong>bold</strong>, <em>slanted</em>, <u>underlined</u><br></p>\
                    <ul><li>one</li></ul><img src=\"/media/raw/ab.png\" alt=\"a cat\">";
        assert_eq!(clean(html), html);
        assert_eq!(
            clean("<a href=\"https://example.com/?a=1\">there</a>"),
            "<a href=\"https://example.com/?a=1\" rel=\"ugc nofollow noopener\">there</a>"
        );
    }

    #[test]
    fn nothing_that_runs_or_calls_out_is_left() {
        for attack in [
            "<script>alert(1)</script>",
            "<img src=x onerror=alert(1)>",
            "<img src=\"https://elsewhere.example/pixel.png\">",
            "<img src=\"//elsewhere.example/pixel.png\">",
            "<a href=\"javascript:alert(1)\">x</a>",
            "<a href=\" java\tscript:alert(1)\">x</a>",
            "<a href=\"data:text/html,<script>alert(1)</script>\">x</a>",
            "<a href=\"//elsewhere.example\">x</a>",
            "<a href=\"/\\elsewhere.example\">x</a>",
            "<svg><script>alert(1)</script></svg>",
            "<svg onload=alert(1)>",
            "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
            "<iframe src=\"https://elsewhere.example\"></iframe>",
            "<p style=\"background:url(//elsewhere.example)\" class=\"x\" onclick=\"alert(1)\">x</p>",
            "<scr<script>ipt>alert(1)</script>",
            "<form action=/api><input name=a></form>",
            "<style>*{background:url(//elsewhere.example)}</style>",
            "<p><object data=\"x\"></object><embed src=x><base href=//elsewhere.example></p>",
            "<a href=\"https://ok.example\" target=_blank onmouseover=alert(1)>x</a>",
        ] {
            let cleaned = clean(attack).to_lowercase();
            for word in [
                "<script",
                "javascript:",
                "onerror",
                "onload",
                "onclick",
                "onmouseover",
                "elsewhere",
                "style",
                "data:",
                "<iframe",
                "<svg",
                "<form",
                "<base",
                "class=",
            ] {
                assert!(!cleaned.contains(word), "{attack} left {cleaned}");
            }
        }
    }

    #[test]
    fn the_text_is_what_a_reader_sees() {
        assert_eq!(text("<p>Fish &amp; <b>chips</b> &lt;3</p><p>two</p>a<br>b<img src=x>"), "Fish & chips <3 two a b");
        assert_eq!(text("<p> </p><p><br></p>&nbsp;"), "");
        assert_eq!(text("&amp;lt;script&amp;gt;"), "&lt;script&gt;", "what was escaped twice is read once");
        assert_eq!(text("<script>alert(1)</script>안녕"), "안녕");
    }

    #[derive(serde::Deserialize)]
    struct Case {
        class: String,
        text: String,
    }

    /// Attacks by their class.
    fn corpus() -> Vec<Case> {
        serde_json::from_str(include_str!("../tests/data/xss.json")).expect("the corpus")
    }

    /// Reads cleaned HTML by a grammar that knows nothing but what is allowed, so that whatever else is left is a
    /// complaint, and not something that a tolerant parser mends.
    fn complaint(html: &str) -> Option<String> {
        let mut rest = html;
        while let Some(start) = rest.find('<') {
            let Some(end) = rest[start..].find('>').map(|end| start + end) else { return Some("an open <".into()) };
            let tag = &rest[start + 1..end];
            rest = &rest[end + 1..];
            let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
            let allowed: &[&str] = match name.trim_start_matches('/') {
                "a" => &["href", "rel"],
                "img" => &["src", "alt"],
                "h2" | "h3" | "h4" | "p" | "br" | "strong" | "em" | "u" | "ul" | "ol" | "li" => &[],
                other => return Some(format!("element <{other}>")),
            };
            let mut left = attributes;
            while !left.is_empty() {
                let Some((name, value, behind)) = attribute(left) else {
                    return Some(format!("attributes {attributes}"));
                };
                if !allowed.contains(&name) {
                    return Some(format!("attribute {name}"));
                }
                let is_safe = match name {
                    "href" => leads_to_a_page(value),
                    "src" => value.starts_with("/media/") && !value.contains("..") && !value.contains('%'),
                    "rel" => value == "ugc nofollow noopener",
                    _ => !value.contains('<') && !value.contains('>'),
                };
                if !is_safe {
                    return Some(format!("{name}={value}"));
                }
                left = behind;
            }
        }
        rest.contains('>').then(|| format!("a stray > in {html}"))
    }

    fn attribute(text: &str) -> Option<(&str, &str, &str)> {
        let (name, rest) = text.split_once("=\"")?;
        let (value, rest) = rest.split_once('"')?;
        let behind = if rest.is_empty() { rest } else { rest.strip_prefix(' ')? };
        Some((name, value, behind))
    }

    fn leads_to_a_page(address: &str) -> bool {
        let lower = address.replace("&amp;", "&").to_ascii_lowercase();
        let scheme = lower.split_once(':').map(|(scheme, _)| scheme).filter(|scheme| !scheme.contains(['/', '?', '#']));
        let is_ours = scheme.is_none() && !lower.starts_with("//") && !lower.starts_with("/\\");
        is_ours || matches!(scheme, Some("http" | "https" | "mailto"))
    }

    #[test]
    fn no_attack_of_the_corpus_leaves_anything_that_is_not_allowed() {
        let corpus = corpus();
        assert!(corpus.len() >= 300, "the corpus has shrunk to {}", corpus.len());
        let mut wrong = Vec::new();
        for Case { class, text: attack } in &corpus {
            let written = clean(attack);
            if let Some(complaint) = complaint(&written) {
                wrong.push(format!("{class}: {attack:?} leaves {complaint} in {written:?}"));
            }
            let read = clean(&written);
            if read != written {
                wrong.push(format!("{class}: {attack:?} is read as {read:?} and was written as {written:?}"));
            }
        }
        assert!(wrong.is_empty(), "{} of {}: {wrong:#?}", wrong.len(), corpus.len());
    }

    #[test]
    fn attacks_in_a_row_open_nothing_for_each_other() {
        let corpus = corpus();
        for pair in corpus.windows(3) {
            let joined: String = pair.iter().map(|case| case.text.as_str()).collect();
            let written = clean(&joined);
            assert_eq!(complaint(&written), None, "{joined:?} leaves {written:?}");
            assert_eq!(clean(&written), written, "{joined:?}");
        }
    }

    #[test]
    fn the_grammar_of_this_test_sees_what_is_wrong() {
        for bad in [
            "<script>x</script>",
            "<p onclick=\"x\">",
            "<p class=\"x\">x</p>",
            "<a href=\"javascript:x\">x</a>",
            "<a href=\"//x\">x</a>",
            "<img src=\"https://x/media/\">",
            "<img src=\"/media/../api\">",
            "<img alt=x>",
            "x > y",
        ] {
            assert!(complaint(bad).is_some(), "{bad} passes");
        }
        assert_eq!(complaint("<p>x <a href=\"https://x.example/?a=1&amp;b=2\">y</a> &lt;b&gt;</p>"), None);
    }

    proptest! {
        #[test]
        fn cleaning_again_changes_nothing(html in "[<>a-z/ \"'=&;#!-]{0,60}|(<(p|a|img|script|b|svg|li|br)( (href|src|onload)=\"[a-z:/]{0,9}\")?>|</(p|a|li)>|x){0,12}") {
            let once = clean(&html);
            prop_assert_eq!(clean(&once), once);
        }
    }
}
