package i18n

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"checkout/till/payments"
)

// Languages returns the codes of the supported languages. The contributor's guide explains
// how to add one.
func Languages() []string { return []string{"en", "fr", "mg"} }

// Load reads the texts of a language from the folder "locales" of a file system. It returns an
// error for an unknown language, a missing text or an unknown text.
func Load(locales fs.FS, language string) (Texts, error) {
	texts := Texts{Words: new(Words), Language: language}
	meta, err := toml.DecodeFS(locales, "locales/"+language+".toml", texts.Words)
	if err != nil {
		return Texts{}, fmt.Errorf("read the texts of %s: %w", language, err)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return Texts{}, fmt.Errorf("texts of %s: %s is no text of the console", language, unknown[0])
	}
	all := texts.All()
	for _, name := range names() {
		if all[name] == "" {
			return Texts{}, fmt.Errorf("texts of %s: %s is missing", language, name)
		}
		delete(all, name)
	}
	for name := range all {
		if strings.HasPrefix(name, "help.") || strings.HasPrefix(name, "rules.") || strings.HasPrefix(name, "asked.") {
			continue // Commands and settings define the keys of these texts.
		}
		return Texts{}, fmt.Errorf("texts of %s: %s is no text of the console", language, name)
	}
	return texts, nil
}

// All returns all texts by section and key, as in "sale.charge".
func (t Texts) All() map[string]string {
	all := make(map[string]string)
	collect(all, "", reflect.ValueOf(*t.Words))
	return all
}

// collect adds the texts in a value to all, keyed by their names. A name joins TOML keys, map
// keys and array indexes with dots.
func collect(all map[string]string, name string, value reflect.Value) {
	within := strings.TrimPrefix(name+".", ".")
	switch value.Kind() {
	case reflect.Struct:
		for field, text := range value.Fields() {
			collect(all, within+field.Tag.Get("toml"), text)
		}
	case reflect.Map:
		for key, text := range value.Seq2() {
			collect(all, within+key.String(), text)
		}
	case reflect.Array:
		for key, text := range value.Seq2() {
			collect(all, within+fmt.Sprint(key), text)
		}
	default:
		all[name] = value.String()
	}
}

// names returns the names of all texts that a language must have.
func names() []string {
	// The maps in Words are empty here, so these names are only those of struct fields.
	names := slices.Collect(maps.Keys(Texts{Words: new(Words)}.All()))
	var unpaid []payments.Status
	for _, status := range payments.Statuses() {
		if status.Unpaid() {
			unpaid = append(unpaid, status)
		}
	}
	return slices.Concat(
		names,
		named("unpaid.", unpaid),
		named("verdicts.", unpaid),
		named("verdicts.", append(payments.Verdicts(), NotSent, Sending)),
		named("problems.", strings.Fields("paid_there paid_here amount paid_twice no_order missing")),
		named("reach.", payments.Reaches()),
		named("charging.", slices.DeleteFunc(payments.Reaches(), needsNoAdvice)),
		named("causes.", payments.CauseKinds()),
		named("reasons.", payments.Faults()),
		named("statuses.", payments.Statuses()),
		named("kinds.", payments.EventKinds()),
		named("outcomes.", payments.Effects()),
		named("checks.", strings.Fields("settings token secret listener events public database clock service terminal voice printer")),
		// Keyboard keys whose names depend on the language. "ctrl+" and "alt+" are prefixes.
		named("key_names.", strings.Fields("enter esc del ins tab pgup/dn pgup pgdn home/end home end ctrl+ alt+")),
	)
}

func needsNoAdvice(reach payments.Reach) bool { return !reach.NeedsAdvice() }

func named[V ~string](section string, values []V) []string {
	names := make([]string, 0, len(values))
	for _, value := range values {
		names = append(names, section+string(value))
	}
	return names
}

// Choose returns the language code of the first locale that is not empty: "fr" for "fr_FR.UTF-8".
// If that language is not supported, it returns "en". The usual arguments are the values of LC_ALL,
// LC_MESSAGES and LANG, in this order.
func Choose(locales ...string) string {
	code, _, _ := strings.Cut(strings.ToLower(cmp.Or(locales...)), "_")
	code, _, _ = strings.Cut(code, ".")
	if slices.Contains(Languages(), code) {
		return code
	}
	return "en"
}
