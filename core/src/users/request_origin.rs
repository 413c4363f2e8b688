//! The origin of a request.

use std::net::IpAddr;

/// The client address and browser of a request, if known.
#[derive(Debug, Clone, Default)]
pub struct RequestOrigin {
    pub address: Option<IpAddr>,
    pub user_agent: Option<String>,
}
