//! The database server for tests.

use std::fmt::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use secrecy::ExposeSecret;
use sha2::{Digest, Sha256};
use tokio::sync::OnceCell;

use crate::database::{Durability, EmbeddedServer};
use crate::settings::{DataDir, Environment};

/// The free memory that a cluster needs, with its longest log.
const MEMORY_BYTES: u64 = 4 * 1024 * 1024 * 1024;

static ADDRESS: OnceCell<String> = OnceCell::const_new();

/// The URL of a server on which this process may create databases.
pub(super) async fn address() -> String {
    ADDRESS.get_or_init(find).await.clone()
}

async fn find() -> String {
    let environment = Environment::of_process();
    for name in ["TEST_DATABASE_URL", "DATABASE_URL"] {
        if let Some(url) = environment.get(name) {
            return url.to_owned();
        }
    }
    let folder = build_folder().join("test-postgres");
    // Registered before the server is searched for, so that the watcher of an earlier run does not stop it.
    register(&folder);
    let memory = memory_folder(&folder);
    let data = memory.as_ref().unwrap_or(&folder);
    let (server, url) = EmbeddedServer::start(&DataDir::new(data), None, Durability::Volatile)
        .await
        .expect("a private PostgreSQL for the tests; set TEST_DATABASE_URL to use another");
    let adopted = server.is_adopted();
    let pid = server.leave_running();
    if !adopted {
        watch(&folder, pid, memory.as_deref());
    }
    url.expose_secret().to_owned()
}

/// A folder in memory for the data, where Linux has one that is large enough. A new database has a thousand files, and
/// on a disk to make and remove them takes longer than most tests. `None` too if the programs are in the data folder.
fn memory_folder(folder: &Path) -> Option<PathBuf> {
    let memory = Path::new("/dev/shm");
    let space = rustix::fs::statvfs(memory).ok()?;
    if folder.join("pg").exists() || space.f_bavail.saturating_mul(space.f_frsize) < MEMORY_BYTES {
        return None;
    }
    let name = short_hex(&Sha256::digest(folder.as_os_str().as_bytes()).into());
    let data = memory.join(format!("verdigraph-tests-{name}"));
    std::fs::create_dir_all(&data).ok()?;
    Some(data)
}

/// The first sixteen digits of a hash.
pub(super) fn short_hex(digest: &[u8; 32]) -> String {
    digest.iter().take(8).fold(String::new(), |mut text, byte| {
        let _infallible = write!(text, "{byte:02x}");
        text
    })
}

/// `target` of the workspace, or cargo's configured build folder.
fn build_folder() -> PathBuf {
    let program = std::env::current_exe().unwrap_or_default();
    // <build folder>/<profile>/deps/<test program>
    program
        .ancestors()
        .find(|folder| folder.join("CACHEDIR.TAG").is_file())
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../target"), Path::to_path_buf)
}

/// Registers the test runner, which is the parent process.
fn register(folder: &Path) {
    let runners = folder.join("runners");
    std::fs::create_dir_all(&runners).expect("a folder for the tests' database");
    let runner = rustix::process::getppid().map_or(0, |pid| pid.as_raw_nonzero().get());
    std::fs::write(runners.join(runner.to_string()), "").expect("a note of who runs the tests");
}

/// Starts a background shell that stops the server when no test runner is left, and then frees the memory: a single test
/// process cannot know that it is the last. It checks twice, so that consecutive runs share the server.
#[expect(clippy::zombie_processes, reason = "the shell outlives this process; init waits for it")]
fn watch(folder: &Path, server: u32, memory: Option<&Path>) {
    use std::os::unix::process::CommandExt;
    const SCRIPT: &str = r#"
        cd "$1" || exit 1
        alive() {
            for note in runners/*; do
                pid=${note##*/}
                if kill -0 "$pid" 2>/dev/null; then return 0; fi
            done
            return 1
        }
        while kill -0 "$2" 2>/dev/null; do
            if ! alive; then
                sleep 5
                if ! alive; then rm -rf runners; kill -INT "$2"; break; fi
            fi
            sleep 1
        done
        while kill -0 "$2" 2>/dev/null; do sleep 1; done
        if [ -n "$3" ] && ! alive; then rm -rf "$3"; fi
    "#;
    Command::new("sh")
        .args(["-c", SCRIPT, "watch"])
        .arg(folder)
        .arg(server.to_string())
        .arg(memory.unwrap_or(Path::new("")))
        .process_group(0)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("a shell that stops the tests' database");
}
