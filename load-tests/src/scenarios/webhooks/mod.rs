//! `webhooks`: deliveries while the server is killed, their speed, and what they cost those who submit.

mod kills;
mod receiver;
mod speed;
mod submits;

use std::process::ExitCode;

use rand::RngExt as _;
use reqwest::RequestBuilder;
use serde_json::{Value, json};

use self::kills::Kills;
use self::receiver::Receiver;
use self::speed::Speed;
use super::Common;
use super::feed::reader::TYPES;
use crate::error::{Error, Result};
use crate::platform::Shape;
use crate::report::{Output, Report};

#[derive(Debug, Clone, clap::Args)]
pub struct Args {
    #[command(flatten)]
    pub common: Common,
    /// One part alone, whose result is only printed
    #[arg(long, value_enum)]
    pub part: Option<Part>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Part {
    Kills,
    Speed,
    Submits,
}

pub async fn run(args: &Args) -> Result<ExitCode> {
    let common = &args.common;
    common.must_be_own("its server is killed")?;
    let seed = common.seed.unwrap_or_else(|| rand::rng().random::<u32>().into());
    println!("seed {seed}: repeat this run's choices with --seed {seed}");
    let (size, speed) = if common.quick { (Kills::QUICK, Speed::QUICK) } else { (Kills::FULL, Speed::FULL) };
    let submits = match common.quick {
        true => "",
        false => " Then jobs are submitted as fast as possible without webhooks, and with one for all of them.",
    };
    let mut report = Report::new(
        "webhooks",
        format!(
            "Events of {} jobs are brought to a receiver that refuses 30 % of all requests, one event six times at most, \
             while the server is killed {} times. Seed {seed}. Then, on another platform, the events of {} jobs that waited go \
             to a receiver that is well, and those of {:.0} jobs a second as they happen.{submits}",
            size.jobs, size.kills, speed.jobs, speed.pace
        ),
    );
    // The last part only measures, so the quick form leaves it out unless it is asked for.
    let is_run = |part: Part| args.part.map_or(part != Part::Submits || !common.quick, |only| only == part);
    if is_run(Part::Kills) {
        kills::run(common, &size, seed, &mut report).await?;
    }
    if is_run(Part::Speed) {
        speed::run(common, &speed, &mut report).await?;
    }
    if is_run(Part::Submits) {
        submits::run(common, &mut report).await?;
    }
    report.finish(if args.part.is_some() { Output::PrintedOnly } else { common.output() })
}

/// Allows webhooks to this machine, and retries after a second.
fn allowing_loopback(shape: Shape) -> Shape {
    shape
        .with("outbound.private_hosts", r#"["127.0.0.1"]"#)
        .with("webhooks.retry_seconds", "[1, 1, 1, 1, 1, 1, 1, 1, 1]")
}

/// The body that subscribes to these events.
fn subscription(url: &str, types: &[&str]) -> Value {
    json!({"name": "load", "webhookUrl": url, "webhookEventIds": types})
}

/// Subscribes to all job events.
async fn subscribe(request: RequestBuilder, receiver: &Receiver) -> Result<()> {
    let answer = request.json(&subscription(&receiver.url, &TYPES)).send().await?;
    let (status, text) = (answer.status(), answer.text().await?);
    let config: Value = serde_json::from_str(&text).unwrap_or_default();
    match config.get("secret").and_then(Value::as_str) {
        Some(secret) => receiver.expect(secret),
        None => Err(Error::Other(format!("a webhook was answered {status}: {text}"))),
    }
}
