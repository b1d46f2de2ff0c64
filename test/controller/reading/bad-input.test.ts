import { expect, test } from 'vitest'
import { CODES } from '../../../controller/rendering/diagnostics/codes.ts'
import { names, places, read } from './reading.ts'

const MIB = 1024 * 1024
const good = { 'policies/good.yml': 'name: good\nmode: allow_all\n' }
const fill = (part: string) => part.repeat(Math.floor(MIB / 4 / part.length))

function faults(content: string | Uint8Array): string[] {
  const state = read({ 'policies/x.yml': content, ...good })
  expect(names(state)).toContain('policies/good')
  expect(state.complete).toBe(state.diagnostics.every(({ severity }) => severity === 'warning'))
  return places(state.diagnostics).map((place) => place.replace('policies/x.yml:', ''))
}

const cases: Record<string, [content: string | Uint8Array, wanted: string[]]> = {
  'an empty file': ['', ['1:1 empty-file']],
  'a file with only whitespace': ['\n  \n', ['1:1 empty-file']],
  'a file with only comments': ['# nothing\n---\n# here\n', ['1:1 empty-file']],
  'a list': ['- name: x\n', ['1:1 not-a-mapping']],
  'a single word': ['hello\n', ['1:1 not-a-mapping']],
  'an explicit null': ['~\n', ['1:1 not-a-mapping']],
  'a tab as indentation': ['name: x\nmode: deny_list\ntools:\n\t- Read\n', ['4:1 tab-indent']],
  'a duplicate key': ['name: x\nmode: allow_all\nmode: deny_all\n', ['3:1 duplicate-key']],
  'a duplicate key in a flow mapping': ['{ name: x, mode: allow_all, mode: deny_all }\n', ['1:29 duplicate-key']],
  'a key that is a list': ['name: x\n? [a]\n: b\nmode: allow_all\n', ['2:3 invalid-key']],
  'a __proto__ key': ['name: x\nmode: allow_all\n__proto__: { mode: deny_all }\n', ['3:1 invalid-key']],
  'an unclosed quote': ['name: "x\nmode: allow_all\n', ['1:7 yaml-syntax']],
  'an unclosed bracket': ['name: x\nmode: allow_list\ntools: [Read\n', ['3:8 yaml-syntax']],
  'a value with a colon': ['name: x\ndescription: a: b\nmode: allow_all\n', ['2:14 yaml-syntax']],
  'an unknown tag': ['name: !secret x\nmode: allow_all\n', ['1:7 unknown-tag']],
  'an alias without an anchor': ['name: x\nmode: *mode\n', ['2:7 unknown-alias']],
  'an alias inside its own anchor': ['name: x\nmode: allow_all\nlabels: &l\n  a: *l\n', ['4:6 unknown-alias']],
  'a merge key': ['name: x\nlabels: &l { a: b }\nannotations: *l\n<<: *l\nmode: allow_all\n', ['4:1 unknown-member']],
  'a NUL character': ['name: x\nmode: allow\0_all\n', ['2:12 nul-character']],
  'an escaped NUL in a text': ['name: x\nmode: allow_all\ndescription: "a\\0b"\n', ['3:14 nul-character']],
  'half of a surrogate pair in a text': ['name: x\nmode: allow_all\nlabels: {a: "\\ud83d"}\n', ['3:13 lone-surrogate']],
  'half of a surrogate pair in a field name': [
    'name: x\nmode: allow_all\nlabels: {"\\udc00": a}\n',
    ['3:10 lone-surrogate'],
  ],
  'an escaped surrogate pair': ['name: x\nmode: allow_all\ndescription: "\\ud83d\\ude00 \\\\0"\n', []],
  'half of a surrogate pair in a sent file': [
    'name: x\nmode: allow_all\ndescription: \ud800\n',
    ['3:14 lone-surrogate'],
  ],
  'an unresolved merge conflict': [
    'name: x\n<<<<<<< HEAD\nmode: allow_all\n=======\nmode: deny_all\n>>>>>>> other\n',
    ['2:1 merge-conflict'],
  ],
  'the text of a merge conflict in a block': [
    'name: x\nmode: allow_all\ndescription: |\n  <<<<<<< a\n  =======\n  >>>>>>> b\n',
    [],
  ],
  'a git LFS pointer': [
    `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 9\n`,
    ['1:1 lfs-pointer'],
  ],
  'bytes that are not UTF-8': [
    Buffer.concat([Buffer.from('name: x\ndescription: "é'), Buffer.from([0xff, 0x22, 0x0a])]),
    ['2:16 not-utf8'],
  ],
  'UTF-16': [Buffer.from('\uFEFFname: x\n', 'utf16le'), ['1:1 not-utf8']],
  'a file of more than 1 MiB': ['#'.repeat(MIB + 1), ['1:1 file-too-large']],
  'an invalid name': ['name: "a b"\nmode: allow_all\n', ['1:7 invalid-value']],
  'a missing name': ['mode: allow_all\n', ['1:1 missing-member']],
  'a date in place of a string': ['name: 2020-01-01\ndescription: !!timestamp 2020-01-01\nmode: allow_all\n', []],
  'a %YAML directive for 1.2': ['%YAML 1.2\n---\nname: x\nmode: allow_all\n', []],
  'a %YAML directive for 1.1': ['%YAML 1.1\n---\nname: x\nmode: allow_all\n', ['1:7 yaml-version']],
  'a %YAML directive for 1.3': ['# c\n%YAML 1.3\n---\nname: x\nmode: allow_all\n', ['2:7 yaml-version']],
  'a %YAML directive of a second document': [
    'name: x\nmode: allow_all\n...\n%YAML\t1.1 # old\n---\nname: y\nmode: allow_all\n',
    ['4:7 yaml-version'],
  ],
  'a %YAML directive without a version': ['%YAML\n---\nname: x\nmode: allow_all\n', ['1:1 yaml-syntax']],
}

