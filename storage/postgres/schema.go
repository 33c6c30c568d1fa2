package postgres

import (
	_ "embed"
	"strings"

	"checkout/till/storage/internal/sqlstore"
)

//go:embed schema.sql
var ownSchema string

//go:embed roles.sql
var roles string

func schema() string {
	return sqlstore.CreateTables("INTEGER", "bigint", "TEXT", `text COLLATE "C"`, "BLOB", "bytea", "x''", "''",
		" STRICT, WITHOUT ROWID", "", " STRICT", "") + ownSchema
}

// schemaChecks returns the queries for sqlstore.Dialect.Structure. They find triggers, rules and
// functions that differ from those of the schema and the roles: a trigger, for example, could
// delete what till stores. The triggers of the roles may be missing, because the roles are
// optional.
func schemaChecks() []string {
	created := "'" + strings.ReplaceAll(ownSchema+roles, "'", "''") + "'"
	tables := `(SELECT oid FROM pg_class WHERE relnamespace = current_schema()::regnamespace
		AND relname IN ('meta', 'listeners', '` + strings.Join(sqlstore.Tables(), `', '`) + `'))`
	// The schema may have the function in single quotes: then the quotes in it are doubled.
	own := `(strpos(` + created + `, p.prosrc) > 0 OR strpos(` + created + `, replace(p.prosrc, '''', '''''')) > 0)`
	return []string{
		`SELECT 'schema', 'trigger ' || t.tgname, 'this version of till does not create it, or it is switched off' FROM pg_trigger t
			JOIN pg_proc p ON p.oid = t.tgfoid WHERE NOT t.tgisinternal AND t.tgrelid IN ` + tables + `
			AND NOT (t.tgenabled = 'O' AND strpos(` + created + `, 'TRIGGER ' || t.tgname || ' ') > 0 AND ` + own + `)`,
		`SELECT 'schema', 'trigger meta_change', 'it is not there'
			WHERE NOT EXISTS (SELECT FROM pg_trigger WHERE tgname = 'meta_change' AND tgrelid = 'meta'::regclass)`,
		`SELECT 'schema', 'rule ' || r.rulename, 'this version of till does not create it' FROM pg_rewrite r WHERE r.ev_class IN ` + tables,
		`SELECT 'schema', 'function ' || p.proname, 'it is not as this version of till creates it' FROM pg_proc p
			WHERE p.oid = (SELECT d.refobjid FROM pg_attrdef a JOIN pg_depend d ON d.objid = a.oid AND d.classid = 'pg_attrdef'::regclass
				AND d.refclassid = 'pg_proc'::regclass WHERE a.adrelid = 'orders'::regclass) AND NOT ` + own,
	}
}
