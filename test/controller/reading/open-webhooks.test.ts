import { expect, test } from 'vitest'
import { places, read } from './reading.ts'

const agent = (name: string) => `name: ${name}\nworking_dir: /\n`

test('warns of a webhook without a secret and names its field', () => {
  const hook = (name: string, trigger: string) => `name: ${name}\nagent: a\n${trigger}\nprompt_template: x\n`
  const files = {
    'agents/a.yml': agent('a'),
    'workflows/open.yml': hook('open', 'trigger_config: { type: webhook }'),
    'workflows/nil.yml': hook('nil', 'source: { type: webhook, secret: null }'),
    'workflows/signed.yml': hook('signed', 'source: { type: webhook, secret: hush }'),
  }
  const state = read(files)
  expect(places(state.diagnostics)).toEqual([
    'workflows/nil.yml:3:9 secret-missing',
    'workflows/open.yml:3:17 secret-missing',
  ])
  expect(state.diagnostics[1]).toMatchObject({
    severity: 'warning',
    message: expect.stringMatching(/^trigger_config has no secret: .*SVC_OPEN_WEBHOOKS=on/),
    hint: 'add secret: ${VARIABLE} to the trigger',
  })
  expect(state.resources).toHaveLength(4)
  expect(read(files, { strict: true }).diagnostics.map(({ severity }) => severity)).toEqual(['error', 'error'])
})

test('reports faults of match at their place', () => {
  const hook = (name: string, match: string) =>
    `name: ${name}\nagent: a\nsource:\n  type: webhook\n  secret: hush\n  match:\n${match}\nprompt_template: "{{payload.a}}"\n`
  const state = read({
    'agents/a.yml': agent('a'),
    'workflows/empty.yml': hook('empty', '    {}'),
    'workflows/good.yml': hook('good', '    event: [push, ping]\n    payload: {a.0.b: [1, true, x]}'),
    'workflows/path.yml': hook('path', '    payload:\n      a.b: 1\n      "a b": 1'),
    'workflows/unknown.yml': hook('unknown', '    evnt: push'),
    'workflows/value.yml': hook('value', '    payload:\n      a: {b: 1}'),
  })
  expect(places(state.diagnostics)).toEqual([
    'workflows/empty.yml:7:5 invalid-value',
    'workflows/path.yml:9:14 invalid-value',
    'workflows/unknown.yml:7:5 unknown-member',
    'workflows/value.yml:8:10 wrong-type',
  ])
  expect(state.diagnostics.map(({ message }) => message)).toEqual([
    'source.match should be something with at least 1 field, instead got a mapping',
    '"a b" is not a path of a payload',
    'unknown field "evnt" in source.match',
    expect.stringContaining('source.match.payload.a should be'),
  ])
  expect(state.diagnostics[2]!.hint).toContain('event')
})
