-- A sign-up whose address is not proven yet, where mail reaches people. It becomes an account when the code that was
-- mailed is entered. A row is also written for an address that has an account already, so that both answer alike; no
-- mail has its code.
CREATE TABLE pending_sign_ups (
    id            uuid        PRIMARY KEY,
    email         text        NOT NULL,
    name          text        NOT NULL,
    password_hash text        NOT NULL,
    language      text        NOT NULL CHECK (language IN ('en', 'ko')),
    expires_at    timestamptz NOT NULL,
    -- Codes that were tried.
    tries         integer     NOT NULL DEFAULT 0 CHECK (tries >= 0)
);
-- What has expired is deleted with each new sign-up.
CREATE INDEX pending_sign_ups_expires_idx ON pending_sign_ups (expires_at);
