//! The HTTP layer: routes, sessions, rate limits, OpenAPI, static files, and the command line.
//!
//! A handler extracts, calls one function of `verdigraph-core`, and returns one view. Only this crate knows `_id`,
//! camelCase and HTTP statuses.

#![cfg_attr(not(feature = "describe"), expect(unused_imports, reason = "only the OpenAPI document names some types"))]

mod addresses;
pub mod agents;
pub mod app;
mod app_openapi;
pub mod area;
mod attachment;
pub mod batch;
pub mod box_events;
pub mod builtin;
pub mod caller;
pub mod case_views;
pub mod cli;
pub mod client;
pub mod comfy_v2;
pub mod connections;
pub mod cookies;
mod csv;
pub mod data_folder;
pub mod deadline;
pub mod docs;
pub mod edge;
pub mod editor;
pub mod error;
mod error_codes;
pub mod event_feed;
pub mod event_stream;
pub mod export;
pub mod extract;
pub mod gate;
pub mod generic;
pub mod head;
pub mod job_events;
pub mod job_views;
pub mod limits;
pub mod mcp;
pub mod metrics;
pub mod moment;
pub mod node;
pub mod objects;
pub mod openapi;
pub mod policy;
pub mod polls;
pub mod populate;
pub mod query;
pub mod request;
pub mod routes;
pub mod site;
pub mod streams;
pub mod terms;
pub mod views;
pub mod zip;
