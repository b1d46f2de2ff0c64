import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import { nameOf, namesOf, type Frame } from '../agent-server.ts'
import { scripted } from './stand.ts'

test('runs an allowed tool in the working directory and returns its output', async () => {
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

test('does not run a denied tool and passes the reason verbatim', async () => {
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
  const reply = server.frames.find((frame) => frame['type'] === 'user')!
  expect(reply['message'].content[0]).toMatchObject({
    type: 'tool_result',
    is_error: true,
    content: "Tool 'Bash' is not allowed by policy 'deny_all'",
  })
  expect(existsSync(join(bridge.directory, 'no.txt'))).toBe(false)
})

test('runs a changed input; an empty one means the original', async () => {
  const { server } = await scripted()
  server.prompt('USE_TOOL Bash echo asked')
  server.allow(await server.question(), { command: 'echo changed' })
  expect((await server.result())['result']).toBe('TOOL_OK: changed')
  const from = server.frames.length
  server.prompt('USE_TOOL Bash echo asked')
  server.allow(await server.question(from), {})
  expect((await server.result(from))['result']).toBe('TOOL_OK: asked')
})

test('denies the tool on an error instead of a decision', async () => {
  const { server } = await scripted()
  server.prompt('USE_TOOL')
  const question = await server.question()
  server.send({
    type: 'control_response',
    response: { subtype: 'error', request_id: question['request_id'], error: 'no store' },
  })
  expect((await server.result())['result']).toBe('TOOL_ERR: Tool permission request failed: Error: no store')
})

test('uses the first answer and ignores unexpected ones', async () => {
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

test('requests parallel tools at once and accepts answers in any order', async () => {
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

test('calls the tools of a chain in sequence', async () => {
  const { server, bridge } = await scripted()
  server.prompt(
    'CHAIN:[{"name":"Write","input":{"file_path":"a.txt","content":"red"}},{"name":"Edit","input":{"file_path":"a.txt","old_string":"red","new_string":"$& blue"}},{"name":"Read","input":{"file_path":"a.txt"}}]',
  )
  for (const name of ['Write', 'Edit', 'Read'])
    server.allow(await server.next((frame) => frame['request']?.tool_name === name))
  expect(await server.result()).toMatchObject({ result: 'TOOL_OK: $& blue', num_turns: 4 })
  expect(readFileSync(join(bridge.directory, 'a.txt'), 'utf8')).toBe('$& blue')
})

test('returns the error of a tool as its result and continues', async () => {
  const { server, bridge } = await scripted()
  writeFileSync(join(bridge.directory, 'twice.txt'), 'x x')
  const wrong: [string, RegExp][] = [
    ['USE_TOOL Read missing.txt', /^TOOL_ERR: ENOENT/],
    ['USE_TOOL Bash echo half; exit 3', /^TOOL_ERR: Exit code 3\nhalf$/],
    ['USE_TOOL Edit twice.txt x y', /^TOOL_ERR: Edit: expected old_string once in .*found 2 times$/],
    ['TOOLS:[{"name":"Bash","input":{"command":"sleep 60","timeout":50}}]', /^TOOL_ERR: timed out after 50 ms$/],
    ['TOOLS:[{"name":"Bash","input":{}}]', /^TOOL_ERR: Bash requires "command"$/],
  ]
  for (const [prompt, expected] of wrong) {
    const from = server.frames.length
    server.prompt(prompt)
    server.allow(await server.question(from))
    expect((await server.result(from))['result']).toMatch(expected)
  }
})
