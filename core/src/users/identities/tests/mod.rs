//! Sign-in through mocks of Google and Discord, and linking.

mod linking;
mod social;
