import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { DirectoryOptions } from '../../../controller/reading/folder/directory-source.ts'
import { systemClock, TestClock, type Clock } from '../../../platform/core/clock.ts'
import { eventually } from '../../support/eventually.ts'
import { described, emptyContext, folder, policy, put, reader } from './reading.ts'

/** A reader. `waits` resolves after its next check; `change` keeps files recent until `rest`. */
function waiting(root: string, options: Partial<DirectoryOptions> = {}) {
  let checks = 0
  let stoppedAt: number | null = null
  const clock = options.clock ?? systemClock
  const counted = (time: () => number) => () => {
    checks++
    return time()
  }
  const counting: Clock = {
    now: counted(() => stoppedAt ?? clock.now()),
    monotonic: counted(() => clock.monotonic()),
    after: (ms, work) => clock.after(ms, work),
  }
  const source = reader(root, { ...options, clock: counting })
  const waits = async () => {
    const before = checks
    await eventually(() => checks > before + 1)
  }
  const change = (write: () => void) => {
    write()
    stoppedAt = clock.now()
  }
  const rest = () => void (stoppedAt = null)
  return { read: source.read.bind(source), waits, change, rest }
}

test('waits for a file that is being written', async () => {
  const root = folder()
  const source = waiting(root, { settleMs: 250 })
  source.change(() => put(root, 'policies/a.yml', 'name: a\n'))
  const reading = source.read(emptyContext)
  await source.waits()
  source.change(() => appendFileSync(join(root, 'policies/a.yml'), 'mode: allow_all\n'))
  await source.waits()
  source.change(() => appendFileSync(join(root, 'policies/a.yml'), 'description: whole\n'))
  source.rest()
  const state = await reading
  expect(state.diagnostics).toEqual([])
  expect(described(state)).toEqual({ a: 'whole' })
})

test('waits for a tree that is being written', async () => {
  const root = folder()
  const source = waiting(root, { settleMs: 250 })
  const write = (index: number) => source.change(() => put(root, `policies/p${index}.yml`, policy(`p${index}`)))
  write(0)
  const reading = source.read(emptyContext)
  for (let index = 1; index < 5; index++) {
    await source.waits()
    write(index)
  }
  source.rest()
  expect((await reading).resources).toHaveLength(5)
})

test('waits while git locks the index, also in a worktree', async () => {
  const root = folder({ 'repo/manifests/policies/a.yml': policy('a', 'one') })
  const git = (...words: string[]) =>
    execFileSync('git', ['-C', join(root, 'repo'), '-c', 'user.name=t', '-c', 'user.email=t@example.org', ...words], {
      stdio: 'pipe',
    })
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '-m', 'one')
  git('worktree', 'add', '--quiet', '../tree')
  for (const [manifests, lock] of [
    ['repo/manifests', 'repo/.git/index.lock'],
    ['tree/manifests', 'repo/.git/worktrees/tree/index.lock'],
  ] as const) {
    writeFileSync(join(root, lock), '')
    let done = false
    const source = waiting(join(root, manifests))
    const reading = source.read(emptyContext).finally(() => (done = true))
    // Longer than an unchanged folder would take.
    for (let checks = 0; checks < 3; checks++) await source.waits()
    expect(done).toBe(false)
    put(root, `${manifests}/policies/a.yml`, policy('a', 'two'))
    unlinkSync(join(root, lock))
    expect(described(await reading)).toEqual({ a: 'two' })
  }
})

test('rejects a folder that keeps changing, with cause and next step', async () => {
  const root = folder({ 'repo/policies/a.yml': policy('a') })
  mkdirSync(join(root, 'repo/.git'))
  writeFileSync(join(root, 'repo/.git/index.lock'), '')
  const clock = new TestClock(Date.now())
  const source = waiting(join(root, 'repo'), { clock })
  const reading = source.read(emptyContext)
  const rejected = expect(reading).rejects.toThrow(
    /keep changing: git is running \(.*index\.lock exists\); if no git command runs, remove that file/,
  )
  await source.waits()
  clock.tick(11_000)
  await rejected

  const busyClock = new TestClock(Date.now())
  const busySource = waiting(folder({ 'policies/a.yml': policy('a') }), { clock: busyClock, settleMs: 60_000 })
  const busy = busySource.read(emptyContext)
  const busyRejected = expect(busy).rejects.toThrow(
    /policies\/a\.yml keeps changing; stop the process that writes there/,
  )
  await busySource.waits()
  busyClock.tick(11_000)
  await busyRejected
})

test('never mixes two releases that are swapped during the read', async () => {
  const files = Array.from({ length: 40 }, (_, index) => `policies/p${index}.yml`)
  const root = folder(
    Object.fromEntries(
      ['r1', 'r2'].flatMap((release) =>
        files.map((file, index) => [`${release}/${file}`, policy(`p${index}`, release)]),
      ),
    ),
  )
  symlinkSync('r1', join(root, 'current'))
  const source = reader(join(root, 'current'), { settleMs: 0 })
  let swaps = 0
  const hasSwapped = () => swaps > 3
  const swapping = setInterval(() => {
    symlinkSync(`r${(++swaps % 2) + 1}`, join(root, 'next'))
    renameSync(join(root, 'next'), join(root, 'current'))
  }, 3)
  onTestFinished(() => clearInterval(swapping))
  for (let round = 0; round < 30 || !hasSwapped(); round++) {
    const state = await source.read(emptyContext)
    expect(new Set(Object.values(described(state))).size).toBe(1)
    expect(state.resources).toHaveLength(files.length)
  }
})

test('ignores files that are removed during the read', async () => {
  const root = folder(
    Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`policies/p${index}.yml`, policy(`p${index}`)])),
  )
  const source = reader(root, { settleMs: 0 })
  const reading = source.read(emptyContext)
  for (let index = 0; index < 300; index += 2) unlinkSync(join(root, `policies/p${index}.yml`))
  const state = await reading
  expect(state.diagnostics).toEqual([])
  expect([150, 300]).toContain(state.resources.length)
  expect((await source.read(emptyContext)).resources).toHaveLength(150)
})

test('returns the same state to concurrent reads', async () => {
  const source = reader(folder({ 'policies/a.yml': policy('a') }))
  const [one, two] = await Promise.all([source.read(emptyContext), source.read(emptyContext)])
  expect(one).toBe(two)
})
