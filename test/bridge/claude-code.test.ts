// Uses a fake CLI that records its arguments.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { ASKED_TOOLS, asksForEverythingByStar, clearsContext } from '../../bridge/claude-code.ts'
import type { Launch } from '../../schemas/agent/launch.ts'
import { eventually } from '../support/eventually.ts'
import { agentServer, startBridge } from './running.ts'

const command = [fileURLToPath(new URL('fixtures/claude.mjs', import.meta.url))]

async function claude(members: Partial<Launch> = {}) {
  const server = await agentServer()
  const bridge = await startBridge(server, { runtime: 'claude-code', command, ...members })
  const introduction = await server.next((frame) => frame['subtype'] === 'bridge')
  const called = () =>
    JSON.parse(readFileSync(join(bridge.directory, 'called.json'), 'utf8')) as {
      args: string[]
      env: Record<string, string>
    }
  return { server, bridge, introduction, called }
}

test('starts the program with streaming, permission requests and no repository settings', async () => {
  const { bridge, called } = await claude({
    additional_dirs: ['/tmp', '/'],
    model: 'haiku',
    system_prompt: 'Be brief.',
    resume_session: 'abc',
    sandbox: null,
  })
  const { args, env } = called()
  const settings = args[args.indexOf('--settings') + 1]!
  const tools = args[args.indexOf('--mcp-config') + 1]!
  const flags =
    '-p --input-format stream-json --output-format stream-json --verbose --permission-prompt-tool stdio --permission-mode default --setting-sources user --settings'
  const chosen = ['--append-system-prompt', 'Be brief.', '--model', 'haiku', '--resume', 'abc']
  expect(args).toEqual([
    ...flags.split(' '),
    settings,
    '--mcp-config',
    tools,
    '--add-dir',
    bridge.directory,
    '--add-dir',
    '/tmp',
    '--add-dir',
    '/',
    ...chosen,
  ])
  expect(JSON.parse(settings)).toEqual({ permissions: { ask: ['*', ...ASKED_TOOLS] } })
  expect(ASKED_TOOLS).toContain('mcp__svc__doc_delete')
  const { svc } = JSON.parse(tools).mcpServers
  const Authorization = 'Bearer ${SVC_TOOLS_TOKEN}'
  const asked = { 'X-Svc-Agent': 'agent-1', Authorization }
  expect(svc).toEqual({ type: 'http', url: 'http://127.0.0.1:2/mcp', headers: asked })
  expect(args.join(' ')).not.toContain('tools-of-agent-1')
  expect(env).toEqual({
    CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1',
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
    CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD: '1',
  })
})

test('starts an interactive program with its configuration and no repository settings', async () => {
  const server = await agentServer()
  const bridge = await startBridge(server, {
    runtime: 'claude-code',
    command,
    interactive: true,
    additional_dirs: ['/tmp'],
    model: 'haiku',
    system_prompt: 'Be brief.',
    resume_session: 'abc',
    sandbox: null,
  })
  const { args, env } = await eventually(() => JSON.parse(readFileSync(join(bridge.directory, 'called.json'), 'utf8')))
  const chosen = ['--append-system-prompt', 'Be brief.', '--model', 'haiku', '--resume', 'abc']
  expect(args).toEqual([
    ...'--permission-mode default --setting-sources user'.split(' '),
    '--mcp-config',
    expect.stringContaining('"svc"'),
    '--add-dir',
    bridge.directory,
    '--add-dir',
    '/tmp',
    ...chosen,
  ])
  expect(env).toEqual({ CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD: '1' })
  expect(server.connections).toHaveLength(0)
})

test('reports a guarded agent without forwarding its own control requests', async () => {
  const { server, introduction } = await claude()
  expect(introduction).toMatchObject({
    runtime: 'claude-code',
    agent_version: '2.1.329',
    permission_mode: 'default',
    guarded: true,
    guard_reason: null,
    capabilities: { clears_context: true },
  })
  await server.turn('hello')
  expect(server.frames.filter((frame) => frame['type'] === 'control_response')).toEqual([])
  expect(await server.control({ subtype: 'initialize' }, 'mine')).toMatchObject({
    request_id: 'mine',
    subtype: 'success',
  })
})

test.each([
  ['another mode', { FAKE_MODE: 'acceptEdits' }, 'permission mode: expected "default", got "acceptEdits"'],
  [
    'managed settings that omit our rule',
    { FAKE_RULES: '["Bash"]' },
    'the effective settings have no rule "*" in permissions.ask',
  ],
  ['unreadable settings', { FAKE_RULES: 'null' }, 'the effective settings could not be read'],
  [
    'an old version without our list',
    { FAKE_VERSION: '2.1.120', FAKE_RULES: '["*"]' },
    'version 2.1.120 would not ask for Agent',
  ],
])('reports an unguarded agent for %s', async (_title, env, reason) => {
  const { introduction } = await claude({ env })
  expect(introduction).toMatchObject({ guarded: false, guard_reason: expect.stringContaining(reason) })
})

test('guards an old version until it offers an unlisted tool', async () => {
  const { server, introduction } = await claude({
    env: { FAKE_VERSION: '2.1.120', FAKE_TOOLS: 'Bash mcp__files__delete' },
  })
  expect(introduction).toMatchObject({
    agent_version: '2.1.120',
    permission_mode: 'default',
    guarded: true,
    capabilities: { clears_context: false },
  })
  server.prompt('hello')
  expect(await server.next((frame) => frame['subtype'] === 'bridge' && !frame['guarded'])).toMatchObject({
    guard_reason: 'version 2.1.120 would not ask for mcp__files__delete',
  })
})

test('replaces a missing conversation and does not forward its error', async () => {
  const { server, bridge, introduction } = await claude({ resume_session: 'gone' })
  expect(introduction).toMatchObject({ guarded: true })
  expect((await server.turn('hello')).result).toMatchObject({ session_id: 'new' })
  expect(server.frames.map((frame) => frame['uuid'])).not.toContain('refused')
  expect(bridge.output).toContain('the conversation to resume no longer exists; starting a new one')
  bridge.child.kill('SIGTERM')
  expect(await bridge.exit).toBe(143)
})

test('resumes an existing conversation', async () => {
  const { server } = await claude({ resume_session: 'kept' })
  expect((await server.turn('hello')).result).toMatchObject({ session_id: 'kept' })
})

test('names a program that is not installed', async () => {
  const server = await agentServer()
  const bridge = await startBridge(server, { runtime: 'claude-code', env: { PATH: '/nowhere' } })
  expect(await bridge.exit).toBe(127)
  await eventually(() => bridge.output.includes('error: program "claude" is not installed, or not on PATH'))
})

test('compares versions by number', () => {
  const newer = ['2.1.329', '2.1.330 (Claude Code)', '2.2.0', '3.0.0', '10.0.0']
  const older = ['2.1.328', '2.1.120', '2.0.999', '1.9.400', 'unknown']
  expect([...newer, ...older].filter(asksForEverythingByStar)).toEqual(newer)
  expect([...newer, ...older, null].filter(clearsContext)).toEqual(newer)
})

test('lists the tools with shell, disk, network or agent access', () => {
  const reaching =
    'Agent Bash Edit Glob Grep MultiEdit NotebookEdit Read SendMessage Skill Task WebFetch WebSearch Write'
  expect(ASKED_TOOLS).toEqual(expect.arrayContaining(reaching.split(' ')))
})