for (const [title, [content, wanted]] of Object.entries(cases)) {
  test(
    wanted.length === 0
      ? `accepts ${title} as text`
      : `reports ${title} as ${wanted.map((place) => place.split(' ')[1]).join(', ')}`,
    () => {
      expect(faults(content)).toEqual(wanted)
      for (const place of wanted) expect(CODES).toHaveProperty([place.split(' ')[1]!])
    },
  )
}

test('accepts a byte order mark and excludes it from columns', () => {
  expect(faults('\uFEFFname: x\nmode: allow_all\n')).toEqual([])
  expect(faults(Buffer.from('\uFEFFnmae: x\nname: x\nmode: allow_all\n'))).toEqual(['1:1 unknown-member'])
})

test('says which version of YAML is read, and reads no value by another one', () => {
  const file = '%YAML 1.1\n---\nname: a\nworking_dir: .\ninteractive: no\n'
  const { diagnostics, resources } = read({ 'agents/a.yml': file, 'svc.yaml': '%YAML 1.1\n---\nsync: { prune: no }\n' })
  expect(resources).toEqual([])
  expect(diagnostics.map(({ file, line, column, message }) => `${file}:${line}:${column} ${message}`)).toEqual([
    'agents/a.yml:1:7 YAML 1.1 is not supported: files are read as YAML 1.2',
    'svc.yaml:1:7 YAML 1.1 is not supported: files are read as YAML 1.2',
  ])
})

test('accepts CRLF and reports the same positions', () => {
  const text = 'name: x\nmode: nonsense\n# c\ntoolz: []\n'
  expect(faults(text.replaceAll('\n', '\r\n'))).toEqual(faults(text))
  const state = read({ 'agents/a.yml': 'name: a\r\nworking_dir: /\r\nprompt: |\r\n  one\r\n  two\r\n' })
  expect(state.resources[0]!.spec.prompt).toBe('one\ntwo\n')
})

