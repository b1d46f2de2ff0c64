// What the daemon tells a person about the sandbox of an agent.
import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SandboxProbe } from '../../../../../platform/sandbox/probe.ts'
import { SANDBOX_DEFAULTS } from '../../../../../schemas/sandbox/sandbox.ts'
import { alice, TestMachine, type TestOrchestrator } from '../../harness.ts'

const works: SandboxProbe = { ok: true, bwrap: '/usr/bin/bwrap', version: '0.8.0' }
const missing: SandboxProbe = {
  ok: false,
  code: 'sandbox-unavailable',
  message: 'bubblewrap is not installed',
  hint: 'apt install bubblewrap',
}

let answer: SandboxProbe
let machine: TestMachine
let daemon: TestOrchestrator
beforeEach(async () => {
  answer = works
  machine = new TestMachine({ probe: async () => answer })
  daemon = await machine.open()
})
afterEach(() => machine.close())

const trialOf = (id: string) => daemon.orchestrator.sandboxTrials.of(id)

test('gives the sandbox of the running process, also after its spec has changed', async () => {
  const { id } = await daemon.create()
  const { sandbox } = await machine.launchFile(id)
  await daemon.orchestrator.agents.assign(id, { sandbox: { ...SANDBOX_DEFAULTS, hide: ['/srv'] } }, alice)
  expect(await trialOf(id)).toMatchObject({ start: 'current', sandbox, reason: null, directory: machine.work })
})

test('gives the sandbox of the next start of a stopped agent', async () => {
  const { id } = await daemon.create()
  await daemon.orchestrator.agents.terminate(id, alice)
  await daemon.orchestrator.agents.assign(id, { sandbox: { ...SANDBOX_DEFAULTS, hide: ['/srv'] } }, alice)
  expect(await trialOf(id)).toMatchObject({ start: 'next', sandbox: { hide: ['/srv'] }, reason: null })
})

test('says why the process or the next start has no sandbox', async () => {
  const off = await daemon.create({ name: 'off', sandbox: 'off' })
  expect(await trialOf(off.id)).toMatchObject({ start: 'current', sandbox: null, reason: { code: 'sandbox-off' } })
  answer = missing
  const auto = await daemon.create({ name: 'auto' })
  const reason = { code: 'sandbox-unavailable', message: 'bubblewrap is not installed: apt install bubblewrap' }
  expect(await trialOf(auto.id)).toMatchObject({ start: 'current', sandbox: null, reason })
  const written = await daemon.create({ name: 'written', sandbox: SANDBOX_DEFAULTS })
  expect(await trialOf(written.id)).toMatchObject({ start: 'next', sandbox: null, reason })
})

test('names the place in the worktree, and refuses an agent whose worktree is not made yet', async () => {
  const project = realpathSync(mkdtempSync(join(machine.work, 'project-')))
  const inside = join(project, 'packages', 'app')
  mkdirSync(inside, { recursive: true })
  const git = (...args: string[]) =>
    execa('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd: project })
  await git('init', '-q')
  await git('commit', '-q', '--allow-empty', '-m', 'first')
  const { id } = await daemon.create({ worktree: true, working_dir: inside })
  expect((await trialOf(id)).directory).toBe((await machine.launchFile(id)).directory)
  const other = await daemon.create({ name: 'other', working_dir: inside })
  await daemon.orchestrator.agents.terminate(other.id, alice)
  await daemon.orchestrator.agents.assign(other.id, { worktree: true }, alice)
  await expect(trialOf(other.id)).rejects.toThrow('agent other has no worktree yet: its first start makes it')
})

test('fails for an unknown agent, and for an unknown user', async () => {
  await expect(trialOf('nobody')).rejects.toMatchObject({ status: 404 })
  const { id } = await daemon.create()
  await daemon.orchestrator.agents.terminate(id, alice)
  const spec = await daemon.orchestrator.agents.spec(id)
  Object.assign(spec, { user: 'no-such-user' })
  await expect(trialOf(id)).rejects.toMatchObject({ status: 422, code: 'user-missing' })
})
