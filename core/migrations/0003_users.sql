-- People, how they sign in, and the keys of their programs.

-- Names with typing errors are found by the groups of three letters that they share.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- A person. The row of somebody who leaves stays, without name and address: what they published keeps an author.
CREATE TABLE users (
    id                  uuid        PRIMARY KEY,
    -- Trimmed and in lower case; the one key of sign-in.
    email               text        NOT NULL UNIQUE CHECK (email = lower(email) AND email = btrim(email)),
    -- When the person showed that they read this address; NULL for one that nobody has shown to be theirs.
    email_verified_at   timestamptz,
    name                text        NOT NULL,
    -- Tells apart people of the same name; shown as "#1234".
    name_tag            integer     NOT NULL,
    -- Argon2id in PHC form; NULL for people who sign in through somebody else.
    password_hash       text,
    language            text        NOT NULL DEFAULT 'en' CHECK (language IN ('en', 'ko')),
    is_admin            boolean     NOT NULL DEFAULT false,
    -- A plan of config/plans.toml. No closed list: operators name their plans.
    plan                text        NOT NULL DEFAULT 'Free',
    -- The picture beside the name. No foreign key: moderators may delete an upload that is somebody's portrait.
    profile_asset_id    uuid,
    -- Which texts the person agreed to, and when. NULL where nobody noted which.
    terms_version       text,
    terms_accepted_at   timestamptz NOT NULL,
    privacy_accepted_at timestamptz NOT NULL,
    -- The last ban that was not lifted. It is over once banned_until has passed; NULL there is for good.
    banned_at           timestamptz,
    banned_until        timestamptz,
    ban_reason          text,
    created_at          timestamptz NOT NULL,
    -- Since when nobody can sign in as this person.
    disabled_at         timestamptz,
    -- When the person left.
    deleted_at          timestamptz,
    -- Everything private of theirs has been cleared away since.
    cleared_at          timestamptz,
    UNIQUE (name, name_tag),
    CONSTRAINT users_ban_has_a_reason_check CHECK ((banned_at IS NULL) = (ban_reason IS NULL))
);
-- People who left, while there is something to clear away.
CREATE INDEX users_departed_idx ON users (id) WHERE deleted_at IS NOT NULL AND cleared_at IS NULL;
CREATE INDEX users_admins_idx ON users (id) WHERE is_admin;
CREATE INDEX users_banned_idx ON users (banned_at DESC) WHERE banned_at IS NOT NULL;
-- By the beginning of a name or an address.
CREATE INDEX users_name_start_idx ON users (lower(name) text_pattern_ops);
CREATE INDEX users_email_start_idx ON users (email text_pattern_ops);
-- By any part of them.
CREATE INDEX users_name_trigrams_idx ON users USING gin (lower(name) gin_trgm_ops) WHERE deleted_at IS NULL;
CREATE INDEX users_email_trigrams_idx ON users USING gin (email gin_trgm_ops) WHERE deleted_at IS NULL;
-- By names with typing errors. A Hangul syllable is one sign of two or three letters: taken apart (NFD), a wrong letter
-- leaves the others alike.
CREATE INDEX users_letters_trigrams_idx ON users USING gin (normalize(lower(name), NFD) gin_trgm_ops)
    WHERE deleted_at IS NULL;

-- A browser in which somebody is signed in.
CREATE TABLE sessions (
    id           uuid        PRIMARY KEY,
    user_id      uuid        NOT NULL REFERENCES users ON DELETE CASCADE,
    -- SHA-256 of the token in the cookie; the token itself is kept nowhere.
    token_hash   bytea       NOT NULL UNIQUE,
    -- What the browser called itself, for the person's own list of sessions.
    user_agent   text,
    address      text,
    created_at   timestamptz NOT NULL,
    last_seen_at timestamptz NOT NULL,
    expires_at   timestamptz NOT NULL
);
CREATE INDEX sessions_user_id_idx ON sessions (user_id);
CREATE INDEX sessions_expires_at_idx ON sessions (expires_at);
-- Who was seen where.
CREATE INDEX sessions_address_idx ON sessions (address, id DESC);