test('reports a wrong type or value in one line', () => {
  const text = [
    'name: a',
    'working_dir: 5',
    'worktree: "yes"',
    'shell: zsch',
    'prompt: true',
    'rooms: engineering',
    'command: run',
    'auto_clear_threshold: 60s',
    'max_cost_usd: 0',
    'additional_dirs: [/, 7]',
    'tool_policy: { mode: deny_lst, tools: Read }',
    'env:',
    '  CI: true',
    '  TOKEN: 12345',
    '  1BAD: x',
    'model:',
    '',
  ].join('\n')
  const { diagnostics } = read({ 'agents/a.yml': text })
  expect(diagnostics.map(({ line, column, message, hint }) => `${line}:${column} ${message} | ${hint}`)).toEqual([
    '2:14 working_dir should be a string, instead got the number 5; put it in quotes | write "5"',
    '3:11 worktree should be true or false, instead got "yes" | write true or false, without quotes: yes, no, on and off are texts in YAML 1.2',
    '4:8 shell should be one of zsh, bash, instead got "zsch" | did you mean "zsh"?',
    '5:9 prompt should be a string, instead got the boolean true; put it in quotes | write "true"',
    '6:8 rooms should be a list, instead got "engineering" | write a list: [engineering]',
    '7:10 command should be a list, instead got "run" | write a list: [run]',
    '8:23 auto_clear_threshold should be an integer, instead got "60s" | write a number without unit and without quotes',
    '9:15 max_cost_usd should be more than 0, instead got the number 0 | use a value within these bounds',
    '10:22 additional_dirs[1] should be a string, instead got the number 7; put it in quotes | write "7"',
    '11:22 tool_policy.mode should be one of allow_all, deny_all, allow_list, deny_list, require_approval, instead got "deny_lst" | did you mean "deny_list"?',
    '11:39 tool_policy.tools should be a list, instead got "Read" | write a list: [Read]',
    '13:7 env.CI should be a string, instead got the boolean true; put it in quotes | write "true"',
    '14:10 env.TOKEN should be a string, instead got a number; put it in quotes | put the value in quotes',
    '15:3 this is not a valid name below env | write a name that matches ^(?!__proto__$)[A-Za-z_][A-Za-z0-9_]*$',
  ])
})

test('reports only the faults of the intended branch of a union', () => {
  const workflow = (trigger: string) => `name: w\nagent: a\nprompt_template: go\nsource: ${trigger}\n`
  const say = (trigger: string) =>
    read({ 'workflows/w.yml': workflow(trigger), 'agents/a.yml': 'name: a\nworking_dir: /\n' }).diagnostics.map(
      ({ line, column, message }) => `${line}:${column} ${message}`,
    )
  expect(say('{ type: crn, expression: "* * * * *" }')).toEqual([
    expect.stringContaining('4:17 source.type should be one of forge_issues'),
  ])
  expect(say('{ expression: "* * * * *" }')).toEqual(['4:9 source needs "type"'])
  expect(say('{ type: cron, expresion: "* * * * *" }')).toEqual(['4:23 unknown field "expresion" in source'])
  expect(say('{ type: queue, queue_name: "a b" }')).toEqual([
    expect.stringContaining('source.queue_name has an invalid format'),
  ])
  expect(say('manual')).toEqual(['4:9 source should be a mapping, instead got a string'])
  expect(
    read({
      'rooms/r.yml': 'name: r\n',
      'agents/a.yml': 'name: a\nworking_dir: /\nrooms:\n  - { name: r, rol: admin }\n',
    }).diagnostics.map(({ message, hint }) => `${message} | ${hint}`),
  ).toEqual(['unknown field "rol" in rooms[0] | did you mean "role"?'])
})

