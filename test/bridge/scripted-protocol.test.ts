// The scripted agent on a real socket: the order of frames, tools and decisions, interrupts, a cleared context.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { nameOf, namesOf, type Frame } from './agent-server.ts'
import { agentServer, startBridge } from './running.ts'

async function scripted(members = {}) {
  const server = await agentServer()
  const bridge = await startBridge(server, members)
  await server.next((frame) => frame['subtype'] === 'bridge')
  return { server, bridge }
}

const isResult = (frame: Frame) => frame['type'] === 'result'

test('shows its token and introduces itself before anything else', async () => {
  const { server, bridge } = await scripted()
  expect(server.last.headers.authorization).toBe('Bearer secret-of-agent-1')
  expect(server.frames[0]).toMatchObject({
    type: 'system',
    subtype: 'bridge',
    runtime: 'scripted',
    agent_version: '1.0.0',
    permission_mode: 'default',
    guarded: true,
    guard_reason: null,
    pid: bridge.pid,
    uuid: expect.any(String),
  })
  expect(server.last.texts[0]).toMatch(/\}\n$/)
})

test('says nothing until it is spoken to, then answers a prompt with init, assistant and result', async () => {
  const { server } = await scripted()
  const { result, frames } = await server.turn('hello')
  expect(namesOf(server.frames.slice(0, 2))).toEqual(['system/bridge'])
  expect(namesOf(frames)).toEqual(['system/init', 'assistant', 'result'])
  expect(result).toMatchObject({ subtype: 'success', is_error: false, result: 'ECHO(1): hello', num_turns: 1 })
  const init = frames.find((frame) => frame['subtype'] === 'init')!
  expect(init).toMatchObject({ permissionMode: 'default', session_id: result['session_id'], mcp_servers: [] })
  await server.next((frame) => frame['state'] === 'idle')
  expect(
    server.frames.filter((frame) => frame['subtype'] === 'session_state_changed').map((frame) => frame['state']),
  ).toEqual(['running', 'idle'])
})

test('every turn begins with an init of the same session, and the context grows', async () => {
  const { server } = await scripted()
  const first = await server.turn('one')
  const second = await server.turn('two')
  expect(second.result).toMatchObject({ result: 'ECHO(3): two', session_id: first.result['session_id'] })
  expect(second.frames.some((frame) => frame['subtype'] === 'init')).toBe(true)
})

test('usage is of the turn and the cost is a running total', async () => {
  const { server } = await scripted()
  const first = (await server.turn('one')).result
  const second = (await server.turn('two')).result
  expect(first['usage']).toMatchObject({
    input_tokens: 1,
    cache_creation_input_tokens: 1,
    cache_read_input_tokens: 0,
    output_tokens: 3,
  })
  expect(second['usage'].cache_read_input_tokens).toBeGreaterThan(0)
  expect(second['total_cost_usd']).toBeGreaterThan(first['total_cost_usd'])
  expect(second['duration_api_ms']).toBeGreaterThan(first['duration_api_ms'])
})

test('the same prompts give the same figures', async () => {
  const figures = async () => {
    const { server } = await scripted()
    await server.turn('one')
    const { usage, total_cost_usd, num_turns } = (await server.turn('two')).result
    return { usage, total_cost_usd, num_turns }
  }
  expect(await figures()).toEqual(await figures())
})

test('an allowed tool runs in the working directory and its output reaches the answer', async () => {
  const { server, bridge } = await scripted({ env: { GREETING: 'good day' } })
  server.prompt('USE_TOOL Bash echo $GREETING > said.txt; pwd')
  const question = await server.question()
  expect(question['request']).toMatchObject({
    tool_name: 'Bash',
    display_name: 'Bash',
    input: { command: 'echo $GREETING > said.txt; pwd' },
  })
  await server.next((frame) => frame['state'] === 'requires_action')
  server.allow(question)
  const result = await server.result()
  expect(result).toMatchObject({ result: `TOOL_OK: ${bridge.directory}`, num_turns: 2, permission_denials: [] })
  expect(readFileSync(join(bridge.directory, 'said.txt'), 'utf8')).toBe('good day\n')
  expect(namesOf(server.frames)).toEqual([
    'system/bridge',
    'system/init',
    'assistant',
    'assistant',
    'control_request/can_use_tool',
    'user',
    'assistant',
    'result',
  ])
  const [text, call] = server.frames.filter((frame) => frame['type'] === 'assistant')
  expect(text!['message'].id).toBe(call!['message'].id)
  expect(call!['message'].content[0]).toMatchObject({
    type: 'tool_use',
    id: question['request'].tool_use_id,
    name: 'Bash',
  })
})

