//! Sanitizes users' HTML (descriptions, comments, notices) to what the editor's toolbar can produce.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, LazyLock};

use ammonia::{Builder, UrlRelative};

use crate::cache::Cache;
use crate::names;

static CLEANER: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut cleaner = Builder::empty();
    cleaner
        .tags(HashSet::from(["h2", "h3", "h4", "p", "br", "strong", "em", "u", "a", "img", "ul", "ol", "li"]))
        // The content of these is dropped too; of other tags the text is kept.
        .clean_content_tags(HashSet::from([
            "script", "style", "template", "iframe", "object", "noscript", "svg", "math",
        ]))
        .tag_attributes(HashMap::from([("a", HashSet::from(["href"])), ("img", HashSet::from(["src", "alt"]))]))
        // By default the cleaner allows titles and languages on all elements.
        .generic_attributes(HashSet::new())
        .url_schemes(HashSet::from(["http", "https", "mailto"]))
        // `//host/path` leaves our host but would count as relative.
        .url_relative(UrlRelative::PassThrough)
        .attribute_filter(|element, attribute, value| match (element, attribute) {
            ("img", "src") if !is_our_media(value) => None,
            ("a", "href") if !is_plain(value) => None,
            _ => Some(value.into()),
        })
        .link_rel(Some("ugc nofollow noopener"));
    cleaner
});

/// Pictures must be our own media: another host would see the readers, and another path of ours would be requested with
/// the reader's session.
fn is_our_media(address: &str) -> bool {
    let is_name = |name: &str| {
        !name.is_empty()
            && !name.starts_with('.')
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_'))
    };
    address.strip_prefix("/media/").is_some_and(|rest| rest.split('/').all(is_name))
}

/// Whether browsers read a URL as we do: with a known start, without characters that browsers ignore or reorder, and
/// not leaving our host with `//`.
fn is_plain(address: &str) -> bool {
    let lower = address.to_ascii_lowercase();
    let is_told = ["https://", "http://", "mailto:", "/", "#"].iter().any(|start| lower.starts_with(start));
    is_told
        && !address.starts_with("//")
        && !address.chars().any(|c| c == '\\' || c.is_whitespace() || names::is_hidden(c))
}

/// The results of cleaning: `None` if the HTML is unchanged. HTML is shown much more often than written, and parsing it
/// dominates the cost of a list.
static CLEANED: LazyLock<Cache<String, Option<Arc<str>>>> = LazyLock::new(|| Cache::with_weight(REMEMBERED, TYPICAL));

/// Maximum size of cached HTML in bytes.
const REMEMBERED: u64 = 64 * 1024 * 1024;
const TYPICAL: u64 = 1000;

/// The sanitized HTML. Applied on write and again on read, so that stricter rules also apply to stored HTML.
/// Idempotent.
#[must_use]
pub fn clean(html: &str) -> String {
    if let Some(known) = CLEANED.get(html) {
        return known.map_or_else(|| html.to_owned(), |cleaned| (*cleaned).to_owned());
    }
    let cleaned = settled(html);
    let kept: Option<Arc<str>> = (cleaned != html).then(|| Arc::from(cleaned.as_str()));
    let bytes = html.len() + kept.as_ref().map_or(0, |kept| kept.len());
    CLEANED.insert_weighted(html.to_owned(), kept, u32::try_from(bytes).unwrap_or(u32::MAX));
    cleaned
}

fn settled(html: &str) -> String {
    // The combining stroke U+0338 would merge with the brackets of tags.
    let composed = if html.contains('\u{338}') { html.to_owned() } else { names::composed(html) };
    let mut cleaned = CLEANER.clean(&names::without_disruptive(&composed)).to_string();
    // Entities are characters by now.
    if cleaned.contains(names::is_disruptive) {
        cleaned = names::without_disruptive(&cleaned);
    }
    // Misplaced elements move when HTML is parsed again; repeated until stable.
    for _ in 0..SETTLING {
        let again = CLEANER.clean(&cleaned).to_string();
        if again == cleaned {
            break;
        }
        cleaned = again;
    }
    cleaned
}

