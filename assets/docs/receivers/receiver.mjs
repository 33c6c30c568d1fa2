// Takes payment events: node receiver.mjs (18 or newer, no packages). Use your
// database in place of the files: orders.txt has a line "order_reference amount"
// for each order that you made, events.txt one for each event that was stored.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { createServer } from 'node:http'

const secret = process.env.WEBHOOK_SECRET
const header = (process.env.SIGNATURE_HEADER || 'x-svc-signature').toLowerCase()
const scheme = process.env.SIGNATURE_SCHEME || 'static'
const read = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '')

function receive(body, signature) {
  if (body.length === 0 || !signature) return [400, 'Bad Request']
  const right = createHmac('sha256', secret).update(scheme === 'body' ? body : secret).digest('hex')
  const [given, wanted] = [Buffer.from(signature), Buffer.from(right)]
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return [401, 'Invalid signature']
  let kind, data
  try { ({ event: kind, data } = JSON.parse(body)) } catch { return [400, 'Bad Request'] }
  const name = data?.order_reference
  if (typeof name !== 'string') return [400, 'Missing order_reference']
  const order = read('orders.txt').split('\n').find((line) => line.startsWith(name + ' '))
  if (!order) return [404, 'Not found']
  const status = /^payment\.(success|failed|canceled|expired)$/.exec(kind)?.[1] ?? 'unchanged'
  const paid = status === 'success' && data.amount === Number(order.split(' ')[1]) && data.currency === 'Ar'
  const identity = [kind, name, data.reference, data.amount, data.currency, data.description, data.error]
  const id = createHash('sha256').update(JSON.stringify(identity)).digest('hex')
  if (!read('events.txt').includes(id)) {
    const file = openSync('events.txt', 'a')
    writeSync(file, `\n${name} ${status} ${paid ? 'PAID' : 'not paid'} ${id}`)
    fsyncSync(file) // It is stored: only now it may be answered.
    closeSync(file)
  }
  return [200, JSON.stringify({ received: true, status })]
}

createServer(async (request, response) => {
  let [body, code, text] = [Buffer.alloc(0), 500, 'Internal Server Error']
  try {
    for await (const piece of request) if (body.length <= 65536) body = Buffer.concat([body, piece])
    if (request.method !== 'POST') [code, text] = [405, 'Method Not Allowed']
    else if (body.length > 65536) [code, text] = [413, 'Content Too Large']
    else [code, text] = receive(body, request.headers[header])
  } catch (error) { console.error(error) }
  response.writeHead(code).end(text)
}).listen(process.env.PORT || 3000, process.env.HOST || '127.0.0.1')
