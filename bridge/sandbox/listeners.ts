// Loopback ports of a sandbox without the host's network: a short program listens inside and hands the sockets out.
import { connect, type Server, type Socket } from 'node:net'
import { pipeline } from 'node:stream'
import type { Launch } from '../../schemas/agent/launch.ts'

export interface LoopbackPort {
  host: string
  port: number
  /** The proxy for allowed hosts; others are forwarded to the same port of the host. */
  isProxy: boolean
}

const PROXY_PORT = 3128

/**
 * Runs by `node -e`: sends each listening socket, waits for the bridge, and ends before the program starts. A bridge
 * that dies disconnects.
 */
export const LISTENING_PROGRAM = `
const ports = JSON.parse(process.argv[1])
process.once('disconnect', () => process.exit(1)).on('message', () => process.exit(0))
for (const [index, { host, port }] of ports.entries()) {
  const server = require('node:net').createServer()
  server.once('error', (error) => {
    console.error('cannot listen on ' + host + ':' + port + ' in the sandbox: ' + error.code)
    process.exit(1)
  })
  server.listen(port, host, () => process.send({ index }, server))
}`

/** The daemon's ports and `localhost:PORT` of the hosts, at their numbers. The proxy takes the first free from 3128. */
export function loopbackPorts(launch: Launch): LoopbackPort[] {
  const { mode = 'all', hosts = [] } = launch.sandbox?.network ?? {}
  if (mode === 'all') return []
  const addresses = [launch.tools_url, launch.orchestrator_url, launch.url].map(addressOf)
  const named = hosts.map((host) => /^localhost:(\d+)$/.exec(host)?.[1]).filter((port) => port !== undefined)
  const wanted = [...addresses, ...named.map((port) => ({ host: '127.0.0.1', port: Number(port) }))]
  const forwarded = new Map(wanted.filter((each) => each !== null).map((each) => [`${each.host} ${each.port}`, each]))
  const ports = [...forwarded.values()].map((each) => ({ ...each, isProxy: false }))
  if (mode === 'none') return ports
  let proxy = PROXY_PORT
  while (ports.some(({ port }) => port === proxy)) proxy++
  return [{ host: '127.0.0.1', port: proxy, isProxy: true }, ...ports]
}

/** Null unless the address is of the loopback interface. */
function addressOf(url: string): { host: string; port: number } | null {
  const { hostname, port, protocol } = new URL(url)
  const host = hostname === '[::1]' ? '::1' : hostname === 'localhost' ? '127.0.0.1' : hostname
  if (host !== '::1' && !host.startsWith('127.')) return null
  return { host, port: Number(port || (/^(https|wss):$/.test(protocol) ? 443 : 80)) }
}

/** Connects the clients of a handed-out socket to the same port of the host. */
export function forwardTo({ host, port }: LoopbackPort, server: Server): void {
  server.on('connection', (socket: Socket) => joinSockets(socket, connect({ host, port })))
}

/** Joins both directions. An error on one side closes the other. */
export function joinSockets(one: Socket, other: Socket): void {
  pipeline(one, other, () => {})
  pipeline(other, one, () => {})
}
