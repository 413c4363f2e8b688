//! The only place that reads the environment: every setting, read once at the start.
//!
//! Embedded defaults (`config/verdigraph.toml`) < the file named by `VERDIGRAPH_CONFIG` < the environment. The
//! defaults file is also the schema: a key that it does not have, or a value of another type, is an error that
//! names the key.

mod announcements;
mod environment;
mod error;
mod layers;
mod lists;
mod outside;

use std::net::IpAddr;
use std::path::{Path, PathBuf};

use secrecy::SecretString;
use serde::Deserialize;

pub use announcements::{Announcement, Announcements, Bilingual, WorkflowAlert};
pub use environment::Environment;
pub use error::SettingsError;
pub use lists::{Plan, Pool, WorkerEntry};
pub use outside::{
    ChatSettings, DiscordSettings, FfmpegSettings, GoogleSettings, MailSettings, MailTls, OperatorSettings,
    OutboundSettings, VideoSettings, WebhookSettings,
};

use outside::Outside;

/// Everything that can be configured.
#[derive(Debug, Clone, Deserialize)]
pub struct Settings {
    pub server: Server,
    pub log: Log,
    pub data: DataDir,
    pub database: DatabaseSettings,
    pub redis: RedisSettings,
    pub storage: StorageSettings,
    pub sessions: Sessions,
    pub sign_in: SignIn,
    pub mail: MailSettings,
    pub google: GoogleSettings,
    pub discord: DiscordSettings,
    pub outbound: OutboundSettings,
    pub webhooks: WebhookSettings,
    pub videos: VideoSettings,
    pub chat: ChatSettings,
    pub operator: OperatorSettings,
    pub limits: Limits,
    pub fleet: FleetSettings,
    pub jobs: Jobs,
    pub outputs: Outputs,
    pub ffmpeg: FfmpegSettings,
    pub credits: Credits,
    pub worker: BuiltinWorker,
    files: Files,
    /// Pools and their prices, in the order of the file.
    #[serde(skip)]
    pub pools: Vec<Pool>,
    /// Plans, from the smallest to the largest; never empty.
    #[serde(skip)]
    pub plans: Vec<Plan>,
    /// Workers that are there from the start.
    #[serde(skip)]
    pub workers: Vec<WorkerEntry>,
    /// What visitors are told.
    #[serde(skip)]
    pub announcements: Announcements,
}

/// Where the node listens.
#[derive(Debug, Clone, Deserialize)]
pub struct Server {
    /// What the node is called; `None` for its host and data folder.
    #[serde(deserialize_with = "layers::optional")]
    pub node: Option<String>,
    pub host: IpAddr,
    pub port: u16,
    /// The address that people use, without a slash at the end; `None` where links may be relative.
    #[serde(deserialize_with = "layers::optional")]
    pub base_url: Option<String>,
    /// HTTP threads; 0 means one for each processor, at least two.
    pub threads: usize,
    pub trust_forwarded: bool,
    pub answer_seconds: u64,
    pub body_seconds: u64,
    pub upload_seconds: u64,
    pub drain_seconds: u64,
    pub shutdown_seconds: u64,
}

/// What is logged, and how.
#[derive(Debug, Clone, Deserialize)]
pub struct Log {
    pub format: LogFormat,
    /// A filter in the form of tracing.
    pub filter: String,
}

/// The shape of a log line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    Text,
    Json,
}

/// The folder in which a node keeps everything of its own.
#[derive(Debug, Clone, Deserialize)]
pub struct DataDir {
    pub folder: PathBuf,
}

impl DataDir {
    /// A data folder at this place; it is made on first use.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// A path inside the folder.
    #[must_use]
    pub fn join(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder.join(name)
    }
}

/// Which PostgreSQL, and how many connections.
#[derive(Debug, Clone, Deserialize)]
pub struct DatabaseSettings {
    /// `None`: a private PostgreSQL inside the data folder.
    #[serde(deserialize_with = "layers::optional_secret")]
    pub url: Option<SecretString>,
    pub pool_connections: u32,
    pub acquire_timeout_ms: u64,
    /// 0 for no limit.
    pub statement_timeout_ms: u64,
    /// Folder with `initdb` and `postgres`, where they shall not be looked for.
    #[serde(deserialize_with = "layers::optional")]
    pub programs: Option<PathBuf>,
}

