//! HTML from people (descriptions, comments, notices), cut down to what the editor's toolbar makes.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use ammonia::{Builder, UrlRelative};

static CLEANER: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut cleaner = Builder::empty();
    cleaner
        .tags(HashSet::from(["h2", "h3", "h4", "p", "br", "strong", "em", "u", "a", "img", "ul", "ol", "li"]))
        // What was never meant to be read goes with its contents; of other tags the text stays.
        .clean_content_tags(HashSet::from([
            "script", "style", "template", "iframe", "object", "noscript", "svg", "math",
        ]))
        .tag_attributes(HashMap::from([("a", HashSet::from(["href"])), ("img", HashSet::from(["src", "alt"]))]))
        .url_schemes(HashSet::from(["http", "https", "mailto"]))
        // `//host/path` leaves our host and would pass as relative.
        .url_relative(UrlRelative::PassThrough)
        .attribute_filter(|element, attribute, value| match (element, attribute) {
            // Pictures come from our own media only: another host would learn who reads.
            ("img", "src") if !value.starts_with("/media/") => None,
            ("a", "href") if value.trim_start().starts_with("//") || value.contains('\\') => None,
            _ => Some(value.into()),
        })
        .link_rel(Some("ugc nofollow noopener"));
    cleaner
});

/// The HTML that may be stored and shown. Applied on write and again on read, so that a rule made stricter later
/// reaches what was stored before. Cleaning twice changes nothing more.
#[must_use]
pub fn clean(html: &str) -> String {
    CLEANER.clean(html).to_string()
}

/// The text of such HTML, trimmed: what is counted, searched and quoted. Paragraphs and line breaks become spaces.
#[must_use]
pub fn text(html: &str) -> String {
    let spaced = BREAKS.iter().fold(html.to_owned(), |html, end| html.replace(end, &format!(" {end}")));
    let escaped = Builder::empty().clean(&spaced).to_string();
    let plain = ENTITIES.iter().fold(escaped, |text, (entity, character)| text.replace(entity, character));
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
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
    !html.contains("<img ") && text(html).is_empty()
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

    proptest! {
        #[test]
        fn cleaning_again_changes_nothing(html in "[<>a-z/ \"'=&;#!-]{0,60}|(<(p|a|img|script|b|svg|li|br)( (href|src|onload)=\"[a-z:/]{0,9}\")?>|</(p|a|li)>|x){0,12}") {
            let once = clean(&html);
            prop_assert_eq!(clean(&once), once);
        }
    }
}
