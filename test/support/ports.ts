// The port of every service that a daemon may run, as variables. The names come from the folders: to load the services
// would load all they need.
import { once } from 'node:events'
import { createServer } from 'node:net'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './root.ts'

const names = ['controller', ...readdirSync(join(root, 'services'))].map((folder) =>
  folder === 'code-index' ? 'index' : folder,
)

/** Where nobody answers: a test asks no forge but its own. */
export const noForge = { SVC_FORGE_API_URL: 'http://127.0.0.1:1' }

/** Each service on `port`; 0: any free one. */
export const portsAt = (port: number): Record<string, string> =>
  Object.fromEntries(names.map((name) => [`SVC_${name.toUpperCase()}_PORT`, String(port)]))

/** Below those that the system gives to who dials: nobody comes to hold one while the daemon that had it is down. */
const [LOWEST, HIGHEST] = [10_000, 32_000]

/** Ports side by side that are free now, and that the system gives to nobody. */
export async function ownPorts(count: number): Promise<number[]> {
  for (;;) {
    const first = LOWEST + Math.floor((Math.random() * (HIGHEST - LOWEST)) / count) * count
    const ports = Array.from({ length: count }, (_, at) => first + at)
    if ((await Promise.all(ports.map(isFree))).every(Boolean)) return ports
  }
}

/** One for each service. */
export async function portsOfItsOwn(): Promise<Record<string, string>> {
  const ports = await ownPorts(names.length)
  return Object.fromEntries(names.map((name, at) => [`SVC_${name.toUpperCase()}_PORT`, String(ports[at])]))
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}
