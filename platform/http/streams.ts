// What is sent as it happens: WebSocket frames, server-sent events, lines of JSON. Slow readers are dropped, not
// buffered.
import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import { Counter, type Registry } from 'prom-client'
import type { WebSocket } from 'ws'
import type { Unsubscribe } from '../change-feed.ts'
import { READER_BACKLOG_LIMIT } from './limits.ts'

/** Milliseconds between pings, and between heartbeats of server-sent events. */
const HEARTBEAT_MS = 15_000
/** Close code for a reader that cannot keep up: try again later. */
const TRY_AGAIN_LATER = 1013

type Subscribe<T> = (listener: (item: T) => void) => Unsubscribe

export interface Streams {
  /** Sends each item as one frame of JSON and a newline until the socket closes. Text from the reader is ignored. */
  frames<T extends object>(socket: WebSocket, subscribe: Subscribe<T>): void
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
  const textOf = createSerialiser()
  const responses = createResponses(limit, dropped)
  return {
    frames(socket, subscribe) {
      const stop = subscribe((item) => {
        if (socket.readyState !== socket.OPEN) return
        if (socket.bufferedAmount <= limit) return socket.send(textOf(item))
        dropped.inc()
        stop()
        socket.close(TRY_AGAIN_LATER, 'reads too slowly')
      })
      socket.once('close', stop)
      keepAlive(socket, heartbeatMs)
    },
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

/** Many readers share one frame: it is turned into text once. */
function createSerialiser(): (item: object) => string {
  const texts = new WeakMap<object, string>()
  return (item) => {
    const text = texts.get(item) ?? `${JSON.stringify(item)}\n`
    texts.set(item, text)
    return text
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
