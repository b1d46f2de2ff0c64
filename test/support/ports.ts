// The port of every service that a daemon may run, as variables. The names come from the folders: to load the services
// would load all they need.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './root.ts'

const names = ['controller', ...readdirSync(join(root, 'services'))]

/** Where nobody answers: a test asks no forge but its own. */
export const noForge = { SVC_FORGE_API_URL: 'http://127.0.0.1:1' }

/** Each service on `port`; 0: any free one. */
export const portsAt = (port: number): Record<string, string> =>
  Object.fromEntries(names.map((name) => [`SVC_${name.toUpperCase()}_PORT`, String(port)]))
