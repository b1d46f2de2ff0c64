// The gateway with the services that it needs, and a browser.
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { services } from '../../../daemon/services.ts'
import type { Role } from '../../../schemas/access/token.ts'
import { sqliteDatabase } from '../../support/databases.ts'
import { startServices, type ServiceStand } from '../../support/services.ts'

/** What the controller needs, the gateway, and some more. */
export const SERVED = ['orchestrator', 'communicate', 'docstore', 'index', 'controller', 'notify', 'gateway']

export interface GatewayStand extends ServiceStand {
  /** Address of the controller, without a path. */
  origin: string
  port: number
  /** Replaces the tokens file: role by subject. The token of `mia` is `t-mia`. */
  setTokens(roles: Record<string, Role>): void
  send(request: string, headers?: Record<string, string>, body?: unknown): Promise<Sent>
  /** Sends bytes over a connection, and returns everything that comes until it closes. */
  sendBytes(bytes: string): Promise<string>
}

export interface Sent {
  status: number
  body: any
  headers: Headers
}

interface Options {
  url?: string
  /** Tokens are on. */
  tokens?: Record<string, Role>
  env?: Record<string, string>
  served?: readonly string[]
}

export async function startGateway({ url, tokens, env = {}, served = SERVED }: Options): Promise<GatewayStand> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-gateway-'))
  const database = url === undefined ? await sqliteDatabase() : null
  const file = join(folder, 'tokens.json')
  const setTokens = (roles: Record<string, Role>) =>
    writeFileSync(
      file,
      JSON.stringify(
        Object.entries(roles).map(([subject, role]) => ({ subject, role, sha256: sha256(`t-${subject}`) })),
      ),
    )
  if (tokens) setTokens(tokens)
  const chosen = services({ sources: [] }).filter(({ name }) => served.includes(name))
  const stand = await startServices(chosen, {
    url: url ?? database!.url,
    env: { ...(tokens ? { SVC_TOKENS_FILE: file } : {}), ...env },
  })
  const origin = () => stand.host.urls.controller!
  const { close } = stand
  return Object.defineProperties(stand as GatewayStand, {
    origin: { get: origin },
    port: { get: () => Number(new URL(origin()).port) },
    setTokens: { value: setTokens },
    send: { value: (request: string, headers = {}, body?: unknown) => send(origin(), request, headers, body) },
    sendBytes: { value: (bytes: string) => sendBytes(Number(new URL(origin()).port), bytes) },
    close: {
      value: async () => {
        await close()
        await database?.remove()
        rmSync(folder, { recursive: true, force: true })
      },
    },
  })
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

async function send(origin: string, request: string, headers: Record<string, string>, body?: unknown): Promise<Sent> {
  const [method, path] = request.split(' ') as [string, string]
  const response = await fetch(origin + path, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? null : JSON.parse(text), headers: response.headers }
}

function sendBytes(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    let text = ''
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => (text += String(chunk))).on('close', () => resolve(text))
  })
}

/** A tab of a browser that has signed in. */
export interface Tab {
  cookie: string
  key: string
  /** What the page sends with each request. */
  headers: { origin: string; cookie: string; 'x-svc-session-key': string }
}

/** Signs in with `t-<subject>`. */
export async function signIn(stand: GatewayStand, subject: string): Promise<Tab> {
  const { origin } = stand
  const { status, body, headers } = await stand.send('POST /api/session', { origin }, { token: `t-${subject}` })
  if (status !== 200) throw new Error(`signing in as ${subject} answered ${status}: ${JSON.stringify(body)}`)
  const cookie = headers.get('set-cookie')!.split(';')[0]!
  return { cookie, key: body.key, headers: { origin, cookie, 'x-svc-session-key': body.key } }
}
