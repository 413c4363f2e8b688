//! Signatures of Standard Webhooks: HMAC-SHA256 over id, time and body (`spec/standard-webhooks.md`).

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use rand::Rng as _;
use sha2::Sha256;

const PREFIX: &str = "whsec_";
/// Bytes of a secret; the specification allows 24 to 64.
const SECRET_BYTES: usize = 32;

pub(in crate::webhooks) fn new_secret() -> String {
    let mut bytes = [0; SECRET_BYTES];
    rand::rng().fill_bytes(&mut bytes);
    format!("{PREFIX}{}", BASE64_STANDARD.encode(bytes))
}

/// The value of `webhook-signature`: one signature for each secret. `timestamp` is in seconds.
pub(in crate::webhooks) fn signature<'a>(
    secrets: impl Iterator<Item = &'a str>,
    id: &str,
    timestamp: i64,
    body: &[u8],
) -> String {
    let signed: Vec<String> = secrets
        .map(|secret| {
            let encoded = secret.strip_prefix(PREFIX).unwrap_or(secret);
            let key = BASE64_STANDARD.decode(encoded).unwrap_or_else(|_| encoded.as_bytes().to_vec());
            let mut mac = Hmac::<Sha256>::new_from_slice(&key).expect("HMAC takes keys of any length");
            mac.update(format!("{id}.{timestamp}.").as_bytes());
            mac.update(body);
            format!("v1,{}", BASE64_STANDARD.encode(mac.finalize().into_bytes()))
        })
        .collect();
    signed.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_vector_of_the_specification_matches() {
        let secrets = ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"];
        let signed =
            signature(secrets.into_iter(), "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, br#"{"test": 2432232314}"#);
        assert_eq!(signed, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn old_and_new_secret_both_sign() {
        let (one, other) = (new_secret(), new_secret());
        assert_ne!(one, other);
        assert!(one.starts_with("whsec_") && one.len() == 50);
        let both = signature([one.as_str(), other.as_str()].into_iter(), "a", 1, b"{}");
        let each = [one, other].map(|secret| signature(std::iter::once(secret.as_str()), "a", 1, b"{}"));
        assert_eq!(both, each.join(" "));
    }
}
