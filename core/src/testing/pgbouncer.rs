//! PgBouncer in transaction mode in front of a test database; `make test` finds or installs the program.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use secrecy::{ExposeSecret, SecretString};
use sqlx::postgres::PgConnectOptions;

use super::TestDatabase;
use crate::settings::Environment;

/// How long it may take to start.
const PATIENCE: Duration = Duration::from_secs(30);

/// A pooler that stops when dropped.
#[derive(Debug)]
pub struct TestPooler {
    server: Child,
    url: SecretString,
    _configuration: tempfile::NamedTempFile,
}

impl TestPooler {
    /// Starts a pooler with this number of database connections and the settings that docs/operating.md requires.
    /// `instead` replaces some of them.
    pub async fn start(database: &TestDatabase, connections: u32, instead: &str) -> Self {
        let address: PgConnectOptions = database.url().expose_secret().parse().expect("an address");
        let (host, user) = (address.get_host(), address.get_username());
        let password = url_password(database.url().expose_secret());
        let name = address.get_database().expect("a name");
        // PgBouncer refuses to run as root.
        let nobody = if rustix::process::geteuid().is_root() { "user = nobody" } else { "" };
        let server_port = address.get_port();
        let settings = format!(
            "[databases]\n{name} = host={host} port={server_port} dbname={name} user={user} password={password}\n\
             [pgbouncer]\nlisten_addr = 127.0.0.1\nunix_socket_dir =\nauth_type = any\n\
             pool_mode = transaction\nmax_client_conn = 500\ndefault_pool_size = {connections}\n\
             max_prepared_statements = 200\nignore_startup_parameters = extra_float_digits, options\n\
             log_connections = 0\nlog_disconnections = 0\n{nobody}\n{instead}\n"
        );
        let began = Instant::now();
        // Another process may take the free port before PgBouncer does. PgBouncer ends then, and another one is started.
        loop {
            let port = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a free port").port();
            let url = SecretString::from(format!("postgres://{user}@127.0.0.1:{port}/{name}"));
            let mut pooler = Self::launch(&format!("{settings}listen_port = {port}\n"), url);
            while pooler.server.try_wait().expect("a process").is_none() {
                if is_pooler(port) {
                    return pooler;
                }
                assert!(began.elapsed() < PATIENCE, "PgBouncer does not answer");
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            assert!(began.elapsed() < PATIENCE, "PgBouncer does not start");
        }
    }

    fn launch(settings: &str, url: SecretString) -> Self {
        let mut configuration = tempfile::NamedTempFile::new().expect("a file");
        configuration.write_all(settings.as_bytes()).expect("settings");
        let server = Command::new(program())
            .arg("-q")
            .arg(configuration.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .expect("PgBouncer");
        Self { server, url, _configuration: configuration }
    }

    /// The URL of the database through the pooler.
    #[must_use]
    pub fn url(&self) -> &SecretString {
        &self.url
    }
}

impl Drop for TestPooler {
    fn drop(&mut self) {
        let _gone_already = self.server.kill();
        let _gone_already = self.server.wait();
    }
}

/// Whether a server of this protocol answers here: it refuses TLS by one byte.
fn is_pooler(port: u16) -> bool {
    const ASKS_FOR_TLS: [u8; 8] = [0, 0, 0, 8, 4, 210, 22, 47];
    let Ok(mut stream) = TcpStream::connect(("127.0.0.1", port)) else { return false };
    let mut answer = [0];
    stream.set_read_timeout(Some(Duration::from_secs(1))).is_ok()
        && stream.write_all(&ASKS_FOR_TLS).is_ok()
        && stream.read_exact(&mut answer).is_ok()
        && answer == *b"N"
}

fn program() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.tools/pgbouncer/bin");
    let mut folders = vec![own];
    folders.extend(Environment::of_process().program_folders());
    folders.push(PathBuf::from("/usr/sbin"));
    let found = folders.into_iter().map(|folder| folder.join("pgbouncer")).find(|program| program.is_file());
    found.expect("PgBouncer 1.21 or newer is missing: make test installs it")
}

/// The password in a URL.
fn url_password(url: &str) -> String {
    let access = url.split_once("://").and_then(|(_, rest)| rest.split_once('@')).map(|(access, _)| access);
    access.and_then(|access| access.split_once(':')).map(|(_, password)| password.to_owned()).unwrap_or_default()
}
