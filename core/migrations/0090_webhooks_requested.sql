-- Whether the owner asked for the next attempt: it is made before all others.
ALTER TABLE webhook_deliveries ADD COLUMN requested boolean NOT NULL DEFAULT false;
CREATE INDEX webhook_deliveries_requested_idx ON webhook_deliveries (config_id, position) WHERE state = 0 AND requested;
