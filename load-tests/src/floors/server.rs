//! The floors' HTTP server: a process of its own, so that its work is told apart from the generator's.

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

/// The command line's word for this process.
pub const COMMAND: &str = "floor-server";
/// The environment's name for its database.
const DATABASE: &str = "DATABASE_URL";
/// Connections that all requests share.
const CONNECTIONS: u32 = 16;

/// The running process; it ends with this.
pub struct Child {
    process: Process,
    pub address: SocketAddr,
}

impl Child {
    /// Starts it and waits until it listens.
    ///
    /// # Errors
    /// It does not start.
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

    /// What it has used.
    pub fn usage(&self) -> Usage {
        Usage::of(self.process.pid())
    }
}

/// The process itself: serves on a free port until it is ended.
///
/// # Errors
/// It is given no database, or cannot listen.
pub async fn serve() -> Result<()> {
    let url = std::env::var(DATABASE).map_err(|_| Error::Other(format!("{DATABASE} is not set")))?;
    // One pool for all threads, with the driver's defaults: the plain way.
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
