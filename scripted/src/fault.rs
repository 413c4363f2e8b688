//! Faults of requests.

#[derive(Debug, Clone)]
pub struct Fault {
    /// Prefix of `METHOD /path`, or of `METHOD /path?FILENAME` if a file is requested.
    pub on: String,
    /// How many matching requests are answered correctly first, and how many fail then.
    pub skip: u32,
    pub times: u32,
    pub what: FaultKind,
}

/// How a request fails.
#[derive(Debug, Clone)]
pub enum FaultKind {
    Status(u16, String),
    /// 200 with this body.
    Body(String),
    /// The connection ends without an answer, before or after the request is handled.
    Drop,
    DropAfter,
    /// The connection ends after this many bytes of the body.
    CutBody(usize),
    /// The request is never answered.
    Hang,
    /// The process dies before or after the request is handled.
    Kill,
    KillAfter,
}

impl Fault {
    /// The next matching request fails.
    #[must_use]
    pub fn once(on: &str, what: FaultKind) -> Self {
        Self { on: on.to_owned(), skip: 0, times: 1, what }
    }

    /// Every matching request fails.
    #[must_use]
    pub fn always(on: &str, what: FaultKind) -> Self {
        Self { on: on.to_owned(), skip: 0, times: u32::MAX, what }
    }

    /// Starts after `skip` correct answers.
    #[must_use]
    pub fn after(mut self, skip: u32) -> Self {
        self.skip = skip;
        self
    }
}
