//! The real application on a real PostgreSQL, asked over HTTP.

mod account;
mod announcements;
mod auth;
mod backpressure;
mod batches;
mod clips;
mod comments;
mod errors;
mod files;
mod jobs;
mod limits;
mod metrics;
mod notifications;
mod openapi;
mod output_assets;
mod posts;
mod roles;
mod sign_in;
mod site;
mod streams;
mod users;
mod videos;
mod workflows;
