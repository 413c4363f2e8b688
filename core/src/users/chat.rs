//! Who somebody is in the support chat, signed so that nobody else can say so: without the signature, a guessed id would
//! open another person's conversation.

use hmac::{Hmac, KeyInit as _, Mac as _};
use secrecy::ExposeSecret as _;
use sha2::Sha256;

use super::User;
use crate::Core;

/// What a browser needs to open the chat as a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChatMember {
    pub plugin_key: String,
    pub script_url: String,
    pub member_id: String,
    /// HMAC-SHA256 of the id, in hexadecimal.
    pub member_hash: String,
}

/// The person in the chat; `None` where none is configured.
#[must_use]
pub fn chat_member(core: &Core, user: &User) -> Option<ChatMember> {
    let settings = &core.settings.chat;
    let plugin_key = settings.plugin_key.clone()?;
    let member_id = user.id.to_string();
    let member_hash = hash(settings.secret.as_ref()?.expose_secret(), &member_id)?;
    Some(ChatMember { plugin_key, script_url: settings.script_url.clone(), member_id, member_hash })
}

/// The signature of an id by a secret in hexadecimal; `None` where that is none.
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
    fn the_vendors_own_example_comes_out() {
        let secret = "4629de5def93d6a2abea6afa9bd5476d9c6cbc04223f9a2f7e517b535dde3e25";
        let expected = "99427c7bba36a6902c5fd6383f2fb0214d19b81023296b4bd6b9e024836afea2";
        assert_eq!(hash(secret, "lucas").as_deref(), Some(expected));
        assert_ne!(hash(secret, "lucia").as_deref(), Some(expected));
        assert_eq!(hash("no hexadecimal text", "lucas"), None);
    }
}
