//! ComfyUI's server and Comfy Cloud answer some calls differently. The credential tells which of them a client expects.

use actix_web::HttpRequest;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    Local,
    /// Clients of Comfy Cloud send their key as `X-API-Key`, and as `?token=` for a socket.
    Cloud,
}

impl Dialect {
    #[must_use]
    pub fn of(request: &HttpRequest) -> Self {
        if request.headers().contains_key("x-api-key") { Self::Cloud } else { Self::Local }
    }

    /// Of a call for a socket, whose address may have the key.
    #[must_use]
    pub fn of_socket(request: &HttpRequest, token: Option<&str>) -> Self {
        if token.is_some() { Self::Cloud } else { Self::of(request) }
    }
}
