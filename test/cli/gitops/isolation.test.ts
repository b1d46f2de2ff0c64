import { renameSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Resource } from '../../../schemas/resource.ts'
import type { Run } from '../../../schemas/run.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'

const EXTENDED = '--exit-codes=extended'
const policy = (name: string, more = '') => `name: ${name}\nmode: deny_all\n${more}`
/** A program that never connects. */
const silent = (name: string) =>
  `name: ${name}\nworking_dir: .\nshell: bash\nruntime: socket\ncommand: [sleep, "600"]\nrestart: never\n`
const named = (word: string, count: number) => Array.from({ length: count }, (_, at) => `${word}-${at}`)

let stand: DaemonStand
beforeEach(async () => void (stand = await DaemonStand.create()))
afterEach(() => stand.close())

const isReady = ({ conditions }: Resource) =>
  conditions.some(({ type, status }) => type === 'Ready' && status === 'True')
const readyReason = ({ conditions }: Resource) => conditions.find(({ type }) => type === 'Ready')?.reason
const resources = async () => JSON.parse((await stand.svc(['get', 'all', '--json'])).stdout) as Resource[]

test('applies the resources outside a cycle and exits with 13', { timeout: 90_000 }, async () => {
  const all = named('p', 100)
  const circle = new Map([
    ['p-10', 'p-40'],
    ['p-40', 'p-70'],
    ['p-70', 'p-10'],
  ])
  for (const name of all) {
    const other = circle.get(name)
    stand.write(`policies/${name}.yml`, policy(name, other ? `depends_on: [policies/${other}]\n` : ''))
  }
  await stand.startInside()
  const { code, stdout } = await stand.svc(['reconcile', EXTENDED])
  expect(code, stdout).toBe(13)
  expect(stdout).toMatch(/p-10.*p-40.*p-70.*\[cycle\]/)
  expect((await stand.svc(['plan', stand.manifests, '--source', 'default', EXTENDED])).code).toBe(13)
  await eventually(async () => (await resources()).filter(isReady).length === 97, 20_000)
  expect((await stand.svc(['status'])).stdout).toContain('97 of 97 resources Ready')
  expect((await resources()).map(({ name }) => name).sort()).toEqual(all.filter((name) => !circle.has(name)).sort())
})

test('applies a good commit despite many unhealthy resources', { timeout: 180_000 }, async () => {
  const sick = named('sick', 100)
  for (const name of sick) stand.write(`agents/${name}.yml`, silent(name))
  await stand.startInside()
  await eventually(async () => (await stand.get<Resource[]>(`${stand.controller}/resources`)).length === 100, 60_000)
  await eventually(
    async () => (await stand.get<Run[]>(`${stand.controller}/runs`)).every(({ status }) => status !== 'running'),
    60_000,
  )
  expect((await stand.get<Resource[]>(`${stand.controller}/resources`)).filter(isReady)).toEqual([])
  stand.write('policies/good.yml', policy('good'))
  await eventually(
    async () => (await stand.ask('GET', `${stand.orchestrator}/policies/good`)).status === 200,
    20_000,
    20,
  )
  await eventually(async () => isReady((await resources()).find(({ name }) => name === 'good')!), 20_000)
  // No pass waited for the unhealthy resources.
  const reasons = (await resources()).filter(({ name }) => sick.includes(name)).map(readyReason)
  expect(reasons).toEqual(sick.map(() => 'Progressing'))
  const runs = await stand.get<Run[]>(`${stand.controller}/runs`)
  const { status, steps } = runs.find((run) => run.steps.some(({ name }) => name === 'good'))!
  expect([status, steps.map((step) => [step.name, step.status])]).toEqual(['succeeded', [['good', 'done']]])
  expect((await stand.svc(['status', '--exit-code'])).code).toBe(1)
  expect((await stand.svc(['reconcile', EXTENDED])).code).toBe(0)
})

test('deletes nothing for an unreadable source and reports why everywhere', { timeout: 60_000 }, async () => {
  for (const name of named('p', 5)) stand.write(`policies/${name}.yml`, policy(name))
  await stand.startInside()
  expect((await stand.svc(['reconcile', EXTENDED])).code).toBe(0)
  renameSync(stand.manifests, `${stand.manifests}.away`)
  for (const words of [['reconcile'], ['reconcile', '--dry-run'], ['status', '--exit-code']]) {
    const { code, stdout, stderr } = await stand.svc(words)
    expect([code, stdout + stderr]).toEqual([1, expect.stringContaining(stand.manifests)])
  }
  expect(await resources()).toHaveLength(5)
  expect((await stand.ask('GET', `${stand.orchestrator}/policies/p-0`)).status).toBe(200)
  renameSync(`${stand.manifests}.away`, stand.manifests)
  expect((await stand.svc(['reconcile', EXTENDED])).code).toBe(0)
})
