import { expect, test } from 'vitest'
import { acceptChange, type AcceptTarget } from '../../../controller/reading/manifest-edit.ts'
import { kinds } from '../../../schemas/kinds.ts'
import { Secret } from '../../../schemas/secret.ts'

const target = (kind: string, name: string): AcceptTarget => ({
  definition: kinds.find((known) => known.kind === kind)!,
  name,
})
const W = target('workflows', 'w')
const X = target('workflows', 'x')

const A = target('agents', 'a')

const LISTS = `name: a
additional_dirs:
  # first
  - /one # of them
  - /two
may: [apply, "source"]
rooms:
- lobby
-   name: attic   # under the roof
    role: admin
tool_policy:
  mode: allow_list
  tools: []
`

const TEXT = `# top
name: w   # the name
agent: a
source:   # how it starts
  type: cron
  expression: "1 * * * *" # five fields
# between
prompt_template: |
  Do
  it

# before the interval
poll_interval: 5
tool_policy: { mode: allow_list, tools: [Read, Grep] } # tools
---
name: x
agent: 'a'
policy: p # shared
labels:
  a.b/c: d
  # last
`

/** Removed and added lines in diff format. */
function diff(before: string, after: string): string[] {
  const [a, b] = [before.split('\n'), after.split('\n')]
  let head = 0
  while (head < a.length && a[head] === b[head]) head++
  let tail = 0
  while (tail < Math.min(a.length, b.length) - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++
  return [
    ...a.slice(head, a.length - tail).map((line) => `- ${line}`),
    ...b.slice(head, b.length - tail).map((line) => `+ ${line}`),
  ]
}

const cases: Record<string, [target: AcceptTarget, path: string, value: unknown, wanted: string[]]> = {
  'a plain value': [W, 'agent', 'b', ['- agent: a', '+ agent: b']],
  'a quoted value and keeps its quotes': [X, 'agent', 'b', ["- agent: 'a'", "+ agent: 'b'"]],
  'a value to one that needs quotes': [W, 'agent', 'true', ['- agent: a', '+ agent: "true"']],
  'a nested value under an alternative field name': [
    W,
    'trigger.expression',
    '2 * * * *',
    ['-   expression: "1 * * * *" # five fields', '+   expression: "2 * * * *" # five fields'],
  ],
  'a nested field that was a default': [W, 'trigger.timezone', 'Europe/Vienna', ['+   timezone: Europe/Vienna']],
  'a field that was a default': [W, 'enabled', false, ['+ enabled: false']],
  'a multiline text': [W, 'prompt_template', 'New\nlines: x\n', ['-   Do', '-   it', '+   New', '+   lines: x']],
  'a multiline text to a single line': [
    W,
    'prompt_template',
    'one',
    ['- prompt_template: |', '-   Do', '-   it', '+ prompt_template: one'],
  ],
  'a field of a flow mapping': [
    W,
    'tool_policy.mode',
    'deny_list',
    [
      '- tool_policy: { mode: allow_list, tools: [Read, Grep] } # tools',
      '+ tool_policy: { mode: deny_list, tools: [Read, Grep] } # tools',
    ],
  ],
  'a flow list, with quotes where needed': [
    W,
    'tool_policy.tools',
    ['Read', 'Bash(a, b)'],
    [
      '- tool_policy: { mode: allow_list, tools: [Read, Grep] } # tools',
      '+ tool_policy: { mode: allow_list, tools: [Read, "Bash(a, b)"] } # tools',
    ],
  ],
  'a flow mapping by removing a field': [
    W,
    'tool_policy.tools',
    undefined,
    ['- tool_policy: { mode: allow_list, tools: [Read, Grep] } # tools', '+ tool_policy: { mode: allow_list } # tools'],
  ],
  'a manifest by removing a field': [W, 'poll_interval_secs', undefined, ['- poll_interval: 5']],
  'a field under an older name': [W, 'poll_interval_secs', 9, ['- poll_interval: 5', '+ poll_interval_secs: 9']],
  'a reference to a value': [
    X,
    'tool_policy',
    { mode: 'deny_list', tools: ['Bash'] },
    ['- policy: p # shared', '+ tool_policy:', '+   mode: deny_list', '+   tools:', '+     - Bash # shared'],
  ],
  'a field whose name contains dots': [X, 'labels.a.b/c', 'e', ['-   a.b/c: d', '+   a.b/c: e']],
  'a manifest by adding a mapping': [X, 'sync.mode', 'manual', ['+ sync:', '+   mode: manual']],
  'nothing if a default stays a default': [W, 'enabled', undefined, []],
}

for (const [title, [where, path, value, wanted]] of Object.entries(cases)) {
  test(`changes ${title}`, () => {
    expect(diff(TEXT, acceptChange(TEXT, where, path, value))).toEqual(wanted)
  })
}

test.each<[title: string, path: string, value: unknown, wanted: string[]]>([
  ['adds an element on a new line', 'additional_dirs[/three]', '/three', ['+   - /three']],
  ['removes an element with its line and comment', 'additional_dirs[/one]', undefined, ['-   - /one # of them']],
  [
    'adds an element in brackets',
    'may[approve]',
    'approve',
    ['- may: [apply, "source"]', '+ may: [apply, "source", approve]'],
  ],
  ['removes the first element in brackets', 'may[apply]', undefined, ['- may: [apply, "source"]', '+ may: ["source"]']],
  ['removes the last element in brackets', 'may[source]', undefined, ['- may: [apply, "source"]', '+ may: [apply]']],
  [
    'adds the first element of an empty list',
    'tool_policy.tools["Bash(ls [ab]*)"]',
    'Bash(ls [ab]*)',
    ['-   tools: []', '+   tools: ["Bash(ls [ab]*)"]'],
  ],
  ['adds a mapping to a list', 'rooms[den]', { name: 'den', role: 'member' }, ['+ - name: den', '+   role: member']],
  [
    'removes a mapping from a list',
    'rooms[attic]',
    undefined,
    ['- -   name: attic   # under the roof', '-     role: admin'],
  ],
  ['removes an element that is written as a name', 'rooms[lobby]', undefined, ['- - lobby']],
  ['changes a field of an element', 'rooms[attic].role', 'observer', ['-     role: admin', '+     role: observer']],
  ['adds a mapping that was not written', 'env.X', 'y', ['+ env:', '+   X: y']],
])('%s', (_title, path, value, wanted) => {
  expect(diff(LISTS, acceptChange(LISTS, A, path, value))).toEqual(wanted)
})

test('creates a list for its first element', () => {
  expect(acceptChange('name: a\n', A, 'additional_dirs[/one]', '/one')).toBe('name: a\nadditional_dirs:\n  - /one\n')
})

test('refuses to change elements in another form or behind an alias', () => {
  const refuse = (text: string, path: string, value?: unknown) => expect(() => acceptChange(text, A, path, value))
  refuse('name: a\nadditional_dirs: [sub]\n', 'additional_dirs[/here/sub]').toThrow(/its list uses another form/)
  refuse(LISTS, 'rooms[lobby].role', 'admin').toThrow(/cannot be written to the manifest/)
  refuse('name: a\nmay: &m [apply]\nlabels: { m: *m }\n', 'may[source]', 'source').toThrow(/other fields would change/)
  refuse('name: a\nadditional_dirs:\n  - /one\n', 'additional_dirs[/one]').toThrow(/other fields would change/)
})

test('keeps a byte order mark, CRLF and a missing final newline', () => {
  expect(acceptChange('\uFEFFname: w\r\nagent: a\r\n', W, 'prompt_template', 'x\ny\n')).toBe(
    '\uFEFFname: w\r\nagent: a\r\nprompt_template: |\r\n  x\r\n  y\r\n',
  )
  expect(acceptChange('name: w\nagent: a', W, 'agent', 'b')).toBe('name: w\nagent: b')
  expect(acceptChange('name: w\nagent: a', W, 'enabled', true)).toBe('name: w\nagent: a\nenabled: true')
  expect(acceptChange('{ name: w }', W, 'agent', 'b')).toBe('{ name: w, agent: b }')
})

test('finds the document by kind and name', () => {
  const text = 'kind: Agent\nname: w\nmodel: a\n---\nkind: workflow\nname: w\nagent: a\n'
  expect(diff(text, acceptChange(text, W, 'agent', 'b'))).toEqual(['- agent: a', '+ agent: b'])
  expect(diff(text, acceptChange(text, target('agents', 'w'), 'model', 'b'))).toEqual(['- model: a', '+ model: b'])
})

test('refuses changes that cannot be written, with the next step', () => {
  const refuse = (text: string, where: AcceptTarget, path: string, value: unknown) =>
    expect(() => acceptChange(text, where, path, value))
  refuse(TEXT, target('workflows', 'nobody'), 'agent', 'b').toThrow(
    'workflow nobody is not in this text: name the file that declares it',
  )
  refuse(TEXT, W, 'trigger.secret', new Secret('hush')).toThrow(
    /trigger\.secret of workflow w cannot be written to the manifest: it is a secret/,
  )
  refuse(TEXT, W, 'trigger', { type: 'webhook', secret: '***' }).toThrow(/it is a secret/)
  refuse(TEXT, X, 'tool_policy.mode', 'deny_all').toThrow(/the manifest uses "policy" instead; edit the file by hand/)
  refuse('name: w\nlabels: &l { a: b }\nannotations: *l\n', W, 'annotations.a', 'c').toThrow(/behind an alias/)
  refuse('name: w\nlabels: &l { a: b }\nannotations: *l\n', W, 'labels.a', 'c').toThrow(
    /other fields would change with it/,
  )
  refuse('name: w\nagent: [\n', W, 'agent', 'b').toThrow(/is not in this text/)
})
