//! What a page asks for first, told to the browser with the page itself: its code and its data then travel beside the
//! program instead of after it.
//!
//! The list is `ahead.json`, which the build of the web app writes from `web/src/app/ahead.ts` with the names that its
//! files got.

use std::borrow::Cow;

use actix_web::http::header::HeaderValue;
use serde::Deserialize;

/// Characters of the part of an address that a pattern leaves open; ids have 36.
const OPEN_PART: usize = 64;

#[derive(Debug, Deserialize)]
struct Page {
    /// The address; a part that begins with a colon is open: `/workflows/:id`.
    path: String,
    /// Scripts and styles, the program's own first.
    files: Vec<String>,
    /// What a guest's page asks the API, with the open parts of the address.
    guest: Vec<String>,
    /// The same of somebody who is signed in.
    user: Vec<String>,
}

/// Whose calls to the API are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    Guests,
    Users,
    /// The address asks for something else than the page shows by itself.
    Nobodys,
}

/// The `Link` header of the page at `path`; none where nothing is known of it. `told` is the list.
pub fn link(told: &[u8], path: &str, whose: Whose) -> Option<HeaderValue> {
    let pages: Vec<Page> = serde_json::from_slice(told).ok()?;
    let (page, open) = pages.iter().find_map(|page| Some((page, matched(&page.path, path)?)))?;
    let asked: &[String] = match whose {
        Whose::Guests => &page.guest,
        Whose::Users => &page.user,
        Whose::Nobodys => &[],
    };
    let files = page.files.iter().map(|file| match file.ends_with(".css") {
        true => format!("</{file}>; rel=preload; as=style; crossorigin"),
        false => format!("</{file}>; rel=modulepreload"),
    });
    let data = asked.iter().map(|url| format!("<{}>; rel=preload; as=fetch; crossorigin", filled(url, &open)));
    let links: Vec<String> = files.chain(data).collect();
    if links.is_empty() { None } else { HeaderValue::from_str(&links.join(", ")).ok() }
}

/// The open parts of a pattern with what stands there in `path`; `None` where they do not fit.
fn matched<'a>(pattern: &'a str, path: &'a str) -> Option<Vec<(&'a str, &'a str)>> {
    let parts = |text: &'a str| text.trim_matches('/').split('/');
    if parts(pattern).count() != parts(path).count() {
        return None;
    }
    let mut open = Vec::new();
    for (wanted, given) in parts(pattern).zip(parts(path)) {
        if wanted.starts_with(':') && is_plain(given) {
            open.push((wanted, given));
        } else if wanted != given {
            return None;
        }
    }
    Some(open)
}

/// Whether somebody's part of an address may stand in a header.
fn is_plain(part: &str) -> bool {
    (1..=OPEN_PART).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

fn filled<'a>(url: &'a str, open: &[(&str, &str)]) -> Cow<'a, str> {
    open.iter().fold(Cow::Borrowed(url), |url, (name, value)| Cow::Owned(url.replace(name, value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOLD: &[u8] = br#"[
        {"path": "/", "files": ["assets/first.js", "assets/home.css"], "guest": ["/api/public/mini-app?limit=24"],
         "user": ["/api/auth", "/api/public/mini-app?limit=24"]},
        {"path": "/workflows/edit", "files": [], "guest": [], "user": ["/api/auth"]},
        {"path": "/workflows/:id", "files": [], "guest": ["/api/public/workflow/:id"],
         "user": ["/api/general/workflow/:id"]}
    ]"#;

    fn told(path: &str, whose: Whose) -> Option<String> {
        link(TOLD, path, whose).map(|value| value.to_str().expect("text").to_owned())
    }

    #[test]
    fn a_page_comes_with_the_names_of_its_files_and_of_what_it_asks() {
        assert_eq!(
            told("/", Whose::Guests).expect("a header"),
            "</assets/first.js>; rel=modulepreload, </assets/home.css>; rel=preload; as=style; crossorigin, \
             </api/public/mini-app?limit=24>; rel=preload; as=fetch; crossorigin"
        );
        assert!(told("/", Whose::Users).expect("a header").contains("</api/auth>; rel=preload; as=fetch; crossorigin"));
    }

    #[test]
    fn the_open_part_of_an_address_is_asked_for() {
        let asked = "</api/public/workflow/0199-ab>; rel=preload; as=fetch; crossorigin";
        assert_eq!(told("/workflows/0199-ab", Whose::Guests).as_deref(), Some(asked));
        assert!(told("/workflows/0199-ab", Whose::Users).expect("a header").contains("/api/general/workflow/0199-ab"));
        assert_eq!(told("/workflows/edit", Whose::Guests), None, "the closed pattern comes first");
        assert_eq!(told("/workflows/0199-ab", Whose::Nobodys), None);
    }

    #[test]
    fn an_address_that_could_break_out_of_a_header_has_none() {
        for path in
            ["/workflows/a>;rel=x", "/workflows/a%0d%0a", "/workflows/a,b", "/workflows/", "/workflows/a/b", "/x"]
        {
            assert_eq!(told(path, Whose::Guests), None, "{path}");
        }
        assert_eq!(told(&format!("/workflows/{}", "a".repeat(65)), Whose::Guests), None, "too long");
        assert!(link(b"not json", "/", Whose::Guests).is_none());
    }
}
