//! The only place that reads the environment. All settings are read once at the start.
//!
//! Precedence: embedded defaults (`config/verdigraph.toml`) < the file named by `VERDIGRAPH_CONFIG` < the environment.
//! The defaults are also the schema: an unknown key or a value of another type is an error that names the key.

mod announcements;
mod data_dir;
mod environment;
mod error;
mod external;
mod layers;
mod lists;
mod runs;

use std::net::IpAddr;
use std::path::{Path, PathBuf};

use secrecy::SecretString;
use serde::Deserialize;
use uuid::Uuid;

pub use announcements::{Announcement, Announcements, Bilingual, WorkflowAlert};
pub use data_dir::DataDir;
pub use environment::Environment;
pub use error::SettingsError;
pub use external::{
    ChatSettings, DiscordSettings, FfmpegSettings, GoogleSettings, MailSettings, MailTls, OperatorSettings,
    OutboundSettings, PaymentSettings, VideoSettings, WebhookSettings,
};
pub use lists::{Plan, Pool, WorkerEntry};
pub use runs::{CreditSettings, JobSettings, OutputSettings, QueueSettings};

use external::External;

#[derive(Debug, Clone, Deserialize)]
pub struct Settings {
    pub server: ServerSettings,
    pub log: LogSettings,
    pub data: DataDir,
    pub database: DatabaseSettings,
    pub redis: RedisSettings,
    pub storage: StorageSettings,
    pub sessions: SessionSettings,
    pub sign_in: SignInSettings,
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
    pub jobs: JobSettings,
    pub queue: QueueSettings,
    pub outputs: OutputSettings,
    pub ffmpeg: FfmpegSettings,
    pub credits: CreditSettings,
    pub payments: PaymentSettings,
    pub worker: BuiltinWorker,
    pub simple_apps: SimpleAppSettings,
    files: Files,
    /// Pools and their prices, in the order of the file.
    #[serde(skip)]
    pub pools: Vec<Pool>,
    /// Plans, from the smallest to the largest; never empty.
    #[serde(skip)]
    pub plans: Vec<Plan>,
    /// Workers registered at the first start.
    #[serde(skip)]
    pub workers: Vec<WorkerEntry>,
    /// Texts for visitors.
    #[serde(skip)]
    pub announcements: Announcements,
}

#[derive(Debug, Clone, Deserialize)]
pub struct ServerSettings {
    /// The node's name; `None` derives it from host and data folder.
    #[serde(deserialize_with = "layers::optional")]
    pub node: Option<String>,
    pub host: IpAddr,
    pub port: u16,
    /// The public URL without a trailing slash; `None` if links may be relative.
    #[serde(deserialize_with = "layers::optional")]
    pub base_url: Option<String>,
    /// HTTP threads; 0 means one per processor, at least two.
    pub threads: usize,
    pub trust_forwarded: bool,
    pub answer_seconds: u64,
    pub body_seconds: u64,
    pub upload_seconds: u64,
    pub drain_seconds: u64,
    pub shutdown_seconds: u64,
}

