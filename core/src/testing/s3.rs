//! An S3-compatible store for tests: moto's server, which `make test` installs, behind a proxy that the test can cut.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use secrecy::SecretString;
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::settings::{Settings, StorageKind};

/// How long the server may take to start.
const PATIENCE: Duration = Duration::from_secs(60);
const BUCKET: &str = "verdigraph";

/// A server with one empty bucket; stops when dropped.
#[derive(Debug)]
pub struct TestStore {
    server: Child,
    address: String,
    is_cut: watch::Sender<bool>,
    way: JoinHandle<()>,
}

impl TestStore {
    pub async fn start() -> Self {
        let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.tools/s3/bin/moto_server");
        assert!(program.is_file(), "the tests' S3 server is missing: make test installs it");
        let log = tempfile::NamedTempFile::new().expect("a file");
        let server = Command::new(program)
            .args(["-H", "127.0.0.1", "-p", "0"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log.reopen().expect("the file"))
            .spawn()
            .expect("the tests' S3 server");
        let port = port_in(log.path()).await;
        // TLS clients need the installed provider, even without TLS.
        drop(rustls::crypto::ring::default_provider().install_default());
        let (is_cut, cut) = watch::channel(false);
        let entrance = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = entrance.local_addr().expect("an address");
        let way = tokio::spawn(lead(entrance, port, cut));
        let store = Self { server, address: format!("http://{address}"), is_cut, way };
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

    /// Closes all connections and refuses new ones.
    pub fn cut(&self) {
        self.is_cut.send_replace(true);
    }

    /// Accepts connections again.
    pub fn restore(&self) {
        self.is_cut.send_replace(false);
    }

    /// Configures it as the storage.
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
        self.way.abort();
        let _gone_already = self.server.kill();
        let _gone_already = self.server.wait();
    }
}

/// The port that the server took. One that is chosen here may be another test's before the server has started.
async fn port_in(log: &Path) -> u16 {
    let began = Instant::now();
    loop {
        let text = std::fs::read_to_string(log).expect("a log");
        let after = text.split_once("Running on http://127.0.0.1:").and_then(|(_, after)| after.split_once('\n'));
        if let Some((port, _)) = after {
            return port.trim().parse().expect("a port");
        }
        assert!(began.elapsed() < PATIENCE, "the tests' S3 server does not start: {text}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Forwards connections to the server until they are cut.
async fn lead(entrance: tokio::net::TcpListener, port: u16, cut: watch::Receiver<bool>) {
    while let Ok((mut client, _)) = entrance.accept().await {
        let mut cut = cut.clone();
        tokio::spawn(async move {
            let through = async {
                let mut server = TcpStream::connect(("127.0.0.1", port)).await?;
                tokio::io::copy_bidirectional(&mut client, &mut server).await
            };
            tokio::select! {
                _ = cut.wait_for(|cut| *cut) => {}
                _ = through => {}
            }
        });
    }
}
