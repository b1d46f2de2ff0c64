// Port variables. Reads the service names from folders: importing the services is slow.
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './root.ts'

const names = ['controller', ...readdirSync(join(root, 'services'))].map((folder) =>
  folder === 'code-index' ? 'index' : folder,
)

/** Tests must never call a real forge. */
export const noForge = { SVC_FORGE_API_URL: 'http://127.0.0.1:1' }

/** `port` 0 selects a free port. */
export const portsAt = (port: number): Record<string, string> =>
  Object.fromEntries(names.map((name) => [`SVC_${name.toUpperCase()}_PORT`, String(port)]))

/** Below the ephemeral ports: no client can take one while its daemon is down. */
const [LOWEST, HIGHEST] = [10_000, 32_000]

/** The first port of a block reserves it for this process, even while a daemon is down. */
const BLOCK = 16

/** At most 15 adjacent free ports outside the ephemeral range. */
export async function ownPorts(count: number): Promise<number[]> {
  for (;;) {
    const first = LOWEST + Math.floor(((HIGHEST - LOWEST) / BLOCK) * Math.random()) * BLOCK
    const reservation = await listening(first)
    if (!reservation) continue
    const ports = Array.from({ length: count }, (_, at) => first + 1 + at)
    if ((await Promise.all(ports.map(isFree))).every(Boolean)) {
      reservation.unref()
      return ports
    }
    reservation.close()
  }
}

export async function portsOfItsOwn(): Promise<Record<string, string>> {
  const ports = await ownPorts(names.length)
  return Object.fromEntries(names.map((name, at) => [`SVC_${name.toUpperCase()}_PORT`, String(ports[at])]))
}

async function isFree(port: number): Promise<boolean> {
  const server = await listening(port)
  server?.close()
  return server !== null
}

/** Null if the port is taken. */
async function listening(port: number): Promise<Server | null> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
    return server
  } catch {
    return null
  }
}
