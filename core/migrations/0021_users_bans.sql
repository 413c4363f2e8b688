-- Bans, and what operators find people by.

ALTER TABLE users
    -- The last ban that was not lifted. It is over once banned_until has passed; NULL there is for good.
    ADD COLUMN banned_at    timestamptz,
    ADD COLUMN banned_until timestamptz,
    ADD COLUMN ban_reason   text,
    ADD CONSTRAINT users_ban_has_a_reason CHECK ((banned_at IS NULL) = (ban_reason IS NULL));

-- By the beginning of a name or an address.
CREATE INDEX users_name_start_idx ON users (lower(name) text_pattern_ops);
CREATE INDEX users_email_start_idx ON users (email text_pattern_ops);
CREATE INDEX users_admins_idx ON users (id) WHERE is_admin;
CREATE INDEX users_banned_idx ON users (banned_at DESC) WHERE banned_at IS NOT NULL;
-- Who was seen where.
CREATE INDEX sessions_address_idx ON sessions (address, id DESC);
