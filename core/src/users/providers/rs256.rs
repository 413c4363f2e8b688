//! RS256 for `jsonwebtoken` with `ring`, which TLS uses already. It is the only supported algorithm. The backends of
//! `jsonwebtoken` include all algorithms, and with them the crate `rsa` and its advisory RUSTSEC-2023-0071.

use jsonwebtoken::crypto::{CryptoProvider, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{Error, ErrorKind};
use jsonwebtoken::signature::{self, Verifier};
use jsonwebtoken::{Algorithm, DecodingKey, DecodingKeyKind};
use ring::signature::{RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents};

static PROVIDER: CryptoProvider = CryptoProvider {
    signer_factory: |_, _| Err(ErrorKind::InvalidAlgorithm.into()),
    verifier_factory: |algorithm, key| match (algorithm, key.kind()) {
        (Algorithm::RS256, DecodingKeyKind::RsaModulusExponent { .. }) => Ok(Box::new(Rs256(key.clone()))),
        _ => Err(Error::from(ErrorKind::InvalidAlgorithm)),
    },
    key_utils: KeyUtils::new_unimplemented(),
};

/// Registers this backend for the process.
pub(super) fn install() {
    // Fails if it is registered already.
    let _ = PROVIDER.install_default();
}

/// A public key as published: modulus and exponent.
struct Rs256(DecodingKey);

impl Verifier<Vec<u8>> for Rs256 {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> Result<(), signature::Error> {
        let DecodingKeyKind::RsaModulusExponent { n, e } = self.0.kind() else {
            return Err(signature::Error::new());
        };
        RsaPublicKeyComponents { n, e }
            .verify(&RSA_PKCS1_2048_8192_SHA256, message, signature)
            .map_err(|_| signature::Error::new())
    }
}

impl JwtVerifier for Rs256 {
    fn algorithm(&self) -> Algorithm {
        Algorithm::RS256
    }
}
