//! The room "ledger".
