package settings

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"checkout/till/payments"
)

// Key is one setting with its names and its help.
type Key struct {
	Name    string // Name in the settings file, as base_url.
	Usage   string // One line of help.
	Default string // Empty without a default.
	Secret  bool   // A secret has no flag, and its value is never shown.
	Switch  bool   // The flag without a value means on.

	check string // Rule for one value: see [checked].
	list  bool
	field []int // Index of the field in [Settings].
}

// Keys returns all settings, in the order of the fields.
func Keys() []Key {
	var keys []Key
	all := reflect.TypeFor[Settings]()
	for i := range all.NumField() {
		for _, field := range reflect.VisibleFields(all.Field(i).Type) {
			name, found := field.Tag.Lookup("key")
			if !found {
				continue
			}
			_, alone := field.Tag.Lookup("switch")
			kind := field.Type
			if kind.Kind() == reflect.Slice {
				kind = kind.Elem()
			}
			keys = append(keys, Key{
				Name: name, Usage: field.Tag.Get("usage"), Default: field.Tag.Get("default"), Switch: alone,
				Secret: kind == reflect.TypeFor[payments.Secret](),
				check:  field.Tag.Get("check"), list: kind != field.Type, field: []int{i, field.Index[0]},
			})
		}
	}
	return keys
}

// Env returns the key's environment variable, as TILL_BASE_URL.
func (k Key) Env() string { return "TILL_" + strings.ToUpper(k.Name) }

// Flag returns the key's name on the command line, as base-url.
func (k Key) Flag() string { return strings.ReplaceAll(k.Name, "_", "-") }

// split returns the elements of a flag or a variable. A secret is never a list.
func (k Key) split(value string) []string {
	if !k.list || k.Secret {
		return []string{value}
	}
	return strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' })
}

// set validates values and assigns them. where is the display name of their source.
func (k Key) set(settings *Settings, where string, values []string) error {
	refuse := func(problem error) error { return &ValueError{Where: where, Rule: k.check, Problem: problem} }
	switch {
	case !k.list && len(values) != 1:
		return refuse(errors.New("give one value, not a list"))
	case k.list && k.Secret && len(values) == 0:
		return refuse(errors.New("the list of webhook secrets is empty: leave the key out, or give a secret"))
	}
	sound, secrets := make([]string, len(values)), make([]payments.Secret, len(values))
	for i, value := range values {
		var err error
		if sound[i], err = checked(k.check, value); err != nil {
			return refuse(err)
		}
		secrets[i] = payments.NewSecret(sound[i])
	}
	switch field := reflect.ValueOf(settings).Elem().FieldByIndex(k.field).Addr().Interface().(type) {
	case *string:
		*field = sound[0]
	case *[]string:
		*field = sound
	case *payments.Secret:
		*field = secrets[0]
	case *[]payments.Secret:
		*field = secrets
	case *bool:
		*field = sound[0] == "on"
	}
	return nil
}

// A ValueError says which value is invalid, where it comes from and what to do. It never
// contains the value of a secret.
type ValueError struct {
	Where   string // "--listen", "TILL_LISTEN" or "listen in /…/config.toml".
	Rule    string // Name of the check; empty for another reason.
	Problem error
}

// Error returns the source and the problem.
func (e *ValueError) Error() string { return e.Where + ": " + e.Problem.Error() }

// Unwrap returns the problem.
func (e *ValueError) Unwrap() error { return e.Problem }

// FromFlag reports whether the value comes from the command line.
func (e *ValueError) FromFlag() bool { return strings.HasPrefix(e.Where, "--") }

// UnknownKeyError says that a settings file contains an unknown key.
type UnknownKeyError struct {
	Name    string // Cleaned.
	File    string // Cleaned.
	Nearest string // The most similar setting; "" if none is similar.
}

// Error returns the key and the file.
func (e *UnknownKeyError) Error() string {
	return fmt.Sprintf("settings file %s: there is no setting %q", e.File, e.Name)
}

// UnknownVariables returns the TILL_ variables among "NAME=value" texts that are no setting.
// Each has the most similar variable of a setting; "" if none is similar.
func UnknownVariables(environ []string) map[string]string {
	unknown := make(map[string]string)
	for _, text := range environ {
		name, _, _ := strings.Cut(text, "=")
		if strings.HasPrefix(name, "TILL_") && !strings.HasPrefix(name, "TILL_TEST_") && !slices.Contains(variables(), name) {
			unknown[show(name)] = nearest(name, variables())
		}
	}
	return unknown
}

// variables returns the names of all environment variables that till reads.
func variables() []string {
	names := []string{"TILL_CONFIG"}
	for _, key := range Keys() {
		names = append(names, key.Env())
		if key.Secret {
			names = append(names, key.Env()+"_FILE")
		}
	}
	return names
}

// nearest returns the name with the fewest different characters, at most three, or else the
// first name that contains the end of the given one, as TILL_ACCESS_TOKEN for TILL_TOKEN.
func nearest(given string, names []string) string {
	const most = 3
	least, found := most+1, ""
	for _, name := range names {
		if distance := editDistance(given, name); distance < least {
			least, found = distance, name
		}
	}
	_, end, _ := strings.Cut(given, "_")
	for _, name := range names {
		if found == "" && end != "" && strings.HasSuffix(name, end) {
			found = name
		}
	}
	return found
}

// editDistance returns how many bytes must be inserted, removed or replaced to turn one text
// into the other.
func editDistance(from, to string) int {
	row := make([]int, len(to)+1) // Distances of the prefixes of from to those of to.
	for i := range row {
		row[i] = i
	}
	for i := range len(from) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(to) {
			replaced := diagonal
			if from[i] != to[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(to)]
}

// show cleans a value from outside for a message.
func show(value string) string { return payments.Clean(value, payments.MaxLabelWidth) }
