package settings

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/clean"
	"checkout/till/payments/secret"
)

// Key is one setting: its names, its default and its help.
type Key struct {
	Name    string // Name in the settings file, such as base_url.
	Usage   string
	Default string // Default value; empty without one.
	Secret  bool   // A secret has no flag, and its value is never shown.
	Switch  bool   // The flag may have no value, which means on.

	check string // Rule for one value.
	list  bool
	field []int // Index of the field in [Settings].
}

// Keys returns all settings, in the order of the fields of [Settings].
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
				Secret: kind == reflect.TypeFor[secret.Text](),
				check:  field.Tag.Get("check"), list: kind != field.Type, field: []int{i, field.Index[0]},
			})
		}
	}
	return keys
}

// Choices returns the allowed values of a key, if its check is a fixed list; otherwise nil.
func (k Key) Choices() []string {
	switch _, named := rules()[k.check]; {
	case k.check == "switch":
		return []string{"on", "off"}
	case k.check == "" || named:
		return nil
	}
	return strings.Split(k.check, ",")
}

// Env returns the key's environment variable, such as TILL_BASE_URL.
func (k Key) Env() string { return "TILL_" + strings.ToUpper(k.Name) }

// Flag returns the key's name on the command line, such as base-url.
func (k Key) Flag() string { return strings.ReplaceAll(k.Name, "_", "-") }

// split returns the elements of a value that is given as one text, for example by a flag. It never
// splits a secret, because the separators may be part of it.
func (k Key) split(value string) []string {
	switch {
	case !k.list || k.Secret:
		return []string{value}
	case k.check == "line":
		return strings.Split(value, "|")
	}
	return strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' })
}

// set validates values and assigns them to the setting. where is the display name of their source,
// for errors.
func (k Key) set(settings *Settings, where string, values []string) error {
	refuse := func(problem error) error { return &ValueError{Where: where, Rule: k.check, Problem: problem} }
	switch {
	case !k.list && len(values) != 1:
		return &ValueError{where, "one value", errors.New("give one value, not a list")}
	case k.list && k.Secret && len(values) == 0:
		return &ValueError{where, "filled", errors.New("the list of webhook secrets is empty: leave the key out, or give a secret")}
	}
	sound, secrets := make([]string, len(values)), make([]secret.Text, len(values))
	for i, value := range values {
		var err error
		if sound[i], err = checked(k.check, value); err != nil {
			return refuse(err)
		}
		secrets[i] = secret.New(sound[i])
	}
	switch field := reflect.ValueOf(settings).Elem().FieldByIndex(k.field).Addr().Interface().(type) {
	case *string:
		*field = sound[0]
	case *[]string:
		*field = sound
	case *secret.Text:
		*field = secrets[0]
	case *[]secret.Text:
		*field = secrets
	case *bool:
		*field = sound[0] == "on"
	case *time.Duration:
		clock, _ := time.Parse("15:04", sound[0]) // Ignore the error: the check allows only times.
		*field = time.Duration(clock.Hour())*time.Hour + time.Duration(clock.Minute())*time.Minute
	case *int:
		*field, _ = strconv.Atoi(sound[0]) // Ignore the error: the check allows only whole numbers.
	}
	return nil
}

// ValueError says where an invalid value comes from, and what is wrong with it. It never contains
// the value of a secret.
type ValueError struct {
	Where   string // "--listen", "TILL_LISTEN" or "listen (/…/config.toml)".
	Rule    string // Name or choices of the check that failed; may be empty.
	Problem error
}

func (e *ValueError) Error() string { return e.Where + ": " + e.Problem.Error() }

func (e *ValueError) Unwrap() error { return e.Problem }

// FromFlag reports whether the value comes from the command line.
func (e *ValueError) FromFlag() bool { return strings.HasPrefix(e.Where, "--") }

// RightsError is returned for a file with a secret that other users can read or change.
type RightsError struct {
	File string // Path of the file, safe to print.
	Mend string // Command that corrects the rights, safe to print.
}

func (e *RightsError) Error() string {
	return "other users of this machine can read or change " + e.File + ": run " + e.Mend
}

// SyntaxError is returned for a settings file that is not valid TOML. It does not quote the file,
// which contains secrets.
type SyntaxError struct {
	File string // Path of the file, safe to print.
	Line int
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("settings file %s: line %d cannot be read: a text stands in double quotes, as in shop = \"Chez Rado\", "+
		"and a key stands once", e.File, e.Line)
}

// UnknownKeyError is returned for a settings file with a key that is not a setting.
type UnknownKeyError struct {
	Name    string // The unknown key, without control characters.
	File    string // Path of the settings file, without control characters; may be blank.
	Nearest string // Name of the most similar setting, or "".
}

func (e *UnknownKeyError) Error() string {
	return fmt.Sprintf("settings file %s: there is no setting %q", e.File, e.Name)
}

// UnknownVariables finds environment variables that begin with TILL_ but are not settings. It
// ignores those that begin with TILL_TEST_. The result maps each unknown variable to the most
// similar variable of a setting, or to "".
func UnknownVariables(environ []string) map[string]string {
	known := []string{"CONFIG"}
	for _, key := range Keys() {
		name := strings.ToUpper(key.Name)
		known = append(known, name)
		if key.Secret {
			known = append(known, name+"_FILE")
		}
	}
	unknown := make(map[string]string)
	for _, text := range environ {
		text, isOurs := strings.CutPrefix(text, "TILL_")
		name, _, _ := strings.Cut(text, "=")
		if !isOurs || strings.HasPrefix(name, "TEST_") || slices.Contains(known, name) {
			continue
		}
		suggestion := Nearest(name, known)
		if suggestion != "" {
			suggestion = "TILL_" + suggestion
		}
		unknown["TILL_"+show(name)] = suggestion
	}
	return unknown
}

// Nearest returns the name that is most similar to the given text, by the common beginning and the
// common end, or "" if none is similar enough. For TOKEN and for ACCES_TOKEN, Nearest finds
// ACCESS_TOKEN.
func Nearest(given string, names []string) string {
	most, found := max(len(given)-3, len(given)/2), ""
	for _, name := range names {
		same := 0 // Total length of the common beginning and end.
		for same < min(len(given), len(name)) && given[same] == name[same] {
			same++
		}
		rest := min(len(given), len(name)) - same // The end must not overlap the beginning.
		for end := 1; end <= rest && given[len(given)-end] == name[len(name)-end]; end++ {
			same++
		}
		if same > most {
			most, found = same, name
		}
	}
	return found
}

func show(value string) string { return clean.Text(value, payments.MaxLabelWidth) }
