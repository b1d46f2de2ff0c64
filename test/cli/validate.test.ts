// `svc validate`: every fault in one run, at its place, with a hint, in each format, without a daemon.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Diagnostic } from '../../schemas/diagnostic.ts'
import { svc } from './commands.ts'

let folder: string
const write = (path: string, text: string | Buffer) => {
  mkdirSync(join(folder, path, '..'), { recursive: true })
  writeFileSync(join(folder, path), text)
}
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-validate-'))
  write('team/agents/planner.yml', 'name: planner\nworking_dir: .\nruntime: scripted\n')
  write('team/workflows/triage.yml', 'name: triage\nagent: planner\nsource:\n  type: manual\nprompt_template: Look at {{title}}\n')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const validate = (args: string[]) => svc(['validate', ...args], { cwd: folder })
const faults = async (args: string[]) => JSON.parse((await validate([...args, '--json'])).stdout) as Diagnostic[] | { diagnostics: Diagnostic[] }
const list = async (args: string[]) => {
  const found = await faults(args)
  return Array.isArray(found) ? found : found.diagnostics
}

test('sound manifests end with 0', async () => {
  const { code, stderr } = await validate(['team'])
  expect([code, stderr]).toEqual([0, ''])
})

test('every fault of every file is told in one run, with the file as it was typed, line, column and hint', async () => {
  write('team/agents/a.yml', 'name: a\nworking_dir: .\npromt: Hi\n')
  write('team/workflows/b.yml', 'name: b\nagent: planer\nsource: {type: manual}\nprompt_template: "{{title"\n')
  const { code, stdout } = await validate(['team'])
  expect(code).toBe(1)
  expect(stdout).toMatch(/team\/agents\/a\.yml:3:1/)
  expect(stdout).toMatch(/did you mean "prompt"/)
  expect(stdout).toMatch(/team\/workflows\/b\.yml:2:/)
  expect(stdout).toMatch(/did you mean "planner"/)
  expect((await validate(['team', '--exit-codes=extended'])).code).toBe(13)
})

test('a single file keeps the name that was typed', async () => {
  write('team/agents/a.yml', 'name: a\nworking_dir: .\npromt: Hi\n')
  expect((await list(['./team/agents/a.yml'])).map((fault) => fault.file)).toEqual(['./team/agents/a.yml'])
})

test('references are looked up within all that is given', async () => {
  expect((await list(['team/workflows/triage.yml'])).map((fault) => fault.severity)).toContain('error')
  expect(await list(['team/workflows/triage.yml', 'team/agents'])).toEqual([])
})

test('warnings are errors under --strict', async () => {
  write('team/rooms/hall.yml', 'name: hall\n')
  expect((await validate(['team'])).code).toBe(0)
  expect((await validate(['team', '--strict'])).code).toBe(1)
})

test('a file that is unreadable, too large or no text is a fault of its own, and the others are looked at all the same', async () => {
  write('team/agents/a.yml', 'name: a\nworking_dir: .\npromt: Hi\n')
  write('team/agents/huge.yml', Buffer.alloc(3 * 1024 * 1024, 'a'))
  write('team/agents/binary.yml', Buffer.from([0xff, 0xfe, 0, 1]))
  symlinkSync('/nowhere/at/all', join(folder, 'team/agents/gone.yml'))
  write('team/agents/closed.yml', 'name: closed\n')
  chmodSync(join(folder, 'team/agents/closed.yml'), 0)
  const files = (await list(['team'])).map((fault) => fault.file)
  const expected = ['team/agents/a.yml', 'team/agents/binary.yml', 'team/agents/gone.yml', 'team/agents/huge.yml']
  // Root may read everything; then the closed file is just an agent without a working directory.
  expect(new Set(files)).toEqual(new Set([...expected, 'team/agents/closed.yml']))
})

test('each format is whole', async () => {
  write('team/agents/a.yml', 'name: a\nworking_dir: .\npromt: Hi\n')
  const output = async (format: string) => (await validate(['team', '-o', format])).stdout
  expect(JSON.parse(await output('sarif'))).toMatchObject({ version: '2.1.0' })
  expect(await output('junit')).toMatch(/^<\?xml[\s\S]*<testsuite/)
  expect(await output('github')).toMatch(/^::error file=team\/agents\/a\.yml,line=3,col=1/m)
})

test('a path that does not exist is named', async () => {
  const { code, stderr } = await validate(['nope'])
  expect([code, stderr]).toEqual([1, 'error: nope does not exist\nhint: name a file or folder of manifests that can be read\n'])
})

test('a folder without manifests is no success', async () => {
  mkdirSync(join(folder, 'empty'))
  expect((await validate(['empty'])).stderr).toContain('no manifest in empty')
})
