//! A page's metadata in its head, for link previews and search engines. In browsers the app sets its own head.
//!
//! It is made as a guest sees the page: without private content and pictures that are not safe for work.

use std::fmt::Write as _;

use actix_web::http::header::{self, HeaderMap};
use verdigraph_core::gallery::OutputAsset;
use verdigraph_core::ids::{OutputAssetId, UserId, WorkflowApiId, WorkflowId};
use verdigraph_core::language::Language;
use verdigraph_core::workflows::Workflow;
use verdigraph_core::{Caller, Core, Error, Result, assets, html, jobs, mini_apps, users, workflows};

use super::opening::Opening;
use super::own_pages::OWN_PAGES;
use crate::views::assets::media_url;

/// Longest description, in characters.
const DESCRIPTION: usize = 200;
/// Parts of the built page that are replaced.
const TITLE: (&str, &str) = ("<title>", "</title>");
const ABOUT: &str = "<meta name=\"description\" content=\"";

/// A page's metadata.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageMeta {
    pub title: String,
    pub description: String,
    /// The author's name.
    pub author: Option<String>,
    pub image: Option<Image>,
    /// Text shown before the scripts have loaded.
    pub opening: Option<Opening>,
    /// The canonical path.
    pub path: String,
    /// `website`, `article` or `profile`.
    pub kind: &'static str,
    /// Whether oEmbed is offered.
    pub is_embedded: bool,
}

/// A page's preview picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// The path from the root.
    pub path: String,
    pub width: Option<i32>,
    pub height: Option<i32>,
}

impl Image {
    fn of(key: &str, width: Option<i32>, height: Option<i32>) -> Self {
        Self { path: media_url("", "optimal", key), width, height }
    }
}

/// The language of the metadata: `?lang=ko`, or else what the browser prefers.
#[must_use]
pub fn language(query: &str, headers: &HeaderMap) -> Language {
    let chosen = query.split('&').find_map(|part| part.strip_prefix("lang="));
    let preferred = || {
        let text = headers.get(header::ACCEPT_LANGUAGE)?.to_str().ok()?;
        text.split(',').next()?.split(['-', ';']).next().map(str::trim)
    };
    Language::from_tag(chosen.or_else(preferred).unwrap_or("en"))
}

