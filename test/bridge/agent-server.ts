// A real WebSocket server that records every connection.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer, type WebSocket } from 'ws'
import { eventually } from '../support/eventually.ts'

export type Frame = Record<string, any>

export interface Connection {
  headers: IncomingHttpHeaders
  socket: WebSocket
  frames: Frame[]
  texts: string[]
  closed: number | null
}

export class AgentServer {
  readonly connections: Connection[] = []
  refuseWith: number | null = null
  refusals = 0
  #http: Server | null = null
  #port = 0
  /** Unique, because an agent of another test may connect to a reused port. */
  readonly #path = `/ws/agent-${randomUUID()}`

  /** Listens on a free port, or on the previous one. */
  async start(): Promise<this> {
    const http = createServer()
    const sockets = new WebSocketServer({ noServer: true })
    http.on('upgrade', (request, socket, head) => {
      if (request.url !== this.#path) return socket.destroy()
      if (this.refuseWith !== null) {
        this.refusals++
        return socket.end(`HTTP/1.1 ${this.refuseWith} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
      }
      sockets.handleUpgrade(request, socket, head, (webSocket) => this.#take(webSocket, request.headers))
    })
    http.listen(this.#port, '127.0.0.1')
    await once(http, 'listening')
    this.#port = (http.address() as AddressInfo).port
    this.#http = http
    return this
  }

  /** Drops every connection without a close frame. */
  async stop(): Promise<void> {
    for (const connection of this.connections) connection.socket.terminate()
    const http = this.#http
    this.#http = null
    if (http) await new Promise((resolve) => http.close(resolve))
  }

  get url(): string {
    return `ws://127.0.0.1:${this.#port}${this.#path}`
  }

  get last(): Connection {
    return this.connections.at(-1)!
  }

  get frames(): Frame[] {
    return this.connections.flatMap((connection) => connection.frames)
  }

  send(frame: Frame): void {
    this.last.socket.send(`${JSON.stringify(frame)}\n`)
  }

  prompt(content: string): void {
    this.send({ type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, session_id: '' })
  }

  async control(request: Frame, requestId = `test-${Math.random()}`): Promise<Frame> {
    this.send({ type: 'control_request', request_id: requestId, request })
    const answer = await this.next(
      (frame) => frame['type'] === 'control_response' && frame['response'].request_id === requestId,
    )
    return answer['response']
  }

  allow(request: Frame, updatedInput: Frame = request['request'].input): void {
    this.#answer(request, { behavior: 'allow', updatedInput })
  }

  deny(request: Frame, message: string, members: Frame = {}): void {
    this.#answer(request, { behavior: 'deny', message, ...members })
  }

  connected(count = 1): Promise<Connection> {
    return eventually(() => this.connections[count - 1])
  }

  /** Resolves with the first matching frame from index `from`. */
  next(matches: (frame: Frame) => boolean, from = 0): Promise<Frame> {
    return eventually(() => {
      const frames = this.frames.slice(from)
      const found = frames.find(matches)
      if (!found) throw new Error(`no frame matches of ${frames.map(nameOf).join(', ')}`)
      return found
    })
  }

  result(from = 0): Promise<Frame> {
    return this.next((frame) => frame['type'] === 'result', from)
  }

  question(from = 0): Promise<Frame> {
    return this.next((frame) => frame['request']?.subtype === 'can_use_tool', from)
  }

  async turn(content: string): Promise<{ result: Frame; frames: Frame[] }> {
    const from = this.frames.length
    this.prompt(content)
    const result = await this.result(from)
    return { result, frames: this.frames.slice(from) }
  }

  #answer(request: Frame, response: Frame): void {
    this.send({
      type: 'control_response',
      response: { subtype: 'success', request_id: request['request_id'], response },
    })
  }

  #take(socket: WebSocket, headers: IncomingHttpHeaders): void {
    const connection: Connection = { headers, socket, frames: [], texts: [], closed: null }
    socket.on('message', (data: Buffer) => {
      const text = data.toString()
      connection.texts.push(text)
      connection.frames.push(JSON.parse(text) as Frame)
    })
    socket.on('close', (code) => (connection.closed = code))
    socket.on('error', () => {})
    this.connections.push(connection)
  }
}

/** Short name such as `control_request/can_use_tool`. */
export function nameOf(frame: Frame): string {
  const subtype =
    frame['type'] === 'system'
      ? frame['subtype']
      : frame['type'] === 'control_request'
        ? frame['request'].subtype
        : null
  return subtype ? `${frame['type']}/${subtype}` : String(frame['type'])
}

/** Names of a turn's frames without state notes, whose order varies. */
export function namesOf(frames: Frame[]): string[] {
  return frames.map(nameOf).filter((name) => name !== 'system/session_state_changed')
}
