CREATE TABLE closings (
	day       text   COLLATE "C" PRIMARY KEY,   -- the shop's, as 2026-11-21
	starts_at bigint NOT NULL,
	ends_at   bigint NOT NULL,
	till      text   COLLATE "C" NOT NULL,
	closed_by text   COLLATE "C" NOT NULL,
	closed_at bigint NOT NULL,
	orders    bigint NOT NULL,
	sums      text   COLLATE "C" NOT NULL       -- JSON: by verdict, as they were at that moment
);