test('a denied tool does not run, and the reason reaches the model word for word', async () => {
  const { server, bridge } = await scripted()
  server.prompt('USE_TOOL Bash touch no.txt')
  const question = await server.question()
  server.deny(question, "Tool 'Bash' is not allowed by policy 'deny_all'")
  const result = await server.result()
  expect(result).toMatchObject({
    subtype: 'success',
    is_error: false,
    result: "TOOL_ERR: Tool 'Bash' is not allowed by policy 'deny_all'",
  })
  expect(result['permission_denials']).toEqual([
    { tool_name: 'Bash', tool_use_id: question['request'].tool_use_id, tool_input: question['request'].input },
  ])
  const told = server.frames.find((frame) => frame['type'] === 'user')!
  expect(told['message'].content[0]).toMatchObject({
    type: 'tool_result',
    is_error: true,
    content: "Tool 'Bash' is not allowed by policy 'deny_all'",
  })
  expect(existsSync(join(bridge.directory, 'no.txt'))).toBe(false)
})

test('a changed input is what runs, an empty one means the original', async () => {
  const { server } = await scripted()
  server.prompt('USE_TOOL Bash echo asked')
  server.allow(await server.question(), { command: 'echo changed' })
  expect((await server.result())['result']).toBe('TOOL_OK: changed')
  const from = server.frames.length
  server.prompt('USE_TOOL Bash echo asked')
  server.allow(await server.question(from), {})
  expect((await server.result(from))['result']).toBe('TOOL_OK: asked')
})

test('an error in place of a decision denies the tool', async () => {
  const { server } = await scripted()
  server.prompt('USE_TOOL')
  const question = await server.question()
  server.send({
    type: 'control_response',
    response: { subtype: 'error', request_id: question['request_id'], error: 'no store' },
  })
  expect((await server.result())['result']).toBe('TOOL_ERR: Tool permission request failed: Error: no store')
})

test('the first answer wins, and answers to nothing are ignored', async () => {
  const { server } = await scripted()
  server.send({
    type: 'control_response',
    response: { subtype: 'success', request_id: 'nobody', response: { behavior: 'allow' } },
  })
  server.prompt('USE_TOOL Bash echo once')
  const question = await server.question()
  server.deny(question, 'no')
  server.allow(question)
  expect((await server.result())['result']).toBe('TOOL_ERR: no')
})

test('a deny that interrupts ends the turn with an error result', async () => {
  const { server } = await scripted()
  server.prompt('USE_TOOL')
  server.deny(await server.question(), 'stop here', { interrupt: true })
  expect(await server.result()).toMatchObject({
    subtype: 'error_during_execution',
    is_error: true,
    terminal_reason: 'aborted_tools',
  })
})

test('parallel tools all ask at once and take their answers in any order', async () => {
  const { server } = await scripted()
  server.prompt(
    'TOOLS:[{"name":"Bash","input":{"command":"echo one"}},{"name":"Bash","input":{"command":"echo two"}},{"name":"WebFetch","input":{"url":"http://x"}}]',
  )
  const questions = await eventually(() => {
    const asked = server.frames.filter((frame) => nameOf(frame) === 'control_request/can_use_tool')
    return asked.length === 3 && asked
  })
  server.allow(questions[2]!)
  server.deny(questions[0]!, 'not this')
  server.allow(questions[1]!)
  expect(await server.result()).toMatchObject({ result: 'TOOL_OK: WebFetch done', num_turns: 4 })
  const results = server.frames.filter((frame) => frame['type'] === 'user').map((frame) => frame['message'].content[0])
  const contentOf = (question: Frame) =>
    results.find((block) => block.tool_use_id === question['request'].tool_use_id).content
  expect(questions.map(contentOf)).toEqual(['not this', 'two', 'WebFetch done'])
})

test('a chain calls its tools one after the other', async () => {
  const { server, bridge } = await scripted()
  server.prompt(
    'CHAIN:[{"name":"Write","input":{"file_path":"a.txt","content":"red"}},{"name":"Edit","input":{"file_path":"a.txt","old_string":"red","new_string":"$& blue"}},{"name":"Read","input":{"file_path":"a.txt"}}]',
  )
  for (const name of ['Write', 'Edit', 'Read'])
    server.allow(await server.next((frame) => frame['request']?.tool_name === name))
  expect(await server.result()).toMatchObject({ result: 'TOOL_OK: $& blue', num_turns: 4 })
  expect(readFileSync(join(bridge.directory, 'a.txt'), 'utf8')).toBe('$& blue')
})

