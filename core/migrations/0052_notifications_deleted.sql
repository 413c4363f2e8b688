-- Notifications that their owner deleted. The rows go; what is told once only must not come again, and the places of what
-- is left have gaps from then on.

-- How many of a box's places are empty because what stood there was deleted.
ALTER TABLE notification_boxes ADD COLUMN deleted bigint NOT NULL DEFAULT 0;

-- What was told once and is deleted since: `once` of the row that is gone.
CREATE TABLE notifications_told (
    user_id uuid NOT NULL,
    once    text NOT NULL,
    CONSTRAINT notifications_told_pkey PRIMARY KEY (user_id, once)
);
