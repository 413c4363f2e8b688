//! `/metrics`: values recorded since the start, and values read on request.

mod exposition;
mod gauges;
mod process;
mod requests;

use std::sync::{Once, OnceLock};
use std::time::Duration;

use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use verdigraph_core::metrics::{SERIES, SeriesType};

pub use gauges::{Gauges, render};
pub use requests::{answered, broken};

/// Upper bounds of durations in seconds: from a commit on an idle machine to a long run.
const SECONDS_BUCKETS: [f64; 16] =
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 15.0, 60.0, 300.0, 1800.0];
/// Upper bounds of sizes.
const SIZE_BUCKETS: [f64; 9] = [1.0, 2.0, 5.0, 10.0, 25.0, 50.0, 100.0, 250.0, 500.0];
/// Interval at which recorded values move into buckets; until then each takes eight bytes.
const UPKEEP_INTERVAL: Duration = Duration::from_secs(5);

/// Installs the recorder, once per process, before anything is recorded.
pub fn install() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let mut builder = PrometheusBuilder::new();
        for series in SERIES {
            let bounds: &[f64] = match series.form {
                SeriesType::Counter => continue,
                SeriesType::Seconds => &SECONDS_BUCKETS,
                SeriesType::Pieces => &SIZE_BUCKETS,
            };
            // Fails only for an empty list.
            builder = match builder.set_buckets_for_metric(Matcher::Full(series.name.to_owned()), bounds) {
                Ok(builder) => builder,
                Err(error) => {
                    tracing::error!(%error, "metrics are off");
                    return;
                }
            };
        }
        let recorder = builder.build_recorder();
        let handle = recorder.handle();
        if !verdigraph_core::metrics::record(recorder) {
            tracing::error!("another metrics recorder is installed");
            return;
        }
        for series in SERIES {
            match series.form {
                SeriesType::Counter => metrics::describe_counter!(series.name, series.help),
                SeriesType::Seconds | SeriesType::Pieces => metrics::describe_histogram!(series.name, series.help),
            }
        }
        drop(RECORDED.set(handle));
    });
}

static RECORDED: OnceLock<PrometheusHandle> = OnceLock::new();

/// Moves recorded values into buckets every few seconds while the node runs.
pub async fn keep_up() {
    let mut every = actix_web::rt::time::interval(UPKEEP_INTERVAL);
    loop {
        every.tick().await;
        if let Some(recorded) = RECORDED.get() {
            recorded.run_upkeep();
        }
    }
}
