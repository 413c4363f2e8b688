-- What the platform tells one person is kept in both languages: its reader sees the one that they read in then. The words
-- of earlier rows stay in the language in which they were written.
ALTER TABLE notifications ADD COLUMN title_ko text;
ALTER TABLE notifications ADD COLUMN content_ko text;
