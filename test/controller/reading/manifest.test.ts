import { mkdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Secret } from '../../../schemas/secret.ts'
import { emptyContext, folder, names, places, put, read } from './reading.ts'

const agent = (name: string, more = '') => `name: ${name}\nworking_dir: /\n${more}`
const manual = (name: string, agentName: string, more = '') =>
  `name: ${name}\nagent: ${agentName}\nsource: { type: manual }\nprompt_template: go\n${more}`

test('prefers `kind`, in any spelling, to the folder name', () => {
  const state = read({
    'workflows/a.yml': `kind: Agent\n${agent('a')}`,
    'workflows/b.yml': `kind: agents\n${agent('b')}`,
    'x.yml': 'kind: policy\nname: p\nmode: allow_all\n',
  })
  expect(state.diagnostics).toEqual([])
  expect(names(state)).toEqual(['policies/p', 'agents/a', 'agents/b'])
})

test('derives the kind from the nearest folder named after one', () => {
  const state = read({ 'workflows/agents/team/a.yml': agent('a') })
  expect(names(state)).toEqual(['agents/a'])
})

test('derives the kind from the name of the source folder', () => {
  const root = folder({ 'agents/a.yml': '' })
  expect(names(read({ 'team/a.yml': agent('a') }, { root: `${root}/agents` }))).toEqual(['agents/a'])
})

test('reports a missing or unknown kind with the valid kinds', () => {
  const { diagnostics } = read({ 'a.yml': agent('a'), 'b.yml': 'name: b\nkind: Agnt\n', 'c.yml': 'name: c\nkind: 7\n' })
  expect(places(diagnostics)).toEqual(['a.yml:1:1 kind-missing', 'b.yml:2:7 unknown-kind', 'c.yml:2:7 unknown-kind'])
  expect(diagnostics[1]!.hint).toBe('did you mean "Agent"?')
})

test('reports the position of each document and ignores blank documents', () => {
  const state = read({
    'policies/all.yml': '---\n# first\nname: a\nmode: allow_all\n---\n---\n{ mode: deny_all, name: b }\n---\n',
  })
  expect(state.diagnostics).toEqual([])
  expect(state.resources.map(({ name, file, line, column }) => [name, file, line, column])).toEqual([
    ['a', 'policies/all.yml', 3, 1],
    ['b', 'policies/all.yml', 7, 19],
  ])
})

test('reads the other documents of a file with a faulty one', () => {
  const state = read({ 'policies/all.yml': 'name: a\nmode: [\n---\nname: b\nmode: deny_all\n' })
  expect(names(state)).toEqual(['policies/b'])
  expect(state.complete).toBe(false)
})

test('accepts labels, annotations, sync and depends_on on every kind', () => {
  const more =
    'apiVersion: svc/v1\nlabels: { a.b/c: d }\nannotations: { e: f }\nsync: { mode: manual, self_heal: true, ignore: [prompt] }\ndepends_on: [policy/p]\n'
  const state = read({ 'agents/a.yml': agent('a', more), 'policies/p.yml': 'name: p\nmode: allow_all\n' })
  expect(state.diagnostics).toEqual([])
  expect(state.resources[1]).toMatchObject({
    sync: { mode: 'manual', drift: 'heal', ignore: ['prompt'] },
    dependsOn: ['policies/p'],
  })
})

test('rejects contradicting self_heal and drift in resources and sources', () => {
  const rules = 'sync:\n  drift: report\n  self_heal: true\n'
  const { diagnostics } = read({ 'agents/a.yml': agent('a', rules), 'svc.yaml': rules })
  expect(places(diagnostics)).toEqual(['agents/a.yml:5:14 conflicting-members', 'svc.yaml:3:14 conflicting-members'])
})

test('reads source rules from svc.yaml and expands self_heal', () => {
  expect(read({ 'svc.yaml': 'sync: { mode: manual, self_heal: true, max_delete: "3" }\n' }).sync).toEqual({
    mode: 'manual',
    drift: 'heal',
    max_delete: '3',
  })
  expect(read({}).sync).toEqual({})
})

test('applies nothing automatically while svc.yaml has errors', () => {
  const state = read({ 'svc.yaml': 'sync:\n  mode: automatic\n  prun: false\n  max_delete: 5\n' })
  expect(places(state.diagnostics)).toEqual([
    'svc.yaml:2:9 invalid-value',
    'svc.yaml:3:3 unknown-member',
    'svc.yaml:4:15 wrong-type',
  ])
  expect(state).toMatchObject({ complete: false, sync: { mode: 'manual', prune: false } })
})

test('resolves the policy of an agent and orders it first', () => {
  const state = read({
    'agents/a.yml': agent('a', 'policy: zz\n'),
    'policies/zz.yml': 'name: zz\nmode: allow_list\ntools: [Read, Bash]\n',
    'workflows/w.yml': manual('w', 'a'),
  })
  expect(names(state)).toEqual(['policies/zz', 'agents/a', 'workflows/w'])
  expect(state.resources[1]!.spec.tool_policy).toEqual({ mode: 'allow_list', tools: ['Bash', 'Read'] })
})