/// Metadata of the page at this path; `None` if it has none that a guest may see.
pub async fn subject(core: &Core, path: &str, language: Language) -> Result<Option<PageMeta>> {
    let path = path.trim_matches('/');
    let mut parts = path.split('/');
    let (first, second, rest) = (parts.next().unwrap_or(""), parts.next(), parts.next());
    let found = match (first, second, rest) {
        ("gallery", Some(id), None) => match id.parse::<OutputAssetId>() {
            Ok(id) => output_asset(core, id, language).await,
            Err(_) => return Ok(None),
        },
        ("workflows" | "basic-workflows", Some(id), None) => match id.parse::<WorkflowId>() {
            Ok(id) => workflow(core, id, language).await,
            Err(_) => return Ok(None),
        },
        ("easy-app", Some(id), None) => match id.parse::<WorkflowApiId>() {
            Ok(id) => app(core, id, language).await,
            Err(_) => return Ok(own_page(path, language)),
        },
        ("profile", Some(id), _) => match id.parse::<UserId>() {
            Ok(id) => profile(core, id, language).await,
            Err(_) => return Ok(None),
        },
        _ => return Ok(own_page(path, language)),
    };
    match found {
        Ok(subject) => Ok(Some(subject)),
        Err(Error::NotFound { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

fn own_page(path: &str, language: Language) -> Option<PageMeta> {
    let page = OWN_PAGES.iter().find(|page| page.path == path)?;
    let (title, description) = if language == Language::Ko { page.ko } else { page.en };
    Some(PageMeta {
        title: title.to_owned(),
        description: description.to_owned(),
        author: None,
        image: None,
        opening: None,
        path: format!("/{path}"),
        kind: "website",
        is_embedded: false,
    })
}

async fn output_asset(core: &Core, id: OutputAssetId, language: Language) -> Result<PageMeta> {
    let origin = jobs::origin(core, &Caller::guest(), id).await?;
    let made_with =
        origin.source.and_then(|source| source.workflow).map(|workflow| workflow.name_in(language).to_owned());
    let output = origin.output;
    let author = output.user_name.clone();
    let title = match language {
        Language::Ko => format!("{author}님의 이미지"),
        Language::En => format!("Picture by {author}"),
    };
    let description = match (made_with, language) {
        (Some(name), Language::Ko) => format!("{name}(으)로 만들었습니다."),
        (Some(name), Language::En) => format!("Made with {name}."),
        (None, Language::Ko) => "Verdigraph에서 만든 이미지입니다.".to_owned(),
        (None, Language::En) => "Made on Verdigraph.".to_owned(),
    };
    Ok(PageMeta {
        title,
        description,
        author: Some(author),
        image: face(&output),
        opening: None,
        path: format!("/gallery/{id}"),
        kind: "article",
        is_embedded: true,
    })
}

/// A picture, or a video's poster; none if it is not safe for work.
fn face(output: &OutputAsset) -> Option<Image> {
    let is_seen = matches!(output.media.kind(), assets::AssetKind::Image | assets::AssetKind::Video);
    if output.is_nsfw || !is_seen || output.width.is_none() {
        return None;
    }
    let key = format!("{}.{}", output.content.0, output.media.extension());
    Some(Image::of(&key, output.width, output.height))
}

async fn workflow(core: &Core, id: WorkflowId, language: Language) -> Result<PageMeta> {
    let workflow = workflows::find(core, &Caller::guest(), id).await?;
    let path = format!("/workflows/{id}");
    of_workflow(core, &workflow, path, language).await
}

async fn app(core: &Core, id: WorkflowApiId, language: Language) -> Result<PageMeta> {
    let app = mini_apps::compiled(core, &Caller::guest(), id).await?;
    let workflow = workflows::find(core, &Caller::guest(), app.workflow).await?;
    // The app hides NSFW content until the viewer confirms, so nothing is shown before it.
    let description = (!workflow.is_nsfw).then(|| workflow.description_in(language).to_owned());
    let subject = of_workflow(core, &workflow, format!("/easy-app/{id}"), language).await?;
    Ok(PageMeta { opening: description.map(|description| Opening { description }), ..subject })
}

async fn of_workflow(core: &Core, workflow: &Workflow, path: String, language: Language) -> Result<PageMeta> {
    let cover = match workflow.cover.filter(|_| !workflow.is_nsfw) {
        Some(cover) => assets::find_all(core, &[cover]).await?.remove(&cover),
        None => None,
    };
    let image = cover.map(|cover| Image::of(&cover.key().to_string(), cover.stored.width, cover.stored.height));
    let author = users::find(core, workflow.user).await.map(|user| user.name.clone()).ok();
    Ok(PageMeta {
        title: workflow.name_in(language).to_owned(),
        description: cut(&html::text(workflow.description_in(language))),
        author,
        image,
        opening: None,
        path,
        kind: "article",
        is_embedded: true,
    })
}

async fn profile(core: &Core, id: UserId, language: Language) -> Result<PageMeta> {
    let user = users::find(core, id).await?;
    let description = match language {
        Language::Ko => format!("{}님이 공개한 이미지와 워크플로우입니다.", user.name),
        Language::En => format!("Pictures and workflows that {} published.", user.name),
    };
    let portrait = match user.profile {
        Some(id) => assets::find_all(core, &[id]).await?.remove(&id),
        None => None,
    };
    let image =
        portrait.map(|portrait| Image::of(&portrait.key().to_string(), portrait.stored.width, portrait.stored.height));
    Ok(PageMeta {
        title: user.name.clone(),
        description,
        author: None,
        image,
        opening: None,
        path: format!("/profile/{id}"),
        kind: "profile",
        is_embedded: false,
    })
}

fn cut(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.chars().count() <= DESCRIPTION {
        return text;
    }
    let mut short: String = text.chars().take(DESCRIPTION - 1).collect();
    short.push('…');
    short
}

/// The page with its metadata. `site` is the base URL.
#[must_use]
pub fn fill(page: &str, subject: &PageMeta, site: &str, language: Language) -> String {
    let title = if subject.title == NAME { NAME.to_owned() } else { format!("{} · {NAME}", subject.title) };
    let filled = between(page, TITLE.0, TITLE.1, &escaped(&title));
    let filled = between(&filled, ABOUT, "\"", &escaped(&subject.description));
    let filled = filled.replacen("<html lang=\"en\"", &format!("<html lang=\"{}\"", language.tag()), 1);
    filled.replacen("</head>", &format!("{}</head>", tags(subject, site, language)), 1)
}

/// The site's name.
pub const NAME: &str = "Verdigraph";

fn tags(subject: &PageMeta, site: &str, language: Language) -> String {
    let address = format!("{site}{}", subject.path);
    let locale = if language == Language::Ko { "ko_KR" } else { "en_US" };
    let mut tags = String::new();
    let mut tag = |name: &str, key: &str, value: &str| {
        // Writing to a String cannot fail.
        let _ = write!(tags, "<meta {name}=\"{key}\" content=\"{}\">", escaped(value));
    };
    tag("property", "og:site_name", NAME);
    tag("property", "og:type", subject.kind);
    tag("property", "og:title", &subject.title);
    tag("property", "og:description", &subject.description);
    tag("property", "og:url", &address);
    tag("property", "og:locale", locale);
    tag("name", "twitter:card", if subject.image.is_some() { "summary_large_image" } else { "summary" });
    if let Some(image) = &subject.image {
        tag("property", "og:image", &format!("{site}{}", image.path));
        tag("property", "og:image:alt", &subject.title);
        if let Some((width, height)) = image.width.zip(image.height) {
            tag("property", "og:image:width", &width.to_string());
            tag("property", "og:image:height", &height.to_string());
        }
    }
    let _ = write!(tags, "<link rel=\"canonical\" href=\"{}\">", escaped(&address));
    if subject.is_embedded {
        let ask = format!("{site}/api/public/oembed?url={}", encoded(&address));
        let _ = write!(
            tags,
            "<link rel=\"alternate\" type=\"application/json+oembed\" title=\"{}\" href=\"{}\">",
            escaped(&subject.title),
            escaped(&ask)
        );
    }
    tags
}

/// Replaces the text between the first `begin` and the next `end`; without them the page is unchanged.
fn between(page: &str, begin: &str, end: &str, text: &str) -> String {
    let Some((before, after)) = page.split_once(begin) else { return page.to_owned() };
    let Some((_, rest)) = after.split_once(end) else { return page.to_owned() };
    format!("{before}{begin}{text}{end}{rest}")
}

/// A text escaped for an attribute or for text content.
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            c if c.is_control() => safe.push(' '),
            c => safe.push(c),
        }
    }
    safe
}

/// A text escaped for a query.
fn encoded(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            safe.push(char::from(byte));
        } else {
            let _ = write!(safe, "%{byte:02X}");
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::HeaderValue;

    use super::*;

    const PAGE: &str = "<!doctype html><html lang=\"en\"><head>\
        <meta name=\"description\" content=\"Make pictures.\" /><title>Verdigraph</title></head><body></body></html>";

    fn subject(title: &str) -> PageMeta {
        PageMeta {
            title: title.into(),
            description: "Says \"hello\" & <b>more</b>".into(),
            author: None,
            image: Some(Image::of("a.png", Some(640), Some(480))),
            opening: None,
            path: "/gallery/1".into(),
            kind: "article",
            is_embedded: true,
        }
    }

    #[test]
    fn users_text_is_escaped_in_the_head() {
        let page =
            fill(PAGE, &subject("</title><script>alert(1)</script>\" onload=\"x"), "https://a.example", Language::En);
        assert!(!page.contains("<script"), "{page}");
        assert!(!page.contains("\" onload=\""), "{page}");
        assert_eq!(page.matches("</title>").count(), 1);
        assert!(page.contains("content=\"Says &quot;hello&quot; &amp; &lt;b&gt;more&lt;/b&gt;\""), "{page}");
    }

    #[test]
    fn head_has_canonical_url_picture_and_oembed_link() {
        let page = fill(PAGE, &subject("Silk"), "https://a.example", Language::Ko);
        for part in [
            "<html lang=\"ko\"",
            "<title>Silk · Verdigraph</title>",
            "<link rel=\"canonical\" href=\"https://a.example/gallery/1\">",
            "<meta property=\"og:image\" content=\"https://a.example/media/optimal/a.png\">",
            "<meta property=\"og:locale\" content=\"ko_KR\">",
            "href=\"https://a.example/api/public/oembed?url=https%3A%2F%2Fa.example%2Fgallery%2F1\"",
        ] {
            assert!(page.contains(part), "{part} is missing in {page}");
        }
    }

    #[test]
    fn every_own_page_has_metadata_in_both_languages() {
        for page in &OWN_PAGES {
            let metas = [Language::En, Language::Ko].map(|language| own_page(page.path, language).expect("a page"));
            assert_eq!(metas[0].path, format!("/{}", page.path));
            assert_ne!(metas[0].description, metas[1].description, "{}", page.path);
            for subject in metas {
                assert!(!subject.title.is_empty() && !subject.description.is_empty(), "{}", page.path);
            }
        }
        assert_eq!(own_page("account", Language::En), None, "a page that guests may not see");
    }

    #[test]
    fn language_comes_from_the_query_or_else_the_browser() {
        let mut headers = HeaderMap::new();
        assert_eq!(language("", &headers), Language::En);
        headers.insert(header::ACCEPT_LANGUAGE, HeaderValue::from_static("ko-KR,ko;q=0.9,en;q=0.8"));
        assert_eq!(language("", &headers), Language::Ko);
        assert_eq!(language("a=1&lang=en", &headers), Language::En);
    }
}
