-- What its worker called an output's file, safe to save under. NULL for outputs from before names were kept, and for files
-- that have none.
ALTER TABLE output_assets ADD COLUMN name text CHECK (char_length(name) BETWEEN 1 AND 200);

-- Files of other kinds than pictures, films and sounds were never shown to others: those that were published are their owners'
-- alone again.
UPDATE output_assets
SET is_private = true, label = NULL, expires_at = greatest(expires_at, now() + interval '30 days')
WHERE kind = 'File' AND NOT is_private AND deleted_at IS NULL;
