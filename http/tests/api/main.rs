//! The real application on a real PostgreSQL, asked over HTTP.

mod announcements;
mod auth;
mod backpressure;
mod batches;
mod errors;
mod files;
mod jobs;
mod limits;
mod metrics;
mod openapi;
mod output_assets;
mod site;
mod streams;
mod users;
mod workflows;
