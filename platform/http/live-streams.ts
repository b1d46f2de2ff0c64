// What is sent as it happens: WebSocket frames, server-sent events, lines of JSON. Slow readers are dropped, not
// buffered.
import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import { Counter, type Registry } from 'prom-client'
import type { WebSocket } from 'ws'
import type { Unsubscribe } from '../async/change-feed.ts'
import { READER_BACKLOG_LIMIT } from './limits.ts'

/** Milliseconds between pings, and between heartbeats of server-sent events. */
const HEARTBEAT_MS = 15_000
/** Close code for a reader that cannot keep up: try again later. */
const TRY_AGAIN_LATER = 1013

/** Bytes that may wait for a reader who catches up, before it is given more. */
const CATCH_UP_BACKLOG = 1024 * 1024

/** The way to one reader. */
export interface Writer {
  /** Sends it as one frame of JSON; false where the reader is gone, or was too slow and is gone by that. */
  send(item: object): boolean
  /** The same for several at once; returns how many were sent, from the first on. */
  sendAll(items: readonly object[]): number
  /** Resolves when the reader has taken most of what waits for it, or is gone. */
  drained(): Promise<void>
}

type Subscribe<T> = (listener: (item: T) => void) => Unsubscribe
/** `drained` resolves when the reader has taken most of what was sent, or is gone. */
type SubscribeAtPace<T> = (listener: (item: T) => void, drained: () => Promise<void>) => Unsubscribe

export interface Streams {
  /** Sends each item as one frame of JSON and a newline until the socket closes. Text from the reader is ignored. */
  frames<T extends object>(socket: WebSocket, subscribe: SubscribeAtPace<T>): void
  /** The way to the reader of a socket, and pings along it. */
  writer(socket: WebSocket): Writer
  /** Sends each item as a server-sent event named by its `type`, with heartbeat comments between. */
  events<T extends { type: string }>(reply: FastifyReply, subscribe: Subscribe<T>): void
  /** A line of JSON for each call of `write`; the response begins with the first. */
  lines(reply: FastifyReply): { write(line: object): void; end(): void; readonly begun: boolean }
  /** Ends every response that would never end by itself. */
  endAll(): void
}

export function createStreams(
  registry: Registry,
  options: { backlogLimit?: number; heartbeatMs?: number } = {},
): Streams {
  const dropped = new Counter({
    name: 'stream_readers_dropped_total',
    help: 'Readers of a stream that were too slow and were closed',
    registers: [registry],
  })
  const limit = options.backlogLimit ?? READER_BACKLOG_LIMIT
  const heartbeatMs = options.heartbeatMs ?? HEARTBEAT_MS
  const textOf = createSerialiser((item) => `${JSON.stringify(item)}\n`)
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
            `${JSON.stringify(line)}\n`,
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
  const bytesOf = createSerialiser((item) => Buffer.from(`${JSON.stringify(item)}\n`))
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

/** Who waits until a socket has taken what it was given. */
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

/** Responses that are written piece by piece, and known so that they can be ended. */
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
    /** Writes, or drops a reader that has too much waiting. */
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

/** Many readers get the same item one after the other: it is serialised once. */
function createSerialiser<T>(form: (item: object) => T): (item: object) => T {
  let last: { item: object; formed: T } | null = null
  return (item) => {
    if (last?.item !== item) last = { item, formed: form(item) }
    return last.formed
  }
}

/** Pings, and ends a connection whose other side has gone without a word. */
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
