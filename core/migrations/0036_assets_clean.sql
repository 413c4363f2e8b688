-- Files are cleaned of what they tell beside what they show as they come in; those from before follow by themselves.

ALTER TABLE files
    -- Nothing is in it but what it shows or plays.
    ADD COLUMN is_clean boolean NOT NULL DEFAULT false,
    -- How often a node tried to clean it. After three tries in vain it is shown to its owners alone; after six it is
    -- left as it is.
    ADD COLUMN clean_tries smallint NOT NULL DEFAULT 0,
    -- Of sound and film.
    ADD COLUMN duration_ms bigint;
CREATE INDEX files_unclean_idx ON files (content) WHERE NOT is_clean AND clean_tries < 6;

-- A file that was cleaned later has another name. Addresses of the old one, which people wrote into texts and programs,
-- lead to the new one.
CREATE TABLE file_moves (
    old_content text        PRIMARY KEY,
    new_content text        NOT NULL,
    new_media   text        NOT NULL,
    moved_at    timestamptz NOT NULL
);
