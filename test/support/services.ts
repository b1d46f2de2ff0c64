// A host with services for tests.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { systemClock, type Clock } from '../../platform/core/clock.ts'
import { readConfig } from '../../platform/core/config.ts'
import { openDatabase, type Knex } from '../../platform/database/database.ts'
import { createLog, type Log } from '../../platform/core/log/log.ts'
import type { Mux } from '../../platform/terminal/mux.ts'
import type { Served } from '../../platform/service/define.ts'
import type { Host } from '../../platform/service/define.ts'
import { startHost } from '../../platform/service/host.ts'
import { Tmux } from '../../platform/terminal/tmux.ts'
import { UserTmux } from '../../platform/terminal/user-mux.ts'
import { noForge } from './ports.ts'
import { bridgeProgram } from './built.ts'
import { endTmuxServer, tmuxSocket } from './tmux-server.ts'

export interface ServiceStand {
  host: Host
  /** The host's own connection: destroying it disconnects the host. */
  db: Knex
  folder: string
  /** Name of the tmux server; the user's server has the suffix `-user`. */
  muxSocket: string
  /** All log lines, as JSON. */
  log(): string
  /** Restarts on the same database and data folder. */
  reopen(): Promise<void>
  close(): Promise<void>
}

export interface ServiceStandOptions {
  url: string
  env?: Record<string, string | undefined>
  clock?: Clock
  /** Default: captured for `log()`. */
  log?: Log
  /** Default: a new tmux server. */
  mux?: Mux
  bridge?: string
  /** Default: in the data folder. */
  runtimeFile?: string
  busyTimeoutMs?: number
}

/** Services that are not in `services` are unreachable. */
export async function startServices(services: readonly Served[], options: ServiceStandOptions): Promise<ServiceStand> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-services-'))
  const muxSocket = tmuxSocket()
  const ports = services.map(({ name }) => [`SVC_${name.toUpperCase()}_PORT`, '0'])
  const config = readConfig({
    PATH: process.env.PATH,
    HOME: folder,
    SVC_DATA_DIR: join(folder, 'data'),
    SVC_DATABASE_URL: options.url,
    ...noForge,
    ...Object.fromEntries(ports),
    SVC_USER_MUX_SOCKET: `${muxSocket}-user`,
    ...options.env,
  })
  let logged = ''
  const sink = new Writable({
    write(chunk, _encoding, done) {
      logged += String(chunk)
      done()
    },
  })
  const start = async (db: Knex) =>
    startHost({
      services,
      config: { ...config, runtimeFile: options.runtimeFile ?? config.runtimeFile },
      version: '9.9.9',
      log: options.log ?? createLog({ level: 'debug', format: 'json' }, sink),
      clock: options.clock ?? systemClock,
      adapters: {
        mux: options.mux ?? new Tmux({ socket: muxSocket, env: process.env }),
        userMux: new UserTmux({ socket: config.userMuxSocket, env: config.env }),
        bridge: options.bridge ?? bridgeProgram,
      },
      primary: 'orchestrator',
      db,
    })
  const open = () => openDatabase(options.url, { busyTimeoutMs: options.busyTimeoutMs })
  const first = open()
  const stand: ServiceStand = {
    db: first,
    host: await start(first),
    folder,
    muxSocket,
    log: () => logged,
    reopen: async () => {
      await stand.host.stop()
      stand.db = open()
      stand.host = await start(stand.db)
    },
    close: async () => {
      await stand.host.stop({ agents: true })
      await endTmuxServer(`${muxSocket}-user`)
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return stand
}
