//! Where a request came from.

use std::net::IpAddr;

/// Where a request came from, as far as it is known.
#[derive(Debug, Clone, Default)]
pub struct Origin {
    pub address: Option<IpAddr>,
    /// What the browser calls itself.
    pub user_agent: Option<String>,
}
