//! The signed identity of a user in the support chat. Without the signature, a guessed id would open another user's
//! conversation.

use hmac::{Hmac, KeyInit as _, Mac as _};
use secrecy::ExposeSecret as _;
use sha2::Sha256;

use crate::caller::AuthMethod;
use crate::{Caller, Core, Error, Result};

/// What a browser needs to open the chat as a user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChatMember {
    pub plugin_key: String,
    pub script_url: String,
    pub member_id: String,
    /// HMAC-SHA256 of the id, in hexadecimal.
    pub member_hash: String,
}

/// The caller's chat identity; `None` if no chat is configured.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::Forbidden`] for an API key, because conversations are personal.
pub fn chat_member(core: &Core, caller: &Caller) -> Result<Option<ChatMember>> {
    let member_id = caller.signed_in()?.to_string();
    if matches!(caller.auth_method, AuthMethod::ApiKey(_)) {
        return Err(Error::Forbidden);
    }
    let settings = &core.settings.chat;
    let (Some(plugin_key), Some(secret)) = (settings.plugin_key.clone(), &settings.secret) else {
        return Ok(None);
    };
    let Some(member_hash) = hash(secret.expose_secret(), &member_id) else {
        return Ok(None);
    };
    Ok(Some(ChatMember { plugin_key, script_url: settings.script_url.clone(), member_id, member_hash }))
}

/// HMAC of an id with a hexadecimal secret; `None` for an invalid secret.
fn hash(secret: &str, member: &str) -> Option<String> {
    let digits = secret.as_bytes().chunks(2).map(|two| u8::from_str_radix(std::str::from_utf8(two).ok()?, 16).ok());
    let key: Vec<u8> = digits.collect::<Option<_>>()?;
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).ok()?;
    mac.update(member.as_bytes());
    let signature: [u8; 32] = mac.finalize().into_bytes().into();
    Some(signature.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hash_matches_the_example_of_the_vendor() {
        let secret = "4629de5def93d6a2abea6afa9bd5476d9c6cbc04223f9a2f7e517b535dde3e25";
        let expected = "99427c7bba36a6902c5fd6383f2fb0214d19b81023296b4bd6b9e024836afea2";
        assert_eq!(hash(secret, "lucas").as_deref(), Some(expected));
        assert_ne!(hash(secret, "lucia").as_deref(), Some(expected));
        assert_eq!(hash("no hexadecimal text", "lucas"), None);
    }
}