/// Maximum number of parses.
const SETTLING: usize = 4;

/// The text of sanitized HTML, for counting, search and quotes. Paragraphs and line breaks become spaces.
#[must_use]
pub fn text(html: &str) -> String {
    let spaced = BREAKS.iter().fold(html.to_owned(), |html, end| html.replace(end, &format!(" {end}")));
    let escaped = Builder::empty().clean(&spaced).to_string();
    let plain = ENTITIES.iter().fold(escaped, |text, (entity, character)| text.replace(entity, character));
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The media files in sanitized HTML, as in URLs: `<content>.<extension>`.
pub fn media(html: &str) -> impl Iterator<Item = &str> {
    html.split("=\"/media/").skip(1).filter_map(|rest| rest.split('"').next()?.rsplit('/').next())
}

/// Converts text to HTML, one paragraph per line, with tags escaped.
#[must_use]
pub fn of_text(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.map(|line| format!("<p>{}</p>", escaped(line))).collect()
}

/// Text for a place between tags.
#[must_use]
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Whether sanitized HTML has neither text nor a picture.
#[must_use]
pub fn is_blank(html: &str) -> bool {
    !html.contains("<img ") && names::is_blank(&text(html))
}

/// Ends of blocks, which separate words.
const BREAKS: [&str; 7] = ["</p>", "<br", "</h2>", "</h3>", "</h4>", "</li>", "<li>"];

/// Entities written by the cleaner; `&amp;` last, to avoid decoding twice.
const ENTITIES: [(&str, &str); 5] = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&nbsp;", " "), ("&amp;", "&")];

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{clean, text};

    #[test]
    fn cached_result_equals_the_cleaned_html() {
        for html in ["<p>kept</p>", "<p onclick=\"x()\">cut</p>", "<script>x()</script>", "", "a & b"] {
            let first = clean(html);
            assert_eq!(clean(html), first, "{html}");
            assert_eq!(super::settled(html), first, "{html}");
        }
    }

    #[test]
    fn toolbar_html_is_kept() {
        let html = "<h2>Title</h2><p>Some <strong>bold</strong>, <em>slanted</em>, <u>underlined</u><br></p>\
                    <ul><li>one</li></ul><img src=\"/media/raw/ab.png\" alt=\"a cat\">";
        assert_eq!(clean(html), html);
        assert_eq!(
            clean("<a href=\"https://example.com/?a=1\">there</a>"),
            "<a href=\"https://example.com/?a=1\" rel=\"ugc nofollow noopener\">there</a>"
        );
    }

    #[test]
    fn active_and_external_content_is_removed() {
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
    fn text_is_what_a_reader_sees() {
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

    fn corpus() -> Vec<Case> {
        serde_json::from_str(include_str!("../tests/data/xss.json")).expect("the corpus")
    }

    /// Checks sanitized HTML with a strict grammar of what is allowed, and returns the first violation. A tolerant
    /// parser would hide violations.
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
    fn no_attack_of_the_corpus_leaves_forbidden_html() {
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
    fn concatenated_attacks_leave_no_forbidden_html() {
        let corpus = corpus();
        for pair in corpus.windows(3) {
            let joined: String = pair.iter().map(|case| case.text.as_str()).collect();
            let written = clean(&joined);
            assert_eq!(complaint(&written), None, "{joined:?} leaves {written:?}");
            assert_eq!(clean(&written), written, "{joined:?}");
        }
    }

    #[test]
    fn the_strict_grammar_finds_violations() {
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
        fn cleaning_is_idempotent(html in "[<>a-z/ \"'=&;#!-]{0,60}|(<(p|a|img|script|b|svg|li|br)( (href|src|onload)=\"[a-z:/]{0,9}\")?>|</(p|a|li)>|x){0,12}") {
            let once = clean(&html);
            prop_assert_eq!(clean(&once), once);
        }
    }
}
