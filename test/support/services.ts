// A host for tests: some services on a database of their own, free ports, a tmux server of their own; what they log
// is kept.
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
  /** The host's own connection: destroy it, and the database is gone. */
  db: Knex
  /** Its home; removed with it. */
  folder: string
  /** Name of the tmux server; that of the user is called the same with `-user`. */
  muxSocket: string
  /** Everything that was logged, as lines of JSON. */
  log(): string
  /** Stops, and starts again on the same tables and data folder. */
  reopen(): Promise<void>
  close(): Promise<void>
}

export interface ServiceStandOptions {
  /** Of a fresh database. */
  url: string
  env?: Record<string, string | undefined>
  clock?: Clock
  /** Default: one that `log()` of the stand returns. */
  log?: Log
  /** Default: a new one of a tmux server of its own. */
  mux?: Mux
  /** Default: the real one. */
  bridge?: string
  /** Says which daemon runs. Default: that of the data folder. */
  runtimeFile?: string
  busyTimeoutMs?: number
}

/** Every port is free, and siblings that are not in `services` answer nowhere. */
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
        userMux: new UserTmux({ socket: `${muxSocket}-user`, env: config.env }),
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
