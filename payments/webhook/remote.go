package webhook

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"checkout/till/payments"
)

// typeJSON is the media type of JSON.
const typeJSON = "application/json"

// ReadHealth asks a listener of another process what it knows of itself. address is
// its host:port on this machine or its network: through a proxy it tells nothing.
func ReadHealth(ctx context.Context, address string) (health payments.Health, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/healthz", nil)
	if err != nil {
		return health, fmt.Errorf("ask the listener: %w", err)
	}
	request.Header.Set("Accept", typeJSON)
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}} // And no proxy.
	response, err := client.Do(request)
	if err != nil {
		return health, fmt.Errorf("ask the listener: %w", err)
	}
	defer response.Body.Close()
	if err := json.NewDecoder(io.LimitReader(response.Body, MaxBody)).Decode(&health); err != nil {
		return health, fmt.Errorf("ask the listener: %w", err)
	}
	health.Listening, health.Address = true, address
	return health, nil
}
