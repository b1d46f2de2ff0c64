import { describe, expect, test } from 'vitest'
import { callOf } from '../../../../../web/screens/agents/policy/policy-call.ts'

describe('a written call', () => {
  test('names its tool before a colon, else is a command', () => {
    expect(callOf('Bash: cd web && npm ci')).toEqual({ tool: 'Bash', input: { command: 'cd web && npm ci' } })
    expect(callOf('  git log  ')).toEqual({ tool: 'Bash', input: { command: 'git log' } })
    expect(callOf('Read: .env')).toEqual({ tool: 'Read', input: { file_path: '.env' } })
    expect(callOf('echo a:b')).toEqual({ tool: 'Bash', input: { command: 'echo a:b' } })
  })

  test('takes its input as JSON, which other tools need', () => {
    expect(callOf('mcp_tool: {"id": 3}')).toEqual({ tool: 'mcp_tool', input: { id: 3 } })
    expect(() => callOf('mcp_tool: 3')).toThrow('write the input of mcp_tool as JSON')
    expect(() => callOf('Bash: ')).toThrow('write a call')
    expect(() => callOf('Bash: {"command"')).toThrow(SyntaxError)
  })
})
