// The conductor with a forge in memory, and real rooms and memories.
import { afterEach, beforeEach } from 'vitest'
import { services } from '../../../daemon/services.ts'
import type { Clock } from '../../../platform/core/clock.ts'
import type { Message } from '../../../schemas/communicate/message.ts'
import type { ConductorRun } from '../../../schemas/conductor/run.ts'
import type { Memory } from '../../../schemas/docstore/memory.ts'
import type { Snapshot } from '../../../services/conductor/snapshot/facts.ts'
import { sqliteDatabase } from '../../support/databases.ts'
import { ask as askUrl, type Reply } from '../../support/http.ts'
import { startServices, type ServiceStand } from '../../support/services.ts'
import { MemoryForge, MemoryGit } from './memory-forge.ts'

export const REPOSITORY = 'acme/shop'

export interface ConductorStand extends ServiceStand {
  forge: MemoryForge
  git: MemoryGit
  ask<T = any>(request: string, body?: unknown, service?: string): Promise<Reply<T>>
  /** Throws unless it is answered with 200. */
  run(body?: object): Promise<ConductorRun>
  messages(room: string): Promise<Message[]>
  /** Records of the conductor, newest first. */
  memories(): Promise<Memory[]>
  /** Posts as another participant of the room, who joins if needed. */
  postAs(identifier: string, room: string, content: string): Promise<void>
}

/** Call in a file or `describe`: starts conductors on a new database for each test, and closes them after it. */
export function conductorStands(): StartConductor {
  let stand: ConductorStand | null = null
  let database: Awaited<ReturnType<typeof sqliteDatabase>>
  beforeEach(async () => void (database = await sqliteDatabase()))
  afterEach(async () => {
    await stand?.close()
    stand = null
    await database.remove()
  })
  return async (given = {}, options = {}) => (stand = await startConductor(database.url, given, options))
}

type StartConductor = (given?: Partial<Snapshot>, options?: ConductorStandOptions) => Promise<ConductorStand>

export interface ConductorStandOptions {
  env?: Record<string, string>
  clock?: Clock
  /** Services to run besides the conductor. */
  others?: readonly string[]
  /** Rooms to make, with the conductor as participant. */
  rooms?: readonly string[]
  /** With the forge and the remote of `env` instead of those in memory. */
  isOutward?: boolean
}

export async function startConductor(
  url: string,
  given: Partial<Snapshot>,
  {
    env = {},
    clock,
    others = ['communicate', 'docstore'],
    rooms = ['engineering', 'operations'],
    isOutward = false,
  }: ConductorStandOptions = {},
): Promise<ConductorStand> {
  const forge = new MemoryForge(given)
  const git = new MemoryGit(forge)
  const names = ['conductor', ...others]
  const all = services({ sources: [], conductor: isOutward ? {} : { forge: () => forge, git: () => git } })
  const stand = await startServices(
    all.filter(({ name }) => names.includes(name)),
    {
      url,
      env: { SVC_CONDUCTOR_REPOSITORY: REPOSITORY, ...unreachable(others), ...env },
      ...(clock ? { clock } : {}),
    },
  )
  const ask = <T = any>(request: string, body?: unknown, service = 'conductor') => {
    const [method, path] = request.split(' ') as [string, string]
    return askUrl<T>(method, stand.host.urls[service]! + path, body, { 'x-svc-actor': 'operator' })
  }
  const must = async <T = any>(request: string, body?: unknown, service?: string): Promise<T> => {
    const reply = await ask<T>(request, body, service)
    if (reply.status < 300) return reply.body
    throw new Error(`${request} answered ${reply.status}: ${JSON.stringify(reply.body)}`)
  }
  if (others.includes('communicate'))
    for (const name of rooms) {
      await must('POST /rooms', { name, created_by: 'mira' }, 'communicate')
      await join(name, 'conductor')
    }
  async function join(room: string, identifier: string): Promise<void> {
    const body = { identifier, kind: 'agent', display_name: identifier }
    await must(`POST /rooms/${room}/participants`, body, 'communicate')
  }
  return Object.assign(stand, {
    forge,
    git,
    ask,
    run: (body: object = {}) => must<ConductorRun>('POST /runs', body),
    messages: (room: string) => must<Message[]>(`GET /rooms/${room}/messages`, undefined, 'communicate'),
    memories: () => must<Memory[]>('GET /memories?created_by=conductor', undefined, 'docstore'),
    postAs: async (sender_id: string, room: string, content: string) => {
      await join(room, sender_id)
      await must(`POST /rooms/${room}/messages`, { sender_id, content }, 'communicate')
    },
  })
}

/** A service that is not started must not be found at its default port. */
function unreachable(started: readonly string[]): Record<string, string> {
  const missing = ['communicate', 'docstore'].filter((name) => !started.includes(name))
  return Object.fromEntries(missing.map((name) => [`SVC_${name.toUpperCase()}_URL`, 'http://127.0.0.1:1']))
}
