//! The proofs that the gate gives. They stand by themselves, so that stores can demand them without knowing how they
//! are given; only the gate can make one.

/// Proof that somebody may take part: they are signed in, and not banned.
#[must_use = "hand it to what writes"]
#[derive(Debug, Clone)]
pub struct Permit(());

impl Permit {
    pub(super) fn new() -> Self {
        Self(())
    }

    /// For what test data stands for.
    #[cfg(any(test, feature = "testing"))]
    pub fn for_tests() -> Self {
        Self(())
    }
}

/// Proof that somebody may reach others: a [`Permit`], and their address is proven.
#[must_use = "hand it to what others will see"]
#[derive(Debug, Clone)]
pub struct PublishPermit {
    permit: Permit,
    is_admin: bool,
}

impl PublishPermit {
    pub(super) fn new(permit: Permit, is_admin: bool) -> Self {
        Self { permit, is_admin }
    }

    /// Whoever may reach others may take part.
    pub fn permit(&self) -> &Permit {
        &self.permit
    }

    /// Whether it is an admin's: they may publish again what moderators have hidden.
    #[must_use]
    pub fn is_admin(&self) -> bool {
        self.is_admin
    }
}
