//! The command line of an agent.

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

/// Connects the ComfyUI server of this machine to Verdigraph through an outgoing connection. Opens no port.
#[derive(Debug, Clone, clap::Args)]
pub struct Agent {
    /// The platform's address, such as https://verdigraph.example.
    #[arg(long, value_name = "URL")]
    pub platform: String,
    /// The worker's name, unique in the installation [default: this machine's name].
    #[arg(long)]
    pub name: Option<String>,
    /// The pool to work in. Optional if the token is for one pool.
    #[arg(long)]
    pub pool: Option<String>,
    /// A file with the token that an admin created for agents. Without it, `VERDIGRAPH_AGENT_TOKEN` is read from the
    /// environment.
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,
    /// The ComfyUI server. The platform reaches no other address through this agent.
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8188")]
    pub server: String,
    /// Where the agent stores its identity [default: $STATE_DIRECTORY, or ~/.local/state/verdigraph-agent].
    #[arg(long, value_name = "DIR")]
    pub state: Option<PathBuf>,
    /// A folder of model files, whose names and sizes are shown to the platform's operators. Can be repeated.
    #[arg(long, value_name = "DIR")]
    pub models: Vec<PathBuf>,
    /// A folder whose old files are deleted: ComfyUI's `output`, `temp` and `input`. Can be repeated.
    #[arg(long, value_name = "DIR")]
    pub clean: Vec<PathBuf>,
    /// Age in hours after which files are deleted.
    #[arg(long, value_name = "HOURS", default_value_t = 24)]
    pub keep_hours: u64,
    /// Percentage of the disk to keep free: below it, the oldest files are deleted earlier, but none of the last hour.
    #[arg(long, value_name = "PERCENT", default_value_t = 10, value_parser = clap::value_parser!(u64).range(0..=90))]
    pub free_percent: u64,
    /// The command that restarts a hanging server, for example "systemctl restart comfyui".
    #[arg(long, value_name = "COMMAND", conflicts_with = "command")]
    pub restart_command: Option<String>,
    /// Seconds without an answer after which the server counts as hanging. By default the platform's limit for silent
    /// workers (`jobs.silent_seconds`), because loading a large model may keep a server from answering for a while.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub hung_seconds: Option<u64>,
    /// Seconds that a server may take to start.
    #[arg(long, value_name = "SECONDS", default_value_t = 600, value_parser = clap::value_parser!(u64).range(1..))]
    pub start_seconds: u64,
    /// Seconds that an agent which is stopped waits for its own server to finish.
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    pub finish_seconds: u64,
    /// Allow http to another machine, where the network can read the token.
    #[arg(long)]
    pub allow_http: bool,
    /// Interval between checks of the server.
    #[arg(long, value_name = "MS", default_value_t = 5000, hide = true)]
    pub look_ms: u64,
    /// The command that starts ComfyUI, after `--`. The agent starts it, and restarts it when it ends or hangs.
    #[arg(last = true, value_name = "COMMAND")]
    pub command: Vec<String>,
}

/// The parsed command line.
#[derive(Debug, Clone)]
pub struct Options {
    pub url: String,
    pub token: Token,
    pub name: String,
    pub pool: Option<String>,
    pub server: String,
    pub state: PathBuf,
    pub models: Vec<PathBuf>,
    pub clean: Vec<PathBuf>,
    pub keep: Duration,
    pub free_percent: u64,
    pub restart: Restart,
    /// `None` to use the platform's limit.
    pub hung_after: Option<Duration>,
    pub start_within: Duration,
    pub finish_within: Duration,
    pub look_every: Duration,
}

/// How the server is restarted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Restart {
    Never,
    Command(String),
    /// The agent starts the server as a child process.
    Child(Vec<String>),
}

/// A token that is not shown in debug output.
#[derive(Clone)]
pub struct Token(pub String);

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token")
    }
}

impl Agent {
    /// Validates the command line.
    pub fn read(self, environment: impl Fn(&str) -> Option<String>) -> Result<Options, String> {
        let url = socket_url(&self.platform, self.allow_http)?;
        let token = match &self.token_file {
            Some(path) => std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?,
            None => environment("VERDIGRAPH_AGENT_TOKEN")
                .ok_or("no token: name a file with --token-file, or set VERDIGRAPH_AGENT_TOKEN")?,
        };
        let token = token.trim();
        if token.is_empty() || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err("invalid token: it must be one word that begins with vga_".to_owned());
        }
        let name = self.name.unwrap_or_else(|| rustix::system::uname().nodename().to_string_lossy().into_owned());
        let state = self
            .state
            // systemd separates several folders with colons; one is ours.
            .or_else(|| environment("STATE_DIRECTORY").filter(|folder| !folder.contains(':')).map(PathBuf::from))
            .or_else(|| environment("HOME").map(|home| PathBuf::from(home).join(".local/state/verdigraph-agent")))
            .ok_or("no folder for the identity: set one with --state")?;
        let restart = match (self.restart_command, self.command) {
            (Some(command), _) => Restart::Command(command),
            (None, command) if command.is_empty() => Restart::Never,
            (None, command) => Restart::Child(command),
        };
        let mut clean = Vec::new();
        for folder in self.clean {
            clean.push(cleanable(&folder, &self.models)?);
        }
        Ok(Options {
            url,
            token: Token(token.to_owned()),
            name,
            pool: self.pool,
            server: address(&self.server)?,
            state,
            models: self.models,
            clean,
            keep: Duration::from_secs(self.keep_hours.saturating_mul(3600)),
            free_percent: self.free_percent,
            restart,
            hung_after: self.hung_seconds.map(Duration::from_secs),
            start_within: Duration::from_secs(self.start_seconds),
            finish_within: Duration::from_secs(self.finish_seconds),
            look_every: Duration::from_millis(self.look_ms.max(10)),
        })
    }
}

