import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Diagnostic } from '../../schemas/diagnostic.ts'
import { svc } from '../support/command.ts'
import { root } from '../support/root.ts'

let folder: string
const write = (path: string, text: string | Buffer) => {
  mkdirSync(join(folder, path, '..'), { recursive: true })
  writeFileSync(join(folder, path), text)
}
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-validate-'))
  write('team/agents/planner.yml', 'name: planner\nworking_dir: .\nruntime: scripted\n')
  write(
    'team/workflows/triage.yml',
    'name: triage\nagent: planner\nsource:\n  type: manual\nprompt_template: Look at {{title}}\n',
  )
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const validate = (args: string[]) => svc(['validate', ...args], { cwd: folder })
const faults = async (args: string[]) =>
  JSON.parse((await validate([...args, '--json'])).stdout) as Diagnostic[] | { diagnostics: Diagnostic[] }
const list = async (args: string[]) => {
  const found = await faults(args)
  return Array.isArray(found) ? found : found.diagnostics
}

test('exits with 0 for valid manifests', async () => {
  const { code, stderr } = await validate(['team'])
  expect([code, stderr]).toEqual([0, ''])
})

test('reports every fault of every file with position and hint', async () => {
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

test('names a single file as typed', async () => {
  write('team/agents/a.yml', 'name: a\nworking_dir: .\npromt: Hi\n')
  expect((await list(['./team/agents/a.yml'])).map((fault) => fault.file)).toEqual(['./team/agents/a.yml'])
})

test('resolves references within all given paths', async () => {
  expect((await list(['team/workflows/triage.yml'])).map((fault) => fault.severity)).toContain('error')
  expect(await list(['team/workflows/triage.yml', 'team/agents'])).toEqual([])
})

test('treats warnings as errors under --strict', async () => {
  write('team/agents/hall.yml', 'name: hall\nworking_dir: .\nruntime: scripted\nenv:\n  KEY: ${NOT_SET}\n')
  expect((await validate(['team'])).code).toBe(0)
  expect((await validate(['team', '--strict'])).code).toBe(1)
})

test('reports unreadable, large and binary files, and checks the others', async () => {
  write('team/agents/a.yml', 'name: a\nworking_dir: .\npromt: Hi\n')
  write('team/agents/huge.yml', Buffer.alloc(3 * 1024 * 1024, 'a'))
  write('team/agents/binary.yml', Buffer.from([0xff, 0xfe, 0, 1]))
  symlinkSync('/nowhere/at/all', join(folder, 'team/agents/gone.yml'))
  write('team/agents/closed.yml', 'name: closed\n')
  chmodSync(join(folder, 'team/agents/closed.yml'), 0)
  const files = (await list(['team'])).map((fault) => fault.file)
  const expected = ['team/agents/a.yml', 'team/agents/binary.yml', 'team/agents/gone.yml', 'team/agents/huge.yml']
  // Root can read every file.
  expect(new Set(files)).toEqual(new Set([...expected, 'team/agents/closed.yml']))
})

test('reports binary and 100 MB files with position, code and hint', async () => {
  write(
    'team/agents/binary.yml',
    Buffer.concat([Buffer.from('name: binary\nworking_dir: .\nprompt: ab'), Buffer.from([0xff]), Buffer.from('\n')]),
  )
  write('team/agents/nul.yml', 'name: nul\nprompt: a\0\n')
  write('team/agents/huge.yml', '')
  truncateSync(join(folder, 'team/agents/huge.yml'), 100 * 1024 * 1024)
  const told = await list(['team'])
  expect(told.map(({ file, line, column, code }) => `${file}:${line}:${column} ${code}`)).toEqual([
    'team/agents/binary.yml:3:11 not-utf8',
    'team/agents/huge.yml:1:1 file-too-large',
    'team/agents/nul.yml:2:10 nul-character',
  ])
  expect(told.every(({ hint }) => hint !== '')).toBe(true)
})

test('follows links to folders like the daemon, and stops at loops', async () => {
  write('shared/agents/a.yml', 'name: a\nworking_dir: .\npromt: Hi\n')
  symlinkSync(join(folder, 'shared/agents'), join(folder, 'team/agents/more'))
  symlinkSync(join(folder, 'team'), join(folder, 'team/agents/round'))
  expect((await list(['team'])).map(({ file, code }) => `${file} ${code}`)).toEqual([
    'team/agents/more/a.yml unknown-member',
  ])
})

/** Listed in the README of the samples. */
const BROKEN = [
  'agents/duplicate-a.yml:1:7 duplicate-name',
  'agents/duplicate-b.yml:1:7 duplicate-name',
  'agents/duplicate-b.yml:2:14 directory-missing',
  'agents/tabs.yml:3:1 tab-indent',
  'agents/typo.yml:2:1 unknown-member',
  'agents/typo.yml:3:8 invalid-value',
  'agents/typo.yml:5:9 missing-member',
  'policies/empty.yml:1:1 empty-file',
  'workflows/unknown-agent.yml:2:8 unknown-reference',
  'workflows/unknown-agent.yml:4:18 template-unclosed',
  'workflows/unknown-agent.yml:8:35 cron-invalid',
  'workflows/unknown-agent.yml:9:18 template-empty',
  'workflows/unknown-agent.yml:13:51 cycle',
  'workflows/unknown-agent.yml:18:51 cycle',
  'workflows/unknown-agent.yml:23:9 chain-without-filter',
]

test('reports every fault of the broken samples in every format', { timeout: 60_000 }, async () => {
  const samples = join(root, 'test', 'fixtures', 'samples')
  const told = async (format: string) => {
    const { code, stdout } = await svc(['validate', 'broken', '-o', format], { cwd: samples })
    expect(code).toBe(1)
    return stdout
  }
  const expected = BROKEN.map((fault) => `broken/${fault}`)

  const human = await told('human')
  expect(
    [...human.matchAll(/^(broken\/\S+:\d+:\d+): error: .* \[(\S+)\]$/gm)].map((match) => `${match[1]} ${match[2]}`),
  ).toEqual(expected)
  expect(human.match(/^ {2}hint: ./gm)).toHaveLength(BROKEN.length)

  const { diagnostics } = JSON.parse(await told('json')) as { diagnostics: Diagnostic[] }
  expect(diagnostics.map(({ file, line, column, code }) => `${file}:${line}:${column} ${code}`)).toEqual(expected)

  const [{ results }] = JSON.parse(await told('sarif')).runs
  const region = (result: any) => result.locations[0].physicalLocation
  expect(
    results.map(
      (each: any) =>
        `${region(each).artifactLocation.uri}:${region(each).region.startLine}:${region(each).region.startColumn} ${each.ruleId}`,
    ),
  ).toEqual(expected)

  const junit = await told('junit')
  expect(
    [...junit.matchAll(/<testcase classname="(\S+)" name="(\d+:\d+) (\S+)"/g)].map(
      (match) => `${match[1]}:${match[2]} ${match[3]}`,
    ),
  ).toEqual(expected)
  expect(junit.match(/^hint: ./gm)).toHaveLength(BROKEN.length)

  const github = (await told('github')).trim().split('\n')
  const commands = github
    .map((line) => /^::error file=(\S+?),line=(\d+),col=(\d+),title=(\S+?)::.+%0Ahint: ./.exec(line))
    .filter((match) => match !== null)
  expect(commands.map(([, file, line, column, code]) => `${file}:${line}:${column} ${code}`)).toEqual(expected)

  expect((await svc(['validate', 'broken', '--exit-codes=extended'], { cwd: samples })).code).toBe(13)
})

test('prints each format completely', async () => {
  write('team/agents/a.yml', 'name: a\nworking_dir: .\npromt: Hi\n')
  const output = async (format: string) => (await validate(['team', '-o', format])).stdout
  expect(JSON.parse(await output('sarif'))).toMatchObject({ version: '2.1.0' })
  expect(await output('junit')).toMatch(/^<\?xml[\s\S]*<testsuite/)
  expect(await output('github')).toMatch(/^::error file=team\/agents\/a\.yml,line=3,col=1/m)
})

test('names a path that does not exist', async () => {
  const { code, stderr } = await validate(['nope'])
  expect([code, stderr]).toEqual([1, 'error: nope does not exist\nhint: use a readable file or folder of manifests\n'])
})

test('fails for a folder without manifests', async () => {
  mkdirSync(join(folder, 'empty'))
  expect((await validate(['empty'])).stderr).toContain('no manifest in empty')
})

test('reports an unset variable once: a warning, or an error with --env', async () => {
  write('team/agents/planner.yml', 'name: planner\nworking_dir: .\nruntime: scripted\nenv:\n  KEY: ${NOT_SET}\n')
  const kinds = async (...args: string[]) =>
    (await list(['team', ...args])).map(({ code, severity }) => [code, severity])
  expect(await kinds()).toEqual([['variable-unset', 'warning']])
  expect((await validate(['team'])).code).toBe(0)
  for (const option of ['--env', '--strict']) {
    expect(await kinds(option)).toEqual([['variable-unset', 'error']])
    expect((await validate(['team', option])).code).toBe(1)
  }
  const set = await svc(['validate', 'team', '--env'], { cwd: folder, env: { NOT_SET: 'x' } })
  expect([set.code, set.stderr]).toEqual([0, ''])
})
