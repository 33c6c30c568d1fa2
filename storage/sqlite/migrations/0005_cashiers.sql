CREATE TABLE cashiers (
	name       TEXT    PRIMARY KEY,
	role       TEXT    NOT NULL,
	salt       BLOB    NOT NULL,
	sum        BLOB    NOT NULL,            -- PBKDF2 with HMAC-SHA-256 of the PIN
	iterations INTEGER NOT NULL,
	failed     INTEGER NOT NULL,            -- wrong PINs since the last right one
	until      INTEGER NOT NULL             -- no PIN is looked at before; 0: no pause
) STRICT, WITHOUT ROWID;
