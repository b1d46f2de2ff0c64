import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { expect } from 'vitest'
import { DocumentFolder } from '../../../services/docstore/documents/folder.ts'
import { readSidecar } from '../../../services/docstore/documents/sidecar.ts'
import { DocumentWriter } from '../../../services/docstore/documents/writer.ts'
import { root } from '../../support/root.ts'
import { textOf, type WriteEvent } from './texts.ts'

/** Upper limit of steps in three writes. */
const STEPS = 18

/** Number of the last write by document, or null. */
type States = Map<string, number | null>

/** Returns how many writes were acknowledged, and how many interrupted ones were completed and undone. */
export async function crashRepeatedly(
  times: number,
): Promise<{ acknowledged: number; finished: number; undone: number }> {
  const program = join(root, 'node_modules', '.cache', 'svc', `writing-${process.pid}.mjs`)
  const entryPoints = [join(import.meta.dirname, 'writing.ts')]
  await build({ entryPoints, outfile: program, bundle: true, packages: 'external', platform: 'node', format: 'esm' })
  const path = mkdtempSync(join(tmpdir(), 'svc-crashes-'))
  const states: States = new Map()
  const counts = { acknowledged: 0, finished: 0, undone: 0 }
  try {
    let first = 1
    for (let round = 0; round < times; round++) {
      const args = [program, path, String(first), String(1 + (round % STEPS))]
      const { stdout, signal, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
      expect(signal, stderr).toBe('SIGKILL')
      const writes = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as WriteEvent)
      for (const each of writes.filter(({ state }) => state === 'done')) {
        counts.acknowledged++
        states.set(each.id, each.deletes ? null : each.number)
      }
      const cut = writes.at(-1)!
      checkFiles(path)
      await recovered(path)
      const now = stateOf(path, cut.id)
      const [before, after] = [states.get(cut.id) ?? null, cut.deletes ? null : cut.number]
      expect([before, after], `write ${cut.number} of ${cut.id} at step ${args[3]}`).toContain(now)
      if (now === after) counts.finished++
      else counts.undone++
      states.set(cut.id, now)
      for (const [id, number] of states) expect(stateOf(path, id), `${id} after ${cut.number}`).toBe(number)
      checkFiles(path)
      expectNoRemains(path)
      first = cut.number + 1
    }
  } finally {
    rmSync(path, { recursive: true })
    rmSync(program)
  }
  return counts
}

async function recovered(path: string): Promise<void> {
  const folder = await DocumentFolder.open(path)
  await folder.clean()
  const writer = new DocumentWriter(folder)
  for (const id of await folder.unfinished()) await writer.finish(id)
}

const idsIn = (folder: string, end: string) =>
  readdirSync(folder).flatMap((name) => (name.endsWith(end) ? [name.slice(0, -end.length)] : []))

/** Checks the files before any repair. */
function checkFiles(path: string): void {
  const own = join(path, '.docstore')
  for (const id of idsIn(path, '.md')) {
    const text = readFileSync(join(path, `${id}.md`), 'utf8')
    expect(text).toBe(textOf(Number(/\d+/.exec(text)![0])))
  }
  for (const id of idsIn(own, '.json')) {
    expect(existsSync(join(path, `${id}.md`)), `the sidecar of ${id} has no document`).toBe(true)
    expect(readSidecar(readFileSync(join(own, `${id}.json`), 'utf8'))).not.toBeNull()
  }
}

function expectNoRemains(path: string): void {
  for (const name of ['tmp', 'pending']) expect(readdirSync(join(path, '.docstore', name))).toEqual([])
}

function stateOf(path: string, id: string): number | null {
  if (!existsSync(join(path, `${id}.md`))) return null
  const number = Number(/\d+/.exec(readFileSync(join(path, `${id}.md`), 'utf8'))![0])
  const { title, revision } = JSON.parse(readFileSync(join(path, '.docstore', `${id}.json`), 'utf8'))
  expect(title).toBe(`t${number}`)
  const kept = JSON.parse(
    readFileSync(join(path, '.docstore', 'history', id, `${String(revision).padStart(8, '0')}.json`), 'utf8'),
  )
  expect(kept.after.content).toBe(textOf(number))
  return number
}
