//! Jobs from submit to their end, on scripted workers over real sockets.

#[path = "../platform/mod.rs"]
mod platform;
#[path = "../stage/mod.rs"]
#[expect(dead_code, reason = "shared with the tests of connections")]
mod stage;

mod apps;
mod canceled;
mod client_messages;
mod collecting;
mod done;
mod failed;
mod files;
mod generator_families;
mod generators;
mod harness;
mod limits;
mod lost;
mod nodes;
mod odd_outputs;
mod outage;
mod prefetch;
mod progress;
mod repeated;
mod writes;
