//! What a page shows before the program has come: what it is about, as text. On a slow phone that is seconds earlier. The
//! program puts its own page in the place of it once that shows as much. Pictures come after the program, because the form
//! waits for all that is fetched before it.
//!
//! `web/src/shared/theme/opening.css` draws name and text where the page of a mini app shows them.

use std::fmt::Write as _;

use verdigraph_core::html;

use super::head::{Subject, escaped};

/// Where it stands in the page as it is built.
const PLACE: &str = "<!-- opening -->";
/// Bytes of a description beyond which it is left to the program.
const DESCRIPTION: usize = 8_000;

/// What a page is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    /// HTML as its author wrote it.
    pub description: String,
}

/// The page with its opening; the page as it is where there is none.
#[must_use]
pub fn fill(page: &str, subject: &Subject) -> String {
    match &subject.opening {
        Some(opening) => page.replacen(PLACE, &drawn(subject, opening), 1),
        None => page.to_owned(),
    }
}

fn drawn(subject: &Subject, opening: &Opening) -> String {
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

    fn subject(title: &str, description: &str) -> Subject {
        Subject {
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
    fn a_page_shows_what_it_is_about_before_the_program_has_come() {
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
    fn what_people_write_runs_nothing_before_the_program_has_come() {
        let wild = "<script>alert(1)</script><img src=\"https://b.example/a.png\" onerror=\"alert(1)\"><p>text";
        let page = fill(PAGE, &subject("<script>alert(2)</script>", wild));
        for part in ["<script", "onerror", "b.example"] {
            assert!(!page.contains(part), "{part} stands in {page}");
        }
        assert!(page.contains("<p>text</p>"), "{page}");
        assert!(page.ends_with("</main></div></body>"), "an open tag took the rest of {page}");
    }

    #[test]
    fn a_very_long_description_is_left_to_the_program() {
        let page = fill(PAGE, &subject("Silk", &"<p>word</p>".repeat(1_000)));
        assert!(page.contains("<h1>Silk</h1>"));
        assert!(!page.contains("word"), "the page is long before its first script");
    }

    #[test]
    fn a_page_without_an_opening_stays_as_it_is() {
        let nothing = Subject { opening: None, ..subject("Silk", "") };
        assert_eq!(fill(PAGE, &nothing), PAGE);
    }
}
