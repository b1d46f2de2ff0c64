import { expect, test } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import { acp, startAcp, using } from './stand.ts'

test('opens the session with the agent’s directories, tools, model and system prompt', async () => {
  const { server, bridge, notes } = await acp({
    additional_dirs: ['/tmp'],
    model: 'large',
    system_prompt: 'Be brief.',
  })
  await server.turn('hello')
  expect(notes('begin')).toEqual([
    {
      cwd: bridge.directory,
      additionalDirectories: ['/tmp'],
      mcpServers: [
        {
          type: 'http',
          name: 'svc',
          url: 'http://127.0.0.1:2/mcp',
          headers: [
            { name: 'X-Svc-Agent', value: 'agent-1' },
            { name: 'Authorization', value: 'Bearer tools-of-agent-1' },
          ],
        },
      ],
      _meta: { systemPrompt: { append: 'Be brief.' } },
    },
  ])
  expect(notes('choose')).toEqual([{ sessionId: 'session-1', configId: 'model', value: 'large' }])
})

test.each(['load', 'resume'])('resumes a conversation by session/%s without repeating its past', async (word) => {
  const { server, notes } = await acp({ resume_session: 'former' }, { ACP_RESUMES: word })
  const { result } = await server.turn('hello')
  expect(result).toMatchObject({ session_id: 'former', result: 'ECHO(1): hello' })
  expect(notes('resumeSession')).toHaveLength(1)
  expect(JSON.stringify(server.frames)).not.toContain('said long ago')
})

test('starts another conversation if the old one is missing or not resumable', async () => {
  const gone = await acp({ resume_session: 'gone' }, { ACP_RESUMES: 'load' })
  expect((await gone.server.turn('hello')).result['session_id']).toBe('session-1')
  await eventually(() => gone.bridge.output.includes('failed to resume the conversation (no such session)'))
  const unable = await acp({ resume_session: 'former' })
  expect((await unable.server.turn('hello')).result['session_id']).toBe('session-1')
})

test('guards only a program that declares permission requests and sends them', async () => {
  const silent = await startAcp()
  expect(await silent.server.next((frame) => frame['subtype'] === 'bridge')).toMatchObject({
    runtime: 'acp',
    agent_version: '4.5.6',
    guarded: false,
    guard_reason: expect.stringMatching(/permits tools without a request/),
    capabilities: { clears_context: true },
  })
  const { server } = await acp({}, { ACP_ASKS: 'yes' })
  const verdict = (from: number) => server.next((frame) => frame['subtype'] === 'bridge', from)
  expect(await verdict(0)).toMatchObject({ guarded: true, guard_reason: null })
  let from = server.frames.length
  await server.turn('MODE code')
  expect(await verdict(from)).toMatchObject({
    guarded: false,
    guard_reason: 'permission mode: expected "default", got "code"',
  })
  from = server.frames.length
  await server.turn('MODE ask')
  expect(await verdict(from)).toMatchObject({ guarded: true })
  from = server.frames.length
  await server.turn(using({ kind: 'execute', rawInput: { command: 'echo ran' } }, 'UNASKED'))
  expect(await verdict(from)).toMatchObject({
    guarded: false,
    guard_reason: 'the program ran tool "Bash" without asking',
  })
})

test('exits with the reason if the program does not speak the protocol', async () => {
  const cases: [string[], Record<string, string>, number, RegExp][] = [
    [
      [],
      { ACP_VERSION: '2' },
      78,
      /error: the program speaks version 2 of the Agent Client Protocol, expected 1\nhint: /,
    ],
    [['bash', '-c', 'read; exit 3'], {}, 3, /ended|^/],
    [
      ['bash', '-c', 'read; echo \'{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"what?"}}\'; read'],
      {},
      78,
      /error: failed to initialize the program: what\?\nhint: run the command in/,
    ],
  ]
  for (const [command, env, code, text] of cases) {
    const { bridge } = await startAcp(command.length > 0 ? { command } : {}, env)
    expect([await bridge.exit, bridge.output]).toEqual([code, expect.stringMatching(text)])
  }
})

test('reports a program that requires its user to sign in', async () => {
  const introduction = { protocolVersion: 1, agentCapabilities: {} }
  const script = [
    `read; echo '${JSON.stringify({ jsonrpc: '2.0', id: 1, result: introduction })}'`,
    `read; echo '${JSON.stringify({ jsonrpc: '2.0', id: 2, error: { code: -32000, message: 'Authentication required' } })}'; read`,
  ].join('; ')
  const { bridge } = await startAcp({ command: ['bash', '-c', script] })
  expect(await bridge.exit).toBe(78)
  expect(bridge.output).toMatch(
    /the program did not start a session: Authentication required\nhint: sign in to the program/,
  )
})

test('exits with the exit code of the program', async () => {
  const { server, bridge } = await acp()
  server.prompt('EXIT 5')
  expect(await bridge.exit).toBe(5)
})
