-- The input folder of each user, as ComfyUI clients see it: paths of uploads.

CREATE TABLE input_files (
    user_id    uuid        NOT NULL REFERENCES users ON DELETE CASCADE,
    -- With its subfolder: `clipspace/mask.png`.
    path       text        NOT NULL CHECK (char_length(path) BETWEEN 1 AND 500),
    asset_id   uuid        NOT NULL REFERENCES assets ON DELETE CASCADE,
    written_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, path)
);
CREATE INDEX input_files_asset_idx ON input_files (asset_id);

-- An output by the name that its worker gave it.
CREATE INDEX output_assets_named_idx ON output_assets (user_id, name, id DESC)
    WHERE deleted_at IS NULL AND name IS NOT NULL;
