//! How other sites find and preview pages: oEmbed, robots.txt, and the sitemap; and the short address of media.

use std::fmt::Write as _;

use actix_web::http::header;
use actix_web::web::{self, Data, Json, Path, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use serde::Deserialize;
use uuid::Uuid;
use verdigraph_core::assets::FileKey;
use verdigraph_core::{Core, Error, names, sitemap};

use crate::error::Result;
use crate::openapi::{self, IntoParams, OpenApi};
use crate::query::Query;
use crate::site::head;
use crate::site::own_pages::{OWN_PAGES, OwnPage};
use crate::views::discovery::OembedView;
use crate::views::words::OembedFormat;

/// Addresses in one part of the sitemap: search engines accept 50,000.
const PIECE: i64 = 5000;
/// How long clients may cache a part.
const KEPT: &str = "public, max-age=3600";
/// The only format of link previews.
pub const FORMAT: &str = "json";

#[derive(OpenApi)]
#[openapi(paths(oembed))]
pub struct Api;

pub fn configure(config: &mut ServiceConfig) {
    config.service(web::resource("/public/oembed").get(oembed));
}

/// Mounts the files at the root.
pub fn configure_files(config: &mut ServiceConfig) {
    config
        .service(web::resource("/robots.txt").get(robots))
        .service(web::resource("/sitemap.xml").get(sitemap))
        .service(web::resource("/sitemaps/{kind:[a-z]+}-{first}.xml").get(sitemap_piece))
        .service(web::resource("/sitemaps/pages.xml").get(sitemap_pages))
        .service(web::resource("/optimal/{key}").get(optimal));
}

/// The specification's second form of media addresses: `{baseUrl}/{optimalQuality}/{key}`. It redirects to the first
/// one, which has caching and access rules.
async fn optimal(key: Path<String>) -> Result<HttpResponse> {
    let key: FileKey = key.parse()?;
    let mut response = HttpResponse::PermanentRedirect();
    response.insert_header((header::LOCATION, format!("/media/optimal/{key}")));
    Ok(response.insert_header((header::CACHE_CONTROL, KEPT)).finish())
}

/// The page to preview.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct OembedQuery {
    /// The address of a published picture, workflow or mini app of this site.
    #[param(max_length = 2048)]
    url: String,
    /// `json`, the only format.
    #[param(inline, value_type = Option<OembedFormat>)]
    format: Option<String>,
    #[serde(default)]
    maxwidth: Option<i32>,
    #[serde(default)]
    maxheight: Option<i32>,
}

/// Longest address, in characters.
const MAX_URL: usize = 2048;

/// The link preview of a page
#[openapi::path(get, path = "/api/public/oembed", tag = "search", params(OembedQuery),
    responses((status = 200, body = OembedView), (status = 404)))]
async fn oembed(core: Data<Core>, request: HttpRequest, query: Query<OembedQuery>) -> Result<Json<OembedView>> {
    if query.format.as_deref().is_some_and(|format| format != FORMAT) {
        return Err(Error::invalid("format", "may only be json").into());
    }
    let site = core.settings.public_url();
    let unknown = || Error::invalid("url", "is not an address of this site");
    let url = names::search_text("url", &query.url, MAX_URL)?;
    let path = url.strip_prefix(&site).ok_or_else(unknown)?;
    let path = path.split(['?', '#']).next().unwrap_or("");
    let language = head::language(request.query_string(), request.headers());
    let found = head::subject(&core, path, language).await?.filter(|subject| subject.is_embedded);
    let subject = found.ok_or(Error::NotFound { what: "page" })?;
    let sized = subject.image.and_then(|image| {
        let (width, height) = fitted((image.width?, image.height?), (query.maxwidth, query.maxheight));
        Some((format!("{site}{}", image.path), width, height))
    });
    let (url, width, height) =
        sized.map_or((None, None, None), |(url, width, height)| (Some(url), Some(width), Some(height)));
    Ok(Json(OembedView {
        version: "1.0",
        kind: if url.is_some() { "photo" } else { "link" },
        title: subject.title,
        author_name: subject.author,
        provider_name: head::NAME,
        provider_url: site,
        url,
        width,
        height,
    }))
}