/// Which Redis, if any.
#[derive(Debug, Clone, Deserialize)]
pub struct RedisSettings {
    #[serde(deserialize_with = "layers::optional_secret")]
    pub url: Option<SecretString>,
    pub prefix: String,
    pub pool_connections: usize,
}

/// Where files are stored.
#[derive(Debug, Clone, Deserialize)]
pub struct StorageSettings {
    pub kind: StorageKind,
    #[serde(deserialize_with = "layers::optional")]
    pub folder: Option<PathBuf>,
    pub bucket: String,
    #[serde(deserialize_with = "layers::optional")]
    pub endpoint: Option<String>,
    pub region: String,
    #[serde(deserialize_with = "layers::optional_secret")]
    pub access_key_id: Option<SecretString>,
    #[serde(deserialize_with = "layers::optional_secret")]
    pub secret_access_key: Option<SecretString>,
    pub link_seconds: u64,
}

/// The kinds of storage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StorageKind {
    Local,
    S3,
}

/// How long people stay signed in.
#[derive(Debug, Clone, Deserialize)]
pub struct Sessions {
    pub days: u32,
    pub cache_seconds: u64,
}

/// How wrong passwords are slowed, and how often other things of signing in may be asked for.
#[derive(Debug, Clone, Deserialize)]
pub struct SignIn {
    pub free_attempts_per_account: u32,
    pub free_attempts_per_address: u32,
    pub free_attempts_per_account_everywhere: u32,
    pub delay_seconds: u64,
    pub max_delay_seconds: u64,
    pub max_delay_everywhere_seconds: u64,
    pub hashes_at_once: usize,
    pub sign_ups_per_address_per_hour: u32,
    pub mails_per_account_per_hour: u32,
    pub mails_per_address_per_hour: u32,
    pub verify_hours: u32,
    pub reset_minutes: u32,
}

/// A limit on everything that comes from outside.
#[derive(Debug, Clone, Deserialize)]
pub struct Limits {
    pub upload_bytes: u64,
    pub output_file_bytes: u64,
    pub output_job_bytes: u64,
    /// Pixels of one frame.
    pub image_pixels: u64,
    /// The longer side, in pixels.
    pub image_side: u32,
    pub image_frames: u32,
    /// How often the shorter side of an uploaded picture may fit the longer one.
    pub image_aspect: u32,
    /// The largest sound or film that can be uploaded, and how long it may play.
    pub media_bytes: u64,
    pub media_seconds: u32,
    pub decodes_at_once: usize,
    pub comments_per_account_per_hour: u32,
    pub json_bytes: usize,
    pub requests_per_minute_per_key: u32,
    pub requests_per_minute_per_account: u32,
    pub requests_per_minute_per_address: u32,
    pub api_keys_per_account: u32,
    pub connections_per_node: u32,
    pub streams_per_account: u32,
    pub streams_per_node: u32,
}

/// The node's part in the fleet.
#[derive(Debug, Clone, Deserialize)]
pub struct FleetSettings {
    /// Its share of the workers, beside the weights of the other nodes; 0 for a node that connects to none.
    pub weight: u32,
}

/// Times and numbers of the queue and of running jobs.
#[derive(Debug, Clone, Deserialize)]
pub struct Jobs {
    pub max_waiting: u64,
    pub lease_seconds: u64,
    pub heartbeat_seconds: u64,
    pub sweep_seconds: u64,
    pub retries: u32,
    pub no_worker_seconds: u64,
    pub accept_seconds: u64,
    pub gone_seconds: u64,
    pub silent_seconds: u64,
    pub stuck_seconds: u64,
    pub stop_seconds: u64,
    pub collect_seconds: u64,
    pub warm_window_seconds: u64,
    pub lane_shares: [u32; 3],
    pub hold_seconds: u64,
    pub idempotency_hours: u32,
    /// Months that jobs are kept after the one in which they were accepted; 0 keeps them for good.
    pub keep_months: u32,
}

