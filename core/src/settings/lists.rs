//! Pools, plans and workers, which have files of their own.

use std::collections::BTreeSet;
use std::path::Path;

use serde::Deserialize;

use super::error::SettingsError;
use super::layers;

const POOLS: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../config/pools.toml"));
const PLANS: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../config/plans.toml"));
const WORKERS: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../config/workers.toml"));

/// A pool of workers with one price.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pool {
    pub name: String,
    /// Shown to users.
    pub title: String,
    /// The class of machines: `CPU`, `24 GB`.
    pub gpu: String,
    /// Price of one second of run time.
    pub credits_per_second: i64,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    pub name: String,
    /// Credits granted at sign-up and each month.
    pub monthly_credits: i64,
    /// Relative share of the workers under load; at least 1.
    pub weight: u32,
    /// Pools for its jobs, in order of preference.
    pub pools: Vec<String>,
    pub max_run_seconds: u64,
    /// Maximum number of waiting and running jobs per account.
    pub max_queued_jobs: u64,
    /// Maximum total size of uploads.
    #[serde(default = "storage_bytes")]
    pub storage_bytes: u64,
    /// Whether published posts may be made private again.
    pub private: bool,
}

impl Plan {
    /// The place of a plan among these; `None` if it is not one of them.
    #[must_use]
    pub fn rank(plans: &[Self], name: &str) -> Option<usize> {
        plans.iter().position(|plan| plan.name == name)
    }

    /// The credits that one of these plans gives each month; 0 if it is not one of them.
    #[must_use]
    pub fn monthly_credits_of(plans: &[Self], name: &str) -> i64 {
        plans.iter().find(|plan| plan.name == name).map_or(0, |plan| plan.monthly_credits)
    }
}

/// The default of 1 GiB.
fn storage_bytes() -> u64 {
    1 << 30
}

/// A worker registered at the first start.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorkerEntry {
    pub name: String,
    /// Base URL without a trailing slash.
    pub url: String,
    pub pool: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PoolFile {
    #[serde(default)]
    pool: Vec<Pool>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlanFile {
    #[serde(default)]
    plan: Vec<Plan>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WorkerFile {
    #[serde(default)]
    worker: Vec<WorkerEntry>,
}

pub(super) fn pools(file: Option<&Path>) -> Result<Vec<Pool>, SettingsError> {
    let (place, PoolFile { pool }) = parse(file, POOLS, "pools.toml")?;
    unique(&place, pool.iter().map(|pool| pool.name.as_str()))?;
    if pool.is_empty() {
        return Err(SettingsError(format!("{place}: at least one [[pool]] is needed")));
    }
    match pool.iter().find(|pool| pool.credits_per_second < 0) {
        Some(bad) => Err(SettingsError(format!("{place}: pool `{}`: credits_per_second is negative", bad.name))),
        None => Ok(pool),
    }
}

pub(super) fn plans(file: Option<&Path>, pools: &[Pool]) -> Result<Vec<Plan>, SettingsError> {
    let (place, PlanFile { plan }) = parse(file, PLANS, "plans.toml")?;
    unique(&place, plan.iter().map(|plan| plan.name.as_str()))?;
    if plan.is_empty() {
        return Err(SettingsError(format!("{place}: at least one [[plan]] is needed")));
    }
    for plan in &plan {
        let wrong = |what: &str| Err(SettingsError(format!("{place}: plan `{}`: {what}", plan.name)));
        if plan.weight == 0 {
            return wrong("weight must be at least 1");
        }
        if plan.monthly_credits < 0 {
            return wrong("monthly_credits is negative");
        }
        if plan.pools.is_empty() {
            return wrong("pools is empty");
        }
        if let Some(unknown) = plan.pools.iter().find(|name| !pools.iter().any(|pool| pool.name == **name)) {
            return wrong(&format!("unknown pool `{unknown}`"));
        }
    }
    Ok(plan)
}

pub(super) fn workers(file: Option<&Path>, pools: &[Pool]) -> Result<Vec<WorkerEntry>, SettingsError> {
    let (place, WorkerFile { worker }) = parse(file, WORKERS, "workers.toml")?;
    unique(&place, worker.iter().map(|worker| worker.name.as_str()))?;
    let address = |worker: &WorkerEntry| worker.url.to_lowercase();
    for (number, one) in worker.iter().enumerate() {
        if let Some(other) = worker.iter().skip(number + 1).find(|other| address(other) == address(one)) {
            let (one, other, url) = (&one.name, &other.name, &one.url);
            return Err(SettingsError(format!("{place}: workers `{one}` and `{other}` have the same url, {url}")));
        }
    }
    for worker in &worker {
        if !pools.iter().any(|pool| pool.name == worker.pool) {
            return Err(SettingsError(format!("{place}: worker `{}`: unknown pool `{}`", worker.name, worker.pool)));
        }
        if worker.url.ends_with('/') || !(worker.url.starts_with("http://") || worker.url.starts_with("https://")) {
            return Err(SettingsError(format!(
                "{place}: worker `{}`: url must begin with http:// or https:// and have no slash at the end",
                worker.name
            )));
        }
    }
    Ok(worker)
}

pub(super) fn parse<T: for<'de> Deserialize<'de>>(
    file: Option<&Path>,
    built_in: &str,
    name: &str,
) -> Result<(String, T), SettingsError> {
    let (place, text) = match file {
        Some(path) => (path.display().to_string(), layers::read(path)?),
        None => (format!("built-in {name}"), built_in.to_owned()),
    };
    let list = toml::from_str(&text).map_err(|error| SettingsError(format!("{place}: {error}")))?;
    Ok((place, list))
}

pub(super) fn unique<'a>(place: &str, names: impl Iterator<Item = &'a str>) -> Result<(), SettingsError> {
    let mut seen = BTreeSet::new();
    for name in names {
        if name.is_empty() {
            return Err(SettingsError(format!("{place}: a name is empty")));
        }
        if !seen.insert(name) {
            return Err(SettingsError(format!("{place}: the name `{name}` is used twice")));
        }
    }
    Ok(())
}
