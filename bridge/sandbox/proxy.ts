// The only way out of a sandbox with `network: { hosts }`.
import {
  createServer,
  request,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { isAllowedHost } from '../../schemas/sandbox/hosts.ts'
import { PrivateAddressFault, publicLookup } from './addresses.ts'
import { joinSockets } from './listeners.ts'

export interface ProxyOptions {
  hosts: readonly string[]
  onRefusal(host: string, port: number): void
  /** Default: the system's names, without private addresses. */
  lookup?: LookupFunction
}

interface Target {
  host: string
  port: number
}

interface Answer {
  status: number
  text: string
}

/** Headers between the program and the proxy only. */
const OF_THE_HOP = ['connection', 'keep-alive', 'proxy-authorization', 'proxy-connection', 'te', 'trailer', 'upgrade']

const invalid: Answer = {
  status: 400,
  text: 'svc sandbox: the proxy takes CONNECT host:port and http:// addresses only',
}

/** An HTTP proxy for CONNECT and absolute addresses. It does not listen: it serves connections that it is given. */
export class AllowListProxy {
  readonly #options: ProxyOptions
  readonly #server: Server

  constructor(options: ProxyOptions) {
    this.#options = options
    // An upload may take longer than the default limit.
    this.#server = createServer({ requestTimeout: 0 }, (incoming, response) => this.#forward(incoming, response))
    this.#server.on('connect', (incoming: IncomingMessage, socket: Duplex, head: Buffer) =>
      this.#tunnel(incoming, socket as Socket, head),
    )
    this.#server.on('clientError', (_error, socket) => socket.destroy())
  }

  take(socket: Socket): void {
    socket.on('error', () => {})
    this.#server.emit('connection', socket)
  }

  #tunnel({ url = '' }: IncomingMessage, socket: Socket, head: Buffer): void {
    socket.on('error', () => {})
    const [, host, port] = /^([^\s:/@]+):(\d{1,5})$/.exec(url) ?? []
    const target = host === undefined ? null : { host: nameOf(host), port: Number(port) }
    const refusal = target ? this.#refusal(target) : invalid
    if (target === null || refusal) return hangUp(socket, refusal ?? invalid)
    const upstream = connect({ ...target, lookup: this.#lookupFor(target) })
    const fail = (error: Error) => hangUp(socket, this.#failure(error, target))
    upstream.once('error', fail)
    socket.once('close', () => upstream.destroy())
    upstream.once('connect', () => {
      upstream.off('error', fail)
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      if (head.length > 0) upstream.write(head)
      joinSockets(socket, upstream)
    })
  }

  #forward(incoming: IncomingMessage, response: ServerResponse): void {
    const url = URL.parse(incoming.url ?? '')
    const target = url?.protocol === 'http:' ? { host: nameOf(url.hostname), port: Number(url.port || 80) } : null
    const refusal = target ? this.#refusal(target) : invalid
    if (url === null || target === null || refusal) return answer(response, refusal ?? invalid)
    const headers = withoutHop({ ...incoming.headers, host: url.host })
    const path = `${url.pathname}${url.search}`
    const lookup = this.#lookupFor(target)
    const upstream = request({ ...target, lookup, path, headers, method: incoming.method, agent: false })
    upstream.on('response', (reply) => {
      response.writeHead(reply.statusCode ?? 502, withoutHop(reply.headers))
      reply.on('error', () => response.destroy()).pipe(response)
    })
    upstream.on('error', (error) => answer(response, this.#failure(error, target)))
    response.once('close', () => upstream.destroy())
    incoming.on('error', () => upstream.destroy()).pipe(upstream)
  }

  /** Null if the host is allowed. */
  #refusal({ host, port }: Target): Answer | null {
    if (isIP(host) === 0 && isAllowedHost(this.#options.hosts, host, port)) return null
    this.#options.onRefusal(host, port)
    return { status: 403, text: `svc sandbox: host ${host}${portOf(port)} is not in network.hosts` }
  }

  /** A host that is named with its port may have any address. */
  #lookupFor({ host, port }: Target): LookupFunction | undefined {
    if (this.#options.hosts.includes(`${host}:${port}`)) return undefined
    return this.#options.lookup ?? publicLookup()
  }

  #failure(error: Error, { host, port }: Target): Answer {
    if (!(error instanceof PrivateAddressFault))
      return { status: 502, text: `svc sandbox: no connection to ${host}:${port}: ${error.message}` }
    this.#options.onRefusal(host, port)
    return { status: 403, text: `svc sandbox: ${error.message}: name it with its port in network.hosts` }
  }
}

const withoutHop = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_THE_HOP.includes(name)))

const nameOf = (host: string): string => host.toLowerCase().replace(/\.$/, '')

const portOf = (port: number): string => (port === 80 || port === 443 ? '' : `:${port}`)

function answer(response: ServerResponse, { status, text }: Answer): void {
  if (response.headersSent) return void response.destroy()
  response.writeHead(status, { 'content-type': 'text/plain', 'x-svc-sandbox': 'refused' }).end(`${text}\n`)
}

function hangUp(socket: Socket, { status, text }: Answer): void {
  const reason = status === 403 ? 'Forbidden' : status === 400 ? 'Bad Request' : 'Bad Gateway'
  const headers = `content-type: text/plain\r\nx-svc-sandbox: refused\r\ncontent-length: ${Buffer.byteLength(text) + 1}`
  socket.end(`HTTP/1.1 ${status} ${reason}\r\n${headers}\r\nconnection: close\r\n\r\n${text}\n`)
}
