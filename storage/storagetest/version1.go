package storagetest

// Version1Rows are statements for SQLite and PostgreSQL that fill tables of schema version 1: an
// order that was paid before the last closed day, one that was paid after it, one that was refunded
// and one that nobody paid.
const Version1Rows = `
INSERT INTO orders VALUES
	(1, 'T1-20261120-0001', 'S1', 'T1', 9000, 'Vary', 10, 'REF_1', 'https://pay.example/1', 600010, 1 = 0, 'rejected', '', NULL, 1 = 0, 1 = 0, 1 = 0, 1 = 0, 1 = 1, 1 = 0, '', '', '', 1 = 0, 't1-20261120-0001 vary ref_1'),
	(2, 'T1-20261120-0002', 'S2', 'T1', 9000, 'Vary', 20, 'REF_2', 'https://pay.example/2', 600020, 1 = 0, 'rejected', '', NULL, 1 = 0, 1 = 0, 1 = 0, 1 = 0, 1 = 1, 1 = 0, '', '', '', 1 = 0, 't1-20261120-0002 vary ref_2'),
	(3, 'T1-20261121-0001', 'S3', 'T1', 9000, 'Vary', 2000, 'REF_3', 'https://pay.example/3', 602000, 1 = 0, 'rejected', '', NULL, 1 = 0, 1 = 0, 1 = 0, 1 = 0, 1 = 1, 1 = 0, '', '', '', 1 = 0, 't1-20261121-0001 vary ref_3');
INSERT INTO order_items VALUES (1, 1, 'Vary', 9000, 1, 0), (2, 1, 'Vary', 9000, 1, 0), (3, 1, 'Vary', 9000, 1, 0);
INSERT INTO findings VALUES (1, 1, 'paid', 0, 'Soa', '', 30, 'rejected'), (3, 1, 'paid', 0, 'Soa', '', 2030, 'rejected'), (3, 2, 'refunded', 4000, 'Soa', '', 2040, 'marked_paid');
INSERT INTO closings VALUES ('1970-01-01', 0, 1000, 'T1', 'Soa', 900, 2, '{}', '');
`

// Version1Money is a query for the amounts that the update of the schema computed. Version1Want is
// the expected result.
const (
	Version1Money = `SELECT sum(received) || ' ' || sum(closed) FROM orders`
	Version1Want  = "14000 9000"
)
