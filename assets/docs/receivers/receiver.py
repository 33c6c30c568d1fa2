"""Takes payment events: python3 receiver.py (3.8 or newer, no packages). Use your
database in place of the files: orders.txt has a line "order_reference amount" for
each order that you made, events.txt one for each event that was stored."""
import hashlib, hmac, http.server, json, os, threading

secret = os.environ["WEBHOOK_SECRET"].encode()
header = os.environ.get("SIGNATURE_HEADER") or "x-svc-signature"
scheme = os.environ.get("SIGNATURE_SCHEME") or "static"
lock = threading.Lock()

def receive(body, signature):
    if not body or not signature: return 400, "Bad Request"
    right = hmac.new(secret, body if scheme == "body" else secret, hashlib.sha256).hexdigest()
    if not hmac.compare_digest(signature.encode(), right.encode()): return 401, "Invalid signature"
    try:
        event = json.loads(body)
        kind, data = str(event["event"]), dict(event["data"])
    except (ValueError, KeyError, TypeError): return 400, "Bad Request"
    name = data.get("order_reference")
    if not isinstance(name, str): return 400, "Missing order_reference"
    with lock, open("orders.txt", "a+") as file, open("events.txt", "a+") as events:
        file.seek(0)
        orders = dict(fields for fields in map(str.split, file) if len(fields) == 2)
        if name not in orders: return 404, "Not found"
        status = kind.replace("payment.", "")
        if status not in ("success", "failed", "canceled", "expired"): status = "unchanged"
        right = data.get("amount") == int(orders[name]) and data.get("currency") == "Ar"
        verdict = "PAID" if status == "success" and right else "not paid"
        fields = ("order_reference", "reference", "amount", "currency", "description", "error")
        identity = hashlib.sha256(json.dumps([kind, *map(data.get, fields)]).encode()).hexdigest()
        events.seek(0)
        if identity not in events.read():
            events.write(f"\n{name} {status} {verdict} {identity}")
            events.flush()
            os.fsync(events.fileno())  # Only what is stored may be answered.
    return 200, json.dumps({"received": True, "status": status})

class Webhook(http.server.BaseHTTPRequestHandler):
    timeout = 10

    def do_POST(self):
        length, code, text = int(self.headers.get("Content-Length") or 0), 413, "Content Too Large"
        try:
            body = self.rfile.read(min(length, 65536))
            if length <= 65536: code, text = receive(body, ", ".join(self.headers.get_all(header, [])))
        except OSError as error: code, text = 500, f"Internal Server Error: {error}"
        self.send_response(code)
        self.end_headers()
        self.wfile.write(text.encode())

address = (os.environ.get("HOST") or "127.0.0.1", int(os.environ.get("PORT") or 3000))
http.server.ThreadingHTTPServer(address, Webhook).serve_forever()
