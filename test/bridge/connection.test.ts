import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { namesOf, nameOf } from './agent-server.ts'
import { agentServer, startBridge } from './running.ts'

test('connects as soon as an unreachable server starts', async () => {
  const server = await agentServer()
  await server.stop()
  const bridge = await startBridge(server)
  await eventually(() => bridge.output.includes('ECONNREFUSED'))
  await server.start()
  await server.connected()
  expect((await server.turn('hello')).result['result']).toBe('ECHO(1): hello')
})

test('retries after a refused upgrade of any status', async () => {
  const server = await agentServer()
  server.refuseWith = 401
  const bridge = await startBridge(server)
  await eventually(() => server.refusals >= 2)
  expect(bridge.output).toContain('not connected (refused with 401); retrying in 250 ms')
  server.refuseWith = null
  await server.connected()
  expect((await server.turn('hello')).result['is_error']).toBe(false)
})

test('gives up without a server with exit code 75 and a message', async () => {
  const server = await agentServer()
  server.refuseWith = 503
  const bridge = await startBridge(server, {}, { SVC_BRIDGE_GIVE_UP_SECS: '0.6' })
  expect(await bridge.exit).toBe(75)
  expect(bridge.output).toMatch(/ending: no connection to ws:\S+ for 0.6 s; last: refused with 503/)
})

test('continues a turn without a connection and delivers its frames in order', async () => {
  const server = await agentServer()
  await startBridge(server)
  await server.connected()
  server.prompt('SLOW 200')
  await server.next((frame) => frame['subtype'] === 'init')
  server.last.socket.terminate()
  await server.connected(2)
  expect(await server.result()).toMatchObject({ result: 'ECHO(1): SLOW 200' })
  const second = server.connections[1]!.frames
  expect(second[0]).toMatchObject({ subtype: 'bridge', guarded: true })
  expect(namesOf(second).slice(-2)).toEqual(['assistant', 'result'])
})

test('starts each connection with the last prompt passed to the program', async () => {
  const server = await agentServer()
  await startBridge(server)
  await server.connected()
  expect(await server.next((frame) => frame['subtype'] === 'bridge')).toMatchObject({ last_prompt: null })
  server.send({
    type: 'user',
    message: { role: 'user', content: 'one' },
    parent_tool_use_id: null,
    session_id: '',
    uuid: 'prompt-1',
  })
  await server.result()
  server.last.socket.terminate()
  await server.connected(2)
  const [greeting] = await eventually(() => server.last.frames.length > 0 && server.last.frames)
  expect(greeting).toMatchObject({ subtype: 'bridge', last_prompt: 'prompt-1' })
})

test('repeats frames after a drop by uuid until a prompt confirms them', async () => {
  const server = await agentServer()
  await startBridge(server)
  await server.connected()
  const { result } = await server.turn('one')
  await server.next((frame) => frame['state'] === 'idle')
  server.last.socket.terminate()
  await server.connected(2)
  expect(await server.next((frame) => frame['type'] === 'result', server.connections[0]!.frames.length)).toEqual(result)
  await server.turn('two')
  server.last.socket.terminate()
  await server.connected(3)
  const third = await eventually(() => server.last.frames.find((frame) => frame['type'] === 'result'))
  expect(third['result']).toBe('ECHO(3): two')
  expect(server.last.frames.map((frame) => frame['uuid'])).not.toContain(result['uuid'])
})

test('repeats an open request under its id on the new connection', async () => {
  const server = await agentServer()
  await startBridge(server)
  await server.connected()
  server.prompt('USE_TOOL Bash echo held')
  const question = await server.question()
  server.last.socket.close(1011)
  await server.connected(2)
  const again = await server.question(server.connections[0]!.frames.length)
  expect(again).toEqual(question)
  server.allow(again)
  expect((await server.result())['result']).toBe('TOOL_OK: held')
  server.last.socket.close(1001)
  await server.connected(3)
  await eventually(() => server.last.frames.some((frame) => frame['type'] === 'result'))
  expect(server.last.frames.map(nameOf)).not.toContain('control_request/can_use_tool')
})

test('delivers a request later if the server is unreachable', async () => {
  const server = await agentServer()
  const bridge = await startBridge(server)
  await server.connected()
  server.prompt('SLOW 100 USE_TOOL Bash echo patient')
  await server.next((frame) => frame['subtype'] === 'init')
  await server.stop()
  await eventually(() => bridge.output.includes('asks to use Bash'))
  await server.start()
  server.allow(await server.question())
  expect((await server.result())['result']).toBe('TOOL_OK: patient')
})

test.each([1002, 4001, 4003])('exits with code 0 after close code %i', async (code) => {
  const server = await agentServer()
  const bridge = await startBridge(server)
  const connection = await server.connected()
  connection.socket.close(code, 'enough')
  expect(await bridge.exit).toBe(0)
  expect(server.connections).toHaveLength(1)
  expect(bridge.output).toContain(`(${code}: enough)`)
})

test('ends the agent when its connection is replaced', async () => {
  const server = await agentServer()
  const bridge = await startBridge(server, {
    runtime: 'command',
    command: [process.execPath, '-e', 'process.stdin.resume(); console.log(process.pid)'],
  })
  const connection = await server.connected()
  const pid = Number((await eventually(() => /\| (\d+)\n/.exec(bridge.output)))[1])
  connection.socket.close(4000)
  expect(await bridge.exit).toBe(0)
  expect(() => process.kill(pid, 0)).toThrow('ESRCH')
})

test.each([1000, 1001, 1008, 1011, 4002, 4004])('reconnects after close code %i', async (code) => {
  const server = await agentServer()
  await startBridge(server)
  const connection = await server.connected()
  connection.socket.close(code)
  await server.connected(2)
  expect((await server.turn('back')).result['result']).toBe('ECHO(1): back')
})

test('accepts several lines per frame and drops invalid JSON', async () => {
  const server = await agentServer()
  const bridge = await startBridge(server)
  const connection = await server.connected()
  connection.socket.send(
    '\nnot json\n[1]\n{"type":"keep_alive"}\n{"type":"user","message":{"role":"user","content":"both"}}',
  )
  expect((await server.result())['result']).toBe('ECHO(1): both')
  expect(bridge.output.match(/dropped a line from the server/g)).toHaveLength(2)
})

test('increases the back-off if the server closes at once', async () => {
  const server = await agentServer()
  const bridge = await startBridge(server)
  for (let closed = 0; closed < 3; closed++) {
    const connection = await server.connected(closed + 1)
    connection.socket.close(1011)
  }
  await eventually(() => bridge.output.includes('(1011); retrying in 1000 ms'))
  expect(bridge.output.match(/retrying in \d+ ms/g)).toEqual([
    'retrying in 250 ms',
    'retrying in 500 ms',
    'retrying in 1000 ms',
  ])
})

test('shows no secret of the launch in the terminal', async () => {
  const server = await agentServer()
  const bridge = await startBridge(server)
  await server.connected()
  await server.turn('say secret-of-agent-1 and tools-of-agent-1')
  await eventually(() => bridge.output.includes('say ***'))
  expect(bridge.output).not.toMatch(/secret-of-agent-1|tools-of-agent-1/)
})