/// The mini apps (ids of workflow APIs) that an operator binds to fixed addresses; `None` chooses a shipped one.
#[derive(Debug, Clone, Deserialize)]
pub struct SimpleAppSettings {
    #[serde(deserialize_with = "layers::optional_id")]
    pub background_remover: Option<Uuid>,
    #[serde(deserialize_with = "layers::optional_id")]
    pub face_swap: Option<Uuid>,
    #[serde(deserialize_with = "layers::optional_id")]
    pub image_to_prompt: Option<Uuid>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct LogSettings {
    pub format: LogFormat,
    /// A `tracing` filter.
    pub filter: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    Text,
    Json,
}

#[derive(Debug, Clone, Deserialize)]
pub struct DatabaseSettings {
    /// `None` means an embedded PostgreSQL in the data folder.
    #[serde(deserialize_with = "layers::optional_secret")]
    pub url: Option<SecretString>,
    pub pool_connections: u32,
    pub acquire_timeout_ms: u64,
    /// 0 means no limit.
    pub statement_timeout_ms: u64,
    /// Folder with `initdb` and `postgres`; `None` searches for it.
    #[serde(deserialize_with = "layers::optional")]
    pub programs: Option<PathBuf>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct RedisSettings {
    #[serde(deserialize_with = "layers::optional_secret")]
    pub url: Option<SecretString>,
    pub prefix: String,
    pub pool_connections: usize,
}

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

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StorageKind {
    Local,
    S3,
}

#[derive(Debug, Clone, Deserialize)]
pub struct SessionSettings {
    pub days: u32,
    pub cache_seconds: u64,
}

/// Limits of sign-in attempts and related mails.
#[derive(Debug, Clone, Deserialize)]
pub struct SignInSettings {
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

/// Limits on external input.
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
    /// Maximum ratio of an uploaded picture's longer side to its shorter one.
    pub image_aspect: u32,
    /// Maximum size of uploaded audio and video, and their duration.
    pub media_bytes: u64,
    pub media_seconds: u32,
    /// Maximum size of an uploaded text file.
    pub text_bytes: u64,
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

#[derive(Debug, Clone, Deserialize)]
pub struct FleetSettings {
    /// The node's share of workers relative to other nodes' weights; 0 connects to none.
    pub weight: u32,
}

/// With less memory the built-in worker could not load a photo.
const LEAST_WORKER_MEMORY: u64 = 512 << 20;

/// The CPU worker started by `verdigraph serve`.
#[derive(Debug, Clone, Deserialize)]
pub struct BuiltinWorker {
    pub builtin: bool,
    /// The ComfyUI version that it emulates.
    pub like: String,
    /// 0 means one per processor.
    pub threads: usize,
    pub cache_bytes: u64,
    /// Memory limit of its process.
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
    /// The folder of the node editor's front end.
    #[serde(deserialize_with = "layers::optional")]
    editor: Option<PathBuf>,
}

impl Settings {
    /// Reads the defaults, the file named by `VERDIGRAPH_CONFIG`, and the environment.
    ///
    /// # Errors
    /// If a file cannot be read, or a key is unknown, of a wrong type or out of range; the message names it.
    pub fn load() -> Result<Self, SettingsError> {
        Self::from_environment(&Environment::of_process())
    }

    /// Like [`Settings::load`], with the given environment.
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
        settings.files.editor = file(&settings.files.editor);
        settings.announcements = announcements::read(file(&settings.files.announcements).as_deref())?;
        settings.check()?;
        Ok(settings)
    }

    /// The embedded defaults, with this data folder.
    ///
    /// # Errors
    /// Only if the embedded files are broken.
    pub fn defaults(data: impl Into<PathBuf>) -> Result<Self, SettingsError> {
        let mut settings = Self::from_environment(&Environment::default())?;
        settings.data = DataDir::new(data);
        Ok(settings)
    }

    #[must_use]
    pub fn pool(&self, name: &str) -> Option<&Pool> {
        self.pools.iter().find(|pool| pool.name == name)
    }

    #[must_use]
    pub fn pool_names(&self) -> Vec<String> {
        self.pools.iter().map(|pool| pool.name.clone()).collect()
    }

    #[must_use]
    pub fn plan(&self, name: &str) -> Option<&Plan> {
        self.plans.iter().find(|plan| plan.name == name)
    }

    /// The plan of new users; `None` only for settings that were not loaded.
    #[must_use]
    pub fn first_plan(&self) -> Option<&Plan> {
        self.plans.first()
    }

    /// The folder of stored files, for local storage.
    #[must_use]
    pub fn storage_folder(&self) -> PathBuf {
        self.storage.folder.clone().unwrap_or_else(|| self.data.join("files"))
    }

    /// The folder of the node editor's front end, if it is installed.
    #[must_use]
    pub fn editor_folder(&self) -> Option<&Path> {
        self.files.editor.as_deref()
    }

    /// Uses another front end of the node editor.
    pub fn set_editor_folder(&mut self, folder: impl Into<PathBuf>) {
        self.files.editor = Some(folder.into());
    }

    /// The prefix of links: the public URL, or nothing if links are relative.
    #[must_use]
    pub fn base_url(&self) -> &str {
        self.server.base_url.as_deref().unwrap_or("")
    }

    /// The public URL, or this machine's: for absolute links, for example in mails.
    #[must_use]
    pub fn public_url(&self) -> String {
        self.server.base_url.clone().unwrap_or_else(|| format!("http://localhost:{}", self.server.port))
    }

    /// The folder for mails without an SMTP server.
    #[must_use]
    pub fn mail_folder(&self) -> PathBuf {
        self.mail.folder.clone().unwrap_or_else(|| self.data.join("mail"))
    }

    fn check(&self) -> Result<(), SettingsError> {
        let Self { mail, google, discord, videos, payments, chat, operator, .. } = self;
        external::check(&External { mail, google, discord, videos, payments, chat, operator }, self.base_url())?;
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
            ("limits.text_bytes", self.limits.text_bytes),
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
        runs::check(&self.jobs, &self.credits)
    }
}

#[cfg(test)]
mod tests;
