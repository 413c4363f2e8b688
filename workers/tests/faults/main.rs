//! A worker that fails in each phase of a job: the job's reports, and whether the connection works afterwards.

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
