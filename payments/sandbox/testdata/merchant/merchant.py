#!/usr/bin/env python3
"""A merchant's program, written from the interface specification alone.

    export ACCESS_TOKEN=TGP_sandbox WEBHOOK_SECRET=a-secret-of-16-or-more
    python3 merchant.py http://127.0.0.1:8789 3000

The first argument is the payment service's base URL, the second the port of
this program's webhook, by default one that is free. HOST is where it listens, by
default 127.0.0.1, SIGNATURE_HEADER the name of the signature's header, by default
the specification's. Each line on standard input is a sale, a reference and then
its items:

    A-1 Vary:3500:2 Coca:2000:1

Each thing that happens is one line of JSON on standard output. The program
needs Python 3.8 or newer and nothing else.
"""

import hashlib
import hmac
import http.server
import json
import os
import sys
import threading
import urllib.error
import urllib.request

STATUSES = {
    "payment.success": "success",
    "payment.failed": "failed",
    "payment.canceled": "canceled",
    "payment.expired": "expired",
}
MAX_BODY = 64 * 1024

lock = threading.Lock()
orders = {}  # The status of each order, by the service's order_reference.
seen = set()  # The events that were processed.


def say(**fields):
    """Prints one line of JSON. The lock must be held where orders matter."""
    sys.stdout.write(json.dumps(fields, ensure_ascii=False) + "\n")
    sys.stdout.flush()


def create_order(base_url, token, reference, items):
    """Asks for a payment order, section 4.1 of the specification."""
    request = {
        "description": "Order " + reference,
        "access": token,
        "reference": reference,
        "amount": sum(item["unit_price"] * item["quantity"] for item in items),
        "currency": "Ar",
        "metadata": items,
    }
    call = urllib.request.Request(
        base_url.rstrip("/") + "/api/payement/service",
        data=json.dumps(request).encode(),
        headers={"Content-Type": "application/json"},
    )
    try:
        with urllib.request.urlopen(call, timeout=30) as answer:
            data = json.load(answer)["data"]
    except urllib.error.HTTPError as refusal:
        say(refused=reference, status=refusal.code, message=json.load(refusal)["message"])
        return
    with lock:
        orders[data["order_reference"]] = "pending"
        say(
            order=reference,
            order_reference=data["order_reference"],
            checkout_url=data["checkout_url"],
            expires_in_minutes=data["expires_in_minutes"],
        )


def signature(secret):
    """What the header must hold, section 5: the secret signs itself."""
    return hmac.new(secret, secret, hashlib.sha256).hexdigest()


def receive(body, given, secret):
    """Takes a webhook call in, section 4.2: returns the reply's code and text."""
    if not body or not given:
        return 400, "Bad Request"
    # In constant time: how long it takes tells nobody how much was right. The
    # same header twice is not one that the service sends.
    right = hmac.compare_digest(given[0].encode(), signature(secret).encode())
    if not right or len(given) > 1:
        return 401, "Invalid signature"
    try:
        event = json.loads(body)
        kind, data = event["event"], dict(event["data"])
    except (ValueError, KeyError, TypeError):
        return 400, "Bad Request"
    name = data.get("order_reference")
    if not name or not isinstance(name, str):
        return 400, "Missing order_reference"
    with lock:
        if name not in orders:
            return 404, "Not found"
        new = hashlib.sha256(body).digest() not in seen
        seen.add(hashlib.sha256(body).digest())
        if new and kind in STATUSES:
            orders[name] = STATUSES[kind]
        say(
            event=kind,
            order_reference=name,
            reference=data.get("reference"),
            amount=data.get("amount"),
            currency=data.get("currency"),
            description=data.get("description"),
            error=data.get("error"),
            status=orders[name],
            new=new,
        )
        return 200, json.dumps({"received": True, "status": orders[name]})


class Webhook(http.server.BaseHTTPRequestHandler):
    """The address that the payment service calls."""

    secret = b""
    header = os.environ.get("SIGNATURE_HEADER", "x-svc-signature")

    def do_POST(self):
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length) if length <= MAX_BODY else b""
        code, text = receive(body, self.headers.get_all(self.header, []), self.secret)
        if code != 200:
            say(rejected=code, reason=text)
        reply = text.encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json" if code == 200 else "text/plain")
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, *_):
        """Standard error stays quiet."""


def main():
    if len(sys.argv) < 2 or "ACCESS_TOKEN" not in os.environ or "WEBHOOK_SECRET" not in os.environ:
        sys.exit(__doc__)
    base_url = sys.argv[1]
    port = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    token = os.environ["ACCESS_TOKEN"]
    Webhook.secret = os.environ["WEBHOOK_SECRET"].encode()
    host = os.environ.get("HOST", "127.0.0.1")
    server = http.server.ThreadingHTTPServer((host, port), Webhook)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    say(listening="http://%s:%d/webhook" % (host, server.server_port))
    for line in sys.stdin:
        reference, *sold = line.split()
        items = []
        for one in sold:
            label, price, quantity = one.rsplit(":", 2)
            items.append({"label": label, "unit_price": int(price), "quantity": int(quantity)})
        create_order(base_url, token, reference, items)


if __name__ == "__main__":
    main()
