// Renames the suite's tool calls and forwards messages to the server.
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'
import { CALLS } from './judged.mjs'

const renamed = (message) =>
  message.method === 'tools/call' && CALLS[message.params.name]
    ? { ...message, params: { ...message.params, ...CALLS[message.params.name] } }
    : message

/** `forward(message, headers)` returns `{status, type, body}`. */
async function listen(forward) {
  const server = createServer(async (request, response) => {
    const parts = []
    for await (const part of request) parts.push(part)
    if (request.method !== 'POST') return response.writeHead(405).end()
    const answer = await forward(renamed(JSON.parse(Buffer.concat(parts))), request.headers).catch((error) => ({
      status: 500,
      body: error.message,
    }))
    response.writeHead(answer.status, answer.type ? { 'content-type': answer.type } : {}).end(answer.body)
  })
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening))
  return { url: `http://127.0.0.1:${server.address().port}`, stop: () => server.close() }
}

export const relayToHttp = (url) =>
  listen(async (message, { accept, 'mcp-protocol-version': version }) => {
    const headers = { accept, 'content-type': 'application/json', ...(version && { 'mcp-protocol-version': version }) }
    const answer = await fetch(`${url}/mcp`, { method: 'POST', headers, body: JSON.stringify(message) })
    return { status: answer.status, type: answer.headers.get('content-type'), body: await answer.text() }
  })

/** One message per line. */
export async function relayToProcess(command, args, env) {
  const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'inherit'] })
  const waiting = new Map()
  let last = 0
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line)
    const { id, answered } = waiting.get(message.id) ?? {}
    waiting.delete(message.id)
    answered?.({ status: 200, type: 'application/json', body: JSON.stringify({ ...message, id }) })
  })
  const relay = await listen((message) => {
    const { id } = message
    if (id === undefined) {
      child.stdin.write(`${JSON.stringify(message)}\n`)
      return Promise.resolve({ status: 202, body: '' })
    }
    // Every client numbers its messages from 0.
    const own = ++last
    return new Promise((answered) => {
      waiting.set(own, { id, answered })
      child.stdin.write(`${JSON.stringify({ ...message, id: own })}\n`)
    })
  })
  return {
    url: relay.url,
    stop: () => {
      relay.stop()
      child.stdin.end()
      return new Promise((ended) => child.once('exit', ended))
    },
  }
}