test('reports all faults of a manifest, but no follow-up errors', () => {
  const state = read({
    'workflows/w.yml': 'name: w\nagent: a\nsorce: { type: manual }\nprompt_template: "{{title"\npoll_interval: 0\n',
    'agents/a.yml': 'name: a\nworking_dir: /\n',
  })
  expect(places(state.diagnostics)).toEqual([
    'workflows/w.yml:3:1 unknown-member',
    'workflows/w.yml:4:18 template-unclosed',
    'workflows/w.yml:5:16 invalid-value',
  ])
})

test('reports a duplicate name at each position and lists the others', () => {
  const { diagnostics } = read({
    'policies/a.yml': 'name: p\nmode: allow_all\n',
    'policies/b.yml': 'name: p\nmode: deny_all\n---\nmode: deny_all\nname: p\n',
  })
  expect(places(diagnostics)).toEqual([
    'policies/a.yml:1:7 duplicate-name',
    'policies/b.yml:1:7 duplicate-name',
    'policies/b.yml:5:7 duplicate-name',
  ])
  expect(diagnostics[1]!.message).toBe('policy "p" is also declared at policies/a.yml:1, policies/b.yml:5')
})

test('accepts aliases and rejects exponentially nested ones', () => {
  const state = read({ 'agents/a.yml': 'name: a\nworking_dir: /\nlabels: &l { a: b }\nannotations: *l\n' })
  expect(state.diagnostics).toEqual([])
  const bomb = [
    'name: x',
    'mode: allow_all',
    'a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol, lol]',
    ...Array.from({ length: 30 }, (_, at) => `a${at + 1}: &a${at + 1} [${Array(10).fill(`*a${at}`).join(', ')}]`),
  ].join('\n')
  expect(faults(bomb)).toEqual([expect.stringContaining('alias-bomb')])
})

const hostile: Record<string, string> = {
  'open brackets': fill('[').repeat(4),
  'open braces': fill('{a: '),
  dashes: fill('- '),
  'question marks': fill('? '),
  'deeply nested mappings': Array.from({ length: 1300 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n'),
  'closing brackets': fill(']'),
  commas: `[${fill(',')}`,
  'unclosed quotes': fill('"\n'),
  'unknown fields': Array.from({ length: 25_000 }, (_, index) => `k${index}: 1`).join('\n'),
  'duplicate fields': fill('a: 1\n'),
  'blank documents': fill('---\n'),
  'faulty documents': fill('---\na: 1\n'),
  tabs: `a:\n${fill('\tb: 1\n')}`,
  aliases: fill('- *a\n'),
  directives: fill('%A\n'),
  'invalid list elements': `name: x\nmode: allow_list\ntools: [${'1,'.repeat(120_000)}]\n`,
}

for (const [title, text] of Object.entries(hostile)) {
  test(`limits the diagnostics of many ${title} and reads other files`, () => {
    const reported = faults(text)
    expect(reported.length).toBeGreaterThan(0)
    expect(reported.length).toBeLessThanOrEqual(102)
  })
}

test('reports the faults of thousands of manifests', () => {
  const files = Object.fromEntries(
    Array.from({ length: 3000 }, (_, index) => [
      `workflows/w${index}.yml`,
      `name: w${index}\nagent: nobody${index}\nsource: { type: manual }\nprompt_template: go\n`,
    ]),
  )
  expect(read(files).diagnostics).toHaveLength(3000)
})

test('reads a file truncated at any byte without throwing', () => {
  const text =
    '# head\nname: w\nagent: "a"\nsource: { type: cron, expression: \'* * * * *\' }\nlabels: &l\n  a: [b, "c\\n"]\nannotations: *l\nprompt_template: |\n  Do {{title}}\n  é ✓\n---\nname: v\nagent: a\nsource:\n  type: manual\nprompt_template: x # end\n'
  const bytes = Buffer.from(text)
  for (let length = 0; length <= bytes.length; length++) {
    const state = read({ 'workflows/w.yml': bytes.subarray(0, length) })
    for (const { line, column } of state.diagnostics) expect(line > 0 && column > 0).toBe(true)
  }
})
