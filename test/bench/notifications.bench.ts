// 100,000 notifications: a page of each list, the count, and a cleanup of 50,000 that holds no request up.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { services } from '../../daemon/services.ts'
import { TestClock } from '../../platform/core/clock.ts'
import { readConfig } from '../../platform/core/config.ts'
import { openDatabase, write } from '../../platform/database/database.ts'
import { noLog } from '../../platform/core/log/log.ts'
import { startHost } from '../../platform/service/host.ts'
import { createTmux } from '../../platform/terminal/tmux.ts'
import { createUserMux } from '../../platform/terminal/user-mux.ts'
import { conclude, quantile, timed, within } from './report.ts'

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
    mux: createTmux({ socket: 'svc-bench', env }),
    userMux: createUserMux({ socket: 'svc-bench', env }),
    bridge: '',
  },
  primary: 'notify',
})

/** Half of them end in a minute; of the statuses all but the last are told of. */
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
      message: 'Something happened that somebody should know of. '.repeat(4),
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
for (const path of [
  '/notifications?limit=50',
  '/notifications?limit=50&offset=99950',
  '/notifications?status=Pending&limit=50',
  '/notifications/actionable?limit=50',
  '/notifications/history?limit=50',
  '/notifications/count',
]) {
  for (let round = 0; round < 3; round++) await get(path)
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) times.push(await timed(() => get(path)))
  within(`GET ${path} of ${ROWS}, median`, quantile(times, 0.5), 20, 'ms')
}

// Requests one after the other while the cleanup runs: the slowest of all, next to the slowest without it.
const during: number[] = []
const quiet: number[] = []
const one = '/notifications/00000000-0000-4000-8000-000000099999'
for (let round = 0; round < 200; round++) quiet.push(await timed(() => get(one)))
clock.tick(FIVE_MINUTES)
const started = performance.now()
for (;;) {
  during.push(await timed(() => get(one)))
  if ((await get('/notifications/count')).by_status.Expired === EXPIRED) break
}
process.stdout.write(
  `the cleanup of ${EXPIRED} took ${((performance.now() - started) / 1000).toFixed(1)} s, ${during.length} requests meanwhile\n`,
)
within(
  'a request while they are marked, slowest, beyond the slowest without',
  Math.max(...during) - Math.max(...quiet),
  50,
  'ms',
)
clock.tick(FIVE_MINUTES)
const deleting: number[] = []
for (;;) {
  deleting.push(await timed(() => get(one)))
  if ((await get('/notifications/count')).by_status.Expired === 0) break
}
within(
  'a request while they are deleted, slowest, beyond the slowest without',
  Math.max(...deleting) - Math.max(...quiet),
  50,
  'ms',
)
await host.stop()
rmSync(folder, { recursive: true, force: true })
conclude()
