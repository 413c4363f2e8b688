//! Billing keys are sealed with the operator's key and bound to their payment method, so that a copy of the database
//! charges no card, and a row cannot be charged in the place of another.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::rand::{SecureRandom as _, SystemRandom};
use secrecy::{ExposeSecret as _, SecretString};

use crate::ids::PaymentMethodId;
use crate::{Error, Result};

/// The first byte of a sealed text: the version of its form.
const VERSION: u8 = 1;

/// Version, nonce, and the encrypted text with its tag.
pub(super) fn seal(key: Option<&SecretString>, id: PaymentMethodId, text: &SecretString) -> Result<Vec<u8>> {
    let key = opened(key)?;
    let mut nonce = [0; NONCE_LEN];
    SystemRandom::new().fill(&mut nonce).map_err(|_| Error::Internal("no random numbers".to_owned()))?;
    let mut sealed = text.expose_secret().as_bytes().to_vec();
    let nonce_of = Nonce::assume_unique_for_key(nonce);
    key.seal_in_place_append_tag(nonce_of, Aad::from(id.0.as_bytes()), &mut sealed).map_err(|_| broken(id))?;
    Ok([&[VERSION], &nonce[..], &sealed].concat())
}

pub(super) fn unseal(key: Option<&SecretString>, id: PaymentMethodId, sealed: &[u8]) -> Result<SecretString> {
    let key = opened(key)?;
    let (version, rest) = sealed.split_first().ok_or_else(|| broken(id))?;
    let (nonce, text) = rest.split_at_checked(NONCE_LEN).ok_or_else(|| broken(id))?;
    if *version != VERSION {
        return Err(broken(id));
    }
    let nonce = Nonce::try_assume_unique_for_key(nonce).map_err(|_| broken(id))?;
    let mut text = text.to_vec();
    let text = key.open_in_place(nonce, Aad::from(id.0.as_bytes()), &mut text).map_err(|_| broken(id))?;
    std::str::from_utf8(text).map(SecretString::from).map_err(|_| broken(id))
}

fn opened(key: Option<&SecretString>) -> Result<LessSafeKey> {
    let missing = || Error::Internal("payments.key: missing or not 32 bytes in base64".to_owned());
    let bytes = key.and_then(|key| STANDARD.decode(key.expose_secret()).ok()).ok_or_else(missing)?;
    Ok(LessSafeKey::new(UnboundKey::new(&AES_256_GCM, &bytes).map_err(|_| missing())?))
}

fn broken(id: PaymentMethodId) -> Error {
    Error::Internal(format!("the secret of payment method {id} cannot be opened with payments.key"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(byte: u8) -> SecretString {
        SecretString::from(STANDARD.encode([byte; 32]))
    }

    #[test]
    fn sealed_key_opens_only_with_its_key_for_its_method_and_unchanged() {
        let (id, text) = (PaymentMethodId::new(), SecretString::from("billing-key"));
        let sealed = seal(Some(&key(1)), id, &text).expect("a sealed key");
        assert!(!String::from_utf8_lossy(&sealed).contains("billing"));
        assert_ne!(sealed, seal(Some(&key(1)), id, &text).expect("a sealed key"), "each has a nonce of its own");
        assert_eq!(unseal(Some(&key(1)), id, &sealed).expect("the key").expose_secret(), "billing-key");
        assert!(unseal(Some(&key(2)), id, &sealed).is_err());
        assert!(unseal(Some(&key(1)), PaymentMethodId::new(), &sealed).is_err());
        assert!(unseal(None, id, &sealed).is_err());
        for at in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[at] ^= 1;
            assert!(unseal(Some(&key(1)), id, &changed).is_err(), "byte {at}");
            assert!(unseal(Some(&key(1)), id, &sealed[..at]).is_err(), "cut at {at}");
        }
    }
}
