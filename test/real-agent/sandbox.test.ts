import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { visibleFolder, type VisibleFolder } from '../platform/sandbox/visible-folder.ts'
import { eventually } from '../support/eventually.ts'
import { claudeProgram, offlineEnvironment } from './real-agent.ts'
import { approve, daemon, heardSince, model, otherModel, pending } from './stand.ts'
import { commandLine, type WatchedAgent } from './whole-daemon.ts'

let folder: VisibleFolder
let count = 0
beforeAll(() => void (folder = visibleFolder()))
afterAll(() => folder?.remove())

/** The installation may be below /tmp, which is another folder inside. */
async function sandboxed(members: Record<string, unknown> = {}): Promise<WatchedAgent> {
  const program = realpathSync(claudeProgram())
  const own = join(folder.path, `agent-${++count}`)
  const project = join(own, 'project')
  mkdirSync(project, { recursive: true })
  const agent = await daemon.agent({
    working_dir: project,
    command: [program],
    additional_dirs: [dirname(program)],
    env: offlineEnvironment(model, own),
    sandbox: 'on',
    ...members,
  })
  expect((await agent.record()).sandbox).toMatchObject({ state: 'on' })
  return agent
}

/** The sandbox forwards a port of this machine only under this name. */
const modelOnly = () => ({ network: { hosts: [new URL(model.url).host.replace('127.0.0.1', 'localhost')] } })

const outside = (name: string) => join(folder.path, name)

test('answers, and runs a tool that a person approved', async () => {
  const agent = await sandboxed({ tool_policy: { mode: 'require_approval' } })
  expect((await agent.turn('first words')).content).toMatch(/^ECHO\(\d+\): first words$/)
  await agent.say('USE_TOOL Bash echo approved > held.txt')
  const approval = await pending(agent)
  expect(existsSync(join(agent.project, 'held.txt'))).toBe(false)
  await approve(approval)
  expect(
    (
      await agent.next(
        'result',
        agent.frames.findIndex(({ type }) => type === 'pending_approval'),
      )
    ).content,
  ).toMatch(/^TOOL_OK/)
  expect(readFileSync(join(agent.project, 'held.txt'), 'utf8')).toBe('approved\n')
  expect((await agent.record()).warnings).toEqual([])
})

test('edits a file of its working directory', async () => {
  const agent = await sandboxed()
  const file = join(agent.project, 'main.ts')
  writeFileSync(file, 'const answer = 41\n')
  const input = { file_path: file, old_string: '41', new_string: '42' }
  const calls = [
    { name: 'Read', input: { file_path: file } },
    { name: 'Edit', input },
  ]
  expect((await agent.turn(`CHAIN:${JSON.stringify(calls)}`)).content).toMatch(/^TOOL_OK/)
  expect(readFileSync(file, 'utf8')).toBe('const answer = 42\n')
})

test('cannot write outside by a script, which no policy reads', async () => {
  const agent = await sandboxed()
  writeFileSync(join(agent.project, 'write.sh'), `echo mine > ${outside('written')}\n`)
  expect((await agent.turn('USE_TOOL Bash sh write.sh')).content).toMatch(/Read-only file system/)
  expect(existsSync(outside('written'))).toBe(false)
})

test('uses the tools of svc', async () => {
  const agent = await sandboxed({ sandbox: modelOnly() })
  const document = { title: 'From the sandbox', content: '# Kept inside', created_by: 'worker' }
  expect((await agent.turn(`USE_TOOL mcp__svc__doc_create ${JSON.stringify(document)}`)).content).toContain('TOOL_OK')
  expect((await agent.turn('USE_TOOL mcp__svc__doc_read {"id": "from-the-sandbox"}')).content).toContain(
    '# Kept inside',
  )
})

test('resumes its conversation after a restart', async () => {
  const agent = await sandboxed()
  const session = ((await agent.turn('the word is marimba')).message as Record<string, string>)['session_id']!
  const before = agent.processes()
  await daemon.ask('POST', `/agents/${agent.id}/restart`)
  await eventually(
    async () => agent.processes().some((pid) => !before.includes(pid)) && (await agent.record()).connected,
  )
  const from = (await model.heard()).length
  expect(agent.processes().map(commandLine).join('')).toContain(`--resume\0${session}`)
  expect((await agent.turn('go on')).message).toMatchObject({ session_id: session, is_error: false })
  if (!otherModel) expect(await heardSince(from)).toContain('marimba')
})

test('shows a person which host was refused, and where to allow it', async () => {
  const agent = await sandboxed({ sandbox: modelOnly() })
  const turn = await agent.turn('USE_TOOL Bash curl -sS http://packages.example.org/')
  expect(turn.content).toContain('svc sandbox: host packages.example.org is not in network.hosts')
  const shown = await agent.next('sandbox_refused')
  expect(JSON.stringify(shown)).toContain('add \\"packages.example.org\\" to sandbox.network.hosts')
  expect((await agent.record()).sandbox?.refused).toEqual([
    expect.objectContaining({ host: 'packages.example.org', port: 80, count: 1 }),
  ])
  const { code, stdout } = await daemon.agentCommand(['orchestrator', 'get-agent', agent.id])
  expect([code, stdout]).toEqual([0, expect.stringContaining('packages.example.org')])
})
