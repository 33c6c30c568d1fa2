CREATE TABLE closings (
	day       TEXT    PRIMARY KEY,          -- the shop's, as 2026-11-21
	starts_at INTEGER NOT NULL,
	ends_at   INTEGER NOT NULL,
	till      TEXT    NOT NULL,
	closed_by TEXT    NOT NULL,
	closed_at INTEGER NOT NULL,
	orders    INTEGER NOT NULL,
	sums      TEXT    NOT NULL              -- JSON: by verdict, as they were at that moment
) STRICT, WITHOUT ROWID;
