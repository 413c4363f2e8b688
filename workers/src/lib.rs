//! Everything that speaks ComfyUI's protocol: the client of a worker, and the built-in CPU worker.

pub mod cpu;
