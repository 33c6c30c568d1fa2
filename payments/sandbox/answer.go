package sandbox

import (
	"encoding/json"
	"net/http"
	"strconv"

	"checkout/till/payments/gateway"
)

// proxyPage is what a proxy in between answers, or the page of a network that
// wants its visitors to sign in.
const proxyPage = `<!DOCTYPE html>
<html lang="fr">
<head><meta charset="utf-8"><title>Service momentanément indisponible</title></head>
<body><h1>Service momentanément indisponible</h1><p>Merci de réessayer dans quelques minutes.</p></body>
</html>
`

// write answers an order call with what is wrong with the answer.
func (f ReplyFault) write(w http.ResponseWriter, sound gateway.OrderReply) {
	body := gateway.EncodeReply(sound)
	switch f {
	case ReplyEmpty:
		body = nil
	case ReplyHTML:
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Length", strconv.Itoa(len(proxyPage)))
		_, _ = w.Write([]byte(proxyPage))
		return
	case ReplyCutJSON:
		body = body[:len(body)/2]
	case ReplyWrongFields:
		body = renamed(sound)
	}
	reply(w, http.StatusOK, body)
}

// renamed returns an answer under the names that a summary of the
// specification speaks of, but its tables do not.
func renamed(sound gateway.OrderReply) []byte {
	type data struct {
		PaymentLink string `json:"payment_link"`
		ExpiresIn   int    `json:"expires_in"` // In seconds.
		Reference   string `json:"reference"`
	}
	body, err := json.Marshal(struct {
		Message string `json:"message"`
		Data    data   `json:"data"`
	}{sound.Message, data{sound.CheckoutURL, sound.ExpiresInMinutes * secondsAMinute, sound.OrderReference}})
	if err != nil {
		panic("sandbox: " + err.Error()) // Texts and numbers always encode.
	}
	return body
}

const secondsAMinute = 60
