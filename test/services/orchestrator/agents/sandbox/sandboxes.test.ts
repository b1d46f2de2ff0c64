// The sandbox of an agent's starts, as the daemon records it. No program runs: the bridge only stays alive.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SandboxProbe } from '../../../../../platform/sandbox/probe.ts'
import { SANDBOX_DEFAULTS } from '../../../../../schemas/sandbox/sandbox.ts'
import { eventually } from '../../../../support/eventually.ts'
import type { HandAgent } from '../../../../support/hand-agent.ts'
import { alice, TestMachine, type TestOrchestrator } from '../../harness.ts'

const works: SandboxProbe = { ok: true, bwrap: '/usr/bin/bwrap', version: '0.8.0' }
const missing: SandboxProbe = {
  ok: false,
  code: 'sandbox-unavailable',
  message: 'bubblewrap is not installed',
  hint: 'apt install bubblewrap',
}
const RULES = { ...SANDBOX_DEFAULTS, network: { mode: 'hosts' as const, hosts: ['example.org'] } }

let answer: SandboxProbe
let machine: TestMachine
let daemon: TestOrchestrator
beforeEach(async () => {
  answer = works
  machine = new TestMachine({ probe: async () => answer })
  daemon = await machine.open()
})
afterEach(() => machine.close())

const sandboxOf = async (id: string) => (await daemon.orchestrator.agents.get(id)).sandbox!
const restart = (id: string) => daemon.orchestrator.agents.restart(id, alice)

test('writes the sandbox into the launch file and shows it', async () => {
  const cache = join(machine.work, 'cache')
  mkdirSync(cache)
  const { id } = await daemon.create({ sandbox: { ...RULES, write: [cache] } })
  const { sandbox } = await machine.launchFile(id)
  expect(sandbox).toMatchObject({
    write: [machine.work, cache],
    read: 'all',
    network: RULES.network,
    tmp: join(machine.folder, 'sandbox', id, 'tmp'),
    closed: expect.arrayContaining([machine.folder]),
  })
  const hidden = sandbox!.closed.length
  expect(await sandboxOf(id)).toMatchObject({
    state: 'on',
    summary: `on (write 2, hidden ${hidden}, network hosts)`,
    network: 'hosts',
  })
})

test('starts auto without a sandbox where the probe fails, and names the reason', async () => {
  answer = missing
  const { id } = await daemon.create()
  expect((await machine.launchFile(id)).sandbox).toBeNull()
  expect(await sandboxOf(id)).toMatchObject({ state: 'off', code: 'sandbox-unavailable' })
})

test('fails the start of a written sandbox where the probe fails', async () => {
  answer = missing
  const failed = await daemon.create({ sandbox: RULES })
  expect(failed).toMatchObject({
    status: 'failed',
    last_error: 'the launch failed: bubblewrap is not installed: apt install bubblewrap',
    sandbox: { state: 'failed', code: 'sandbox-unavailable' },
  })
})

test('does not restart auto without the sandbox that it had', async () => {
  const { id } = await daemon.create()
  answer = missing
  expect(await restart(id)).toMatchObject({ status: 'failed', sandbox: { state: 'failed' } })
  answer = works
  expect(await restart(id)).toMatchObject({ status: 'running', sandbox: { state: 'on' } })
})

test('restarts without a sandbox after a person chose a directory that is too wide', async () => {
  const { id } = await daemon.create()
  await daemon.orchestrator.agents.assign(id, { working_dir: '/' }, alice)
  expect(await restart(id)).toMatchObject({ status: 'running', sandbox: { state: 'off', code: 'sandbox-too-wide' } })
})

test('removes the private folder with the agent', async () => {
  const { id } = await daemon.create()
  const { tmp } = (await machine.launchFile(id)).sandbox!
  mkdirSync(join(tmp, 'locked'), { recursive: true, mode: 0o500 })
  await daemon.orchestrator.agents.purge(id, alice)
  expect(existsSync(join(machine.folder, 'sandbox', id))).toBe(false)
})

