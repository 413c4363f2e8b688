-- Proven addresses, sign-in through others, and people who left.

ALTER TABLE users
    -- When the person showed that they read this address; NULL for one that nobody has shown to be theirs.
    ADD COLUMN email_verified_at timestamptz,
    -- The person left. Name and address are gone from the row; what they published keeps an author.
    ADD COLUMN deleted_at        timestamptz,
    -- Everything private of theirs has been cleared away since.
    ADD COLUMN cleared_at        timestamptz;
CREATE INDEX users_departed_idx ON users (deleted_at) WHERE deleted_at IS NOT NULL AND cleared_at IS NULL;

-- Accounts at others that a person signs in with.
CREATE TABLE user_identities (
    provider   text NOT NULL CHECK (provider IN ('Google', 'Discord')),
    -- The provider's own id of the person, which never changes; addresses do.
    subject    text NOT NULL,
    user_id    uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    -- The address that the provider told at the last sign-in.
    email      text NOT NULL,
    created_at timestamptz NOT NULL,
    used_at    timestamptz NOT NULL,
    PRIMARY KEY (provider, subject),
    CONSTRAINT user_identities_one_each UNIQUE (user_id, provider)
);

-- Sign-ins that are on their way to a provider and back. A row is taken once.
CREATE TABLE sign_in_flows (
    -- SHA-256 of the state that travels through the provider.
    state_hash   bytea PRIMARY KEY,
    provider     text NOT NULL,
    -- SHA-256 of the cookie of the browser that began: only that one can end it.
    browser_hash bytea NOT NULL,
    nonce        text NOT NULL,
    verifier     text NOT NULL,
    -- Whom the provider told, once it has, while the person has yet to agree to the terms.
    identity     jsonb,
    expires_at   timestamptz NOT NULL
);
CREATE INDEX sign_in_flows_expires_at_idx ON sign_in_flows (expires_at);

-- What somebody can prove by a code in a letter.
CREATE TABLE user_proofs (
    id         uuid PRIMARY KEY,
    user_id    uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    kind       text NOT NULL CHECK (kind IN ('Email', 'Password')),
    -- The address that the letter went to: proven is this one and no later one.
    email      text NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    used_at    timestamptz
);
CREATE INDEX user_proofs_user_id_idx ON user_proofs (user_id);
CREATE INDEX user_proofs_expires_at_idx ON user_proofs (expires_at);