-- A named key of somebody's program.
CREATE TABLE api_keys (
    id           uuid        PRIMARY KEY,
    user_id      uuid        NOT NULL REFERENCES users ON DELETE CASCADE,
    name         text        NOT NULL,
    -- The first characters of the key, by which its owner recognises it.
    prefix       text        NOT NULL,
    -- SHA-256 of the key.
    key_hash     bytea       NOT NULL UNIQUE,
    created_at   timestamptz NOT NULL,
    last_used_at timestamptz,
    revoked_at   timestamptz
);
CREATE INDEX api_keys_user_id_idx ON api_keys (user_id, id DESC);

-- An account elsewhere that a person signs in with: one at each provider.
CREATE TABLE user_identities (
    provider   text        NOT NULL CHECK (provider IN ('Google', 'Discord')),
    -- The provider's own id of the person, which never changes; addresses do.
    subject    text        NOT NULL,
    user_id    uuid        NOT NULL REFERENCES users ON DELETE CASCADE,
    -- The address that the provider told at the last sign-in.
    email      text        NOT NULL,
    created_at timestamptz NOT NULL,
    used_at    timestamptz NOT NULL,
    PRIMARY KEY (provider, subject),
    UNIQUE (user_id, provider)
);

-- A sign-in that is on its way to a provider and back. A row is taken once.
CREATE TABLE sign_in_flows (
    -- SHA-256 of the state that travels through the provider.
    state_hash   bytea       PRIMARY KEY,
    provider     text        NOT NULL CHECK (provider IN ('Google', 'Discord')),
    -- SHA-256 of the cookie of the browser that began: only that one can end it.
    browser_hash bytea       NOT NULL,
    nonce        text        NOT NULL,
    verifier     text        NOT NULL,
    -- Whom the provider told, once it has, while the person has yet to agree to the terms.
    identity     jsonb,
    -- Who began it to connect it with their account; NULL for signing in. The one cannot end as the other.
    user_id      uuid        REFERENCES users ON DELETE CASCADE,
    expires_at   timestamptz NOT NULL
);
CREATE INDEX sign_in_flows_expires_at_idx ON sign_in_flows (expires_at);

-- What somebody can prove by a code in a letter: that they read it, and so may do what it is for.
CREATE TABLE user_proofs (
    id         uuid        PRIMARY KEY,
    user_id    uuid        NOT NULL REFERENCES users ON DELETE CASCADE,
    kind       text        NOT NULL CHECK (kind IN ('Email', 'Password')),
    -- The address that the letter went to: proven is this one and no later one.
    email      text        NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    used_at    timestamptz
);
CREATE INDEX user_proofs_user_id_idx ON user_proofs (user_id);
CREATE INDEX user_proofs_expires_at_idx ON user_proofs (expires_at);

-- Where somebody can be reached, as they show it on their profile.
CREATE TABLE user_contact_points (
    user_id  uuid     NOT NULL REFERENCES users ON DELETE CASCADE,
    kind     text     NOT NULL CHECK (kind IN ('homepage', 'instagram', 'email')),
    value    text     NOT NULL CHECK (char_length(value) BETWEEN 1 AND 300),
    -- Place on the profile, from 0.
    position smallint NOT NULL CHECK (position >= 0),
    PRIMARY KEY (user_id, kind)
);

-- Somebody who does not want to hear of somebody else.
CREATE TABLE user_blocks (
    user_id    uuid        NOT NULL REFERENCES users ON DELETE CASCADE,
    blocked_id uuid        NOT NULL REFERENCES users ON DELETE CASCADE,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, blocked_id),
    CONSTRAINT user_blocks_of_others_check CHECK (user_id <> blocked_id)
);
-- By whom somebody is blocked.
CREATE INDEX user_blocks_blocked_idx ON user_blocks (blocked_id);
