import { join } from 'node:path'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { planOffline } from '../../controller/offline.ts'
import { kinds } from '../../schemas/kinds.ts'
import { migrate, openDatabase } from '../../platform/database/database.ts'
import { systemClock } from '../../platform/core/clock.ts'
import { readConfig } from '../../platform/core/config.ts'
import { noLog } from '../../platform/core/log/log.ts'
import { Vault } from '../../platform/secrets/vault.ts'
import { createController } from '../../controller/index.ts'
import { controllerMigrations } from '../../controller/migrations.ts'
import { policyReconciler } from '../../reconcilers/policy.ts'
import { eventually } from '../support/eventually.ts'
import { openOrchestrator } from '../support/orchestrator.ts'
import { mkdirSync, writeFileSync } from 'node:fs'

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'svc-offline-'))
})
afterEach(() => rm(home, { recursive: true, force: true }))

const options = () => ({
  databaseUrl: `sqlite:${join(home, 'svc.db')}`,
  keyFile: join(home, 'key'),
  kinds,
  home,
  env: {},
})
const policy = (mode: string) => [{ path: 'policies/p.yml', content: `name: p\nmode: ${mode}\n` }]

test('plans sent manifests without recorded state and creates no key file', async () => {
  const { plan, against } = await planOffline({
    ...options(),
    sent: { files: policy('deny_all'), root: home, source: 'apply:/x' },
  })
  expect(plan.steps).toMatchObject([{ action: 'create', kind: 'policies', name: 'p', file: 'policies/p.yml', line: 1 }])
  expect(against).toMatch(/^nothing/)
  await expect(readFile(join(home, 'key'))).rejects.toThrow('ENOENT')
})

test('suggests the next step without recorded state or manifests', async () => {
  await expect(planOffline(options())).rejects.toThrow(
    /source default is not on record: name a folder of manifests, or start the daemon/,
  )
})

test('plans a recorded source against its last applied state', async () => {
  const folder = join(home, 'manifests')
  mkdirSync(join(folder, 'policies'), { recursive: true })
  writeFileSync(join(folder, 'policies', 'p.yml'), 'name: p\nmode: deny_all\n')
  const db = openDatabase(options().databaseUrl)
  const running = await openOrchestrator({ url: options().databaseUrl })
  await migrate(db, controllerMigrations)
  const controller = await createController(
    {
      db,
      vault: Vault.open(options().keyFile),
      clock: systemClock,
      log: noLog,
      settings: {
        drainTimeoutSecs: 600,
        observeTimeoutSecs: 10,
        applyTimeoutSecs: 120,
        settleSecs: 0.25,
        widening: 'hold',
      },
      config: readConfig({ HOME: home, SVC_DATA_DIR: join(home, '.data') }),
    },
    {
      reconcilers: [policyReconciler(running.orchestrator)],
      sources: [{ name: 'default', directory: folder }],
    },
  )
  const by = { actor: 'a', requestId: 'r', endpoint: 'e' }
  await controller.apply({ source: 'default' }, by, () => undefined)
  await controller.plan({ source: 'default' }, by)
  const { run_id } = await controller.sync('default', by)
  await eventually(async () => (await controller.run(run_id)).status !== 'running')
  await controller.stop()
  await running.close()
  await db.destroy()

  expect(
    (await planOffline({ ...options(), kinds: kinds.filter((kind) => kind.kind === 'policies') })).plan,
  ).toMatchObject({
    steps: [],
    summary: { unchanged: 1 },
  })
  writeFileSync(join(folder, 'policies', 'p.yml'), 'name: p\nmode: allow_all\n')
  const { plan, against } = await planOffline({ ...options(), kinds: kinds.filter((kind) => kind.kind === 'policies') })
  expect(plan.steps).toMatchObject([
    { action: 'update', name: 'p', line: 2, changes: [{ path: 'mode', before: 'deny_all', after: 'allow_all' }] },
  ])
  expect(against).toMatch(/the state on record/)
})
