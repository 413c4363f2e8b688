//! Checks URLs before they are resolved.

use reqwest::Url;

use super::address::is_public;
use super::error::OutboundError;

/// Maximum length of a URL.
const LONGEST: usize = 2048;

/// The purpose of a request, which decides about schemes and ports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Fetching: https only.
    Fetch,
    /// Delivery of a message: https, http, and ftp with optional credentials in the URL.
    Delivery,
    /// Delivery, if the operator requires https.
    SecureDelivery,
}

impl Purpose {
    /// The allowed ports of a scheme; none if the scheme is not allowed.
    fn ports(self, scheme: &str) -> &'static [u16] {
        match (self, scheme) {
            (_, "https") => &[443, 8443],
            (Self::Delivery, "http") => &[80, 8080],
            (Self::Delivery, "ftp") => &[21],
            _ => &[],
        }
    }

    /// Whether a scheme is allowed for hosts that the operator allows, at any port.
    fn asks_private(self, scheme: &str) -> bool {
        match scheme {
            "https" => true,
            "http" => self != Self::SecureDelivery,
            "ftp" => self == Self::Delivery,
            _ => false,
        }
    }
}

/// A URL that passed the checks of its text. Its name is checked again when it is resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target(Url);

impl Target {
    pub(super) fn parse(text: &str, purpose: Purpose, private_hosts: &[String]) -> Result<Self, OutboundError> {
        if text.len() > LONGEST {
            return Err(OutboundError::Address("it is too long"));
        }
        // The parser normalizes decimal, octal and short IPv4 addresses.
        let url = Url::parse(text).map_err(|_| OutboundError::Address("it is not a URL"))?;
        let has_credentials = !url.username().is_empty() || url.password().is_some();
        if has_credentials && !(url.scheme() == "ftp" && purpose == Purpose::Delivery) {
            return Err(OutboundError::Address("it has credentials in it"));
        }
        let Some(host) = url.host_str().filter(|host| !host.is_empty()) else {
            return Err(OutboundError::Address("it has no host"));
        };
        if is_private_host(host, private_hosts) && purpose.asks_private(url.scheme()) {
            return Ok(Self(url));
        }
        let ports = purpose.ports(url.scheme());
        if ports.is_empty() {
            return Err(OutboundError::Address(match purpose {
                Purpose::Fetch | Purpose::SecureDelivery => "only https is allowed",
                Purpose::Delivery => "only https, http and ftp are allowed",
            }));
        }
        if !url.port_or_known_default().is_some_and(|port| ports.contains(&port)) {
            return Err(OutboundError::Address("the port is not allowed"));
        }
        let literal = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
        match literal.parse::<std::net::IpAddr>() {
            Ok(address) if !is_public(address) => return Err(OutboundError::Private),
            Ok(_) => return Ok(Self(url)),
            Err(_) => {}
        }
        // A trailing dot would bypass lists of names.
        if host.ends_with('.') || !host.contains('.') {
            return Err(OutboundError::Address("the host is not a full name"));
        }
        if LOCAL.iter().any(|end| host.ends_with(end)) {
            return Err(OutboundError::Private);
        }
        Ok(Self(url))
    }

    /// The normalized URL.
    #[must_use]
    pub fn url(&self) -> &Url {
        &self.0
    }
}

/// Suffixes of names that exist only in local networks.
const LOCAL: [&str; 6] = [".localhost", ".local", ".internal", ".lan", ".home.arpa", ".onion"];

pub(super) fn is_private_host(host: &str, private_hosts: &[String]) -> bool {
    private_hosts.iter().any(|known| known.eq_ignore_ascii_case(host))
}
