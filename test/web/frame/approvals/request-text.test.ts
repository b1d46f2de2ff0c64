import { describe, expect, test } from 'vitest'
import { editedInput, policyReason, requestText } from '../../../../web/frame/approvals/request-text.ts'

describe('the text of a request', () => {
  test('is its main argument, with all other fields', () => {
    expect(requestText({ command: 'git push', timeout: 5 })).toEqual({
      field: 'command',
      text: 'git push',
      rest: '{\n  "timeout": 5\n}',
    })
    expect(requestText({ url: 'https://a.example' })).toEqual({ field: 'url', text: 'https://a.example', rest: null })
  })

  test('is the whole input of other tools', () => {
    expect(requestText({ command: ['a'], x: 1 })).toEqual({
      field: null,
      text: '{\n  "command": [\n    "a"\n  ],\n  "x": 1\n}',
      rest: null,
    })
    expect(requestText('text').text).toBe('"text"')
    expect(requestText(undefined).text).toBe('undefined')
  })
})

describe('an edited request', () => {
  test('keeps its other fields', () => {
    expect(editedInput({ command: 'rm -rf x', timeout: 5 }, 'command', 'ls')).toEqual({ command: 'ls', timeout: 5 })
  })

  test('may be another object', () => {
    expect(editedInput({ a: 1 }, null, '{"a": 2}')).toEqual({ a: 2 })
  })

  test('is refused if it is no object', () => {
    for (const text of ['[]', 'null', '3', '{']) expect(() => editedInput({ a: 1 }, null, text)).toThrow(SyntaxError)
  })
})

describe('the reason for an approval', () => {
  const policy = {
    of: 'agent',
    mode: 'allow_list',
    name: 'ask-a-person',
    field: 'mode',
    entry: null,
    managed_by: null,
  } as const
  const text = (given: Parameters<typeof policyReason>[0]) =>
    policyReason(given)
      ?.map((part) => ('name' in part ? `"${part.name}"` : part.text))
      .join('')

  test('names the policy, and the entry that matched', () => {
    expect(text({ policy, tool_name: 'Bash' })).toBe(
      'The policy of the agent "ask-a-person" requires approval for every tool',
    )
    const asked = { ...policy, name: null, field: 'ask', entry: 'Bash(git push *)' } as const
    expect(text({ policy: asked, tool_name: 'Bash' })).toBe(
      'The policy of the agent requires approval for "Bash(git push *)"',
    )
    expect(text({ policy: { ...policy, field: 'otherwise' }, tool_name: 'Read' })).toContain('no entry that covers')
  })

  test('is unknown for a request to an earlier version', () => {
    expect(text({ policy: null, tool_name: 'Bash' })).toBeUndefined()
  })
})
