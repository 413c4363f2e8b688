//! Metrics that a soak samples every few seconds, and whether they level off.

use std::time::Instant;

use sqlx::PgPool;

use crate::error::Result;
use crate::platform::Platform;
use crate::report::Bar;

const MIB: f64 = 1024.0 * 1024.0;

/// A sampled metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Metric {
    ServerMemory,
    ServerFiles,
    DatabaseMemory,
    DatabaseConnections,
    /// Bytes of the queue's index. Rows come and go, so it must not grow with ended jobs.
    QueueIndex,
    /// Bytes of the index of jobs in flight.
    FlightIndex,
    /// Credit grants: jobs change them and never add any.
    Grants,
    /// Bytes of all tables and indexes per job. History grows, but its rows must not become wider.
    BytesPerJob,
    Waiting,
}

impl Metric {
    pub const ALL: [Self; 9] = [
        Self::ServerMemory,
        Self::ServerFiles,
        Self::DatabaseMemory,
        Self::DatabaseConnections,
        Self::QueueIndex,
        Self::FlightIndex,
        Self::Grants,
        Self::BytesPerJob,
        Self::Waiting,
    ];

    /// Name and unit for reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ServerMemory => "server, MiB",
            Self::ServerFiles => "server, open files",
            Self::DatabaseMemory => "PostgreSQL, MiB",
            Self::DatabaseConnections => "PostgreSQL, connections",
            Self::QueueIndex => "index of waiting jobs, MiB",
            Self::FlightIndex => "index of jobs in flight, MiB",
            Self::Grants => "lots of credits, MiB",
            Self::BytesPerJob => "all tables, bytes for a job",
            Self::Waiting => "jobs waiting",
        }
    }

    /// Growth that is insignificant: one step of an allocator, a few connections.
    fn slack(self) -> f64 {
        match self {
            Self::ServerMemory => 16.0,
            Self::ServerFiles | Self::Waiting => 50.0,
            // Shared buffers are touched gradually until all are.
            Self::DatabaseMemory => 64.0,
            Self::DatabaseConnections => 4.0,
            Self::QueueIndex | Self::FlightIndex | Self::Grants => 2.0,
            Self::BytesPerJob => 0.0,
        }
    }
}

/// Samples in order of time.
#[derive(Debug)]
pub struct Samples {
    began: Instant,
    /// Seconds since the start, and a value for each of [`Metric::ALL`].
    rows: Vec<(f64, [f64; Metric::ALL.len()])>,
}

impl Samples {
    #[must_use]
    pub fn new() -> Self {
        Self { began: Instant::now(), rows: Vec::new() }
    }

    /// Takes a sample.
    #[expect(clippy::cast_precision_loss, reason = "sizes and counts of a run")]
    pub async fn take(&mut self, platform: &Platform) -> Result<()> {
        let (server, database) = (platform.server.usage(), platform.database.usage());
        let tables = Tables::read(&platform.database.pool).await?;
        let value = |metric| match metric {
            Metric::ServerMemory => server.rss_bytes as f64 / MIB,
            Metric::ServerFiles => server.files.unwrap_or(0) as f64,
            Metric::DatabaseMemory => database.rss_bytes as f64 / MIB,
            Metric::DatabaseConnections => tables.connections as f64,
            Metric::QueueIndex => tables.queue_bytes as f64 / MIB,
            Metric::FlightIndex => tables.flight_bytes as f64 / MIB,
            Metric::Grants => tables.grant_bytes as f64 / MIB,
            Metric::BytesPerJob => tables.all_bytes as f64 / tables.jobs.max(1) as f64,
            Metric::Waiting => tables.waiting as f64,
        };
        self.rows.push((self.began.elapsed().as_secs_f64(), Metric::ALL.map(value)));
        Ok(())
    }

    #[must_use]
    pub fn points(&self, metric: Metric) -> Vec<(f64, f64)> {
        let place = Metric::ALL.iter().position(|one| *one == metric).unwrap_or(0);
        self.rows.iter().filter_map(|(at, values)| Some((*at, *values.get(place)?))).collect()
    }

    /// Whether the metric levels off, and its means in the first, second and last third.
    #[must_use]
    pub fn judge(&self, metric: Metric) -> (Bar, [f64; 3]) {
        let values: Vec<f64> = self.points(metric).into_iter().map(|(_, value)| value).collect();
        let thirds = thirds(&values);
        let [_, middle, last] = thirds;
        let allowed = middle * 1.1 + metric.slack();
        let bar = Bar::below(
            format!("{}: the last third against the middle third", metric.name()),
            last,
            // Zero has not grown.
            allowed.max(f64::EPSILON),
            "",
        );
        (bar, thirds)
    }
}

/// Means of the three thirds.
fn thirds(values: &[f64]) -> [f64; 3] {
    #[expect(clippy::cast_precision_loss, reason = "some hundred samples")]
    let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len().max(1) as f64;
    let third = values.len() / 3;
    let (first, rest) = values.split_at(third);
    let (middle, last) = rest.split_at(rest.len().saturating_sub(third));
    if third == 0 { [mean(values); 3] } else { [mean(first), mean(middle), mean(last)] }
}

/// Statistics from the database.
#[derive(Debug, sqlx::FromRow)]
struct Tables {
    connections: i64,
    queue_bytes: i64,
    flight_bytes: i64,
    grant_bytes: i64,
    all_bytes: i64,
    jobs: i64,
    waiting: i64,
}

impl Tables {
    async fn read(db: &PgPool) -> Result<Self> {
        let tables = sqlx::query_as(
            "SELECT (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()) AS connections,
                    pg_relation_size('jobs_queue_idx')::bigint AS queue_bytes,
                    pg_relation_size('jobs_in_flight_idx')::bigint AS flight_bytes,
                    pg_total_relation_size('credit_grants')::bigint AS grant_bytes,
                    (SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c JOIN pg_namespace n
                       ON n.oid = c.relnamespace WHERE n.nspname = 'public' AND c.relkind = 'r')::bigint AS all_bytes,
                    (SELECT count(*) FROM credit_holds) AS jobs,
                    (SELECT count(*) FROM jobs WHERE status = 0) AS waiting",
        );
        Ok(tables.fetch_one(db).await?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(memory: impl Fn(f64) -> f64) -> Samples {
        let rows = (0..360).map(f64::from).map(|at| (at, Metric::ALL.map(|_| memory(at)))).collect();
        Samples { began: Instant::now(), rows }
    }

    #[test]
    fn leak_is_detected_and_filling_cache_is_not() {
        let leak = samples(|at| 100.0 + at);
        assert!(!leak.judge(Metric::ServerMemory).0.met, "{:?}", leak.judge(Metric::ServerMemory));
        let fills = samples(|at| 100.0 + 100.0 * (at / 100.0).min(1.0));
        assert!(fills.judge(Metric::ServerMemory).0.met, "{:?}", fills.judge(Metric::ServerMemory));
        let empty = samples(|_| 0.0);
        assert!(empty.judge(Metric::BytesPerJob).0.met);
    }

    #[test]
    fn thirds_are_means_for_any_count() {
        let even = thirds(&[1.0, 1.0, 2.0, 4.0, 6.0, 8.0]);
        assert!((even[0] - 1.0).abs() < 1e-9 && (even[1] - 3.0).abs() < 1e-9 && (even[2] - 7.0).abs() < 1e-9);
        assert!(thirds(&[5.0, 5.0]).iter().all(|mean| (mean - 5.0).abs() < 1e-9));
        assert!(thirds(&[]).iter().all(|mean| *mean == 0.0));
    }
}
