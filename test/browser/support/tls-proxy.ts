// A reverse proxy that ends TLS below a path, for requests and WebSockets.
import { once } from 'node:events'
import { request as forward, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { selfSigned } from './certificate.ts'

export const PREFIX = '/svc'
export const PUBLIC_HOST = 'team.test'

export class TlsProxy {
  /** Removes the path from requests that it forwards; else it leaves it. */
  removesPath = false
  /** Address of the daemon. */
  target: string | null = null
  /** Paths of requests outside the prefix, answered with 404. */
  readonly outside: string[] = []
  /** Paths of WebSockets that the daemon accepted. */
  readonly sockets: string[] = []
  readonly #server: Server
  readonly #connections = new Set<Duplex>()

  private constructor(server: Server) {
    this.#server = server
    server.on('connection', (socket) => this.#keep(socket))
    server.on('request', (incoming, outgoing) => {
      const path = this.#pathOf(incoming)
      if (path === null) return void outgoing.writeHead(404).end()
      const sent = forward(this.#optionsOf(incoming, path))
      sent.on('response', (answer) => {
        outgoing.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(outgoing)
      })
      sent.on('error', () => outgoing.destroy())
      outgoing.on('close', () => sent.destroy())
      incoming.pipe(sent)
    })
    server.on('upgrade', (incoming: IncomingMessage, socket: Duplex) => this.#upgrade(incoming, socket))
  }

  /** Listens on a free port of 127.0.0.1. */
  static async start(): Promise<TlsProxy> {
    const server = createServer(selfSigned(PUBLIC_HOST)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new TlsProxy(server)
  }

  /** Address of a path at a host that leads here: `https://team.test:4242/svc/ui/`. */
  address(path = '', host = PUBLIC_HOST): string {
    return `https://${host}:${(this.#server.address() as AddressInfo).port}${PREFIX}${path}`
  }

  async close(): Promise<void> {
    this.#server.close()
    for (const socket of this.#connections) socket.destroy()
    await once(this.#server, 'close')
  }

  #keep<Kept extends Duplex>(socket: Kept): Kept {
    this.#connections.add(socket)
    return socket.once('close', () => this.#connections.delete(socket)).on('error', () => socket.destroy())
  }

  #pathOf({ url = '/' }: IncomingMessage): string | null {
    if (!url.startsWith(`${PREFIX}/`)) {
      this.outside.push(url)
      return null
    }
    return this.removesPath ? url.slice(PREFIX.length) : url
  }

  #optionsOf({ method, headers, socket }: IncomingMessage, path: string) {
    const { hostname, port, host } = new URL(this.target!)
    const forwarded: OutgoingHttpHeaders = {
      host,
      'x-forwarded-host': headers.host,
      'x-forwarded-proto': 'https',
      'x-forwarded-for': socket.remoteAddress,
    }
    return { hostname, port, method, path, headers: { ...headers, ...forwarded }, agent: false }
  }

  #upgrade(incoming: IncomingMessage, socket: Duplex): void {
    this.#keep(socket)
    const path = this.#pathOf(incoming)
    if (path === null) return void socket.end('HTTP/1.1 404 Not Found\r\n\r\n')
    const sent = forward(this.#optionsOf(incoming, path))
    const lines = ({ statusCode, statusMessage, rawHeaders }: IncomingMessage) => {
      const headers = rawHeaders.flatMap((name, index) => (index % 2 ? [] : [`${name}: ${rawHeaders[index + 1]}`]))
      return [`HTTP/1.1 ${statusCode} ${statusMessage}`, ...headers, '', ''].join('\r\n')
    }
    sent.on('upgrade', (answer, upstream: Duplex, head: Buffer) => {
      this.sockets.push(incoming.url!)
      socket.write(lines(answer))
      socket.write(head)
      this.#keep(upstream).pipe(socket).pipe(upstream)
    })
    sent.on('response', (answer) => void socket.end(lines(answer)))
    sent.on('error', () => socket.destroy())
    sent.end()
  }
}
