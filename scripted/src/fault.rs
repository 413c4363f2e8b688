//! What goes wrong with requests.

/// What goes wrong with a request.
#[derive(Debug, Clone)]
pub struct Fault {
    /// Start of `METHOD /path`, or of `METHOD /path?FILENAME` where one is asked for.
    pub on: String,
    /// How many such requests are answered properly before, and how many are spoilt then.
    pub skip: u32,
    pub times: u32,
    pub what: What,
}

/// The ways in which a request goes wrong.
#[derive(Debug, Clone)]
pub enum What {
    Status(u16, String),
    /// 200 with this body.
    Body(String),
    /// The connection ends before the request is handled, or after, without an answer.
    Drop,
    DropAfter,
    /// The connection ends after so many bytes of the body.
    CutBody(usize),
    /// No answer ever.
    Hang,
    /// The process dies before the request is handled, or after.
    Kill,
    KillAfter,
}

impl Fault {
    /// The next request of this kind goes wrong.
    #[must_use]
    pub fn once(on: &str, what: What) -> Self {
        Self { on: on.to_owned(), skip: 0, times: 1, what }
    }

    /// Every request of this kind goes wrong.
    #[must_use]
    pub fn always(on: &str, what: What) -> Self {
        Self { on: on.to_owned(), skip: 0, times: u32::MAX, what }
    }

    /// The fault after `skip` good requests.
    #[must_use]
    pub fn after(mut self, skip: u32) -> Self {
        self.skip = skip;
        self
    }
}
