-- Which texts somebody agreed to. NULL: the ones before versions were counted.
ALTER TABLE users ADD COLUMN terms_version text;

-- Who began a way to a provider to connect it with their account; NULL for signing in. The one cannot end as the other.
ALTER TABLE sign_in_flows ADD COLUMN user_id uuid REFERENCES users ON DELETE CASCADE;