/// The size reduced to the bounds, with the same aspect ratio.
fn fitted((width, height): (i32, i32), (most_wide, most_high): (Option<i32>, Option<i32>)) -> (i32, i32) {
    let share = |most: Option<i32>, size: i32| {
        most.filter(|most| *most > 0).map_or(1.0, |most| f64::from(most) / f64::from(size))
    };
    let share = share(most_wide, width.max(1)).min(share(most_high, height.max(1))).min(1.0);
    #[expect(clippy::cast_possible_truncation, reason = "smaller than what it was")]
    let sized = |size: i32| ((f64::from(size) * share).round() as i32).max(1);
    (sized(width), sized(height))
}

async fn robots(core: Data<Core>) -> HttpResponse {
    let site = core.settings.public_url();
    let closed = ["/api/", "/admin", "/account", "/jobs", "/pictures", "/notification/", "/login", "/signup"];
    let closed: String = closed.iter().map(|path| format!("Disallow: {path}\n")).collect();
    let text = format!("User-agent: *\nAllow: /api/public/oembed\n{closed}\nSitemap: {site}/sitemap.xml\n");
    HttpResponse::Ok().content_type("text/plain; charset=utf-8").insert_header((header::CACHE_CONTROL, KEPT)).body(text)
}

async fn sitemap(core: Data<Core>) -> Result<HttpResponse> {
    let site = core.settings.public_url();
    let mut text =
        format!("{XML}<sitemapindex xmlns=\"{SCHEMA}\"><sitemap><loc>{site}/sitemaps/pages.xml</loc></sitemap>");
    for kind in sitemap::SitemapKind::ALL {
        for first in sitemap::starts(&core, kind, PIECE).await? {
            // Writing to a String cannot fail.
            let _ = write!(text, "<sitemap><loc>{site}/sitemaps/{}-{first}.xml</loc></sitemap>", kind.name());
        }
    }
    text.push_str("</sitemapindex>");
    Ok(xml(text))
}

async fn sitemap_pages(core: Data<Core>) -> HttpResponse {
    let site = core.settings.public_url();
    let mut text = format!("{XML}<urlset xmlns=\"{SCHEMA}\">");
    for OwnPage { path, .. } in &OWN_PAGES {
        let _ = write!(text, "<url><loc>{site}/{path}</loc></url>");
    }
    text.push_str("</urlset>");
    xml(text)
}

async fn sitemap_piece(core: Data<Core>, place: Path<(String, String)>) -> Result<HttpResponse> {
    let (kind, first) = place.into_inner();
    let (Ok(kind), Ok(first)) = (kind.parse::<sitemap::SitemapKind>(), first.parse::<Uuid>()) else {
        return Err(Error::NotFound { what: "page" }.into());
    };
    let place = match kind {
        sitemap::SitemapKind::Workflow => "workflows",
        sitemap::SitemapKind::Picture => "gallery",
        sitemap::SitemapKind::App => "easy-app",
        sitemap::SitemapKind::Person => "profile",
    };
    let site = core.settings.public_url();
    let mut text = format!("{XML}<urlset xmlns=\"{SCHEMA}\">");
    for (id, at) in sitemap::from(&core, kind, first, PIECE).await? {
        let day = at.format("%Y-%m-%d");
        let _ = write!(text, "<url><loc>{site}/{place}/{id}</loc><lastmod>{day}</lastmod></url>");
    }
    text.push_str("</urlset>");
    Ok(xml(text))
}

const XML: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
const SCHEMA: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

fn xml(text: String) -> HttpResponse {
    HttpResponse::Ok()
        .content_type("application/xml; charset=utf-8")
        .insert_header((header::CACHE_CONTROL, KEPT))
        .body(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn preview_keeps_its_aspect_ratio_within_the_bounds() {
        assert_eq!(fitted((640, 480), (None, None)), (640, 480));
        assert_eq!(fitted((640, 480), (Some(320), None)), (320, 240));
        assert_eq!(fitted((640, 480), (Some(320), Some(120))), (160, 120));
        assert_eq!(fitted((640, 480), (Some(-5), Some(0))), (640, 480));
    }
}
