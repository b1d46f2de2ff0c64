// Sandboxes of manifests against agents and policies in memory.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { createController, type Controller } from '../../controller/index.ts'
import { controllerMigrations } from '../../controller/migrations.ts'
import { planOffline } from '../../controller/offline.ts'
import type { Reconciler } from '../../controller/reconciler.ts'
import { systemClock } from '../../platform/core/clock.ts'
import { readConfig } from '../../platform/core/config.ts'
import { noLog } from '../../platform/core/log/log.ts'
import { migrate, openDatabase, type Knex } from '../../platform/database/database.ts'
import { Vault } from '../../platform/secrets/vault.ts'
import { agentKind, type AgentSpec } from '../../schemas/agent.ts'
import type { KindDefinition } from '../../schemas/kind.ts'
import { policyKind } from '../../schemas/policy.ts'
import { canonicalSandbox, type Sandbox, type SandboxSpec } from '../../schemas/sandbox/sandbox.ts'
import { eventually } from '../support/eventually.ts'

const KINDS = [policyKind, agentKind] as KindDefinition<any>[]
const by = { actor: 'mira', requestId: 'r-1', endpoint: 'test' }

let home: string
let db: Knex
let controller: Controller
let live: Map<string, Map<string, any>>

function inMemory(definition: KindDefinition<any>): Reconciler {
  const specs = new Map<string, any>()
  live.set(definition.kind, specs)
  const named = ({ name, liveId }: { name: string; liveId: string | null }) =>
    [...specs].find(([id, spec]) => (liveId === null ? spec.name === name : id === liveId))
  const observed = ([liveId, spec]: [string, any]) => ({ liveId, spec, running: null, live: spec })
  return {
    definition,
    observe: async (identity) => {
      const found = named(identity)
      return found ? observed(found) : null
    },
    observeAll: async () => [...specs].map(observed),
    apply: async ({ liveId, spec }) => {
      specs.set(liveId, spec)
      return { liveId, spec }
    },
    remove: async ({ liveId }) => void specs.delete(liveId),
    health: () => ({ status: 'Ready', message: 'exists' }),
    interrupts: () => null,
    writer: async () => null,
    changes: () => () => undefined,
  }
}

const options = () => ({
  databaseUrl: `sqlite:${join(home, 'svc.db')}`,
  keyFile: join(home, 'key'),
  kinds: KINDS,
  home,
  env: {},
})
const file = (path: string) => join(home, 'manifests', path)
function write(path: string, text: string): void {
  mkdirSync(dirname(file(path)), { recursive: true })
  writeFileSync(file(path), text)
}

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'svc-sandbox-'))
  mkdirSync(file(''), { recursive: true })
  mkdirSync(join(home, 'work'))
  live = new Map()
  db = openDatabase(options().databaseUrl)
  await migrate(db, controllerMigrations)
})
afterEach(async () => {
  await controller.stop()
  await db.destroy()
  rmSync(home, { recursive: true, force: true })
})

async function start(defaultSandbox?: SandboxSpec): Promise<void> {
  const bounds = { drainTimeoutSecs: 600, observeTimeoutSecs: 10, applyTimeoutSecs: 120, settleSecs: 0 }
  controller = await createController(
    {
      db,
      vault: Vault.open(options().keyFile),
      clock: systemClock,
      log: noLog,
      settings: { ...bounds, widening: 'mark' },
      config: readConfig({ HOME: home, SVC_DATA_DIR: join(home, '.data') }),
    },
    {
      reconcilers: KINDS.map(inMemory),
      sources: [{ name: 'default', directory: file('') }],
      ...(defaultSandbox === undefined ? {} : { defaultSandbox }),
    },
  )
}

async function apply(): Promise<void> {
  const { run_id } = await controller.sync('default', by)
  await eventually(async () => (await controller.run(run_id)).status !== 'running')
  expect(await controller.run(run_id)).toMatchObject({ status: 'succeeded' })
}

const agent = (sandbox: string) => `name: worker\nworking_dir: ${join(home, 'work')}\nruntime: scripted\n${sandbox}`
const sandboxOf = (name: string): SandboxSpec =>
  ([...live.get('agents')!.values()] as AgentSpec[]).find((each) => each.name === name)!.sandbox
const rules = (written: Sandbox) => canonicalSandbox(written) as object

