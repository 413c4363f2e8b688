/// Why a request failed. The message is shown to the URL's owner and reveals nothing about our network.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OutboundError {
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
