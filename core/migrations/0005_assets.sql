-- Stored files, and what people call theirs. A file's bytes are kept once, however many assets name them.

-- A file that was uploaded.
CREATE TABLE files (
    -- SHA-256 of the bytes in lower-case hex; also the name in storage.
    content     text        PRIMARY KEY CHECK (content ~ '^[0-9a-f]{64}$'),
    media       text        NOT NULL CHECK (media IN (
        'Png', 'Jpeg', 'Webp', 'Gif', 'Bmp', 'Mp4', 'Webm', 'Flac', 'Mp3', 'Ogg', 'Wav', 'Latent', 'Safetensors', 'M4a',
        'Other'
    )),
    size_bytes  bigint      NOT NULL CHECK (size_bytes >= 0),
    width       integer     CHECK (width > 0),
    height      integer     CHECK (height > 0),
    -- Of sound and film.
    duration_ms bigint      CHECK (duration_ms >= 0),
    -- A placeholder of some 25 bytes, in base64.
    blur_hash   text,
    -- Nothing is in it but what it shows or plays: what files tell beside that is taken out as they come in.
    is_clean    boolean     NOT NULL DEFAULT false,
    -- How often a node tried to clean it. After three tries in vain it is shown to its owners alone; after six it is
    -- left as it is.
    clean_tries smallint    NOT NULL DEFAULT 0 CHECK (clean_tries >= 0),
    created_at  timestamptz NOT NULL
);
CREATE INDEX files_unclean_idx ON files (content) WHERE NOT is_clean AND clean_tries < 6;

-- Somebody's upload: their name for a file.
CREATE TABLE assets (
    id         uuid        PRIMARY KEY,
    user_id    uuid        NOT NULL REFERENCES users ON DELETE CASCADE,
    content    text        NOT NULL REFERENCES files,
    -- What its owner called it; never a path.
    name       text        NOT NULL,
    kind       text        NOT NULL CHECK (kind IN ('Image', 'Video', 'Audio', 'File')),
    -- Public once it stands on something public, such as the cover of a published workflow.
    is_private boolean     NOT NULL DEFAULT true,
    created_at timestamptz NOT NULL,
    expires_at timestamptz,
    deleted_at timestamptz
);
CREATE INDEX assets_user_id_idx ON assets (user_id, id DESC) WHERE deleted_at IS NULL;
-- Whether anybody still names a file.
CREATE INDEX assets_content_idx ON assets (content);
CREATE INDEX assets_expires_at_idx ON assets (expires_at) WHERE deleted_at IS NULL AND expires_at IS NOT NULL;

-- A file that was cleaned after it had been stored, and so has another name. Addresses of the old one, which people
-- wrote into texts and programs, lead to the new one. No foreign keys: addresses outlive both files.
CREATE TABLE file_moves (
    old_content text        PRIMARY KEY,
    new_content text        NOT NULL,
    new_media   text        NOT NULL CHECK (new_media IN (
        'Png', 'Jpeg', 'Webp', 'Gif', 'Bmp', 'Mp4', 'Webm', 'Flac', 'Mp3', 'Ogg', 'Wav', 'Latent', 'Safetensors', 'M4a',
        'Other'
    )),
    moved_at    timestamptz NOT NULL
);

-- An upload that a text shows: the description of a workflow, a comment, a notice. A picture is kept for as long as a
-- text names it, drafts too, and where nothing else shows it, everybody sees it for as long as everybody may read the
-- text.
CREATE TABLE text_pictures (
    -- The workflow, comment or notice. No foreign key: it is in one of three tables of rooms above.
    text_id     uuid    NOT NULL,
    asset_id    uuid    NOT NULL REFERENCES assets ON DELETE CASCADE,
    -- Everybody may read the text.
    is_shown    boolean NOT NULL,
    -- Everybody sees the picture because of the text, and no longer.
    is_revealed boolean NOT NULL DEFAULT false,
    PRIMARY KEY (text_id, asset_id)
);
CREATE INDEX text_pictures_asset_idx ON text_pictures (asset_id);

-- Bytes that moderators have hidden: nobody sees or publishes them, whatever they are called and whoever has them.
CREATE TABLE content_locks (
    -- As in files. No foreign key: the file itself may be gone, and comes back locked.
    content   text        NOT NULL CHECK (content ~ '^[0-9a-f]{64}$'),
    -- The output, upload, workflow or comment that was hidden or deleted. Bytes are free when no holder is left. No
    -- foreign key: it is in one of several tables, and its row may be gone.
    holder    uuid        NOT NULL,
    locked_at timestamptz NOT NULL,
    PRIMARY KEY (content, holder)
);
CREATE INDEX content_locks_holder_idx ON content_locks (holder);

-- A file that somebody has let go, on its way out; see core/src/assets/life. Whoever lets go of a file writes it here
-- in the same transaction; whether somebody else still names it is found out when its time has come.
CREATE TABLE orphaned_files (
    -- As in files. No foreign key: files of outputs have no row there.
    content     text        PRIMARY KEY CHECK (content ~ '^[0-9a-f]{64}$'),
    orphaned_at timestamptz NOT NULL,
    -- When it is looked at next. Whoever takes it moves this forward, so that no two nodes have it at once.
    look_at     timestamptz NOT NULL,
    -- Since when its bytes stand aside, to be taken back where somebody began to name them meanwhile.
    aside_at    timestamptz,
    -- Counts how often it was let go: what was decided before the last time does not count.
    revision    bigint      NOT NULL DEFAULT 0 CHECK (revision >= 0)
);
CREATE INDEX orphaned_files_due_idx ON orphaned_files (look_at);
CREATE INDEX orphaned_files_age_idx ON orphaned_files (orphaned_at);

-- The walk over the whole store, once a day by one node, and what it found there last. One row for the installation.
CREATE TABLE file_walks (
    one          boolean     PRIMARY KEY DEFAULT true CHECK (one),
    began_at     timestamptz NOT NULL,
    ended_at     timestamptz,
    stored_files bigint      NOT NULL DEFAULT 0 CHECK (stored_files >= 0),
    stored_bytes bigint      NOT NULL DEFAULT 0 CHECK (stored_bytes >= 0)
);
INSERT INTO file_walks (began_at) VALUES ('1970-01-01T00:00:00Z');
