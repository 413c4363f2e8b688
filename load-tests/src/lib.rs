//! Load scenarios and crash drills.

pub mod accounts;
pub mod app;
pub mod community;
pub mod counts;
pub mod error;
pub mod floors;
pub mod load;
pub mod payments;
pub mod platform;
pub mod report;
pub mod scenarios;
pub mod worker;

pub use error::{Error, Result};
