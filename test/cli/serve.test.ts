// From `npm start` to the last command: the real daemon, real sessions, and the commands against it.
import { spawn, execFile, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { root, type Result } from './commands.ts'

let folder: string
let env: Record<string, string>
let daemon: ChildProcess | null = null
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-start-'))
  env = {
    PATH: process.env.PATH!,
    HOME: folder,
    SVC_DATA_DIR: join(folder, 'data'),
    SVC_CONTROLLER_PORT: '0',
    SVC_ORCHESTRATOR_PORT: '0',
    SVC_MUX_SOCKET: `svc-start-${process.pid}-${Math.random().toString(36).slice(2)}`,
    SVC_ACTOR: 'tester',
  }
})
afterEach(async () => {
  if (daemon?.exitCode === null && daemon.signalCode === null) daemon.kill('SIGKILL')
  await promisify(execFile)('tmux', ['-L', env.SVC_MUX_SOCKET!, 'kill-server']).catch(() => undefined)
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

async function start(script: string[]): Promise<{ output: () => string; ended: Promise<number | null> }> {
  daemon = spawn(process.execPath, script, { cwd: root, env })
  let text = ''
  for (const stream of [daemon.stdout!, daemon.stderr!])
    stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  const ended = new Promise<number | null>((done) => daemon!.once('close', done))
  await eventually(
    () => text.includes('orchestrator send-message') || (daemon!.exitCode !== null && Promise.reject(new Error(text))),
    60_000,
  )
  return { output: () => text, ended }
}

const command = (name: string, args: string[]): Promise<Result> =>
  promisify(execFile)(join(root, 'bin', name), args, { cwd: folder, env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      stdout: error.stdout,
      stderr: error.stderr,
    }),
  )

test(
  'npm start ends in a summary, and a second terminal sees, plans, drifts, reverts and stops the team',
  { timeout: 120_000 },
  async () => {
    const { output, ended } = await start(['scripts/start.mjs'])
    expect(output()).toMatch(/svc \d+\.\d+\.\d+ is up, in [\d.]+ m?s\n/)
    expect(output()).toMatch(/created\n(?: {2}\d+ \w+ +\S.*\n){3}/)
    expect(output()).toMatch(
      /next, in another terminal\n {2}\.\/bin\/agent status\n {2}\.\/bin\/svc reconcile --dry-run\n {2}\.\/bin\/agent orchestrator send-message/,
    )

    const status = await command('agent', ['status', '--json'])
    const { agents } = JSON.parse(status.stdout) as {
      agents: { id: string; name: string; status: string; connected: boolean }[]
    }
    expect(agents.length).toBeGreaterThan(0)
    expect(agents.every((each) => each.status === 'running' && each.connected)).toBe(true)

    const plan = await command('svc', ['reconcile', '--dry-run', '--detailed-exitcode'])
    expect([plan.code, /no changes/i.test(plan.stdout)]).toEqual([0, true])

    const name = agents[0]!.name
    expect((await command('agent', ['orchestrator', 'set-policy', name, 'deny_all'])).code).toBe(0)
    await eventually(async () => (await command('svc', ['drift', `agents/${name}`])).stdout.includes('tester'))
    expect((await command('svc', ['drift', 'revert', `agents/${name}`])).code).toBe(0)
    await eventually(async () => (await command('svc', ['drift'])).stdout.includes('No drift.'))

    expect((await command('svc', ['down', '--agents'])).code).toBe(0)
    expect(await ended).toBe(0)
  },
)

test('one Ctrl-C, which npm passes on a second time, stops it in good order', { timeout: 60_000 }, async () => {
  const { ended } = await start(['bin/svc', 'serve', '--manifests', join(root, 'manifests')])
  daemon!.kill('SIGINT')
  daemon!.kill('SIGINT')
  expect(await ended).toBe(0)
})

test('a second daemon on the same data is refused with the way to stop the first', { timeout: 60_000 }, async () => {
  await start(['bin/svc', 'serve', '--manifests', join(root, 'manifests')])
  const second = await command('svc', ['serve', '--manifests', join(root, 'manifests')])
  expect(second.code).toBe(1)
  expect(second.stderr).toMatch(/error: [\s\S]*hint: .*svc down/)
})
