import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Reconciler } from '../../../controller/reconciler.ts'
import { services } from '../../../daemon/services.ts'
import { createController, type Controller } from '../../../controller/index.ts'
import { controllerMigrations } from '../../../controller/migrations.ts'
import { systemClock } from '../../../platform/core/clock.ts'
import { migrate } from '../../../platform/database/database.ts'
import { readConfig } from '../../../platform/core/config.ts'
import { noLog } from '../../../platform/core/log/log.ts'
import { Vault } from '../../../platform/secrets/vault.ts'
import { createReconcilers } from '../../../reconcilers/index.ts'
import { findKind, kinds } from '../../../schemas/kinds.ts'
import { communicate } from '../../../services/communicate/service.ts'
import { docstore } from '../../../services/docstore/service.ts'
import { index } from '../../../services/code-index/service.ts'
import { orchestrator } from '../../../services/orchestrator/service.ts'
import { startServices } from '../../support/services.ts'
import { writeFleet } from './fleet.ts'
import { median, timed } from '../report.ts'

/** The published build; the daemon bundles another one. */
const { parse } = createRequire(import.meta.url)('yaml') as typeof import('yaml')

const by = { actor: 'bench', requestId: 'bench', endpoint: 'bench' }

function floor(folder: string): void {
  const ajv = new Ajv2020({ allErrors: true, discriminator: true, strict: false })
  addFormats.default(ajv)
  for (const kind of readdirSync(folder)) {
    const validate = ajv.compile(findKind(kind, kinds)!.schema)
    for (const file of readdirSync(join(folder, kind))) {
      if (!validate(parse(readFileSync(join(folder, kind, file), 'utf8')))) throw new Error(`${file} is not valid`)
    }
  }
}

interface Fleet {
  folder: string
  /** Returns a controller with empty caches. */
  fresh(): Promise<Controller>
  close(): Promise<void>
}

const KEPT = ['orchestrator', 'communicate', 'docstore', 'index']

/** Agents exist only as database rows, because a plan reads nothing else of them. */
async function converged(count: number): Promise<Fleet> {
  const home = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  const folder = join(home, 'manifests')
  writeFleet(folder, count)
  const served = services({ sources: [] }).filter(({ name }) => KEPT.includes(name))
  const stand = await startServices(served, { url: `sqlite:${join(home, 'svc.db')}`, log: noLog })
  const { db, host } = stand
  await db.raw('PRAGMA synchronous = OFF')
  const vault = Vault.open(join(home, 'key'))
  const reconcilers: Reconciler[] = createReconcilers(
    host.find(orchestrator)!,
    host.find(communicate)!,
    host.find(docstore)!,
    host.find(index)!,
  )
  const fresh = () =>
    createController(
      {
        db,
        vault,
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
      { reconcilers, sources: [{ name: 'default', directory: folder }] },
    )
  await migrate(db, controllerMigrations)
  const first = await fresh()
  const run = await first.apply({ source: 'default' }, by, () => undefined)
  await first.stop()
  if (run.status !== 'succeeded')
    throw new Error(`the fleet did not converge: ${JSON.stringify(run.steps.find((step) => step.status !== 'done'))}`)
  return {
    folder,
    fresh,
    close: async () => {
      await stand.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

async function noopPlan(controller: Controller): Promise<void> {
  const plan = await controller.plan({ source: 'default' }, by)
  if (plan.steps.length > 0 || plan.drift.length > 0)
    throw new Error(`the plan is not empty: ${JSON.stringify(plan.steps[0] ?? plan.drift[0])}`)
}

/** Medians in milliseconds. An extra first round compiles the code. */
export async function measure(count: number, times: number): Promise<{ cold: number; warm: number; floor: number }> {
  const fleet = await converged(count)
  const rounds = { cold: [] as number[], warm: [] as number[], floor: [] as number[] }
  for (let round = 0; round <= times; round++) {
    const bare = await timed(() => floor(fleet.folder))
    const controller = await fleet.fresh()
    const cold = await timed(() => noopPlan(controller))
    const warm = await timed(() => noopPlan(controller))
    await controller.stop()
    if (round > 0)
      for (const [name, value] of Object.entries({ cold, warm, floor: bare }))
        rounds[name as keyof typeof rounds].push(value)
  }
  await fleet.close()
  return { cold: median(rounds.cold), warm: median(rounds.warm), floor: median(rounds.floor) }
}
