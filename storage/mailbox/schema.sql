PRAGMA application_id = 1953722226; -- The bytes "tilr".

CREATE TABLE boxes (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  token_hash BLOB,
  key BLOB, -- Public key of the till; NULL until one is paired.
  header TEXT NOT NULL DEFAULT '',
  stamps TEXT NOT NULL DEFAULT '[]',
  code_hash BLOB, -- Pairing code; NULL when it was used.
  code_until INTEGER NOT NULL DEFAULT 0, -- Microseconds since 1970, as all times here.
  till TEXT NOT NULL DEFAULT '', -- Name of the till that fetched last.
  connected INTEGER NOT NULL DEFAULT 0, -- Whether it fetches now, if the relay runs.
  seen INTEGER NOT NULL DEFAULT 0, -- When it last fetched.
  refused INTEGER NOT NULL DEFAULT 0, -- Number of requests that were refused.
  refused_at INTEGER NOT NULL DEFAULT 0,
  refused_as INTEGER NOT NULL DEFAULT 0 -- HTTP status of the last refused request.
) STRICT;
CREATE UNIQUE INDEX boxes_token ON boxes (token_hash);

CREATE TABLE letters (
  seq INTEGER PRIMARY KEY, -- Rises. It begins with a time, so it also rises after a copy was restored.
  box TEXT NOT NULL REFERENCES boxes (id) ON DELETE CASCADE,
  key BLOB NOT NULL, -- The key that opens it.
  sender TEXT NOT NULL,
  came INTEGER NOT NULL,
  acked INTEGER, -- When the till acknowledged it, in microseconds of running time (see running); NULL before.
  sealed BLOB NOT NULL
) STRICT;
CREATE INDEX letters_waiting ON letters (box, key, seq, sender, length(sealed)) WHERE acked IS NULL;
CREATE INDEX letters_acked ON letters (acked) WHERE acked IS NOT NULL;
