//! The real binary in its own process.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use secrecy::{ExposeSecret, SecretString};
use serde_json::{Value, json};
use verdigraph_core::testing::TestDatabase;

pub const BINARY: &str = env!("CARGO_BIN_EXE_verdigraph");

/// A node in its own process; it is killed at the end of the test.
pub struct Node {
    pub process: Child,
    pub url: String,
    pub folder: tempfile::TempDir,
}

impl Node {
    pub fn start(database: &TestDatabase) -> Self {
        Self::launch(database.url(), "warn", Stdio::inherit())
    }

    /// With another log filter and output.
    pub fn launch(database: &SecretString, filter: &str, log: Stdio) -> Self {
        Self::with(database, &[("VERDIGRAPH_LOG_FILTER", filter)], log)
    }

    /// With these settings.
    pub fn with(database: &SecretString, settings: &[(&str, &str)], log: Stdio) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let (process, url) = serve(&folder.path().join("data"), database, settings, log);
        Self { process, url, folder }
    }
}

/// Starts a node, and waits until it is ready; returns its URL.
pub fn serve(data: &Path, database: &SecretString, settings: &[(&str, &str)], log: Stdio) -> (Child, String) {
    let mut process = Command::new(BINARY)
        .args(["serve", "--port", "0", "--data"])
        .arg(data)
        .env("DATABASE_URL", database.expose_secret())
        .envs(settings.iter().copied())
        .stdout(Stdio::piped())
        .stderr(log)
        .spawn()
        .expect("the binary starts");
    let lines = BufReader::new(process.stdout.take().expect("a pipe")).lines();
    let url = lines
        .map_while(Result::ok)
        .find_map(|line| line.strip_prefix("ready ").map(str::to_owned))
        .expect("the node says when it is ready");
    (process, url)
}

impl Drop for Node {
    fn drop(&mut self) {
        // A node that ended by itself has failed the test already.
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

/// Signs up a user and creates an API key.
pub async fn api_key(url: &str) -> String {
    api_key_of(url, "program@example.com").await
}

/// The same for an account with this address.
pub async fn api_key_of(url: &str, email: &str) -> String {
    rustls::crypto::ring::default_provider().install_default().ok();
    let http = reqwest::Client::builder().no_proxy().build().expect("a client");
    let cookies = |response: &reqwest::Response| -> BTreeMap<String, String> {
        let set = response.headers().get_all("set-cookie").iter();
        set.filter_map(|header| {
            let (name, value) = header.to_str().ok()?.split(';').next()?.split_once('=')?;
            Some((name.to_owned(), value.to_owned()))
        })
        .collect()
    };
    let mut jar = cookies(&http.get(format!("{url}/api/auth")).send().await.expect("an answer"));
    let mut key = String::new();
    let form = json!({"email": email, "password": "a long enough one", "name": "Program",
        "termsAccepted": true, "privacyAccepted": true});
    for (path, body) in [("auth/signup/email-password", form), ("general/api-key", json!({"name": "fixtures"}))] {
        let cookie = jar.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("; ");
        let response = http
            .post(format!("{url}/api/{path}"))
            .header("cookie", cookie)
            .header("x-xsrf-token", jar.get("XSRF-TOKEN").cloned().unwrap_or_default())
            .json(&body)
            .send()
            .await
            .expect("an answer");
        assert_eq!(response.status().as_u16(), 201, "{path}");
        jar.extend(cookies(&response));
        let answer: Value = response.json().await.expect("JSON");
        key = answer["key"].as_str().unwrap_or_default().to_owned();
    }
    assert!(key.starts_with("vg_"), "a key is shown once");
    key
}
