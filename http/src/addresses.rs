//! Absolute addresses for clients that do not resolve links: of the site, and of files without a session or key.

use actix_web::HttpRequest;
use actix_web::http::header;
use chrono::{DateTime, TimeDelta, Utc};
use verdigraph_core::assets::{FileKey, FileLink, LinkSigner};
use verdigraph_core::{Core, Error};

use crate::attachment::encoded;
use crate::client;

/// How long a signed address is valid.
const LINK_VALID: TimeDelta = TimeDelta::hours(1);

/// The public URL, or the address that the client has called.
pub fn site_address(core: &Core, request: &HttpRequest) -> String {
    let server = &core.settings.server;
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    match (&server.base_url, host) {
        (Some(url), _) => url.clone(),
        (None, Some(host)) => format!("{}://{host}", if client::is_secure(request, server) { "https" } else { "http" }),
        (None, None) => core.settings.public_url(),
    }
}

/// Signed addresses of files, all with the same end.
pub struct SignedAddresses {
    signer: LinkSigner,
    site: String,
    expires_at: DateTime<Utc>,
}

impl SignedAddresses {
    /// Of files below the address of the site.
    pub async fn at(core: &Core, site: String) -> Result<Self, Error> {
        Ok(Self { signer: LinkSigner::load(core).await?, site, expires_at: core.clock.now() + LINK_VALID })
    }

    /// The address of a file that the caller may see.
    #[must_use]
    pub fn of(&self, key: FileKey, name: String) -> String {
        let link = FileLink { key, name, expires_at: self.expires_at };
        format!(
            "{}/media/signed/{}?name={}&expires={}&signature={}",
            self.site,
            link.key,
            encoded(&link.name),
            link.expires_at.timestamp(),
            self.signer.sign(&link),
        )
    }

    #[must_use]
    pub fn expires_at(&self) -> DateTime<Utc> {
        self.expires_at
    }
}
