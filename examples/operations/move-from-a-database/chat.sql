-- The tables of a chat that a company built itself.
CREATE TABLE people (id uuid PRIMARY KEY, name text NOT NULL, password_hash text);
CREATE TABLE rooms (id int PRIMARY KEY, title text NOT NULL);
CREATE TABLE memberships (room_id int REFERENCES rooms, person_id uuid REFERENCES people, PRIMARY KEY (room_id, person_id));
CREATE TABLE messages (
  id bigint PRIMARY KEY,
  room_id int NOT NULL REFERENCES rooms,
  author_id uuid NOT NULL REFERENCES people,
  sent_at timestamp NOT NULL,
  body text NOT NULL,
  deleted_at timestamp,
  updated_at timestamp NOT NULL
);
CREATE INDEX ON messages (updated_at);

INSERT INTO people VALUES
  ('8e1f0f8e-7c0c-4a57-8f0e-0d6d2b9b0001', 'Ann', 'x'),
  ('8e1f0f8e-7c0c-4a57-8f0e-0d6d2b9b0002', 'Bob', 'x');
INSERT INTO rooms VALUES (1, 'General'), (2, 'Support');
INSERT INTO memberships SELECT rooms.id, people.id FROM rooms, people;
INSERT INTO messages
SELECT n, 1 + n % 2, ('8e1f0f8e-7c0c-4a57-8f0e-0d6d2b9b000' || 1 + n % 2)::uuid, sent_at, 'Message ' || n, NULL, sent_at
  FROM generate_series(1, 300) n, LATERAL (SELECT timestamp '2026-05-04 08:00' + n * interval '1 minute' AS sent_at) AS clock;
