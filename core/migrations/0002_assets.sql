-- Stored files. A file's bytes are kept once, however many assets name them.

CREATE TABLE files (
    -- SHA-256 of the bytes in lower-case hex; also the name in storage.
    content    text PRIMARY KEY,
    media      text NOT NULL,
    size_bytes bigint NOT NULL CHECK (size_bytes >= 0),
    width      integer CHECK (width > 0),
    height     integer CHECK (height > 0),
    -- A placeholder of some 25 bytes, in base64.
    blur_hash  text,
    created_at timestamptz NOT NULL,
    CONSTRAINT files_content_is_sha256 CHECK (content ~ '^[0-9a-f]{64}$')
);

CREATE TABLE assets (
    id         uuid PRIMARY KEY,
    user_id    uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    content    text NOT NULL REFERENCES files,
    -- What its owner called it; never a path.
    name       text NOT NULL,
    kind       text NOT NULL CHECK (kind IN ('Image', 'Video', 'Audio', 'File')),
    -- Public once it stands on something public, such as the cover of a published workflow.
    is_private boolean NOT NULL DEFAULT true,
    created_at timestamptz NOT NULL,
    expires_at timestamptz,
    deleted_at timestamptz
);
CREATE INDEX assets_user_id_idx ON assets (user_id, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX assets_content_idx ON assets (content);
CREATE INDEX assets_expires_at_idx ON assets (expires_at) WHERE deleted_at IS NULL AND expires_at IS NOT NULL;
