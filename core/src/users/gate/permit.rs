//! The permits. In a module of their own, so that stores can demand them without knowing how they are issued; only the
//! gate can create one.

/// The user is signed in and not banned.
#[must_use = "pass it to the function that writes"]
#[derive(Debug, Clone)]
pub struct WritePermit(());

impl WritePermit {
    pub(super) fn new() -> Self {
        Self(())
    }

    /// For test data.
    #[cfg(any(test, feature = "testing"))]
    pub fn for_tests() -> Self {
        Self(())
    }
}

/// A [`WritePermit`] of a user whose address is verified.
#[must_use = "pass it to the function that publishes"]
#[derive(Debug, Clone)]
pub struct PublishPermit {
    permit: WritePermit,
    is_admin: bool,
}

impl PublishPermit {
    pub(super) fn new(permit: WritePermit, is_admin: bool) -> Self {
        Self { permit, is_admin }
    }

    pub fn permit(&self) -> &WritePermit {
        &self.permit
    }

    /// Whether it is an admin's, who may publish locked things again.
    #[must_use]
    pub fn is_admin(&self) -> bool {
        self.is_admin
    }
}
