//! Both sides of ComfyUI's protocol: the client of a worker, and the built-in CPU worker.

pub mod comfy;
pub mod connection;
pub mod cpu;
pub mod fleet;
pub mod tunnel;
