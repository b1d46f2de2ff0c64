// Event-loop blocking during a cleanup; the last page compared with the first.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { services } from '../../daemon/services.ts'
import { TestClock } from '../../platform/core/clock.ts'
import { readConfig } from '../../platform/core/config.ts'
import { openDatabase, write } from '../../platform/database/database.ts'
import { noLog } from '../../platform/core/log/log.ts'
import { startHost } from '../../platform/service/host.ts'
import { Tmux } from '../../platform/terminal/tmux.ts'
import { UserTmux } from '../../platform/terminal/user-mux.ts'
import { compare, medians, timed, within } from './report.ts'

const ROWS = 100_000
const EXPIRED = 50_000
const ROUNDS = 20
const FIVE_MINUTES = 300_000

const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
const url = `sqlite:${join(folder, 'svc.db')}`
const config = readConfig({ HOME: folder, SVC_DATA_DIR: folder, SVC_DATABASE_URL: url, SVC_NOTIFY_PORT: '0' })
const clock = new TestClock()
const env = process.env
const host = await startHost({
  services: services({ sources: [] }).filter(({ name }) => name === 'notify'),
  config,
  version: 'bench',
  log: noLog,
  clock,
  adapters: {
    mux: new Tmux({ socket: 'svc-bench', env }),
    userMux: new UserTmux({ socket: 'svc-bench', env }),
    bridge: '',
  },
  primary: 'notify',
})

/** Half of the rows expire in a minute. */
async function fill(): Promise<void> {
  const db = openDatabase(url)
  const ends = new Date(clock.now() + 60_000).toISOString()
  const at = new Date(clock.now()).toISOString()
  const names = ['Pending', 'Viewed', 'Dismissed', 'Responded']
  const rowOf = (index: number) => {
    const status = names[index % names.length]!
    const isEphemeral = index < EXPIRED
    return {
      id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
      source: '"System"',
      lifetime: isEphemeral ? JSON.stringify({ Ephemeral: { expires_at: ends } }) : '"Persistent"',
      title: `Notification ${index}`,
      message: 'Something happened that an operator should know. '.repeat(4),
      priority: ['Low', 'Normal', 'High', 'Critical'][index % 3]!,
      requires_response: 0,
      status,
      response: null,
      created_at: at,
      updated_at: at,
      urgency: index % 3,
      open: index % names.length < 2 ? 1 : 0,
      due_at: isEphemeral ? ends : null,
    }
  }
  await write(db, async (transaction) => {
    for (let from = 0; from < ROWS; from += 50)
      await transaction('notify_notifications').insert(
        Array.from({ length: 50 }, (_each, index) => rowOf(from + index)),
      )
  })
  await db.destroy()
}

const get = async (path: string) => (await fetch(host.urls.notify + path)).json() as Promise<any>

await fill()
const pageAt = (offset: number) => () => timed(() => get(`/notifications?limit=50&offset=${offset}`))
const { first, last } = await medians(ROUNDS, { first: pageAt(0), last: pageAt(ROWS - 50) })
const floor = { floor: first, unit: 'ms', bound: 3 }
compare({ what: `last page of 50 of ${ROWS} notifications, vs the first`, ours: last, ...floor })

async function cleanup(what: string, count: number): Promise<void> {
  const delays = monitorEventLoopDelay({ resolution: 1 })
  delays.enable()
  clock.tick(FIVE_MINUTES)
  while ((await get('/notifications/count')).by_status.Expired !== count) await sleep(20)
  delays.disable()
  within(`longest event-loop block, ${EXPIRED} notifications ${what}`, delays.max / 1e6, 100, 'ms')
}
await cleanup('expire', EXPIRED)
await cleanup('are deleted', 0)
await host.stop()
rmSync(folder, { recursive: true, force: true })