test('reports an unknown reference with the nearest name', () => {
  const files = {
    'agents/planner.yml': agent('planner'),
    'workflows/a.yml': manual('a', 'plannr'),
    'workflows/b.yml': manual('b', 'stranger'),
  }
  const state = read(files, {
    context: { ...emptyContext, exists: (kind, name) => kind === 'agents' && name === 'stranger' },
  })
  expect(places(state.diagnostics)).toEqual(['workflows/a.yml:2:8 unknown-reference'])
  expect(state.diagnostics[0]).toMatchObject({ kind: 'workflows', name: 'a', hint: 'did you mean "planner"?' })
  expect(names(state)).toEqual(['agents/planner', 'workflows/b'])
})

test('refuses an external policy that cannot be read', () => {
  const files = { 'agents/a.yml': agent('a', 'policy: shared\n') }
  const refused = read(files, { context: { ...emptyContext, exists: () => true } })
  expect(places(refused.diagnostics)).toEqual(['agents/a.yml:3:9 reference-out-of-reach'])
  expect(refused.resources).toEqual([])
  const taken = read(files, {
    context: {
      ...emptyContext,
      exists: () => true,
      resolve: () => ({ name: 'shared', mode: 'deny_all', tools: [], description: null }),
    },
  })
  expect(taken.resources[0]!.spec.tool_policy).toEqual({ mode: 'deny_all' })
})

test('excludes dependents of a faulty manifest without reporting them', () => {
  const state = read({
    'policies/p.yml': 'name: p\nmode: nonsense\n',
    'agents/a.yml': agent('a', 'policy: p\n'),
    'workflows/w.yml': manual('w', 'a'),
    'agents/free.yml': agent('free'),
  })
  expect(places(state.diagnostics)).toEqual(['policies/p.yml:2:7 invalid-value'])
  expect(names(state)).toEqual(['agents/free'])
})

test('reports no unknown reference to a name in an unparsable file', () => {
  const state = read({
    'agents/a.yml': '',
    'agents/b.yml': 'name: second\n\tworking_dir: /\n',
    'workflows/w.yml': manual('w', 'a'),
    'workflows/v.yml': manual('v', 'second'),
  })
  expect(places(state.diagnostics)).toEqual(['agents/a.yml:1:1 empty-file', 'agents/b.yml:2:1 tab-indent'])
})

test('accepts all kind spellings in depends_on and suggests the nearest', () => {
  const state = read({
    'agents/a.yml': agent('a', 'depends_on: [Agent/b, agnts/b, agents/nobody]\n'),
    'agents/b.yml': agent('b'),
  })
  expect(places(state.diagnostics)).toEqual(['agents/a.yml:3:23 unknown-kind', 'agents/a.yml:3:32 unknown-reference'])
  expect(state.diagnostics[0]!.hint).toBe('did you mean "agents"?')
})

test('allows a workflow to follow itself, but no depends_on cycle', () => {
  const chain =
    'name: loop\nagent: a\nsource: { type: dispatch_result, source_workflow: loop }\nprompt_template: again\n'
  const state = read({
    'agents/a.yml': agent('a'),
    'workflows/loop.yml': chain,
    'agents/b.yml': agent('b', 'depends_on: [agents/c]\n'),
    'agents/c.yml': agent('c', 'depends_on: [agents/b]\n'),
    'workflows/w.yml': manual('w', 'b'),
  })
  expect(places(state.diagnostics)).toEqual(['agents/b.yml:3:14 cycle', 'agents/c.yml:3:14 cycle'])
  expect(state.diagnostics.map(({ message }) => message)).toEqual([
    'dependency cycle: b → c → b',
    'dependency cycle: c → b → c',
  ])
  expect(names(state)).toEqual(['agents/a', 'workflows/loop'])
})

test('replaces variables only in secret fields', () => {
  const variables: Record<string, string> = { TOKEN: 'hush', EMPTY: '' }
  const env =
    'prompt: say ${TOKEN}\nenv:\n  A: ${TOKEN}\n  B: "x-${TOKEN}-${NONE:-def}"\n  C: ${EMPTY:-d}\n  D: ${EMPTY}\n  E: $TOKEN {{title}} ${}\n'
  const hook = 'name: w\nagent: a\nsource: { type: webhook, secret: "${TOKEN}" }\nprompt_template: "${TOKEN}"\n'
  const state = read(
    { 'agents/a.yml': agent('a', env), 'workflows/w.yml': hook },
    { context: { ...emptyContext, variable: (name) => variables[name] } },
  )
  expect(state.diagnostics).toEqual([])
  const [a, w] = state.resources
  expect(a!.spec.prompt).toBe('say ${TOKEN}')
  expect(Object.values(a!.spec.env as Record<string, Secret>).map((secret) => secret.reveal())).toEqual([
    'hush',
    'x-hush-def',
    'd',
    '',
    '$TOKEN {{title}} ${}',
  ])
  expect(w!.spec.trigger.secret).toBeInstanceOf(Secret)
  expect(w!.spec.trigger.secret.reveal()).toBe('hush')
  expect(w!.spec.prompt_template).toBe('${TOKEN}')
  expect(JSON.stringify(state)).not.toContain('hush')
})

