<?php // Takes payment events: php -S 127.0.0.1:3000 receiver.php (8.1 or newer). Use your
// database in place of the files: orders.txt has a line "order_reference amount"
// for each order that you made, events.txt one for each event that was stored.
http_response_code(500); // Until it is known better.

function receive(string $body, string $signature): array
{
    $secret = getenv('WEBHOOK_SECRET') ?: throw new Exception('WEBHOOK_SECRET is not set');
    if ($body === '' || $signature === '') return [400, 'Bad Request'];
    $right = hash_hmac('sha256', getenv('SIGNATURE_SCHEME') === 'body' ? $body : $secret, $secret);
    if (!hash_equals($right, $signature)) return [401, 'Invalid signature'];
    $event = json_decode($body, true);
    $data = $event['data'] ?? null;
    if (!is_array($data) || !is_string($event['event'] ?? null)) return [400, 'Bad Request'];
    $name = $data['order_reference'] ?? null;
    if (!is_string($name)) return [400, 'Missing order_reference'];
    preg_match('/^' . preg_quote($name, '/') . ' (\d+)$/m', @file_get_contents('orders.txt'), $order);
    if (!$order) return [404, 'Not found'];
    $status = str_replace('payment.', '', $event['event']);
    if (!in_array($status, ['success', 'failed', 'canceled', 'expired'])) $status = 'unchanged';
    $right = ($data['amount'] ?? 0) === (int) $order[1] && ($data['currency'] ?? '') === 'Ar';
    $identity = $event['event'];
    foreach (['order_reference', 'reference', 'amount', 'currency', 'description', 'error'] as $field)
        $identity .= "\n" . json_encode($data[$field] ?? null);
    $identity = hash('sha256', $identity);
    $events = fopen('events.txt', 'c+');
    flock($events, LOCK_EX);
    if (!str_contains(stream_get_contents($events), $identity)) {
        $verdict = $status === 'success' && $right ? 'PAID' : 'not paid';
        fwrite($events, "\n$name $status $verdict $identity");
        fsync($events) || throw new Exception('not stored'); // Only what is stored may be answered.
    }
    return [200, json_encode(['received' => true, 'status' => $status])];
}

$header = 'HTTP_' . strtoupper(strtr(getenv('SIGNATURE_HEADER') ?: 'x-svc-signature', '-', '_'));
$body = stream_get_contents(fopen('php://input', 'r'), 65537);
[$code, $text] = match (true) {
    $_SERVER['REQUEST_METHOD'] !== 'POST' => [405, 'Method Not Allowed'],
    strlen($body) > 65536 => [413, 'Content Too Large'],
    default => receive($body, $_SERVER[$header] ?? ''),
};
http_response_code($code);
echo $text;