/// The WebSocket's address at the platform. Requires TLS except on loopback or if the operator allows it.
fn socket_url(platform: &str, allow_http: bool) -> Result<String, String> {
    let platform = platform.trim_end_matches('/');
    let path = crate::protocol::PATH;
    if let Some(host) = platform.strip_prefix("https://") {
        return Ok(format!("wss://{host}{path}"));
    }
    let Some(host) = platform.strip_prefix("http://") else {
        return Err("--platform must begin with https://".to_owned());
    };
    if allow_http || is_loopback(host) {
        return Ok(format!("ws://{host}{path}"));
    }
    Err("--platform is http://, so that the network could read the token; use https:// (or --allow-http)".into())
}

fn is_loopback(authority: &str) -> bool {
    let authority = authority.split('/').next().unwrap_or_default();
    // The part before an @ is not the host.
    if authority.contains('@') {
        return false;
    }
    let host = match authority.strip_prefix('[') {
        Some(v6) => v6.split(']').next().unwrap_or_default(),
        None => authority.rsplit_once(':').map_or(authority, |(host, _)| host),
    };
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// Host and port of the ComfyUI server.
fn address(server: &str) -> Result<String, String> {
    let wrong = || "--server must be http:// with a host and a port, such as http://127.0.0.1:8188".to_owned();
    let address = server.strip_prefix("http://").ok_or_else(wrong)?.trim_end_matches('/');
    let port = address.rsplit_once(':').ok_or_else(wrong)?.1;
    if address.contains(['/', '@', '?', '#']) || !port.parse::<u16>().is_ok_and(|port| port > 0) {
        return Err(wrong());
    }
    Ok(address.to_owned())
}

/// The canonical path of a folder that may be cleaned. Rejects system folders and folders with models.
fn cleanable(folder: &std::path::Path, models: &[PathBuf]) -> Result<PathBuf, String> {
    let shown = folder.display();
    let real = folder.canonicalize().map_err(|error| format!("--clean {shown}: {error}"))?;
    if !real.is_dir() {
        return Err(format!("--clean {shown} is not a folder"));
    }
    if real.components().count() < 3 {
        return Err(format!("--clean {shown} is not ComfyUI's alone: name its output, temp and input folders"));
    }
    let named = real.components().any(|part| part.as_os_str() == "models") || real.join("models").is_dir();
    let beside = models.iter().filter_map(|models| models.canonicalize().ok());
    if named || beside.into_iter().any(|models| models.starts_with(&real) || real.starts_with(&models)) {
        return Err(format!("--clean {shown} contains or is inside a folder of models, which are never deleted"));
    }
    Ok(real)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn token_needs_tls_except_on_loopback() {
        assert_eq!(socket_url("https://a.example/", false).as_deref(), Ok("wss://a.example/api/agent"));
        for here in ["http://127.0.0.1:8080", "http://localhost", "http://[::1]:80"] {
            assert!(socket_url(here, false).is_ok(), "{here}");
        }
        for there in ["http://10.0.0.1", "http://localhost.example", "http://127.0.0.1@evil.example:80", "ftp://x", "a"]
        {
            assert!(socket_url(there, false).is_err(), "{there}");
        }
        assert!(socket_url("http://10.0.0.1", true).is_ok());
    }

    #[test]
    fn server_must_be_http_with_host_and_port() {
        assert_eq!(address("http://127.0.0.1:8188/").as_deref(), Ok("127.0.0.1:8188"));
        for wrong in ["http://a", "https://a:1", "http://a:1/x", "http://u@a:1", "a:1", "http://a:0", "http://a:x"] {
            assert!(address(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn model_and_system_folders_cannot_be_cleaned() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(&path).expect("a folder");
            path
        };
        let (output, elsewhere) = (at("output"), at("elsewhere"));
        at("models/checkpoints");
        assert!(cleanable(&output, &[]).is_ok());
        assert!(cleanable(&elsewhere, &[elsewhere.join("checkpoints")]).is_ok(), "a folder that is not there has none");
        assert!(cleanable(&elsewhere, std::slice::from_ref(&elsewhere)).is_err());
        assert!(cleanable(folder.path(), &[]).is_err(), "the folder of models is in it");
        assert!(cleanable(&folder.path().join("models/checkpoints"), &[]).is_err());
        assert!(cleanable(std::path::Path::new("/"), &[]).is_err());
        assert!(cleanable(std::path::Path::new("/usr"), &[]).is_err());
    }
}
