//! Why a request to somebody else's address came to nothing.

/// Why nothing came back. The text is for the owner of the address and for logs; it tells nothing about our network.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Blocked {
    #[error("the address is not allowed: {0}")]
    Address(&'static str),
    #[error("the address leads to a network that is not public")]
    Private,
    #[error("the address did not answer")]
    NoAnswer,
    #[error("the answer was status {0}")]
    Status(u16),
    #[error("the answer is larger than {0} bytes")]
    TooLarge(usize),
}
