import { symlinkSync, mkdtempSync, rmSync } from 'node:fs'
import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { agent as agentSpec } from '../../cli/agent/commands.ts'
import { buildProgram } from '../../cli/program.ts'
import { svc as svcSpec } from '../../cli/svc/commands.ts'
import manifest from '../../package.json' with { type: 'json' }
import { agent, svc } from '../support/command.ts'
import { root } from '../support/root.ts'

const leaves = (command: Command, path: string[] = []): { path: string[]; command: Command }[] =>
  command.commands.length === 0
    ? [{ path, command }]
    : command.commands.flatMap((child) => leaves(child, [...path, child.name()]))

test.each([
  ['svc', [] as string[]],
  ['agent', []],
  ['agent', ['orchestrator']],
  ['agent', ['notify']],
  ['agent', ['wrap']],
  ['agent', ['ask']],
  ['agent', ['monitor']],
  ['agent', ['index']],
])('lists the commands of %s %s in its help', async (program, words) => {
  const { code, stdout } = await (program === 'svc' ? svc : agent)([...words, '--help'])
  expect(code).toBe(0)
  expect(stdout).toMatchSnapshot()
})

test('fits the most used commands into a narrow terminal', async () => {
  for (const spec of [svcSpec, agentSpec])
    for (const { usual } of [spec, ...spec.commands]) {
      const width = Math.max(0, ...(usual ?? []).map(([command]) => command.length))
      for (const [, does] of usual ?? []) expect(width + does.length + '  $    # '.length).toBeLessThanOrEqual(80)
    }
})

describe.each([
  ['svc', svcSpec],
  ['agent', agentSpec],
])('every command of %s', (_name, spec) => {
  test('has a help with an example', async () => {
    for (const { path, command } of leaves(await buildProgram(spec, null))) {
      let help = ''
      command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp()
      expect(help, path.join(' ')).toMatch(/\nExamples?:\n  (\$ .*(svc|agent) )/)
    }
  })

  test('can print JSON, or has no output', async () => {
    const silent = ['schema', 'attach', 'completion', 'mcp']
    const without = leaves(await buildProgram(spec, null)).filter(
      ({ command }) => !command.options.some((option) => option.long === '--json'),
    )
    expect(without.map(({ command }) => command.name()).filter((name) => !silent.includes(name))).toEqual([])
  })
})

test('exits with 64 and the nearest command for an unknown one', async () => {
  const { code, stdout, stderr } = await svc(['reconcil'])
  expect([code, stdout]).toEqual([64, ''])
  expect(stderr).toBe(
    'error: unknown command \'reconcil\' (svc)\nhint: did you mean "svc reconcile"? Run "svc --help" for a list\n',
  )
})

test('suggests the nearest command of a group', async () => {
  const { code, stderr } = await agent(['orchestrator', 'list-agent'])
  expect(code).toBe(64)
  expect(stderr).toContain('did you mean "agent orchestrator list-agents"?')
})

test.each([
  [['reconcile', '--dry-rn'], 'unknown option', 'did you mean "--dry-run"?'],
  [['reconcile', '--dry'], 'unknown option', 'did you mean "--dry-run"?'],
  [['plan'], "missing required argument 'path'", 'run "svc plan --help" for its usage'],
  [['plan', '.', '-o', 'xml'], 'Allowed choices are human, json, ndjson, markdown', 'run "svc plan --help"'],
  [['reconcile', '--timeout', 'soon'], 'expected a time such as 60s', 'run "svc reconcile --help"'],
  [['reconcile', '.', '--source', 'x'], 'a path with --source can only be planned', 'add --dry-run'],
  [['reconcile', '--dry-run', '--target', 'planner'], '--target planner is not a resource', 'agents'],
  [['get', 'agent', 'x', 'y'], 'too many arguments', 'run "svc get --help"'],
  [['get', 'workflow/'], 'workflow/ is not a resource', 'use workflow/NAME'],
  [['get', 'wrkflows'], 'unknown kind wrkflows', 'did you mean "workflows"?'],
  [['schema', 'repositry'], 'unknown kind repositry', 'did you mean "repository"?'],
  [['drift', 'revert', 'planner'], 'expected KIND/NAME', 'run "svc drift revert --help"'],
  [['status', '--url', 'http://['], 'which is not an address', 'http://127.0.0.1:17000'],
])('rejects svc %j with a hint', async (args, what, hint) => {
  const { code, stderr } = await svc(args, { env: { SVC_CONTROLLER_URL: 'http://127.0.0.1:1' } })
  expect(stderr).toContain(`error: `)
  expect(stderr).toContain(what)
  expect(stderr.split('hint: ')[1]).toContain(hint)
  expect(code).toBe(64)
})

test('prints help without arguments', async () => {
  const { code, stdout } = await svc([])
  expect(code).toBe(0)
  expect(stdout).toContain('Usage: svc')
})

test('prints the help of a bare group and exits with 64', async () => {
  const { code, stdout, stderr } = await agent(['orchestrator'])
  expect(code).toBe(64)
  expect(stdout + stderr).toContain('list-agents')
})

test('prints the version of package.json in each spelling', async () => {
  for (const args of [['version'], ['--version'], ['version', '--url-free'].slice(0, 1)])
    expect(await svc(args)).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' })
  expect((await agent(['--version'])).stdout).toBe(`${manifest.version}\n`)
  expect(JSON.parse((await svc(['version', '--json'])).stdout)).toMatchObject({ version: manifest.version })
})

test.each(['svc', 'agent', 'doc'])('runs bin/%s from any folder and link, or hints at the build', async (name) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-link-'))
  symlinkSync(join(root, 'bin', name), join(folder, name))
  const result = await promisify(execFile)(join(folder, name), ['--version'], { cwd: folder }).catch(
    (error: { stdout: string; stderr: string }) => error,
  )
  rmSync(folder, { recursive: true })
  expect(result.stdout === `${manifest.version}\n` || /hint: run "npm ci"/.test(result.stderr)).toBe(true)
})
