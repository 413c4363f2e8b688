//! Test servers for Google and Discord sign-in, with the providers' checks.
//!
//! A code works once, for its client, redirect URL and verifier. ID tokens are signed with a key of this process;
//! [`TokenFault`] lists the faults a token can have.

use std::collections::HashMap;
use std::process::Command;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use chrono::{DateTime, Utc};
use reqwest::Url;
use ring::hmac;
use ring::rand::SystemRandom;
use ring::rsa::PublicKeyComponents;
use ring::signature::{KeyPair as _, RSA_PKCS1_SHA256, RsaKeyPair};
use secrecy::SecretString;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use crate::settings::Settings;

/// Client id and secret of all tests.
const CLIENT: (&str, &str) = ("our-client", "our secret");

/// The fault of the next ID token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenFault {
    Nothing,
    Nonce,
    NoNonce,
    Audience,
    Issuer,
    Expired,
    Future,
    /// Issued to another client.
    Party,
    /// Unsigned.
    AlgNone,
    /// Signed with the public key as an HMAC secret.
    AlgHmac,
    /// Signed with another key under the right key's id.
    Forged,
    UnknownKey,
    /// One character of the claims is changed.
    Changed,
}

/// The servers. Cheap to clone; they run until the runtime ends.
#[derive(Clone)]
pub struct TestProviders {
    pub url: String,
    state: Arc<Mutex<State>>,
}

struct State {
    person: Value,
    tamper: TokenFault,
    now: DateTime<Utc>,
    is_down: bool,
    kid: &'static str,
    codes: HashMap<String, Grant>,
    tokens: HashMap<String, Value>,
    picture: Vec<u8>,
    asked_keys: usize,
}

/// A user's consent.
struct Grant {
    client: String,
    redirect: String,
    challenge: String,
    nonce: Option<String>,
    person: Value,
}

/// The provider's redirect to the callback.
#[derive(Debug, Clone)]
pub struct ProviderCallback {
    pub code: SecretString,
    pub state: String,
}

/// A request.
pub(super) struct Request {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) query: String,
    pub(super) headers: HashMap<String, String>,
    pub(super) body: String,
}

