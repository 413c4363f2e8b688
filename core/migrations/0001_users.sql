-- People, how they sign in, and the keys of their programs.

CREATE TABLE users (
    id                  uuid PRIMARY KEY,
    -- Trimmed and in lower case; the one key of sign-in.
    email               text NOT NULL,
    name                text NOT NULL,
    -- Tells apart people of the same name; shown as "#1234".
    name_tag            integer NOT NULL,
    -- Argon2id in PHC form; NULL for people who sign in through somebody else.
    password_hash       text,
    language            text NOT NULL DEFAULT 'en',
    is_admin            boolean NOT NULL DEFAULT false,
    -- A plan of config/plans.toml.
    plan                text NOT NULL DEFAULT 'Free',
    profile_asset_id    uuid,
    terms_accepted_at   timestamptz NOT NULL,
    privacy_accepted_at timestamptz NOT NULL,
    created_at          timestamptz NOT NULL,
    disabled_at         timestamptz,
    CONSTRAINT users_email_key UNIQUE (email),
    CONSTRAINT users_name_tag_key UNIQUE (name, name_tag),
    CONSTRAINT users_email_is_normal CHECK (email = lower(email) AND email = btrim(email)),
    CONSTRAINT users_language_is_known CHECK (language IN ('en', 'ko'))
);

CREATE TABLE sessions (
    id           uuid PRIMARY KEY,
    user_id      uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    -- SHA-256 of the token in the cookie; the token itself is kept nowhere.
    token_hash   bytea NOT NULL,
    -- What the browser called itself, for the person's own list of sessions.
    user_agent   text,
    address      text,
    created_at   timestamptz NOT NULL,
    last_seen_at timestamptz NOT NULL,
    expires_at   timestamptz NOT NULL,
    CONSTRAINT sessions_token_hash_key UNIQUE (token_hash)
);
CREATE INDEX sessions_user_id_idx ON sessions (user_id);
CREATE INDEX sessions_expires_at_idx ON sessions (expires_at);

CREATE TABLE api_keys (
    id           uuid PRIMARY KEY,
    user_id      uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    name         text NOT NULL,
    -- The first characters of the key, by which its owner recognises it.
    prefix       text NOT NULL,
    -- SHA-256 of the key.
    key_hash     bytea NOT NULL,
    created_at   timestamptz NOT NULL,
    last_used_at timestamptz,
    revoked_at   timestamptz,
    CONSTRAINT api_keys_key_hash_key UNIQUE (key_hash)
);
CREATE INDEX api_keys_user_id_idx ON api_keys (user_id, id DESC);
