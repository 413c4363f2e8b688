//! Signing in through stand-ins of Google and Discord, and connecting them.

mod linking;
mod social;