test('reports an unset or nested variable at its value', () => {
  const { diagnostics } = read({ 'agents/a.yml': agent('a', 'env:\n  A: ${NOPE}\n  B: "${A:-${B}}"\n') })
  expect(places(diagnostics)).toEqual(['agents/a.yml:4:6 variable-unset', 'agents/a.yml:5:6 variable-malformed'])
  expect(diagnostics[0]!.hint).toContain('${NOPE:-value}')
})

test.each([
  ['MODEL_API_KEY: abcdefgh12', true],
  [`MODEL: sk-${'a1'.repeat(12)}`, true],
  [`FORGE: ghp_${'a1'.repeat(18)}`, true],
  ['MODEL_API_KEY: ${MODEL_API_KEY:-none}', false],
  ['MODEL: sk-learn', false],
])('warns about a key in plain text, without its text: %s', (line, warns) => {
  const { diagnostics } = read({ 'agents/a.yml': `name: a\nworking_dir: /tmp\nenv:\n  ${line}\n` })
  const found = diagnostics.filter(({ code }) => code === 'secret-literal')
  expect(places(found)).toEqual(warns ? [`agents/a.yml:4:${line.indexOf(' ') + 4} secret-literal`] : [])
  expect(JSON.stringify(found)).not.toContain(line.split(': ')[1])
})

test('resolves relative paths, `.` as the git working tree and `~`', () => {
  const root = folder({ 'team/agents/a.yml': '', 'work/.keep': '' })
  mkdirSync(`${root}/.git`)
  const dirs = 'name: a\nworking_dir: .\nadditional_dirs: [../../work, ~/, "~", ./]\n'
  const state = read({ 'agents/a.yml': dirs }, { root: `${root}/team`, home: `${root}/work` })
  expect(state.diagnostics).toEqual([])
  expect(state.resources[0]!.spec).toMatchObject({
    working_dir: root,
    additional_dirs: [`${root}/team/agents`, `${root}/work`],
  })
})

test('resolves `.` as the source folder outside of git', () => {
  const root = folder({ 'agents/a.yml': '' })
  expect(read({ 'agents/a.yml': 'name: a\nworking_dir: .\n' }, { root }).resources[0]!.spec.working_dir).toBe(root)
})

test('reads a template file and includes its text in the revision', () => {
  const root = folder({ 'workflows/prompts/go.md': 'Do {{title}}' })
  const files = {
    'agents/a.yml': agent('a'),
    'workflows/w.yml': 'name: w\nagent: a\nsource: { type: manual }\nprompt_template_file: prompts/go.md\n',
  }
  const before = read(files, { root })
  expect(before.resources[1]!.spec.prompt_template).toBe('Do {{title}}')
  put(root, 'workflows/prompts/go.md', 'Do it')
  const after = read(files, { root })
  expect(after.resources[1]!.spec.prompt_template).toBe('Do it')
  expect(after.revision).not.toBe(before.revision)
  put(root, 'workflows/prompts/go.md', new Uint8Array([0xff, 0xfe]))
  expect(places(read(files, { root }).diagnostics)).toEqual(['workflows/w.yml:4:23 file-unreadable'])
})

test('finds the position of a canonical field in any spelling', () => {
  const text =
    'agent: a\nname: w\nsource_config:\n  type: queue\n  queue_name: builds\npoll_interval: 5\npolicy: p\nlabels:\n  a.b/c: d\nprompt_template: |\n  go\n'
  const state = read({
    'agents/a.yml': agent('a'),
    'policies/p.yml': 'name: p\nmode: allow_all\n',
    'workflows/w.yml': text,
  })
  const workflow = state.resources.find(({ kind }) => kind === 'workflows')!
  const at = (path: string) => `${workflow.position(path).line}:${workflow.position(path).column}`
  expect(
    Object.fromEntries(
      [
        '',
        'agent',
        'trigger',
        'trigger.queue_name',
        'trigger.visibility_timeout_secs',
        'poll_interval_secs',
        'tool_policy.mode',
        'labels.a.b/c',
        'enabled',
        'prompt_template',
      ].map((path) => [path, at(path)]),
    ),
  ).toEqual({
    '': '2:1',
    agent: '1:1',
    trigger: '3:1',
    'trigger.queue_name': '5:3',
    'trigger.visibility_timeout_secs': '3:1',
    poll_interval_secs: '6:1',
    'tool_policy.mode': '7:1',
    'labels.a.b/c': '9:3',
    enabled: '2:1',
    prompt_template: '10:1',
  })
})

test('derives the revision from contents and names, not file order', () => {
  const of = (files: Record<string, string>) => read(files).revision
  const [a, b] = [agent('a'), agent('b')]
  expect(of({ 'agents/a.yml': a, 'agents/b.yml': b })).toBe(of({ 'agents/b.yml': b, 'agents/a.yml': a }))
  expect(new Set([of({ 'agents/a.yml': a }), of({ 'agents/a.yml': b }), of({ 'agents/b.yml': a }), of({})]).size).toBe(
    4,
  )
})
