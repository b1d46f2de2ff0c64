import { mkdirSync, readFileSync, writeFileSync, chmodSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { agentServer, runBridge, startBridge, temporaryFolder } from './running.ts'

const node = (script: string) => [process.execPath, '-e', script]

/** A short program that speaks the protocol and requests one tool per prompt. */
const SPEAKER = `
const send = (frame) => process.stdout.write(JSON.stringify(frame) + '\\n')
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const frame = JSON.parse(line)
  if (frame.type === 'control_request') {
    const response = frame.request.subtype === 'initialize' ? { current_permission_mode: process.env.MODE, agent_version: '0.9' } : {}
    return send({ type: 'control_response', response: { subtype: 'success', request_id: frame.request_id, response } })
  }
  if (frame.type === 'user') {
    console.error('a word on stderr')
    console.log('a word on stdout, \\x1b[2Jnot JSON')
    send({ type: 'system', subtype: 'init', session_id: 's', permissionMode: process.env.LATER || process.env.MODE, uuid: 'u1' })
    return send({ type: 'control_request', request_id: 'r1', request: { subtype: 'can_use_tool', tool_name: 'Deploy', input: { to: 'x'.repeat(Number(process.env.SIZE || 1)) }, tool_use_id: 't1' } })
  }
  if (frame.type === 'control_response') send({ type: 'result', subtype: 'success', is_error: false, result: JSON.stringify(frame.response.response).slice(0, 200), session_id: 's', num_turns: 1, uuid: 'u2' })
})`

test('connects a custom program to the socket', async () => {
  const server = await agentServer()
  const bridge = await startBridge(server, { runtime: 'command', command: node(SPEAKER), env: { MODE: 'default' } })
  expect(await server.next((frame) => frame['subtype'] === 'bridge')).toMatchObject({
    runtime: 'command',
    agent_version: '0.9',
    permission_mode: 'default',
    guarded: true,
  })
  server.prompt('go')
  server.allow(await server.question())
  expect((await server.result())['result']).toBe('{"behavior":"allow","updatedInput":{"to":"x"}}')
  expect(bridge.output).toContain('a word on stderr')
  expect(bridge.output).toContain('| a word on stdout,  [2Jnot JSON')
  expect(server.last.texts.join('')).not.toContain('a word on')
})

test('does not guard a program with an unknown or permissive mode', async () => {
  const server = await agentServer()
  await startBridge(server, { runtime: 'command', command: node(SPEAKER), env: { MODE: 'bypassPermissions' } })
  expect(await server.next((frame) => frame['subtype'] === 'bridge')).toMatchObject({
    guarded: false,
    guard_reason: 'permission mode: expected "default", got "bypassPermissions"',
  })
})

test('reports a later change of mode to the server', async () => {
  const server = await agentServer()
  await startBridge(server, { runtime: 'command', command: node(SPEAKER), env: { MODE: 'default', LATER: 'dontAsk' } })
  await server.next((frame) => frame['subtype'] === 'bridge' && frame['guarded'])
  server.prompt('go')
  expect(await server.next((frame) => frame['subtype'] === 'bridge' && !frame['guarded'])).toMatchObject({
    permission_mode: 'dontAsk',
  })
})

test('reports a program that ignores initialize as unguarded after five seconds', async () => {
  const server = await agentServer()
  await startBridge(server, { runtime: 'command', command: node('process.stdin.resume()') })
  await server.connected()
  expect(server.frames).toEqual([])
  expect(await server.next((frame) => frame['subtype'] === 'bridge')).toMatchObject({
    guarded: false,
    agent_version: null,
    guard_reason: expect.stringContaining('reported no permission mode'),
  })
})

test('denies a request that is too large for the server at once', async () => {
  const server = await agentServer()
  const bridge = await startBridge(server, {
    runtime: 'command',
    command: node(SPEAKER),
    env: { MODE: 'default', SIZE: String(16 * 1024 * 1024) },
  })
  await server.connected()
  server.prompt('go')
  expect((await server.result())['result']).toContain('too large for a decision')
  expect(bridge.output).toContain('dropped a frame of')
})

test('sets the agent’s identity over manifest and session variables', async () => {
  const server = await agentServer()
  const directory = temporaryFolder()
  const members = {
    runtime: 'command' as const,
    directory,
    command: node("require('fs').writeFileSync('env.json', JSON.stringify({ ...process.env, cwd: process.cwd() }))"),
    env: { FROM_MANIFEST: 'yes', FROM_SESSION: 'manifest', SVC_AGENT_ID: 'forged' },
  }
  const bridge = await startBridge(server, members, { FROM_SESSION: 'session', ONLY_SESSION: 'kept' })
  expect(await bridge.exit).toBe(0)
  const env = JSON.parse(readFileSync(join(directory, 'env.json'), 'utf8')) as Record<string, string>
  expect(Object.values(env).filter((value) => value.includes('secret-of-agent-1'))).toEqual([])
  expect(env).toMatchObject({
    SVC_AGENT_ID: 'agent-1',
    SVC_AGENT_NAME: 'worker',
    SVC_AGENT_WS_URL: server.url,
    SVC_ORCHESTRATOR_URL: 'http://127.0.0.1:1',
    SVC_TOOLS_URL: 'http://127.0.0.1:2/mcp',
    SVC_TOOLS_TOKEN: 'tools-of-agent-1',
    FROM_MANIFEST: 'yes',
    FROM_SESSION: 'manifest',
    ONLY_SESSION: 'kept',
    cwd: directory,
  })
  expect(bridge.output).not.toContain('secret-of-agent-1')
})

test('exits with the program’s code after delivering its last lines', async () => {
  const server = await agentServer()
  const bridge = await startBridge(server, {
    runtime: 'command',
    command: node(`process.stdout.write('{"type":"result","uuid":"last"}'); process.exitCode = 9`),
  })
  expect(await bridge.exit).toBe(9)
  expect(server.frames.at(-1)).toEqual({ type: 'result', uuid: 'last' })
  expect(server.last.closed).toBe(1000)
})

test('exits with 128 plus the signal that ended the program', async () => {
  const server = await agentServer()
  const bridge = await startBridge(server, {
    runtime: 'command',
    command: node("process.kill(process.pid, 'SIGKILL')"),
  })
  expect(await bridge.exit).toBe(137)
})

test.each([
  ['SIGTERM', 143],
  ['SIGHUP', 129],
  ['SIGINT', 130],
] as const)('ends the program and then the bridge on %s', async (signal, code) => {
  const server = await agentServer()
  const bridge = await startBridge(server, {
    runtime: 'command',
    command: node("console.log('pid', process.pid); process.stdin.resume()"),
  })
  const pid = Number((await eventually(() => /pid (\d+)/.exec(bridge.output)))[1])
  await server.connected()
  bridge.child.kill(signal)
  expect(await bridge.exit).toBe(code)
  expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  await eventually(() => server.last.closed === 1000)
})

test('kills a program that does not end in time', async () => {
  const server = await agentServer()
  const bridge = await startBridge(server, {
    runtime: 'command',
    command: node("process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('deaf')"),
  })
  await eventually(() => bridge.output.includes('deaf'))
  bridge.child.kill('SIGTERM')
  expect(await bridge.exit).toBe(143)
})

test('ends the program when the bridge is killed', async () => {
  const server = await agentServer()
  const bridge = await startBridge(server, {
    runtime: 'command',
    command: node("console.log('pid', process.pid); process.stdin.resume()"),
  })
  const pid = Number((await eventually(() => /pid (\d+)/.exec(bridge.output)))[1])
  bridge.child.kill('SIGKILL')
  await eventually(() => {
    try {
      return !process.kill(pid, 0)
    } catch {
      return true
    }
  })
})

test('gives an interactive program the terminal and no socket', async () => {
  const server = await agentServer()
  const bridge = await startBridge(server, {
    runtime: 'claude-code',
    interactive: true,
    command: ['bash', '-c', 'read line; echo "$line for $SVC_AGENT_NAME"; exit 5'],
  })
  bridge.child.stdin!.write('typed\n')
  expect(await bridge.exit).toBe(5)
  expect(bridge.output).toBe('typed for worker\n')
  expect(server.connections).toHaveLength(0)
})

test('gives a program with its own socket its variables and signals', async () => {
  const server = await agentServer()
  const bridge = await startBridge(server, {
    runtime: 'socket',
    command: [
      'bash',
      '-c',
      'trap "echo got it; exit 4" TERM; echo "$SVC_AGENT_WS_URL"; for i in {1..200}; do sleep 0.05; done',
    ],
  })
  await eventually(() => bridge.output.includes(server.url))
  bridge.child.kill('SIGTERM')
  expect(await bridge.exit).toBe(4)
  expect(bridge.output).toContain('got it')
})

test('reports programs that cannot start with the next step', async () => {
  const server = await agentServer()
  const plain = join(temporaryFolder(), 'plain.txt')
  writeFileSync(plain, 'text')
  chmodSync(plain, 0o644)
  const cases: [Parameters<typeof startBridge>[1], number, RegExp][] = [
    [
      { runtime: 'command', command: ['no-such-program-here'] },
      127,
      /error: program "no-such-program-here" is not installed, or not on PATH\nhint: /,
    ],
    [
      { runtime: 'command', command: [plain] },
      126,
      /error: program ".*plain.txt" is not executable\nhint: make it executable/,
    ],
    [{ runtime: 'command', command: [] }, 64, /error: the agent has no command/],
    [{ interactive: true, command: [] }, 64, /error: the agent has no command/],
    [{ runtime: 'socket', command: ['no-such-program-here'] }, 127, /is not installed/],
    [
      { runtime: 'command', command: ['true'], directory: '/nowhere/at/all' },
      66,
      /error: the working directory does not exist \(\/nowhere\/at\/all\)/,
    ],
    [{ runtime: 'acp', command: ['no-such-program-here'] }, 127, /is not installed/],
  ]
  for (const [members, code, text] of cases) {
    const bridge = await startBridge(server, members)
    expect([await bridge.exit, bridge.output]).toEqual([code, expect.stringMatching(text)])
  }
})

test('exits with 64 for an invalid launch file without showing secrets', async () => {
  const folder = temporaryFolder()
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  mkdirSync(join(folder, 'folder'))
  const cases: [string[], RegExp][] = [
    [[], /no launch file given\nhint: usage: svc-agent --launch FILE/],
    [['--lunch', 'x'], /wrong arguments: --lunch x/],
    [['--launch', join(folder, 'absent.json')], /cannot be read \(.*absent.json\): ENOENT/],
    [['--launch', join(folder, 'folder')], /cannot be read \(.*folder\): EISDIR/],
    [['--launch', file('text.json', 'token hush-hush')], /is not a JSON object/],
    [['--launch', file('list.json', '["hush-hush"]')], /is not a JSON object/],
    [
      ['--launch', file('short.json', '{"token":"hush-hush","env":{"KEY":1},"command":"hush-hush","model":null}')],
      /agent_id: expected a string, got nothing; .*command: expected a list of strings, got a value of type string; .*env: expected a map of strings/,
    ],
  ]
  for (const [args, text] of cases) {
    const bridge = await runBridge(args, folder)
    expect([await bridge.exit, bridge.output]).toEqual([64, expect.stringMatching(text)])
    expect(bridge.output).not.toContain('hush-hush')
  }
})

test('rejects an invalid give-up time', async () => {
  const server = await agentServer()
  const bridge = await startBridge(server, {}, { SVC_BRIDGE_GIVE_UP_SECS: 'soon' })
  expect(await bridge.exit).toBe(64)
  expect(bridge.output).toContain('SVC_BRIDGE_GIVE_UP_SECS: expected a number of seconds, got "soon"')
})

test('shows each frame as one line in the terminal', async () => {
  const server = await agentServer()
  const bridge = await startBridge(server)
  await server.connected()
  server.prompt('USE_TOOL Bash echo seen')
  server.deny(await server.question(), 'not today')
  await server.result()
  await eventually(() => bridge.output.includes('< result success, 2 turns'))
  for (const line of [
    '< scripted 1.0.0, asks before every tool',
    '> prompt USE_TOOL Bash echo seen',
    '< calls Bash {"command":"echo seen"',
    '< asks to use Bash',
    '> deny: not today',
    '< tool failed: not today',
  ])
    expect(bridge.output).toContain(line)
  expect(existsSync(join(bridge.directory, 'anything'))).toBe(false)
})
