//! What `/metrics` tells: what was recorded since the start, and what the node is at the moment of asking.

mod exposition;
mod gauges;
mod process;
mod requests;

use std::sync::{Once, OnceLock};
use std::time::Duration;

use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use verdigraph_core::metrics::{Form, SERIES};

pub use gauges::{Gauges, render};
pub use requests::{answered, broken};

/// Upper bounds of durations, in seconds: from a commit on an idle machine to a long run.
const SECONDS: [f64; 16] =
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 15.0, 60.0, 300.0, 1800.0];
/// Upper bounds of sizes.
const PIECES: [f64; 9] = [1.0, 2.0, 5.0, 10.0, 25.0, 50.0, 100.0, 250.0, 500.0];
/// How often what was measured goes into its buckets; until then each value takes eight bytes.
const UPKEEP: Duration = Duration::from_secs(5);

/// Begins to record, once per process. Call it before anything that shall be counted.
pub fn install() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let mut builder = PrometheusBuilder::new();
        for series in SERIES {
            let bounds: &[f64] = match series.form {
                Form::Counter => continue,
                Form::Seconds => &SECONDS,
                Form::Pieces => &PIECES,
            };
            // Refuses only an empty list.
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
            tracing::error!("another recorder of metrics was there first");
            return;
        }
        for series in SERIES {
            match series.form {
                Form::Counter => metrics::describe_counter!(series.name, series.help),
                Form::Seconds | Form::Pieces => metrics::describe_histogram!(series.name, series.help),
            }
        }
        drop(RECORDED.set(handle));
    });
}

static RECORDED: OnceLock<PrometheusHandle> = OnceLock::new();

/// Sorts what was measured into its buckets, every few seconds for as long as the node runs.
pub async fn keep_up() {
    let mut every = actix_web::rt::time::interval(UPKEEP);
    loop {
        every.tick().await;
        if let Some(recorded) = RECORDED.get() {
            recorded.run_upkeep();
        }
    }
}
