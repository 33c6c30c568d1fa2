package sqlstore

import (
	"strings"
)

// Object is a part of a schema: a table, an index, a trigger or a view.
type Object struct {
	Kind, Name string
	SQL        string // The statement that creates it; empty for an index of a key.
}

// Objects is the query that reads the schema of an SQLite database. It leaves out the tables that
// ANALYZE creates.
const Objects = `SELECT type, name, coalesce(sql, '') FROM sqlite_schema
	WHERE NOT (type = 'table' AND name IN ('sqlite_stat1', 'sqlite_stat4')) ORDER BY type, name`

// Columns returns the scan destinations for a row of [Objects].
func (o *Object) Columns() []any { return []any{&o.Kind, &o.Name, &o.SQL} }

// schema compares the schema with that of a new database, if the dialect has the function Fresh. It
// reports each object that is added, changed or missing: an added trigger, for example, could
// delete what till stores.
func (e examiner) schema(t *tx) error {
	if e.dialect.Fresh == nil {
		return nil
	}
	expected, err := e.dialect.Fresh(t.ctx)
	if err != nil {
		return wrap("make a new schema", err)
	}
	missing := make(map[Object]string)
	for _, object := range expected {
		missing[Object{Kind: object.Kind, Name: object.Name}] = withoutComments(object.SQL)
	}
	found, err := list(t, "read the schema", (*Object).Columns, Objects)
	if err != nil {
		return err
	}
	for _, object := range found {
		key := Object{Kind: object.Kind, Name: object.Name}
		definition, known := missing[key]
		delete(missing, key)
		switch {
		case !known:
			e.add("schema", object.Kind+" "+object.Name, "this version of till does not create it")
		case definition != withoutComments(object.SQL):
			e.add("schema", object.Kind+" "+object.Name, "it is not as this version of till creates it")
		}
	}
	for _, object := range expected {
		if _, is := missing[Object{Kind: object.Kind, Name: object.Name}]; is {
			e.add("schema", object.Kind+" "+object.Name, "it is not there")
		}
	}
	return nil
}

// withoutComments returns an SQL statement without comments and with single blanks, because a later
// version of till may change these.
func withoutComments(statement string) string {
	var words []string
	for line := range strings.Lines(statement) {
		code, _, _ := strings.Cut(line, "--")
		words = append(words, strings.Fields(code)...)
	}
	return strings.Join(words, " ")
}
