//! The parts of the site, told apart by the address that routing goes by: with its percent signs decoded. What an
//! address says before that decides nothing, or `/%61pi` would be another place than `/api`.

use actix_web::HttpRequest;

/// Where the node editor finds the calls of ComfyUI's server.
pub const EDITOR_API: &str = "/comfyui-editor/api";

/// Which part of the site an address lies in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Area {
    /// Of the API: what signing in needs, and what is open to everybody.
    Open,
    /// Of the API: for whoever is signed in.
    General,
    /// Of the API: for operators.
    Admin,
    /// Stored files.
    Media,
    /// Pages and files of the web app, and `/metrics`.
    Page,
}

impl Area {
    /// The area that a request's route lies in.
    #[must_use]
    pub fn of(request: &HttpRequest) -> Self {
        Self::of_path(routed(request))
    }

    /// The area of a path as routing sees it.
    #[must_use]
    pub fn of_path(path: &str) -> Self {
        match below(path, "/api") {
            Some(rest) if below(rest, "/general").is_some() => Self::General,
            Some(rest) if below(rest, "/admin").is_some() => Self::Admin,
            Some(_) => Self::Open,
            // What the node editor asks, which works on its user's own things alone.
            None if below(path, EDITOR_API).is_some() => Self::General,
            None if below(path, "/media").is_some() => Self::Media,
            None => Self::Page,
        }
    }

    /// Whether it is part of the API.
    #[must_use]
    pub fn is_api(self) -> bool {
        matches!(self, Self::Open | Self::General | Self::Admin)
    }
}

/// The path of a request as routing sees it.
#[must_use]
pub fn routed(request: &HttpRequest) -> &str {
    request.match_info().as_str()
}

/// What stands behind a prefix of whole segments.
fn below<'a>(path: &'a str, prefix: &str) -> Option<&'a str> {
    path.strip_prefix(prefix).filter(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn an_address_is_where_routing_takes_it_however_it_is_written() {
        for (uri, area) in [
            ("/api", Area::Open),
            ("/api/health", Area::Open),
            ("/%61pi/health", Area::Open),
            ("/api/general/workflow", Area::General),
            ("/api/gener%61l/workflow", Area::General),
            ("/%61%70%69/%67eneral", Area::General),
            ("/api/%61dmin/user?x=/api/public", Area::Admin),
            ("/api/generally", Area::Open),
            ("/apis", Area::Page),
            ("/comfyui-editor/api/upload/mask", Area::General),
            ("/comfyui-editor/%61pi/upload/mask", Area::General),
            ("/comfyui-editor/apis", Area::Page),
            ("/comfyui-editor/index.html", Area::Page),
            ("/%6dedia/raw/x.png", Area::Media),
            // Routing takes these for other addresses, at which there is nothing.
            ("/api%2fgeneral/workflow", Area::Page),
            ("/api/gener%2561l/workflow", Area::Open),
            ("//api/general/workflow", Area::Page),
            ("/./api/general", Area::Page),
            ("/easy-app/api/general", Area::Page),
        ] {
            assert_eq!(Area::of(&TestRequest::with_uri(uri).to_http_request()), area, "{uri}");
        }
    }
}
