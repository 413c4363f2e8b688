-- Signed addresses of files, and the hashes of uploads before they were cleaned.

-- The key of the installation that signs addresses: one row.
CREATE TABLE file_link_keys (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    key bytea   NOT NULL CHECK (octet_length(key) = 32)
);

-- The SHA-256 of the bytes that a user sent, where cleaning changed them.
CREATE TABLE asset_sources (
    user_id  uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    source   text NOT NULL CHECK (char_length(source) = 64),
    asset_id uuid NOT NULL REFERENCES assets ON DELETE CASCADE,
    PRIMARY KEY (user_id, source)
);
CREATE INDEX asset_sources_asset_idx ON asset_sources (asset_id);
