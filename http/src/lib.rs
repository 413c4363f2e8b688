//! The platform's edge: routes, sessions, rate limits, OpenAPI, static files, and the command line.
//!
//! A handler extracts, calls one verb of `verdigraph-core`, and returns one view. `_id`, camelCase and HTTP
//! statuses exist here alone.

pub mod cli;
pub mod error;
pub mod extract;
pub mod limits;
pub mod request;
pub mod site;
pub mod docs;
pub mod client;
pub mod cookies;
pub mod caller;
pub mod edge;
pub mod streams;
pub mod views;
pub mod app;
pub mod gate;
pub mod populate;
pub mod routes;
pub mod openapi;
pub mod job_events;
pub mod job_views;
pub mod node;