test('keeps and counts the hosts that the sandbox refused', async () => {
  const { id, agent } = await daemon.createConnected({ sandbox: RULES })
  agent.send({ type: 'sandbox_refused', host: 'other.example.org', port: 443, count: 2, uuid: 'a' })
  const [refused] = await eventually(async () => {
    const { refused } = await sandboxOf(id)
    return refused.length > 0 && refused
  })
  expect(refused).toMatchObject({ host: 'other.example.org', port: 443, count: 2 })
  const shown = daemon.frames.filter((frame) => frame.type === 'sandbox_refused' && frame.agent_id === id)
  expect(shown).toEqual([
    expect.objectContaining({
      content: expect.stringContaining('add "other.example.org" to sandbox.network.hosts'),
      message: { type: 'sandbox_refused', host: 'other.example.org', port: 443, count: 2 },
    }),
  ])
  expect(await daemon.figure('agent_sandbox_refused_total')).toEqual({ host: 2 })
})

test('warns of remotes of git that the hosts of the sandbox do not allow', async () => {
  const project = mkdtempSync(join(machine.work, 'project-'))
  const git = (...args: string[]) => execa('git', args, { cwd: project })
  await git('init', '-q')
  await git('remote', 'add', 'origin', 'git@example.org:team/app.git')
  await git('remote', 'add', 'copy', 'ssh://git@example.org/app.git')
  await git('remote', 'add', 'web', 'https://example.org/app.git')
  const warning = (name: string) =>
    `git remote "${name}" of ${project} uses ssh, which network.hosts does not allow: use its https address`
  const { warnings } = await daemon.create({ working_dir: project, sandbox: RULES })
  expect(warnings).toEqual(expect.arrayContaining([warning('origin'), warning('copy')]))
  expect(warnings.join()).not.toContain('"web"')
  const open = await daemon.create({ name: 'open', working_dir: project, sandbox: 'on' })
  expect(open.warnings.join()).not.toContain('uses ssh')
})

test('reports a commondir of git that appears during a turn', async () => {
  const project = mkdtempSync(join(machine.work, 'project-'))
  await execa('git', ['init', '-q', project])
  const { id, agent } = await daemon.createConnected({ working_dir: project })
  await daemon.orchestrator.agents.message(id, 'work', alice)
  await agent.prompt(1)
  writeFileSync(join(project, '.git', 'commondir'), '/elsewhere')
  agent.result()
  await eventually(async () => (await sandboxOf(id)).tampered.length === 1)
  const inspected = await daemon.orchestrator.agents.inspect(id)
  expect(inspected.unguarded).toMatch(/^sandbox-git-tampered: .*commondir appeared/)
  rmSync(join(project, '.git', 'commondir'))
  expect((await restart(id)).sandbox).toMatchObject({ tampered: [] })
})

test('judges only the programs of a command whose paths are unclear', async () => {
  const list = { mode: 'allow_list' as const, tools: ['Bash(wc *)'] }
  const [open, listed] = [
    await daemon.createConnected({ name: 'open' }),
    await daemon.createConnected({ name: 'listed', tool_policy: list }),
  ]
  const decisionOn = async (agent: HandAgent, command: string) =>
    (await agent.answer(agent.askTool('Bash', { command }))).behavior
  expect(await decisionOn(open.agent, 'cat "$(cat folder)"')).toBe('allow')
  expect(await decisionOn(listed.agent, 'wc --files0-from=list.txt')).toBe('allow')
  expect(await decisionOn(listed.agent, 'unknown-program --files0-from=list.txt')).toBe('deny')
})

test('opens the private folder, and folders of programs for reading, to tools', async () => {
  const { agent } = await daemon.createConnected()
  const decisionOn = async (tool: string, file_path: string) =>
    (await agent.answer(agent.askTool(tool, { file_path, content: '' }))).behavior
  expect(await decisionOn('Write', '/tmp/notes')).toBe('allow')
  expect(await decisionOn('Read', '/usr/include/stdio.h')).toBe('allow')
  expect(await decisionOn('Write', '/usr/include/stdio.h')).toBe('deny')
  expect(await decisionOn('Read', '/srv/other')).toBe('deny')
  const remote = agent.askTool('mcp__forge__get_file', { path: '/etc/hosts' })
  expect((await agent.answer(remote)).behavior).toBe('allow')
})
