//! Areas of the site, told apart by the decoded path that routing uses. The raw path must not decide: `/%61pi` is
//! `/api`.

use actix_web::HttpRequest;

/// Where the node editor is.
pub const EDITOR: &str = "/comfyui-editor";
/// Where Comfy API v2 is. Each of its calls asks for a signed-in caller.
pub const COMFY_V2: &str = "/api/v2";
/// Where the server of the Model Context Protocol is.
pub const MCP: &str = "/mcp";

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
    /// Calls of the node editor. Some are open to guests, so each call decides.
    EditorCall,
    /// Pages and files of the node editor.
    EditorFile,
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
            None if below(path, "/media").is_some() => Self::Media,
            None if below(path, MCP).is_some() => Self::General,
            None => match below(path, EDITOR) {
                Some(rest) if is_editor_file(rest) => Self::EditorFile,
                Some(_) => Self::EditorCall,
                None => Self::Page,
            },
        }
    }

    /// Whether the area is part of the API.
    #[must_use]
    pub fn is_api(self) -> bool {
        matches!(self, Self::Open | Self::General | Self::Admin | Self::EditorCall)
    }
}

/// Whether a path below [`EDITOR`] names a file of the front end. All others are calls.
fn is_editor_file(rest: &str) -> bool {
    let rest = rest.trim_start_matches('/');
    match rest.split_once('/') {
        Some((folder, _)) => ["assets", "cursor", "extensions", "fonts", "scripts"].contains(&folder),
        None => rest.is_empty() || rest.contains('.'),
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
            ("/mcp", Area::General),
            ("/%6dcp/", Area::General),
            ("/mcps", Area::Page),
            ("/comfyui-editor/api/upload/mask", Area::EditorCall),
            ("/comfyui-editor/%61pi/upload/mask", Area::EditorCall),
            ("/comfyui-editor/api/userdata/workflows%2Fone.json", Area::EditorCall),
            ("/comfyui-editor/prompt", Area::EditorCall),
            ("/comfyui-editor/ws", Area::EditorCall),
            ("/comfyui-editor/extensions", Area::EditorCall),
            ("/comfyui-editor", Area::EditorFile),
            ("/comfyui-editor/?flow=x", Area::EditorFile),
            ("/comfyui-editor/index.html", Area::EditorFile),
            ("/comfyui-editor/assets/index-3f.js", Area::EditorFile),
            ("/comfyui-editor/extensions/platform/v1/boot.js", Area::EditorFile),
            ("/comfyui-editors", Area::Page),
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