/// What becomes of outputs.
#[derive(Debug, Clone, Deserialize)]
pub struct Outputs {
    /// Days that output pictures are kept.
    pub days: u32,
}

/// Facts of credits that hold for every grant.
#[derive(Debug, Clone, Deserialize)]
pub struct Credits {
    /// Days from issue to expiry.
    pub days: u32,
}

/// Below it the built-in worker could not even load a photo.
const LEAST_WORKER_MEMORY: u64 = 512 << 20;

/// The CPU worker that `verdigraph serve` starts.
#[derive(Debug, Clone, Deserialize)]
pub struct BuiltinWorker {
    pub builtin: bool,
    /// The version of ComfyUI that it is like.
    pub like: String,
    /// 0 means one for each processor.
    pub threads: usize,
    pub cache_bytes: u64,
    /// Of its process.
    pub memory_bytes: u64,
}

#[derive(Debug, Clone, Deserialize)]
struct Files {
    #[serde(deserialize_with = "layers::optional")]
    pools: Option<PathBuf>,
    #[serde(deserialize_with = "layers::optional")]
    plans: Option<PathBuf>,
    #[serde(deserialize_with = "layers::optional")]
    workers: Option<PathBuf>,
    #[serde(deserialize_with = "layers::optional")]
    announcements: Option<PathBuf>,
}

impl Settings {
    /// Reads the defaults, the file named by `VERDIGRAPH_CONFIG`, and the environment of the process.
    ///
    /// # Errors
    /// Where a file cannot be read, or a key is unknown, of a wrong type or out of range; the text names it.
    pub fn load() -> Result<Self, SettingsError> {
        Self::from_environment(&Environment::of_process())
    }

    /// As [`Settings::load`], from a given environment.
    ///
    /// # Errors
    /// As [`Settings::load`].
    pub fn from_environment(environment: &Environment) -> Result<Self, SettingsError> {
        let mut table = layers::defaults()?;
        let mut beside = PathBuf::new();
        if let Some(path) = environment.config_file() {
            layers::overlay_file(&mut table, &path)?;
            beside = path.parent().map(Path::to_path_buf).unwrap_or_default();
        }
        layers::overlay_environment(&mut table, environment)?;
        let mut settings: Self = layers::typed(table)?;
        let file = |path: &Option<PathBuf>| path.as_ref().map(|path| beside.join(path));
        settings.pools = lists::pools(file(&settings.files.pools).as_deref())?;
        settings.plans = lists::plans(file(&settings.files.plans).as_deref(), &settings.pools)?;
        settings.workers = lists::workers(file(&settings.files.workers).as_deref(), &settings.pools)?;
        settings.announcements = announcements::read(file(&settings.files.announcements).as_deref())?;
        settings.check()?;
        Ok(settings)
    }

    /// The embedded defaults alone, with this data folder.
    ///
    /// # Errors
    /// Only where the embedded files themselves are broken.
    pub fn defaults(data: impl Into<PathBuf>) -> Result<Self, SettingsError> {
        let mut settings = Self::from_environment(&Environment::default())?;
        settings.data = DataDir::new(data);
        Ok(settings)
    }

    /// The pool of this name.
    #[must_use]
    pub fn pool(&self, name: &str) -> Option<&Pool> {
        self.pools.iter().find(|pool| pool.name == name)
    }

    /// The plan of this name.
    #[must_use]
    pub fn plan(&self, name: &str) -> Option<&Plan> {
        self.plans.iter().find(|plan| plan.name == name)
    }

    /// The plan that everybody starts with; `None` only for settings that were not loaded.
    #[must_use]
    pub fn first_plan(&self) -> Option<&Plan> {
        self.plans.first()
    }

    /// The folder of stored files, where they are stored locally.
    #[must_use]
    pub fn storage_folder(&self) -> PathBuf {
        self.storage.folder.clone().unwrap_or_else(|| self.data.join("files"))
    }

    /// What a link begins with: the public address, or nothing where links are relative.
    #[must_use]
    pub fn base_url(&self) -> &str {
        self.server.base_url.as_deref().unwrap_or("")
    }

    /// The public address where one is set, else the one of this machine: for links that are followed from elsewhere,
    /// such as in mail.
    #[must_use]
    pub fn public_url(&self) -> String {
        self.server.base_url.clone().unwrap_or_else(|| format!("http://localhost:{}", self.server.port))
    }

