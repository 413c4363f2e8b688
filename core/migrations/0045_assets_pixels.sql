-- The digest of the pixels of pictures with one frame: what moderators have hidden stays hidden in other bytes too. Written
-- for uploads as they come, for outputs before they are published, and for whatever is hidden.
CREATE TABLE content_pixels (
    -- As in files. No foreign key: outputs have no row there, and what is locked may come back when it is gone. The sweep over
    -- files deletes the others.
    content text PRIMARY KEY CHECK (content ~ '^[0-9a-f]{64}$'),
    pixels  text NOT NULL CHECK (pixels ~ '^[0-9a-f]{64}$')
);
CREATE INDEX content_pixels_pixels_idx ON content_pixels (pixels);
