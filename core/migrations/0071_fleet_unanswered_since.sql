-- Since when the worker that runs a job answers no question; NULL while it answers.
ALTER TABLE workers ADD COLUMN unanswered_since timestamptz;
