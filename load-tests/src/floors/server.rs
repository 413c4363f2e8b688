//! The floors' HTTP server in its own process, so that its processor time is separate from the generator's.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::process::{Command, Stdio};

use actix_web::web::{self, Data, Json};
use actix_web::{App, HttpRequest, HttpResponse, HttpServer};
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::{Map, Value};
use sqlx::PgPool;
use uuid::Uuid;

use super::{pool, store};
use crate::error::{Error, Result};
use crate::platform::{Platform, Process, Usage};

/// The command-line name of this process.
pub const COMMAND: &str = "floor-server";
/// The environment variable with its database URL.
const DATABASE: &str = "DATABASE_URL";
/// Size of the shared pool.
const CONNECTIONS: u32 = 16;

/// The running process. Killed on drop.
pub struct Child {
    process: Process,
    pub address: SocketAddr,
}

impl Child {
    /// Starts it and waits until it listens.
    pub async fn start(platform: &Platform, database: &SecretString) -> Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg(COMMAND).env(DATABASE, database.expose_secret()).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut process = platform.spawn(&mut command)?;
        let output = process.output().ok_or_else(|| Error::Other("the floors' server has no output".into()))?;
        let line = tokio::task::spawn_blocking(move || {
            let mut line = String::new();
            BufReader::new(output).read_line(&mut line).map(|_| line)
        });
        let line = line.await.map_err(|error| Error::Other(error.to_string()))??;
        let address = line.trim().strip_prefix("ready ").and_then(|address| address.parse().ok());
        let address = address.ok_or_else(|| Error::Other(format!("the floors' server said {line:?}")))?;
        Ok(Self { process, address })
    }

    /// Its processor time and memory.
    pub fn usage(&self) -> Usage {
        Usage::of(self.process.pid())
    }
}

/// Runs the server on a free port until the process ends.
pub async fn serve() -> Result<()> {
    let url = std::env::var(DATABASE).map_err(|_| Error::Other(format!("{DATABASE} is not set")))?;
    // One pool for all threads with default options: the simplest setup.
    let pool = pool(&SecretString::from(url), CONNECTIONS)?;
    let threads = std::thread::available_parallelism().map_or(2, |count| count.get().max(2));
    let server = HttpServer::new(move || {
        App::new()
            .app_data(Data::new(pool.clone()))
            .route("/parse", web::post().to(parse))
            .route("/transaction", web::post().to(transaction))
    })
    .workers(threads)
    .bind(("127.0.0.1", 0))?;
    for address in server.addrs() {
        println!("ready {address}");
    }
    Ok(server.run().await?)
}

async fn parse(Json(form): Json<Map<String, Value>>) -> HttpResponse {
    HttpResponse::Created().json(serde_json::json!({"_id": Uuid::now_v7(), "fields": form.len()}))
}

async fn transaction(request: HttpRequest, db: Data<PgPool>, Json(form): Json<Map<String, Value>>) -> HttpResponse {
    let account = request.headers().get("api-key").and_then(|key| Uuid::parse_str(key.to_str().ok()?).ok());
    let Some(account) = account else { return HttpResponse::Unauthorized().finish() };
    let seed = form.get("seed").cloned();
    match store::accept(&db, account, Value::Object(form)).await {
        Ok(job) => {
            HttpResponse::Created().json(serde_json::json!({"_id": job, "status": "Pending", "seeds": {"seed": seed}}))
        }
        Err(error) => HttpResponse::InternalServerError().body(error.to_string()),
    }
}
