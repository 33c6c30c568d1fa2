package assets_test

import (
	"encoding/xml"
	"image"
	"image/color"
	"image/draw"
	"os"
	"testing"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/oned"

	"checkout/till/tui/tuitest"
)

func TestTheScannersTestCodesMatchTheirTexts(t *testing.T) {
	file, err := os.ReadFile("docs/scanner.svg")
	tuitest.Must(t, err)
	var sheet struct {
		Codes []struct {
			Text string `xml:"id,attr"`
			Bars []struct {
				X      int `xml:"x,attr"`
				Y      int `xml:"y,attr"`
				Width  int `xml:"width,attr"`
				Height int `xml:"height,attr"`
			} `xml:"rect"`
		} `xml:"g"`
	}
	if err := xml.Unmarshal(file, &sheet); err != nil || len(sheet.Codes) != 4 {
		t.Fatalf("%d codes, %v", len(sheet.Codes), err)
	}
	for i, reader := range []gozxing.Reader{oned.NewEAN13Reader(), oned.NewUPCAReader(), oned.NewEAN8Reader(), oned.NewCode128Reader()} {
		code := sheet.Codes[i]
		picture := image.NewGray(image.Rect(0, 0, 500, 700))
		draw.Draw(picture, picture.Bounds(), image.White, image.Point{}, draw.Src)
		for _, bar := range code.Bars {
			draw.Draw(picture, image.Rect(bar.X, bar.Y, bar.X+bar.Width, bar.Y+bar.Height), image.NewUniform(color.Black), image.Point{}, draw.Src)
		}
		bitmap, err := gozxing.NewBinaryBitmap(gozxing.NewHybridBinarizer(gozxing.NewLuminanceSourceFromImage(picture)))
		tuitest.Must(t, err)
		result, err := reader.Decode(bitmap, map[gozxing.DecodeHintType]any{gozxing.DecodeHintType_TRY_HARDER: true})
		if err != nil || result.GetText() != code.Text {
			t.Errorf("%s is read as %v, %v", code.Text, result, err)
		}
	}
}
