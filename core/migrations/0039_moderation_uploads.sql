-- Uploads can be reported too: 4 upload.
ALTER TABLE moderation_cases DROP CONSTRAINT moderation_cases_kind_is_known;
ALTER TABLE moderation_cases ADD CONSTRAINT moderation_cases_kind_is_known CHECK (kind BETWEEN 1 AND 4);
