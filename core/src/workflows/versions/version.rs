use chrono::{DateTime, Utc};

/// A saved graph in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkflowVersion {
    pub version: i32,
    /// Bytes of both formats.
    pub size_bytes: i64,
    pub created_at: DateTime<Utc>,
}
