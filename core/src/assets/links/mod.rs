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

/// The signature of an address.
pub async fn sign_link(core: &Core, link: &FileLink) -> Result<String> {
    let signed = mac(core, link).await?.finalize().into_bytes();
    Ok(URL_SAFE_NO_PAD.encode(signed))
}

/// Checks the signature and the expiry of an address.
///
/// # Errors
/// [`Error::NotFound`] for a wrong signature or an address that has expired.
pub async fn check_link(core: &Core, link: &FileLink, signature: &str) -> Result<()> {
    let given = URL_SAFE_NO_PAD.decode(signature).map_err(|_| GONE)?;
    mac(core, link).await?.verify_slice(&given).map_err(|_| GONE)?;
    if link.expires_at <= core.clock.now() { Err(GONE) } else { Ok(()) }
}

async fn mac(core: &Core, link: &FileLink) -> Result<Hmac<Sha256>> {
    let fresh: [u8; 32] = rand::rng().random();
    let key = store::key(&core.db, &fresh).await?;
    let mac = Hmac::<Sha256>::new_from_slice(&key)
        .map_err(|error| Error::Internal(format!("the key of signed addresses cannot be used: {error}")))?;
    // The name comes last, so that no name can look like another expiry.
    Ok(mac.chain_update(format!("file\n{}\n{}\n{}", link.key, link.expires_at.timestamp(), link.name)))
}
