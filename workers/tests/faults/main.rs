//! A worker that fails in each phase of a job: what the job is told, and that the connection is of use afterwards.

#[path = "../stage/mod.rs"]
mod stage;

mod connecting;
mod ending;
mod harness;
mod operators;
mod posting;
mod running;
mod stopping;
mod uploading;
mod waiting;
