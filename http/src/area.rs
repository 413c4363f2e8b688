//! Areas of the site, told apart by the decoded path that routing uses. The raw path must not decide: `/%61pi` is
//! `/api`.

use actix_web::HttpRequest;

/// Where the node editor finds the API of a ComfyUI server.
pub const EDITOR_API: &str = "/comfyui-editor/api";

/// The area of the site that a path lies in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Area {
    /// API: sign-in, and calls open to guests.
    Open,
    /// API: for signed-in callers.
    General,
    /// API: for admins.
    Admin,
    /// Stored files.
    Media,
    /// Pages and files of the web app, and `/metrics`.
    Page,
}

impl Area {
    /// The area of a request's route.
    #[must_use]
    pub fn of(request: &HttpRequest) -> Self {
        Self::of_path(routed(request))
    }

    /// The area of a decoded path.
    #[must_use]
    pub fn of_path(path: &str) -> Self {
        match below(path, "/api") {
            Some(rest) if below(rest, "/general").is_some() => Self::General,
            Some(rest) if below(rest, "/admin").is_some() => Self::Admin,
            Some(_) => Self::Open,
            // Calls of the node editor, which only touch the caller's own files.
            None if below(path, EDITOR_API).is_some() => Self::General,
            None if below(path, "/media").is_some() => Self::Media,
            None => Self::Page,
        }
    }

    /// Whether the area is part of the API.
    #[must_use]
    pub fn is_api(self) -> bool {
        matches!(self, Self::Open | Self::General | Self::Admin)
    }
}

/// The decoded path that routing uses.
#[must_use]
pub fn routed(request: &HttpRequest) -> &str {
    request.match_info().as_str()
}

/// The rest of a path after a prefix of whole segments.
fn below<'a>(path: &'a str, prefix: &str) -> Option<&'a str> {
    path.strip_prefix(prefix).filter(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn area_follows_the_decoded_path() {
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
            // Routing finds nothing at these.
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
