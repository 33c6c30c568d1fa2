package browsertest_test

import (
	"bytes"
	"fmt"
	"image/png"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/qrcode"
)

// scanned reads the QR code that a window shows, if it shows one.
func (w *window) scanned() string {
	w.t.Helper()
	shot, err := w.picture()
	w.try(err)
	decoded, err := png.Decode(bytes.NewReader(shot))
	w.try(err)
	bitmap, err := gozxing.NewBinaryBitmapFromImage(decoded)
	w.try(err)
	hints := map[gozxing.DecodeHintType]any{gozxing.DecodeHintType_TRY_HARDER: true}
	code, err := qrcode.NewQRCodeReader().Decode(bitmap, hints)
	if err != nil {
		return ""
	}
	return code.GetText()
}

// film opens the README's film as a page of its own.
func film(t *testing.T, who visitor) *window {
	t.Helper()
	server := httptest.NewServer(http.FileServer(http.Dir("../../../assets/pictures")))
	t.Cleanup(server.Close)
	who.width, who.height = 738, 450
	w := open(t, who)
	w.visit(server.URL + "/film.svg")
	w.until(`document.readyState === "complete"`)
	return w
}

func TestTheFilmInTheReadmePlaysASale(t *testing.T) {
	w := film(t, visitor{})
	w.until(`document.getAnimations().length === 1 && document.getAnimations()[0].playState === "running"`)
	const moments = 40
	link, frames := "", make(map[string]bool)
	for n := range moments {
		frames[value[string](w, fmt.Sprintf(`(() => {
			const [film] = document.getAnimations();
			film.pause();
			film.currentTime = film.effect.getTiming().duration * %d / %d;
			return getComputedStyle(document.querySelector(".film")).transform;
		})()`, n, moments))] = true
		if link == "" && n%5 == 0 {
			link = w.scanned()
		}
	}
	if len(frames) < 15 {
		t.Errorf("it shows %d frames", len(frames))
	}
	if code, err := url.Parse(link); err != nil || code.Hostname() != "127.0.0.1" {
		t.Errorf("the code says %q, which is no link of the demo", link)
	}
}

func TestTheFilmStandsStillAtTheCodeForWhoWantsLessMotion(t *testing.T) {
	w := film(t, visitor{still: true})
	if running := value[int](w, `document.getAnimations().length`); running != 0 || w.scanned() == "" {
		t.Errorf("%d animations run, and the code is %q", running, w.scanned())
	}
}
