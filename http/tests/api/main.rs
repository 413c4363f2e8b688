//! The real application on a real PostgreSQL, asked over HTTP.

mod auth;
mod errors;
mod files;
mod limits;
mod openapi;
mod site;
mod workflows;
