//! The room "users".

mod plan;

pub use plan::plan;
