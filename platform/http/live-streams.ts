// WebSocket frames, server-sent events and JSON lines. Disconnects slow consumers.
import { strictJson } from '../../schemas/validation/text.ts'
import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import { Counter, type Registry } from 'prom-client'
import type { WebSocket } from 'ws'
import type { Unsubscribe } from '../async/change-feed.ts'
import { READER_BACKLOG_LIMIT } from './limits.ts'

const HEARTBEAT_MS = 15_000
const TRY_AGAIN_LATER = 1013

/** Buffered bytes below which a client that catches up is sent more. */
const CATCH_UP_BACKLOG = 1024 * 1024

export interface Writer {
  /** Sends one JSON frame. Returns false if the socket is closed, or was too slow. */
  send(item: object): boolean
  /** Returns how many items were sent. */
  sendAll(items: readonly object[]): number
  /** Resolves when most of the buffer is sent, or the socket is closed. */
  drained(): Promise<void>
}

type Subscribe<T> = (listener: (item: T) => void) => Unsubscribe
type SubscribeAtPace<T> = (listener: (item: T) => void, drained: () => Promise<void>) => Unsubscribe

export interface Streams {
  /** Sends each item as a JSON line until the socket closes. Ignores incoming text. */
  frames<T extends object>(socket: WebSocket, subscribe: SubscribeAtPace<T>): void
  /** Returns a writer, and starts pinging the socket. */
  writer(socket: WebSocket): Writer
  /** Sends server-sent events named by `type`, with heartbeats. */
  events<T extends { type: string }>(reply: FastifyReply, subscribe: Subscribe<T>): void
  /** The first `write` starts the response. */
  lines(reply: FastifyReply): { write(line: object): void; end(): void; readonly begun: boolean }
  endAll(): void
}

export function createStreams(
  registry: Registry,
  options: { backlogLimit?: number; heartbeatMs?: number } = {},
): Streams {
  const dropped = new Counter({
    name: 'stream_readers_dropped_total',
    help: 'Stream readers disconnected because they were too slow',
    registers: [registry],
  })
  const limit = options.backlogLimit ?? READER_BACKLOG_LIMIT
  const heartbeatMs = options.heartbeatMs ?? HEARTBEAT_MS
  const textOf = createSerialiser((item) => `${strictJson(item)}\n`)
  const responses = createResponses(limit, dropped)
  const writer = createWriters({ limit, heartbeatMs, dropped })
  return {
    frames(socket, subscribe) {
      const { send, drained } = writer(socket)
      const stop = subscribe((item) => {
        if (!send(item)) stop()
      }, drained)
      socket.once('close', stop)
    },
    writer,
    events(reply, subscribe) {
      const response = responses.begin(reply, 'text/event-stream; charset=utf-8')
      response.write(': connected\n\n')
      const stop = subscribe((item) => responses.write(response, `event: ${item.type}\ndata: ${textOf(item)}\n`))
      const beat = setInterval(() => responses.write(response, ': heartbeat\n\n'), heartbeatMs).unref()
      response.once('close', () => {
        clearInterval(beat)
        stop()
      })
    },
    lines(reply) {
      let response: ServerResponse | null = null
      return {
        write: (line) =>
          responses.write(
            (response ??= responses.begin(reply, 'application/x-ndjson; charset=utf-8')),
            `${strictJson(line)}\n`,
          ),
        end: () => void response?.end(),
        get begun() {
          return response !== null
        },
      }
    },
    endAll: responses.endAll,
  }
}

interface WriterWorld {
  limit: number
  heartbeatMs: number
  dropped: Counter
}

const AS_TEXT = { binary: false }

function createWriters({ limit, heartbeatMs, dropped }: WriterWorld): (socket: WebSocket) => Writer {
  const bytesOf = createSerialiser((item) => Buffer.from(`${strictJson(item)}\n`))
  return (socket) => {
    keepAlive(socket, heartbeatMs)
    const { sent: isSent, drained } = drainOf(socket)
    const send = (item: object): boolean => {
      if (socket.readyState !== socket.OPEN) return false
      if (socket.bufferedAmount > limit) {
        dropped.inc()
        socket.close(TRY_AGAIN_LATER, 'reads too slowly')
        return false
      }
      socket.send(bytesOf(item), AS_TEXT, isSent)
      return true
    }
    const sendAll = (items: readonly object[]): number => {
      const at = items.findIndex((item) => !send(item))
      return at < 0 ? items.length : at
    }
    return { send, sendAll, drained }
  }
}

function drainOf(socket: WebSocket): { sent(): void; drained(): Promise<void> } {
  let waiting: (() => void)[] = []
  const look = () => {
    if (waiting.length === 0) return
    if (socket.readyState === socket.OPEN && socket.bufferedAmount > CATCH_UP_BACKLOG) return
    const ready = waiting
    waiting = []
    for (const go of ready) go()
  }
  socket.once('close', look)
  return {
    sent: look,
    drained: () =>
      new Promise((resolve) => {
        waiting.push(resolve)
        look()
      }),
  }
}

function createResponses(limit: number, dropped: Counter) {
  const open = new Set<ServerResponse>()
  return {
    begin(reply: FastifyReply, type: string): ServerResponse {
      const response = reply.hijack().raw
      response.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        'content-type': type,
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      })
      open.add(response)
      response.once('close', () => open.delete(response))
      return response
    },
    write(response: ServerResponse, text: string): void {
      if (response.destroyed || response.writableEnded) return
      if (response.writableLength <= limit) return void response.write(text)
      dropped.inc()
      response.destroy()
    },
    endAll(): void {
      for (const response of open) response.end()
    },
  }
}

/** Caches the last item, because many clients receive the same one. */
function createSerialiser<T>(form: (item: object) => T): (item: object) => T {
  let last: { item: object; formed: T } | null = null
  return (item) => {
    if (last?.item !== item) last = { item, formed: form(item) }
    return last.formed
  }
}

/** Pings, and terminates an unresponsive connection. */
function keepAlive(socket: WebSocket, everyMs: number): void {
  let isAlive = true
  socket.on('pong', () => (isAlive = true))
  const timer = setInterval(() => {
    if (!isAlive) return socket.terminate()
    isAlive = false
    socket.ping()
  }, everyMs).unref()
  socket.once('close', () => clearInterval(timer))
}
