//! The rules of a form, on the node classes of two real servers.

mod clearance;
mod fields;
mod filled;
mod random;