function changeByHand(sandbox: SandboxSpec): void {
  const agents = live.get('agents')!
  for (const [id, spec] of agents) agents.set(id, { ...spec, sandbox })
}

describe('the default of the configuration', () => {
  test('reaches agents that set none, and its change is a step of each', async () => {
    write('agents/worker.yml', agent(''))
    write('agents/own.yml', agent('sandbox: off\n').replace('worker', 'own'))
    write('policies/p.yml', 'name: p\nmode: allow_all\nsandbox: { network: none }\n')
    write('agents/strict.yml', agent('policy: p\n').replace('worker', 'strict'))
    await start()
    await apply()
    expect([sandboxOf('worker'), sandboxOf('own')]).toEqual(['auto', null])
    expect(sandboxOf('strict')).toEqual(rules({ network: 'none' }))

    expect((await planOffline(options())).plan.steps).toEqual([])
    const defaultSandbox = canonicalSandbox({ hide: ['/srv/customers'] })
    const { plan } = await planOffline({ ...options(), defaultSandbox })
    expect(plan.steps).toMatchObject([
      { kind: 'agents', name: 'worker', action: 'restart', changes: [{ path: 'sandbox', cost: 'restart' }] },
    ])
  })
})

describe('a change by hand', () => {
  test('is drift of the element, and accepted in the form of the manifest', async () => {
    write('agents/worker.yml', agent('sandbox:\n  # people\n  hide: [/srv/customers]\n'))
    await start()
    await apply()
    changeByHand(canonicalSandbox({ hide: ['/srv/customers', '/srv/staff'] }))
    const accepted = await controller.accept('agents', 'worker')
    expect(accepted.changes).toEqual([{ path: 'sandbox.hide[/srv/staff]', value: '/srv/staff' }])
    expect(accepted.diff).toContain('+  hide: [/srv/customers, /srv/staff]')
  })

  test.each<[string, SandboxSpec, unknown]>([
    [
      'sandbox: { network: none }\n',
      canonicalSandbox({ network: { hosts: ['a.example'] } }),
      { network: { hosts: ['a.example'] } },
    ],
    ['sandbox: { network: none }\n', null, 'off'],
    ['', canonicalSandbox('on'), 'on'],
    ['sandbox: on\n', canonicalSandbox({ hide: ['/x'] }), { hide: ['/x'] }],
    ['policy: p\n', canonicalSandbox({ network: 'none', hide: ['/x'] }), { network: 'none', hide: ['/x'] }],
  ])('of %j is accepted as a whole', async (written, now, wanted) => {
    write('policies/p.yml', 'name: p\nmode: allow_all\nsandbox: { network: none }\n')
    write('agents/worker.yml', agent(written))
    await start()
    await apply()
    changeByHand(now)
    const { changes } = await controller.accept('agents', 'worker')
    expect(changes.at(-1)).toEqual({ path: 'sandbox', value: wanted })
  })
})

test('exports the shortest form, which applies without a change', async () => {
  const forms: [string, object][] = [
    ['', {}],
    ['sandbox: auto\n', { sandbox: 'auto' }],
    ['sandbox: off\n', { sandbox: 'off' }],
    ['sandbox: on\n', { sandbox: 'on' }],
    ['sandbox: { hide: [/x], read: all, nested: false }\n', { sandbox: { hide: ['/x'] } }],
    ['sandbox: { network: { hosts: [A.example] } }\n', { sandbox: { network: { hosts: ['a.example'] } } }],
    ['policy: p\n', { policy: 'p' }],
  ]
  write('policies/p.yml', 'name: p\nmode: allow_all\nsandbox: off\n')
  for (const [index, [written]] of forms.entries())
    write(`agents/a${index}.yml`, agent(written).replace('worker', `a${index}`))
  await start(canonicalSandbox({ network: 'none' }))
  await apply()
  const { manifests, warnings } = await controller.exportManifests()
  expect(warnings).toEqual([])
  const exported = manifests.map(({ path, content }) => [path, parse(content)] as const)
  expect(Object.fromEntries(exported)).toEqual({
    'policies/p.yml': { name: 'p', mode: 'allow_all', sandbox: 'off' },
    ...Object.fromEntries(
      forms.map(([, wanted], index) => [
        `agents/a${index}.yml`,
        { name: `a${index}`, working_dir: join(home, 'work'), runtime: 'scripted', ...wanted },
      ]),
    ),
  })
})
