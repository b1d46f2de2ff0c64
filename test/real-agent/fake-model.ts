// A local Messages API with the directives of the scripted agent.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { readPlan, type ToolCall } from '../../bridge/scripted/plan.ts'

export interface FakeModel {
  url: string
  heard(): Promise<string>
  stop(): Promise<void>
}

interface Block {
  type: string
  text?: string
  content?: unknown
  is_error?: boolean
}

interface Message {
  role: string
  content: string | Block[]
}

interface Request {
  model: string
  stream?: boolean
  tools?: unknown[]
  messages: Message[]
}

interface Reply {
  text: string
  calls: ToolCall[]
}

/** Starts our model, or the script in SVC_FAKE_MODEL (`node SCRIPT --port 0`, which prints its address first). */
export function startFakeModel(): Promise<FakeModel> {
  const script = process.env['SVC_FAKE_MODEL']
  return script ? runScript(script) : startOwn()
}

async function startOwn(): Promise<FakeModel> {
  const bodies: string[] = []
  const server = createServer((request, response) => void serve(request, response, bodies))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard: () => Promise.resolve(bodies.join('\n')),
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function runScript(script: string): Promise<FakeModel> {
  const child = spawn(process.execPath, [script, '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  const url = /http:\/\/\S+/.exec(line)?.[0]
  if (!url) throw new Error(`${script} printed no address on its first line, but: ${line}`)
  return {
    url,
    heard: async () => (await fetch(`${url}/__requests`)).text(),
    stop: async () => {
      child.kill()
      await once(child, 'exit')
    },
  }
}

async function serve(request: IncomingMessage, response: ServerResponse, bodies: string[]): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks).toString()
  const path = request.url!.split('?')[0]
  if (path === '/v1/messages/count_tokens') return json(response, 200, { input_tokens: tokens(body) })
  if (path !== '/v1/messages')
    return json(response, 404, { type: 'error', error: { type: 'not_found_error', message: path } })
  bodies.push(body)
  await answer(JSON.parse(body) as Request, response)
}

async function answer(request: Request, response: ServerResponse): Promise<void> {
  const { prompt, results } = turnOf(request.messages)
  const plan = readPlan(prompt)
  if (plan.failure !== null) {
    response.setHeader('x-should-retry', 'false')
    return json(response, 400, { type: 'error', error: { type: 'invalid_request_error', message: plan.failure } })
  }
  await sleep(plan.thinkMs)
  // Side requests of the CLI, such as titles, offer no tools and must get none.
  const calls = request.tools?.length ? (plan.rounds[roundOf(plan.rounds, results.length)] ?? []) : []
  const last = results.at(-1)
  const text =
    calls.length > 0
      ? 'Calling a tool.'
      : last
        ? `${last.is_error ? 'TOOL_ERR' : 'TOOL_OK'}: ${plain(last.content)}`
        : `ECHO(${request.messages.length}): ${prompt}`
  stream(request, response, { text, calls })
}

function roundOf(rounds: ToolCall[][], results: number): number {
  let left = results
  return rounds.findIndex((calls) => (left -= calls.length) < 0)
}

function turnOf(messages: Message[]): { prompt: string; results: Block[] } {
  const blocks = messages
    .filter((message) => message.role === 'user')
    .flatMap((message): Block[] =>
      typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content,
    )
  const at = blocks.findLastIndex(
    (block) => block.type === 'text' && block.text!.trim() !== '' && !block.text!.trimStart().startsWith('<'),
  )
  return {
    prompt: blocks[at]?.text ?? '',
    results: blocks.slice(at + 1).filter((block) => block.type === 'tool_result'),
  }
}

function plain(content: unknown): string {
  return Array.isArray(content) ? (content as Block[]).map((block) => block.text ?? '').join(' ') : String(content)
}

function tokens(text: string): number {
  return Math.ceil(text.length / 4)
}

function stream(request: Request, response: ServerResponse, { text, calls }: Reply): void {
  const id = () => Math.random().toString(36).slice(2)
  const usage = {
    input_tokens: tokens(JSON.stringify(request.messages)),
    cache_creation_input_tokens: 5,
    cache_read_input_tokens: 3,
    output_tokens: 1,
  }
  const stopReason = calls.length > 0 ? 'tool_use' : 'end_turn'
  const message = {
    id: `msg_${id()}`,
    type: 'message',
    role: 'assistant',
    model: request.model,
    content: [] as unknown[],
    stop_reason: null,
    stop_sequence: null,
    usage,
  }
  const outputTokens = tokens(text) + 20 * calls.length
  const blocks = [
    { type: 'text', text },
    ...calls.map((call) => ({ type: 'tool_use', id: `toolu_${id()}`, name: call.name, input: call.input })),
  ]
  if (!request.stream)
    return json(response, 200, {
      ...message,
      content: blocks,
      stop_reason: stopReason,
      usage: { ...usage, output_tokens: outputTokens },
    })
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const event = (data: { type: string; [member: string]: unknown }) =>
    response.write(`event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`)
  event({ type: 'message_start', message })
  for (const [index, block] of blocks.entries()) {
    const empty = 'text' in block ? { ...block, text: '' } : { ...block, input: {} }
    const delta =
      'text' in block
        ? { type: 'text_delta', text: block.text }
        : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }
    event({ type: 'content_block_start', index, content_block: empty })
    event({ type: 'content_block_delta', index, delta })
    event({ type: 'content_block_stop', index })
  }
  event({
    type: 'message_delta',
    delta: { stop_reason: stopReason, stop_sequence: null },
    usage: { output_tokens: outputTokens },
  })
  event({ type: 'message_stop' })
  response.end()
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}
