-- A plan that was given for a time. Until then it holds instead of the user's own.
ALTER TABLE users
    ADD COLUMN given_plan       text,
    ADD COLUMN given_plan_until timestamptz,
    ADD CONSTRAINT given_plan_has_an_end CHECK ((given_plan IS NULL) = (given_plan_until IS NULL));
