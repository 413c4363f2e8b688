//! Load scenarios and crash drills: what they run on, what they do, and what they must find.

pub mod accounts;
pub mod app;
pub mod community;
pub mod counts;
pub mod error;
pub mod floors;
pub mod load;
pub mod platform;
pub mod report;
pub mod scenarios;
pub mod worker;

pub use error::{Error, Result};
