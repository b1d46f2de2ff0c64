import { expect, test } from 'vitest'
import { toolOf } from '../../../bridge/acp/tool-call.ts'
import { Transcript } from '../../../bridge/acp/transcript.ts'
import type { Frame } from '../../../bridge/frames.ts'

const located = (...paths: string[]) => paths.map((path) => ({ path }))

const CASES: [string, Frame, string, Frame][] = [
  ['a command', { kind: 'execute', rawInput: { command: 'ls -l' } }, 'Bash', { command: 'ls -l' }],
  [
    'a command as a list',
    { kind: 'execute', rawInput: { command: ['bash', '-c', "echo 'a b'"], workdir: '/w' } },
    'Bash',
    { command: String.raw`bash -c 'echo '\''a b'\'''`, workdir: '/w' },
  ],
  ['a command with only a description', { kind: 'execute', title: 'List files' }, 'Bash', { title: 'List files' }],
  ['a list with a number', { kind: 'execute', rawInput: { command: ['ls', 1] } }, 'Bash', {}],
  ['a file', { kind: 'read', rawInput: { path: '/a' } }, 'Read', { file_path: '/a', path: '/a' }],
  [
    'a file by its location',
    { kind: 'read', title: 'Read a', locations: located('/a') },
    'Read',
    { file_path: '/a', title: 'Read a' },
  ],
  [
    'two files',
    { kind: 'edit', rawInput: { path: '/a' }, locations: located('/b') },
    'Edit',
    { file_path: ['/a', '/b'], path: '/a' },
  ],
  [
    'a changed file',
    { kind: 'edit', content: [{ type: 'diff', path: '/a', newText: '' }] },
    'Edit',
    { file_path: '/a' },
  ],
  ['a known name', { kind: 'edit', name: 'Write', rawInput: { file_path: '/a' } }, 'Write', { file_path: '/a' }],
  [
    'a notebook',
    { kind: 'edit', name: 'NotebookEdit', rawInput: { notebook_path: '/a' } },
    'NotebookEdit',
    { notebook_path: '/a' },
  ],
  [
    'a tool name of another kind',
    { kind: 'execute', name: 'Read', rawInput: { command: 'rm a' } },
    'Bash',
    { command: 'rm a' },
  ],
  ['a search without a path', { kind: 'search', rawInput: { query: 'x' } }, 'Grep', { path: [], query: 'x' }],
  ['a search of a known tool', { kind: 'search', name: 'Grep', rawInput: { pattern: 'x' } }, 'Grep', { pattern: 'x' }],
  ['an address', { kind: 'fetch', rawInput: { url: 'https://a.example' } }, 'WebFetch', { url: 'https://a.example' }],
  ['a web search', { kind: 'fetch', name: 'WebSearch', rawInput: { query: 'x' } }, 'WebSearch', { query: 'x' }],
  [
    'a tool of a server',
    { kind: 'read', name: 'mcp__svc__doc_read', rawInput: { id: '1' } },
    'mcp__svc__doc_read',
    { id: '1' },
  ],
  ['another tool', { kind: 'other', name: 'Deploy\u0000', rawInput: {}, title: 'Ship' }, 'Deploy', { title: 'Ship' }],
  ['a call without kind and name', {}, 'other', {}],
  ['an unknown kind', { kind: '__proto__' }, '__proto__', {}],
]

test.each(CASES)('maps %s to its tool and input', (_what, call, name, input) => {
  expect(toolOf(call)).toEqual({ name, input })
})

test('keeps the input of a call that the permission request describes with empty fields', () => {
  const transcript = new Transcript(
    () => undefined,
    () => undefined,
  )
  const call = { toolCallId: 'one', kind: 'read', rawInput: { filePath: '/a' }, locations: located('/a') }
  transcript.take({ sessionUpdate: 'tool_call', ...call })
  const asked = transcript.asked({ toolCallId: 'one', rawInput: {}, locations: [], content: null, title: 'Read a' })
  expect(toolOf(asked!)).toEqual({ name: 'Read', input: { file_path: '/a', filePath: '/a' } })
  const changed = transcript.asked({ toolCallId: 'one', rawInput: { filePath: '/b' } })
  expect(toolOf(changed!).input).toMatchObject({ file_path: ['/b', '/a'] })
})
