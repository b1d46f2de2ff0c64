// `agent conductor`, with the built program and a forge in memory.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { agent } from '../../support/command.ts'
import { sqliteDatabase } from '../../support/databases.ts'
import { forgeFault, MemoryForge } from './memory-forge.ts'
import { ago, HOUR, issue, label, pullRequest, snapshotOf } from './snapshots.ts'
import { startConductor, type ConductorStand } from './stand.ts'

vi.setConfig({ testTimeout: 30_000 })

const given = {
  issues: [issue({ number: 3, labels: [] })],
  pullRequests: [
    pullRequest({ number: 7, title: 'Fix the cart' }),
    pullRequest({ number: 8, title: `A title ${'that goes on '.repeat(10)}`, verdicts: [] }),
  ],
}

let stand: ConductorStand
let remove: () => Promise<void>
beforeAll(async () => {
  const database = await sqliteDatabase()
  remove = database.remove
  stand = await startConductor(database.url, given)
})
afterAll(async () => {
  await stand.close()
  await remove()
})
beforeEach(() => {
  stand.forge.onRead = () => undefined
  stand.forge.state = new MemoryForge(snapshotOf(given)).state
})
const run = (...args: string[]) =>
  agent(['conductor', ...args, '--url', stand.host.urls.conductor!], { env: { COLUMNS: '80', NO_COLOR: '1' } })

test('prints a line per action, then each pull request with its rules, within 80 columns', async () => {
  const { code, stdout } = await run('run', '--dry-run')
  expect(code).toBe(0)
  expect(stdout).toContain('Dry run of acme/shop: done, ok')
  expect(stdout).toMatch(/^· +2 +add label needs-triage to #3$/m)
  expect(stdout).toMatch(/^· +6 +merge #7 into main$/m)
  expect(stdout).toMatch(/^#7 Fix the cart +eligible$/m)
  expect(stdout).toContain('✓ label ✓ reviews ✓ checks ✓ mergeable ✓ clear ✓ stack ✓ draft ✓ gate')
  expect(stdout).toContain('✗ reviews')
  expect(stdout).toContain('reviews: has no approving review')
  expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
})

test('exits with 2 if a dry run would change the forge, and 0 if not', async () => {
  expect((await run('run', '--dry-run', '--detailed-exitcode')).code).toBe(2)
  const waiting = pullRequest({ number: 7, labels: [label('review-agent', ago(HOUR))], verdicts: [], reviews: [] })
  for (const pullRequests of [[], [waiting]]) {
    stand.forge.state = snapshotOf({ pullRequests })
    expect((await run('run', '--dry-run', '--detailed-exitcode')).code).toBe(0)
  }
})

test('prints JSON, lists the run and shows it by a prefix of its id, also if it is old', async () => {
  const { code, stdout } = await run('run', '-o', 'json')
  expect(code).toBe(0)
  const { id, status } = JSON.parse(stdout)
  expect(status).toBe('done')
  expect((await run('runs')).stdout).toContain(id.slice(0, 8))
  const { seq: _seq, ...row } = await stand.db('conductor_runs').where({ id }).first()
  const newer = Array.from({ length: 200 }, () => ({ ...row, id: randomUUID() }))
  await stand.db.batchInsert('conductor_runs', newer, 50)
  expect((await run('show', id.slice(0, 8))).stdout).toContain(`Run ${id.slice(0, 8)} of acme/shop: done`)
  expect(await run('show', 'no-run')).toMatchObject({ code: 1, stderr: expect.stringContaining('does not exist') })
})

test('exits with 1 for a run that stopped or failed, and for a dry run only if it failed', async () => {
  stand.forge.state = snapshotOf({ pullRequests: [pullRequest({ number: 7, labels: ['merge-ready', 'human-gate'] })] })
  expect((await run('run', '--dry-run')).code).toBe(0)
  const stopped = await run('run')
  expect([stopped.code, stopped.stdout]).toEqual([1, expect.stringMatching(/stopped: gate \(step 6, #7\)/)])
  stand.forge.onRead = () => {
    throw forgeFault('forge-unreachable', 'https://api.example.com does not answer')
  }
  const failed = await run('run')
  expect([failed.code, failed.stdout]).toEqual([
    1,
    expect.stringContaining('forge-unreachable: https://api.example.com'),
  ])
  expect((await run('run', '--dry-run')).code).toBe(1)
})

test('exits with 0 for a run that a lock defers', async () => {
  await stand.postAs('builder', 'engineering', '[LOCK] release')
  expect(await run('run')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('waiting for: the lock of builder'),
  })
  await stand.ask('POST /rooms/engineering/messages', { sender_id: 'builder', content: '[UNLOCK]' }, 'communicate')
})

test('adds a label, and reports the rules that do not hold', async () => {
  const added = await run('mark', '3', 'triaged')
  expect([added.code, added.stdout]).toEqual([0, 'acme/shop#3 got the label triaged\n'])
  const refused = await run('mark', '8', 'merge-ready', '--if-eligible')
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('reviews: has no approving review')])
})
