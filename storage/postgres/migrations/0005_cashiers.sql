CREATE TABLE cashiers (
	name       text   COLLATE "C" PRIMARY KEY,
	role       text   COLLATE "C" NOT NULL,
	salt       bytea  NOT NULL,
	sum        bytea  NOT NULL,                     -- PBKDF2 with HMAC-SHA-256 of the PIN
	iterations bigint NOT NULL,
	failed     bigint NOT NULL,                     -- wrong PINs since the last right one
	until      bigint NOT NULL                      -- no PIN is looked at before; 0: no pause
);