test('what goes wrong in a tool is its result, never the end of the agent', async () => {
  const { server, bridge } = await scripted()
  writeFileSync(join(bridge.directory, 'twice.txt'), 'x x')
  const wrong: [string, RegExp][] = [
    ['USE_TOOL Read missing.txt', /^TOOL_ERR: ENOENT/],
    ['USE_TOOL Bash echo half; exit 3', /^TOOL_ERR: Exit code 3\nhalf$/],
    ['USE_TOOL Edit twice.txt x y', /^TOOL_ERR: Edit needs old_string exactly once in .*instead it is there 2 times$/],
    ['TOOLS:[{"name":"Bash","input":{"command":"sleep 60","timeout":50}}]', /^TOOL_ERR: no end within 50 ms$/],
    ['TOOLS:[{"name":"Bash","input":{}}]', /^TOOL_ERR: Bash needs "command"$/],
  ]
  for (const [prompt, expected] of wrong) {
    const from = server.frames.length
    server.prompt(prompt)
    server.allow(await server.question(from))
    expect((await server.result(from))['result']).toMatch(expected)
  }
})

test('an interrupt withdraws the open question before it answers, and the turn ends with an error', async () => {
  const { server, bridge } = await scripted()
  server.prompt('USE_TOOL Bash touch late.txt')
  const question = await server.question()
  const from = server.frames.length
  const answer = await server.control({ subtype: 'interrupt' })
  expect(answer).toMatchObject({ subtype: 'success', response: { still_queued: [] } })
  const result = await server.result()
  expect(namesOf(server.frames.slice(from))).toEqual([
    'control_cancel_request',
    'control_response',
    'user',
    'user',
    'result',
  ])
  expect(server.frames[from]).toEqual({ type: 'control_cancel_request', request_id: question['request_id'] })
  expect(result).toMatchObject({ subtype: 'error_during_execution', is_error: true, terminal_reason: 'aborted_tools' })
  expect(result).not.toHaveProperty('result')
  server.allow(question)
  expect((await server.turn('still there')).result['result']).toContain('still there')
  expect(existsSync(join(bridge.directory, 'late.txt'))).toBe(false)
})

test('an interrupt kills a running command and all it started', async () => {
  const { server, bridge } = await scripted()
  server.prompt('USE_TOOL Bash (sleep 300 & echo $! > child.pid; wait)')
  server.allow(await server.question())
  const file = join(bridge.directory, 'child.pid')
  const pid = await eventually(() => existsSync(file) && Number(readFileSync(file, 'utf8')))
  await server.control({ subtype: 'interrupt' })
  expect(await server.result()).toMatchObject({ subtype: 'error_during_execution' })
  await eventually(() => !alive(pid))
})

test('an interrupt while it thinks ends the turn, and one while it is idle changes nothing', async () => {
  const { server } = await scripted()
  server.prompt('SLOW 60000')
  await server.next((frame) => frame['subtype'] === 'init')
  await server.control({ subtype: 'interrupt' })
  expect(await server.result()).toMatchObject({ terminal_reason: 'aborted_streaming', num_turns: 2 })
  await server.control({ subtype: 'interrupt' })
  expect((await server.turn('next')).frames.filter(isResult)).toHaveLength(1)
})

test('/clear gives a new session, an empty context and a cost of zero', async () => {
  const { server } = await scripted()
  const before = (await server.turn('remember me')).result
  const { result, frames } = await server.turn('/clear')
  expect(namesOf(frames)).toEqual(['conversation_reset', 'system/init', 'result'])
  expect(frames.find((frame) => frame['type'] === 'conversation_reset')).toMatchObject({
    trigger: 'clear',
    session_id: before['session_id'],
  })
  expect(result).toMatchObject({ result: '', num_turns: 0, total_cost_usd: 0, is_error: false })
  expect(result['session_id']).not.toBe(before['session_id'])
  expect((await server.turn('after')).result).toMatchObject({
    result: 'ECHO(1): after',
    session_id: result['session_id'],
  })
})

test('prompts sent while it is busy become one turn, and /clear waits its turn alone', async () => {
  const { server } = await scripted()
  for (const prompt of ['USE_TOOL Bash true', 'first', 'second', '/clear', 'third']) server.prompt(prompt)
  server.allow(await server.question())
  await eventually(() => server.frames.filter(isResult).length === 4)
  expect(server.frames.filter(isResult).map((frame) => frame['result'])).toEqual([
    'TOOL_OK: ',
    'ECHO(5): first\nsecond',
    '',
    'ECHO(1): third',
  ])
})

