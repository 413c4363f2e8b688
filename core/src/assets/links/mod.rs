//! Signed addresses of files: a client that has one may read the file until it expires, without a session or key. The
//! caller of this module has checked that the client may see the file. All nodes share the key, which is made on first
//! use.

mod store;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, Utc};
use hmac::{Hmac, KeyInit as _, Mac as _};
use rand::RngExt as _;
use sha2::Sha256;

use super::asset::FileKey;
use crate::{Core, Error, Result};

const GONE: Error = Error::NotFound { what: "file" };

/// A file, the name to save it under, and the end of the address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileLink {
    pub key: FileKey,
    pub name: String,
    pub expires_at: DateTime<Utc>,
}

/// Signs any number of addresses with the key of the installation.
pub struct LinkSigner(Hmac<Sha256>);

impl LinkSigner {
    /// Reads the key.
    pub async fn load(core: &Core) -> Result<Self> {
        let fresh: [u8; 32] = rand::rng().random();
        let key = store::key(&core.db, &fresh).await?;
        let mac = Hmac::<Sha256>::new_from_slice(&key)
            .map_err(|error| Error::Internal(format!("the key of signed addresses cannot be used: {error}")))?;
        Ok(Self(mac))
    }

    /// The signature of an address.
    #[must_use]
    pub fn sign(&self, link: &FileLink) -> String {
        URL_SAFE_NO_PAD.encode(self.mac(link).finalize().into_bytes())
    }

    fn mac(&self, link: &FileLink) -> Hmac<Sha256> {
        // The name comes last, so that no name can look like another expiry.
        let text = format!("file\n{}\n{}\n{}", link.key, link.expires_at.timestamp(), link.name);
        self.0.clone().chain_update(text)
    }
}

/// Checks the signature and the expiry of an address.
///
/// # Errors
/// [`Error::NotFound`] for a wrong signature or an address that has expired.
pub async fn check_link(core: &Core, link: &FileLink, signature: &str) -> Result<()> {
    let given = URL_SAFE_NO_PAD.decode(signature).map_err(|_| GONE)?;
    LinkSigner::load(core).await?.mac(link).verify_slice(&given).map_err(|_| GONE)?;
    if link.expires_at <= core.clock.now() { Err(GONE) } else { Ok(()) }
}