impl TestProviders {
    /// Starts the servers, with this time.
    pub async fn start(now: DateTime<Utc>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://localhost:{}", listener.local_addr().expect("an address").port());
        let state = State {
            person: json!({}),
            tamper: TokenFault::Nothing,
            now,
            is_down: false,
            kid: "key-1",
            codes: HashMap::new(),
            tokens: HashMap::new(),
            picture: Vec::new(),
            asked_keys: 0,
        };
        let providers = Self { url, state: Arc::new(Mutex::new(state)) };
        let server = providers.clone();
        actix_rt::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                actix_rt::spawn(server.clone().talk(stream));
            }
        });
        providers
    }

    /// Configures both providers, and allows fetching their pictures.
    pub fn configure(&self, settings: &mut Settings) {
        let secret = || Some(SecretString::from(CLIENT.1));
        settings.google.client_id = Some(CLIENT.0.to_owned());
        settings.google.client_secret = secret();
        settings.google.issuer.clone_from(&self.url);
        settings.discord.client_id = Some(CLIENT.0.to_owned());
        settings.discord.client_secret = secret();
        settings.discord.base_url.clone_from(&self.url);
        settings.discord.cdn_url.clone_from(&self.url);
        settings.outbound.private_hosts = vec!["localhost".to_owned()];
    }

    /// The user who signs in from now on, with the provider's fields.
    pub fn person(&self, person: Value) {
        self.state().person = person;
    }

    /// The fault of future ID tokens.
    pub fn tamper(&self, tamper: TokenFault) {
        self.state().tamper = tamper;
    }

    /// Whether every request is answered with 503.
    pub fn set_down(&self, is_down: bool) {
        self.state().is_down = is_down;
    }

    /// Rotates the signing key, as Google does every few weeks.
    pub fn rotate(&self, kid: &'static str) {
        self.state().kid = kid;
    }

    /// The bytes of every picture.
    pub fn picture(&self, bytes: Vec<u8>) {
        self.state().picture = bytes;
    }

    /// How often the keys were fetched.
    #[must_use]
    pub fn asked_keys(&self) -> usize {
        self.state().asked_keys
    }

    /// The user opens `url` and consents.
    #[must_use]
    pub fn agree(&self, url: &str) -> ProviderCallback {
        let url = Url::parse(url).expect("an address");
        let asked: HashMap<String, String> = url.query_pairs().into_owned().collect();
        let get = |name: &str| asked.get(name).cloned().unwrap_or_else(|| panic!("{name} is missing in {url}"));
        assert_eq!(get("response_type"), "code");
        assert_eq!(get("client_id"), CLIENT.0);
        assert_eq!(get("code_challenge_method"), "S256");
        assert!(get("state").len() >= 32, "a state that cannot be guessed");
        let scope = get("scope");
        assert!(["openid email profile", "identify email"].contains(&scope.as_str()), "{scope}");
        let mut state = self.state();
        let code = format!("code-{}", uuid::Uuid::now_v7());
        let grant = Grant {
            client: get("client_id"),
            redirect: get("redirect_uri"),
            challenge: get("code_challenge"),
            nonce: asked.get("nonce").cloned(),
            person: state.person.clone(),
        };
        state.codes.insert(code.clone(), grant);
        ProviderCallback { code: SecretString::from(code), state: get("state") }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn talk(self, mut stream: TcpStream) {
        let Some(request) = read(&mut stream).await else { return };
        let (status, kind, body) = self.answer(&request);
        let head = format!(
            "HTTP/1.1 {status} x\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
            body.len()
        );
        drop(stream.write_all(head.as_bytes()).await);
        drop(stream.write_all(&body).await);
    }

    fn answer(&self, request: &Request) -> (u16, &'static str, Vec<u8>) {
        let json = |status: u16, value: Value| (status, "application/json", value.to_string().into_bytes());
        if self.state().is_down {
            return json(503, json!({}));
        }
        match (request.method.as_str(), request.path.as_str()) {
            ("GET", "/.well-known/openid-configuration") => json(
                200,
                json!({
                    "issuer": self.url, "authorization_endpoint": format!("{}/authorize", self.url),
                    "token_endpoint": format!("{}/token", self.url), "jwks_uri": format!("{}/keys", self.url),
                }),
            ),
            ("GET", "/keys") => {
                let mut state = self.state();
                state.asked_keys += 1;
                let public = public(key());
                let jwk = json!({"kty": "RSA", "use": "sig", "alg": "RS256", "kid": state.kid,
                    "n": URL_SAFE_NO_PAD.encode(&public.n), "e": URL_SAFE_NO_PAD.encode(&public.e)});
                json(200, json!({ "keys": [jwk] }))
            }
            ("POST", "/token" | "/api/oauth2/token") => match self.token(request) {
                Ok(tokens) => json(200, tokens),
                Err(error) => json(400, json!({ "error": error })),
            },
            ("GET", "/api/users/@me") => {
                let token = request.headers.get("authorization").and_then(|value| value.strip_prefix("Bearer "));
                match token.and_then(|token| self.state().tokens.get(token).cloned()) {
                    Some(person) => json(200, person),
                    None => json(401, json!({ "message": "401: Unauthorized" })),
                }
            }
            ("GET", path) if path.starts_with("/avatars/") || path.starts_with("/picture") => {
                (200, "image/png", self.state().picture.clone())
            }
            _ => json(404, json!({})),
        }
    }

    fn token(&self, request: &Request) -> Result<Value, &'static str> {
        if request.headers.get("content-type").is_none_or(|kind| kind != "application/x-www-form-urlencoded") {
            return Err("unsupported_content_type");
        }
        let basic = format!("Basic {}", STANDARD.encode(format!("{}:{}", CLIENT.0, CLIENT.1)));
        if request.headers.get("authorization") != Some(&basic) {
            return Err("invalid_client");
        }
        let form = Url::parse(&format!("http://form/?{}", request.body)).map_err(|_| "invalid_request")?;
        let form: HashMap<String, String> = form.query_pairs().into_owned().collect();
        let get = |name: &str| form.get(name).map_or("", String::as_str);
        if get("grant_type") != "authorization_code" {
            return Err("unsupported_grant_type");
        }
        let mut state = self.state();
        let grant = state.codes.remove(get("code")).ok_or("invalid_grant")?;
        let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(get("code_verifier").as_bytes()));
        if grant.client != CLIENT.0 || grant.redirect != get("redirect_uri") || grant.challenge != challenge {
            return Err("invalid_grant");
        }
        let access = format!("access-{}", uuid::Uuid::now_v7());
        state.tokens.insert(access.clone(), grant.person.clone());
        let mut tokens = json!({ "access_token": access, "token_type": "Bearer", "expires_in": 3600 });
        if request.path == "/token" {
            tokens["id_token"] = json!(id_token(&state, &self.url, &grant));
        }
        Ok(tokens)
    }
}

