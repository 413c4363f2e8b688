//! An S3-compatible store for one test: the server of moto, which `make test` puts into `.tools`.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use secrecy::SecretString;

use crate::settings::{Settings, StorageKind};

/// How long the server may take to answer.
const PATIENCE: Duration = Duration::from_secs(60);
const BUCKET: &str = "verdigraph";

/// A server with one empty bucket. It ends with the value.
#[derive(Debug)]
pub struct TestStore {
    server: Child,
    address: String,
}

impl TestStore {
    /// Starts one.
    ///
    /// # Panics
    /// Where the server is missing, or does not answer: a test without its store must not pass.
    pub async fn start() -> Self {
        let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.tools/s3/bin/moto_server");
        assert!(program.is_file(), "the tests' S3 server is missing: make test installs it");
        let port = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a free port").port();
        let server = Command::new(program)
            .args(["-H", "127.0.0.1", "-p", &port.to_string()])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the tests' S3 server");
        // Every TLS client asks for the installed provider, also one that speaks without TLS.
        drop(rustls::crypto::ring::default_provider().install_default());
        let store = Self { server, address: format!("http://127.0.0.1:{port}") };
        store.make_bucket().await;
        store
    }

    async fn make_bucket(&self) {
        let (client, began) = (reqwest::Client::new(), Instant::now());
        let bucket = format!("{}/{BUCKET}", self.address);
        loop {
            match client.put(&bucket).send().await.and_then(reqwest::Response::error_for_status) {
                Ok(_) => return,
                Err(error) => assert!(began.elapsed() < PATIENCE, "the tests' S3 server does not answer: {error}"),
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Has files kept there.
    pub fn configure(&self, settings: &mut Settings) {
        let storage = &mut settings.storage;
        storage.kind = StorageKind::S3;
        storage.bucket = BUCKET.to_owned();
        storage.region = "us-east-1".to_owned();
        storage.endpoint = Some(self.address.clone());
        storage.access_key_id = Some(SecretString::from("test".to_owned()));
        storage.secret_access_key = Some(SecretString::from("test".to_owned()));
    }
}

impl Drop for TestStore {
    fn drop(&mut self) {
        let _gone_already = self.server.kill();
        let _gone_already = self.server.wait();
    }
}
