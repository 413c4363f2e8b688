//! Preload headers: a page names its scripts and its first API calls, so that the browser fetches them in parallel.
//!
//! The list is `ahead.json`, which the build of the web app writes from `web/src/app/preloads.ts` with the names of the
//! built files.

use std::borrow::Cow;

use actix_web::http::header::HeaderValue;
use serde::Deserialize;

/// Longest value of a path parameter; ids have 36 characters.
const MAX_PARAMETER: usize = 64;

#[derive(Debug, Deserialize)]
struct Page {
    /// The path; a segment that begins with a colon is a parameter: `/workflows/:id`.
    path: String,
    /// Scripts and styles, the app's own first.
    files: Vec<String>,
    /// API calls of a guest's page, with the path's parameters.
    guest: Vec<String>,
    /// API calls of a signed-in user's page.
    user: Vec<String>,
}

/// Viewer API calls are preloaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Viewer {
    Guest,
    User,
    /// The query changes what the page asks for: no calls are preloaded.
    Unknown,
}

/// The `Link` header of the page at `path`; `list` is the list. `None` for an unknown page.
pub fn link(list: &[u8], path: &str, viewer: Viewer) -> Option<HeaderValue> {
    let pages: Vec<Page> = serde_json::from_slice(list).ok()?;
    let (page, parameters) = pages.iter().find_map(|page| Some((page, matched(&page.path, path)?)))?;
    let asked: &[String] = match viewer {
        Viewer::Guest => &page.guest,
        Viewer::User => &page.user,
        Viewer::Unknown => &[],
    };
    let files = page.files.iter().map(|file| match file.ends_with(".css") {
        true => format!("</{file}>; rel=preload; as=style; crossorigin"),
        false => format!("</{file}>; rel=modulepreload"),
    });
    let data = asked.iter().map(|url| format!("<{}>; rel=preload; as=fetch; crossorigin", filled(url, &parameters)));
    let links: Vec<String> = files.chain(data).collect();
    if links.is_empty() { None } else { HeaderValue::from_str(&links.join(", ")).ok() }
}

/// The values of a pattern's parameters in `path`; `None` if it does not match.
fn matched<'a>(pattern: &'a str, path: &'a str) -> Option<Vec<(&'a str, &'a str)>> {
    let parts = |text: &'a str| text.trim_matches('/').split('/');
    if parts(pattern).count() != parts(path).count() {
        return None;
    }
    let mut parameters = Vec::new();
    for (wanted, given) in parts(pattern).zip(parts(path)) {
        if wanted.starts_with(':') && is_plain(given) {
            parameters.push((wanted, given));
        } else if wanted != given {
            return None;
        }
    }
    Some(parameters)
}

/// Whether a parameter from a path may be part of a header.
fn is_plain(part: &str) -> bool {
    (1..=MAX_PARAMETER).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

fn filled<'a>(url: &'a str, parameters: &[(&str, &str)]) -> Cow<'a, str> {
    parameters.iter().fold(Cow::Borrowed(url), |url, (name, value)| Cow::Owned(url.replace(name, value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &[u8] = br#"[
        {"path": "/", "files": ["assets/first.js", "assets/home.css"], "guest": ["/api/public/mini-app?limit=24"],
         "user": ["/api/auth", "/api/public/mini-app?limit=24"]},
        {"path": "/workflows/edit", "files": [], "guest": [], "user": ["/api/auth"]},
        {"path": "/workflows/:id", "files": [], "guest": ["/api/public/workflow/:id"],
         "user": ["/api/general/workflow/:id"]}
    ]"#;

    fn list(path: &str, viewer: Viewer) -> Option<String> {
        link(LIST, path, viewer).map(|value| value.to_str().expect("text").to_owned())
    }

    #[test]
    fn link_header_names_files_and_api_calls() {
        assert_eq!(
            list("/", Viewer::Guest).expect("a header"),
            "</assets/first.js>; rel=modulepreload, </assets/home.css>; rel=preload; as=style; crossorigin, \
             </api/public/mini-app?limit=24>; rel=preload; as=fetch; crossorigin"
        );
        assert!(list("/", Viewer::User).expect("a header").contains("</api/auth>; rel=preload; as=fetch; crossorigin"));
    }

    #[test]
    fn path_parameters_are_filled_in() {
        let asked = "</api/public/workflow/0199-ab>; rel=preload; as=fetch; crossorigin";
        assert_eq!(list("/workflows/0199-ab", Viewer::Guest).as_deref(), Some(asked));
        assert!(list("/workflows/0199-ab", Viewer::User).expect("a header").contains("/api/general/workflow/0199-ab"));
        assert_eq!(list("/workflows/edit", Viewer::Guest), None, "the closed pattern comes first");
        assert_eq!(list("/workflows/0199-ab", Viewer::Unknown), None);
    }

    #[test]
    fn path_that_could_break_out_of_the_header_has_none() {
        for path in
            ["/workflows/a>;rel=x", "/workflows/a%0d%0a", "/workflows/a,b", "/workflows/", "/workflows/a/b", "/x"]
        {
            assert_eq!(list(path, Viewer::Guest), None, "{path}");
        }
        assert_eq!(list(&format!("/workflows/{}", "a".repeat(65)), Viewer::Guest), None, "too long");
        assert!(link(b"not json", "/", Viewer::Guest).is_none());
    }
}