fn id_token(state: &State, issuer: &str, grant: &Grant) -> String {
    let now = state.now.timestamp();
    let mut claims = json!({ "iss": issuer, "aud": CLIENT.0, "iat": now, "exp": now + 3600, "nonce": grant.nonce });
    for (name, value) in grant.person.as_object().into_iter().flatten() {
        claims[name] = value.clone();
    }
    match state.tamper {
        TokenFault::Nonce => claims["nonce"] = json!("somebody else's"),
        TokenFault::NoNonce => claims["nonce"] = Value::Null,
        TokenFault::Audience => claims["aud"] = json!("another client"),
        TokenFault::Issuer => claims["iss"] = json!("https://evil.example"),
        TokenFault::Expired => claims["exp"] = json!(now - 61),
        TokenFault::Future => claims["iat"] = json!(now + 3600),
        TokenFault::Party => claims["azp"] = json!("another client"),
        _ => {}
    }
    let kid = if state.tamper == TokenFault::UnknownKey { "nobody's" } else { state.kid };
    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let unsigned = |algorithm: &str, claims: &Value| {
        format!("{}.{}", part(&json!({ "typ": "JWT", "alg": algorithm, "kid": kid })), part(claims))
    };
    let text = unsigned("RS256", &claims);
    match state.tamper {
        TokenFault::AlgNone => format!("{}.", unsigned("none", &claims)),
        TokenFault::AlgHmac => {
            let text = unsigned("HS256", &claims);
            let secret = hmac::Key::new(hmac::HMAC_SHA256, &public(key()).n);
            format!("{text}.{}", URL_SAFE_NO_PAD.encode(hmac::sign(&secret, text.as_bytes())))
        }
        TokenFault::Forged => format!("{text}.{}", signature(other_key(), &text)),
        TokenFault::Changed => {
            let signature = signature(key(), &text);
            claims["sub"] = json!("admin");
            format!("{}.{signature}", unsigned("RS256", &claims))
        }
        _ => format!("{text}.{}", signature(key(), &text)),
    }
}

fn public(key: &RsaKeyPair) -> PublicKeyComponents<Vec<u8>> {
    key.public_key().into()
}

fn signature(key: &RsaKeyPair, text: &str) -> String {
    let mut signature = vec![0; key.public().modulus_len()];
    key.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), text.as_bytes(), &mut signature).expect("a signature");
    URL_SAFE_NO_PAD.encode(signature)
}

fn key() -> &'static RsaKeyPair {
    static KEY: OnceLock<RsaKeyPair> = OnceLock::new();
    KEY.get_or_init(make_key)
}

fn other_key() -> &'static RsaKeyPair {
    static KEY: OnceLock<RsaKeyPair> = OnceLock::new();
    KEY.get_or_init(make_key)
}

fn make_key() -> RsaKeyPair {
    let made = Command::new("openssl")
        .args(["genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-outform", "DER"])
        .output()
        .expect("openssl, which make test installs");
    // The encoding depends on the client's version.
    RsaKeyPair::from_pkcs8(&made.stdout).or_else(|_| RsaKeyPair::from_der(&made.stdout)).expect("a key")
}

/// Reads a request; `None` if it is incomplete.
pub(super) async fn read(stream: &mut TcpStream) -> Option<Request> {
    let mut bytes = Vec::new();
    let mut piece = [0; 4096];
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break end;
        }
        match stream.read(&mut piece).await {
            Ok(0) | Err(_) => return None,
            Ok(read) => bytes.extend_from_slice(&piece[..read]),
        }
    };
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let mut lines = head.lines();
    let mut first = lines.next()?.split(' ');
    let (method, target) = (first.next()?.to_owned(), first.next()?.to_owned());
    let headers: HashMap<String, String> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let length: usize = headers.get("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    while bytes.len() < end + 4 + length {
        match stream.read(&mut piece).await {
            Ok(0) | Err(_) => return None,
            Ok(read) => bytes.extend_from_slice(&piece[..read]),
        }
    }
    let body = String::from_utf8_lossy(&bytes[end + 4..end + 4 + length]).into_owned();
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    Some(Request { method, path: path.to_owned(), query: query.to_owned(), headers, body })
}