    /// The folder that mail is written into where no SMTP server is set.
    #[must_use]
    pub fn mail_folder(&self) -> PathBuf {
        self.mail.folder.clone().unwrap_or_else(|| self.data.join("mail"))
    }

    fn check(&self) -> Result<(), SettingsError> {
        let Self { mail, google, discord, videos, chat, operator, .. } = self;
        outside::check(&Outside { mail, google, discord, videos, chat, operator })?;
        if let Some(url) = &self.server.base_url
            && (url.ends_with('/') || !(url.starts_with("http://") || url.starts_with("https://")))
        {
            return Err(SettingsError(format!(
                "server.base_url: must begin with http:// or https:// and have no slash at the end, found `{url}`"
            )));
        }
        if self.storage.kind == StorageKind::S3 && self.storage.bucket.is_empty() {
            return Err(SettingsError("storage.bucket: needed where storage.kind is \"s3\"".to_owned()));
        }
        let at_least_one = [
            ("database.pool_connections", u64::from(self.database.pool_connections)),
            ("redis.pool_connections", self.redis.pool_connections as u64),
            ("sessions.days", u64::from(self.sessions.days)),
            ("sign_in.hashes_at_once", self.sign_in.hashes_at_once as u64),
            ("sign_in.delay_seconds", self.sign_in.delay_seconds),
            ("sign_in.verify_hours", u64::from(self.sign_in.verify_hours)),
            ("sign_in.reset_minutes", u64::from(self.sign_in.reset_minutes)),
            ("mail.attempts", u64::from(self.mail.attempts)),
            ("limits.upload_bytes", self.limits.upload_bytes),
            ("limits.image_pixels", self.limits.image_pixels),
            ("limits.image_side", u64::from(self.limits.image_side)),
            ("limits.image_frames", u64::from(self.limits.image_frames)),
            ("limits.image_aspect", u64::from(self.limits.image_aspect)),
            ("limits.media_bytes", self.limits.media_bytes),
            ("limits.media_seconds", u64::from(self.limits.media_seconds)),
            ("limits.decodes_at_once", self.limits.decodes_at_once as u64),
            ("limits.requests_per_minute_per_key", u64::from(self.limits.requests_per_minute_per_key)),
            ("limits.requests_per_minute_per_account", u64::from(self.limits.requests_per_minute_per_account)),
            ("limits.requests_per_minute_per_address", u64::from(self.limits.requests_per_minute_per_address)),
            ("jobs.heartbeat_seconds", self.jobs.heartbeat_seconds),
            ("jobs.sweep_seconds", self.jobs.sweep_seconds),
            ("jobs.hold_seconds", self.jobs.hold_seconds),
            ("jobs.gone_seconds", self.jobs.gone_seconds),
            ("jobs.silent_seconds", self.jobs.silent_seconds),
            ("jobs.stuck_seconds", self.jobs.stuck_seconds),
            ("jobs.collect_seconds", self.jobs.collect_seconds),
            ("outputs.days", u64::from(self.outputs.days)),
            ("ffmpeg.seconds", self.ffmpeg.seconds),
            ("ffmpeg.memory_bytes", self.ffmpeg.memory_bytes),
            ("ffmpeg.at_once", self.ffmpeg.at_once as u64),
            ("credits.days", u64::from(self.credits.days)),
        ];
        if let Some((key, _)) = at_least_one.iter().find(|(_, value)| *value == 0) {
            return Err(SettingsError(format!("{key}: must be at least 1")));
        }
        if self.worker.memory_bytes < LEAST_WORKER_MEMORY {
            return Err(SettingsError(format!("worker.memory_bytes: must be at least {LEAST_WORKER_MEMORY}")));
        }
        if self.jobs.lane_shares.contains(&0) {
            return Err(SettingsError("jobs.lane_shares: each share must be at least 1".to_owned()));
        }
        if self.jobs.lease_seconds <= self.jobs.heartbeat_seconds {
            return Err(SettingsError("jobs.lease_seconds: must be more than jobs.heartbeat_seconds".to_owned()));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
