//! What is looked at every few seconds of a soak, and whether it has levelled off.

use std::time::Instant;

use sqlx::PgPool;

use crate::error::Result;
use crate::platform::Platform;
use crate::report::Bar;

const MIB: f64 = 1024.0 * 1024.0;

/// One thing that is watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Watched {
    ServerMemory,
    ServerFiles,
    DatabaseMemory,
    DatabaseConnections,
    /// Bytes of the queue's index: rows come and go, so it must not grow with the jobs that have ended.
    QueueIndex,
    /// The same for jobs in flight.
    FlightIndex,
    /// Lots of credits are changed by every job and never added.
    Grants,
    /// Bytes of all tables and indexes for each job: history grows, and its rows must not become wider.
    BytesPerJob,
    /// Jobs that wait.
    Waiting,
}

impl Watched {
    /// All of them.
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

    /// Its name and unit, for people.
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

    /// What it may grow by without meaning anything: one step of an allocator, a few connections.
    fn slack(self) -> f64 {
        match self {
            Self::ServerMemory => 16.0,
            Self::ServerFiles | Self::Waiting => 50.0,
            // Shared buffers are touched bit by bit until all of them are.
            Self::DatabaseMemory => 64.0,
            Self::DatabaseConnections => 4.0,
            Self::QueueIndex | Self::FlightIndex | Self::Grants => 2.0,
            Self::BytesPerJob => 0.0,
        }
    }
}

/// Looks in the order in which they were taken.
#[derive(Debug)]
pub struct Looks {
    began: Instant,
    /// Seconds since the begin, and a value for each of [`Watched::ALL`].
    rows: Vec<(f64, [f64; Watched::ALL.len()])>,
}

impl Looks {
    /// No look yet.
    #[must_use]
    pub fn new() -> Self {
        Self { began: Instant::now(), rows: Vec::new() }
    }

    /// Looks once.
    ///
    /// # Errors
    /// The database does not answer.
    #[expect(clippy::cast_precision_loss, reason = "sizes and counts of a run")]
    pub async fn look(&mut self, platform: &Platform) -> Result<()> {
        let (server, database) = (platform.server.usage(), platform.database.usage());
        let tables = Tables::read(&platform.database.pool).await?;
        let value = |watched| match watched {
            Watched::ServerMemory => server.rss_bytes as f64 / MIB,
            Watched::ServerFiles => server.files.unwrap_or(0) as f64,
            Watched::DatabaseMemory => database.rss_bytes as f64 / MIB,
            Watched::DatabaseConnections => tables.connections as f64,
            Watched::QueueIndex => tables.queue_bytes as f64 / MIB,
            Watched::FlightIndex => tables.flight_bytes as f64 / MIB,
            Watched::Grants => tables.grant_bytes as f64 / MIB,
            Watched::BytesPerJob => tables.all_bytes as f64 / tables.jobs.max(1) as f64,
            Watched::Waiting => tables.waiting as f64,
        };
        self.rows.push((self.began.elapsed().as_secs_f64(), Watched::ALL.map(value)));
        Ok(())
    }

    /// One curve.
    #[must_use]
    pub fn points(&self, watched: Watched) -> Vec<(f64, f64)> {
        let place = Watched::ALL.iter().position(|one| *one == watched).unwrap_or(0);
        self.rows.iter().filter_map(|(at, values)| Some((*at, *values.get(place)?))).collect()
    }

    /// Whether it has levelled off, and its mean in the first, the middle and the last third.
    #[must_use]
    pub fn judge(&self, watched: Watched) -> (Bar, [f64; 3]) {
        let values: Vec<f64> = self.points(watched).into_iter().map(|(_, value)| value).collect();
        let thirds = thirds(&values);
        let [_, middle, last] = thirds;
        let allowed = middle * 1.1 + watched.slack();
        let bar = Bar::below(
            format!("{}: the last third against the middle third", watched.name()),
            last,
            // At nothing at all, nothing has grown.
            allowed.max(f64::EPSILON),
            "",
        );
        (bar, thirds)
    }
}

/// Means of the three thirds.
fn thirds(values: &[f64]) -> [f64; 3] {
    #[expect(clippy::cast_precision_loss, reason = "some hundred looks")]
    let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len().max(1) as f64;
    let third = values.len() / 3;
    let (first, rest) = values.split_at(third);
    let (middle, last) = rest.split_at(rest.len().saturating_sub(third));
    if third == 0 { [mean(values); 3] } else { [mean(first), mean(middle), mean(last)] }
}

/// What the database tells about itself.
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

    fn looks(memory: impl Fn(f64) -> f64) -> Looks {
        let rows = (0..360).map(f64::from).map(|at| (at, Watched::ALL.map(|_| memory(at)))).collect();
        Looks { began: Instant::now(), rows }
    }

    #[test]
    fn a_leak_is_seen_and_a_cache_that_fills_is_not_taken_for_one() {
        let leak = looks(|at| 100.0 + at);
        assert!(!leak.judge(Watched::ServerMemory).0.met, "{:?}", leak.judge(Watched::ServerMemory));
        let fills = looks(|at| 100.0 + 100.0 * (at / 100.0).min(1.0));
        assert!(fills.judge(Watched::ServerMemory).0.met, "{:?}", fills.judge(Watched::ServerMemory));
        let empty = looks(|_| 0.0);
        assert!(empty.judge(Watched::BytesPerJob).0.met);
    }

    #[test]
    fn thirds_of_any_number_of_looks_are_means() {
        let even = thirds(&[1.0, 1.0, 2.0, 4.0, 6.0, 8.0]);
        assert!((even[0] - 1.0).abs() < 1e-9 && (even[1] - 3.0).abs() < 1e-9 && (even[2] - 7.0).abs() < 1e-9);
        assert!(thirds(&[5.0, 5.0]).iter().all(|mean| (mean - 5.0).abs() < 1e-9));
        assert!(thirds(&[]).iter().all(|mean| *mean == 0.0));
    }
}
