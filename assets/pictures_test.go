package assets_test

import (
	"encoding/xml"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"checkout/till/tui/tuitest"
)

const pictureLimit = 250_000 // Maximum size of a picture in the README, in bytes.

type element struct {
	XMLName  xml.Name
	ID       string    `xml:"id,attr"`
	Href     string    `xml:"href,attr"`
	Fill     string    `xml:"fill,attr"`
	Path     string    `xml:"d,attr"`
	Box      string    `xml:"viewBox,attr"`
	Width    string    `xml:"width,attr"`
	Height   string    `xml:"height,attr"`
	Children []element `xml:",any"`
}

// all calls the function do with an element and with each of its descendants.
func (e element) all(do func(element)) {
	do(e)
	for _, child := range e.Children {
		child.all(do)
	}
}

func parsed(t *testing.T, name string) (element, string) {
	t.Helper()
	file, err := os.ReadFile(filepath.Join("pictures", name))
	tuitest.Must(t, err)
	var whole element
	tuitest.Must(t, xml.Unmarshal(file, &whole))
	return whole, string(file)
}

func TestThePicturesAreSmallAndHoldNoPathsOrSecrets(t *testing.T) {
	for _, name := range []string{"code.svg", "paid.svg", "film.svg", "part.svg", "card.svg", "debts.svg", "debt.svg"} {
		t.Run(name, func(t *testing.T) {
			whole, text := parsed(t, name)
			if len(text) > pictureLimit {
				t.Errorf("%d bytes, more than %d", len(text), pictureLimit)
			}
			if whole.Width == "" || whole.Height == "" {
				t.Error("no width or no height")
			}
			whole.all(func(e element) {
				if n := e.XMLName.Local; n == "script" || n == "image" || n == "foreignObject" || n == "a" {
					t.Errorf("has an element %s", n)
				}
			})
			for _, word := range []string{"/tmp", "/home", "/root", "/Users", "TGP_", "whsec", "secret", "@import", "url("} {
				if strings.Contains(text, word) {
					t.Errorf("has the text %q", word)
				}
			}
		})
	}
}

func TestTheFilmShowsASale(t *testing.T) {
	film, text := parsed(t, "film.svg")
	rows, used := map[string]bool{}, map[string]bool{}
	film.all(func(e element) {
		switch e.XMLName.Local {
		case "g":
			rows["#"+e.ID] = true
		case "use":
			used[e.Href] = true
		}
	})
	for href := range used {
		if !rows[href] {
			t.Errorf("a frame uses the missing element %s", href)
		}
	}
	if steps := strings.Count(text, "translateY("); steps < 20 {
		t.Errorf("%d frames, want at least 20", steps)
	}
	for _, told := range []string{
		"prefers-reduced-motion", "@keyframes", "3 × Mofo gasy", "Charge 9 900 Ar?", "Time left", "✓ PAID", "Type what the customer takes",
	} {
		if !strings.Contains(text, told) {
			t.Errorf("no text %q", told)
		}
	}
}

func TestTheCodeInThePictureCanBeScanned(t *testing.T) {
	whole, _ := parsed(t, "code.svg")
	code := painted(t, whole)
	code.Rect.Max.X = code.Rect.Max.X * 27 / 50 // Cut off the panes next to the code, because they contain large digits.
	found, err := tuitest.ReadCode(code)
	tuitest.Must(t, err)
	if link, err := url.Parse(found); err != nil || link.Hostname() != "127.0.0.1" {
		t.Errorf("the code has %q, want a link of the demo", found)
	}
}

// painted draws the rectangles of a picture's paths, in black or white. It omits text.
func painted(t *testing.T, picture element) *image.Gray {
	t.Helper()
	var width, height int
	_, err := fmt.Sscanf(picture.Box, "0 0 %d %d", &width, &height)
	tuitest.Must(t, err)
	canvas := image.NewGray(image.Rect(0, 0, width, height))
	draw.Draw(canvas, canvas.Rect, image.White, image.Point{}, draw.Src)
	for _, e := range picture.Children {
		ink := color.Black
		if e.Fill == "#ffffff" {
			ink = color.White
		}
		for piece := range strings.FieldsFuncSeq(e.Path, func(r rune) bool { return r == 'z' }) {
			var left, top, width, height, back int
			if _, err := fmt.Sscanf(piece, "M%d %dh%dv%dh-%d", &left, &top, &width, &height, &back); err != nil || back != width {
				t.Fatalf("%q is no rectangle: %v", piece, err)
			}
			draw.Draw(canvas, image.Rect(left, top, left+width, top+height), image.NewUniform(ink), image.Point{}, draw.Src)
		}
	}
	return canvas
}
