//! Users for tests, inserted without hashing a password.

use chrono::{DateTime, Utc};
use sqlx::PgPool;

use crate::ids::UserId;

/// A builder for a test user; start with [`user`].
#[derive(Debug, Clone)]
pub struct UserFactory {
    id: UserId,
    name: String,
    is_admin: bool,
    plan: String,
    email_verified: bool,
    created_at: DateTime<Utc>,
}

/// A customer on the first plan with a verified address.
#[must_use]
pub fn user() -> UserFactory {
    UserFactory {
        id: UserId::new(),
        name: "Ann".to_owned(),
        is_admin: false,
        plan: "Free".to_owned(),
        email_verified: true,
        created_at: DateTime::UNIX_EPOCH,
    }
}

impl UserFactory {
    #[must_use]
    pub fn name(mut self, name: &str) -> Self {
        name.clone_into(&mut self.name);
        self
    }

    #[must_use]
    pub fn admin(mut self) -> Self {
        self.is_admin = true;
        self
    }

    #[must_use]
    pub fn plan(mut self, plan: &str) -> Self {
        plan.clone_into(&mut self.plan);
        self
    }

    #[must_use]
    pub fn unverified(mut self) -> Self {
        self.email_verified = false;
        self
    }

    /// # Panics
    /// If the database refuses the user.
    pub async fn insert(self, db: &PgPool) -> UserId {
        sqlx::query(
            "INSERT INTO users
               (id, email, name, name_tag, is_admin, plan, terms_accepted_at, privacy_accepted_at, created_at,
                email_verified_at)
             SELECT $1, $2, $3, 1 + COALESCE(max(name_tag), 0), $4, $5, $6, $6, $6, CASE WHEN $7 THEN $6 END
             FROM users WHERE name = $3",
        )
        .bind(self.id)
        .bind(format!("{}@example.com", self.id))
        .bind(&self.name)
        .bind(self.is_admin)
        .bind(&self.plan)
        .bind(self.created_at)
        .bind(self.email_verified)
        .execute(db)
        .await
        .expect("a user");
        self.id
    }
}
