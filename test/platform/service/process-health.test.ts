import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openFilesFault, ProcessHealth } from '../../../platform/service/process-health.ts'
import { eventually } from '../../support/eventually.ts'

/** Blocks the event loop. */
const block = (ms: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

test('is degraded with advice after the event loop was blocked for over a second', async () => {
  const health = new ProcessHealth()
  health.start()
  onTestFinished(() => health.stop())
  await eventually(async () => {
    block(1100)
    return (await health.read()).status === 'degraded'
  })
  expect((await health.read()).reason).toMatch(
    /^the event loop was blocked for \d\.\d s in the last 10 s: stop the agent/,
  )
})

/** A folder like /proc/self. */
function processFolder(open: number, most: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-proc-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'fd'))
  for (let at = 0; at < open; at++) writeFileSync(join(folder, 'fd', String(at)), '')
  writeFileSync(
    join(folder, 'limits'),
    `Limit  Soft Limit  Hard Limit\nMax open files            ${most}        4096  files\n`,
  )
  return folder
}

test.each([
  [9, '10', null],
  [10, '10', '10 of 10 file descriptors are open: raise the limit of open files (ulimit -n, or LimitNOFILE= in a'],
  [10, 'unlimited', null],
])('with %i open files of %s reports %s', async (open, most, fault) => {
  expect(await openFilesFault(processFolder(open, most))).toEqual(fault && expect.stringContaining(fault))
})

test('reports nothing on a system without /proc', async () => {
  expect(await openFilesFault('/nonexistent')).toBeNull()
})
