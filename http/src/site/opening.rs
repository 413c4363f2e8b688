//! Text that a page shows before its scripts have loaded: seconds earlier on a slow phone. The app replaces it once it
//! shows as much. Pictures load after the scripts, because the form waits for everything that is fetched before it.
//!
//! `web/src/shared/theme/opening.css` places name and text where a mini app's page shows them.

use std::fmt::Write as _;

use verdigraph_core::html;

use super::head::{PageMeta, escaped};

/// Placeholder in the built page.
const PLACE: &str = "<!-- opening -->";
/// Longer descriptions are left to the app, in bytes.
const DESCRIPTION: usize = 8_000;

/// What a page is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    /// HTML as its author wrote it.
    pub description: String,
}

/// The page with its opening, or unchanged.
#[must_use]
pub fn fill(page: &str, subject: &PageMeta) -> String {
    match &subject.opening {
        Some(opening) => page.replacen(PLACE, &drawn(subject, opening), 1),
        None => page.to_owned(),
    }
}

fn drawn(subject: &PageMeta, opening: &Opening) -> String {
    let mut page = String::from("<main class=\"opening\"><span class=\"opening-picture\"></span>");
    // Writing to a String cannot fail.
    let _ = write!(page, "<div><h1>{}</h1>", escaped(&subject.title));
    if let Some(author) = &subject.author {
        let _ = write!(page, "<p class=\"opening-author\">{}</p>", escaped(author));
    }
    page.push_str("</div>");
    if opening.description.len() <= DESCRIPTION {
        let _ = write!(page, "<div class=\"opening-text\">{}</div>", html::clean(&opening.description));
    }
    page.push_str("</main>");
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "<body><div id=\"root\"><!-- opening --></div></body>";

    fn subject(title: &str, description: &str) -> PageMeta {
        PageMeta {
            title: title.into(),
            description: "plain".into(),
            author: Some("Ada <b>".into()),
            image: None,
            opening: Some(Opening { description: description.into() }),
            path: "/easy-app/1".into(),
            kind: "article",
            is_embedded: true,
        }
    }

    #[test]
    fn page_shows_title_and_description_before_scripts_load() {
        let page = fill(PAGE, &subject("Silk", "<p>Waves of <strong>silk</strong></p>"));
        for part in [
            "<span class=\"opening-picture\"></span>",
            "<h1>Silk</h1>",
            "Ada &lt;b&gt;",
            "<p>Waves of <strong>silk</strong></p>",
        ] {
            assert!(page.contains(part), "{part} is missing in {page}");
        }
        assert!(!page.contains("<img"), "a picture is fetched before the form: {page}");
    }

    #[test]
    fn users_html_is_cleaned() {
        let wild = "<script>alert(1)</script><img src=\"https://b.example/a.png\" onerror=\"alert(1)\"><p>text";
        let page = fill(PAGE, &subject("<script>alert(2)</script>", wild));
        for part in ["<script", "onerror", "b.example"] {
            assert!(!page.contains(part), "{part} stands in {page}");
        }
        assert!(page.contains("<p>text</p>"), "{page}");
        assert!(page.ends_with("</main></div></body>"), "an open tag took the rest of {page}");
    }

    #[test]
    fn very_long_description_is_left_to_the_app() {
        let page = fill(PAGE, &subject("Silk", &"<p>word</p>".repeat(1_000)));
        assert!(page.contains("<h1>Silk</h1>"));
        assert!(!page.contains("word"), "the page is long before its first script");
    }

    #[test]
    fn page_without_an_opening_is_unchanged() {
        let nothing = PageMeta { opening: None, ..subject("Silk", "") };
        assert_eq!(fill(PAGE, &nothing), PAGE);
    }
}
