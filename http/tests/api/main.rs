//! The real application on a real PostgreSQL, asked over HTTP.

mod auth;
mod batches;
mod errors;
mod files;
mod jobs;
mod limits;
mod openapi;
mod site;
mod workflows;
