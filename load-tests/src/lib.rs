//! Load scenarios and crash drills: what they run on, what they do, and what they must find.

pub mod error;
pub mod load;
pub mod report;

pub use error::{Error, Result};