test('content may be a list of blocks', async () => {
  const { server } = await scripted()
  server.send({
    type: 'user',
    message: { role: 'user', content: [{ type: 'text', text: 'a' }, { type: 'image' }, { type: 'text', text: 'b' }] },
  })
  expect((await server.result())['result']).toBe('ECHO(1): a\n\nb')
})

test('FAIL ends the turn as a failed request to the model does', async () => {
  const { server } = await scripted()
  expect((await server.turn('FAIL out of credit')).result).toMatchObject({
    subtype: 'success',
    is_error: true,
    api_error_status: 400,
    result: 'API Error: 400 out of credit',
    terminal_reason: 'api_error',
  })
})

test('EXIT ends the process with its code after the last frame was delivered', async () => {
  const { server, bridge } = await scripted()
  server.prompt('EXIT 7')
  expect(await bridge.exit).toBe(7)
  expect(namesOf(server.frames).slice(1)).toEqual(['system/init', 'assistant'])
  expect(server.last.closed).toBe(1000)
})

test('initialize answers with version, mode, state and the open questions in full', async () => {
  const { server, bridge } = await scripted()
  expect(await server.control({ subtype: 'initialize' })).toMatchObject({
    subtype: 'success',
    response: { agent_version: '1.0.0', current_permission_mode: 'default', session_state: 'idle', pid: bridge.pid },
    pending_permission_requests: [],
  })
  server.prompt('USE_TOOL')
  const question = await server.question()
  expect(await server.control({ subtype: 'initialize' })).toMatchObject({
    response: { session_state: 'requires_action' },
    pending_permission_requests: [question],
  })
})

test('a change of mode is answered, announced, and makes the agent unguarded until it is undone', async () => {
  const { server } = await scripted()
  expect(await server.control({ subtype: 'set_permission_mode', mode: 'auto' })).toMatchObject({
    subtype: 'success',
    response: { mode: 'auto' },
  })
  expect(await server.next((frame) => frame['subtype'] === 'status')).toMatchObject({ permissionMode: 'auto' })
  expect(await server.next((frame) => frame['subtype'] === 'bridge' && !frame['guarded'])).toMatchObject({
    permission_mode: 'auto',
    guard_reason: 'permission mode is "auto", wanted "default"',
  })
  const from = server.frames.length
  await server.control({ subtype: 'set_permission_mode', mode: 'default' })
  expect(await server.next((frame) => frame['subtype'] === 'bridge', from)).toMatchObject({
    guarded: true,
    guard_reason: null,
  })
  expect(await server.control({ subtype: 'set_permission_mode', mode: 'bypassPermissions' })).toMatchObject({
    subtype: 'error',
    error: expect.stringContaining('bypassPermissions'),
  })
})

test('a change of model shows in the next turn', async () => {
  const { server } = await scripted({ model: 'large' })
  expect((await server.turn('x')).frames.find((frame) => frame['subtype'] === 'init')).toMatchObject({ model: 'large' })
  expect(await server.control({ subtype: 'set_model', model: 'small' })).toMatchObject({ response: { model: 'small' } })
  expect(await server.next((frame) => frame['isReplay'])).toMatchObject({ type: 'user' })
  expect((await server.turn('y')).result['modelUsage']).toHaveProperty('small')
})

test('end_session ends an idle agent with 0 and a busy one with 1 after an error result', async () => {
  const idle = await scripted()
  await idle.server.control({ subtype: 'end_session' })
  expect(await idle.bridge.exit).toBe(0)
  const busy = await scripted()
  busy.server.prompt('SLOW 60000')
  await busy.server.next((frame) => frame['subtype'] === 'init')
  await busy.server.control({ subtype: 'end_session' })
  expect(await busy.bridge.exit).toBe(1)
  expect(busy.server.frames.at(-1)).toMatchObject({ type: 'result', is_error: true })
})

test('an unknown control request is an error, and unknown frames are ignored', async () => {
  const { server } = await scripted()
  server.send({ type: 'keep_alive' })
  server.send({ type: 'of the future' })
  for (const subtype of ['dance', 'toString', 'constructor']) {
    expect(await server.control({ subtype })).toMatchObject({
      subtype: 'error',
      error: `Unsupported control request subtype: ${subtype}`,
    })
  }
})

test('goes on with the session it is told to resume', async () => {
  const { server } = await scripted({ resume_session: '11111111-2222-3333-4444-555555555555' })
  expect((await server.turn('again')).result['session_id']).toBe('11111111-2222-3333-4444-555555555555')
})

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
