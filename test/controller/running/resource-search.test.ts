import { describe, expect, test } from 'vitest'
import { searchOf } from '../../../controller/running/resource-search.ts'
import { newEntry, type Owned } from '../../../controller/planning/ownership.ts'
import { invalid } from '../../../platform/core/problem.ts'

const place = { file: 'team/agents.yml', line: 1, column: 1, sync: {}, dependsOn: [], spec: {} }
const owned = (kind: string, name: string, labels?: Record<string, string>, source = 'default'): Owned =>
  newEntry({ ...place, kind, name, labels, position: () => ({ line: 1, column: 1 }) }, source, null)

const all = [
  owned('agents', 'planner', { team: 'Build', tier: 'one' }),
  owned('agents', 'builder', { team: 'build' }),
  owned('workflows', 'plan-day', undefined, 'other'),
]
const kindOf = (word: string) => {
  if (['agent', 'agents'].includes(word)) return 'agents'
  throw invalid(`kind ${word} does not exist`)
}
const found = (filter: Parameters<typeof searchOf>[0]) =>
  all.filter(searchOf(filter, kindOf).holds).map(({ name }) => name)

describe('a search', () => {
  const cases: [title: string, filter: Parameters<typeof searchOf>[0], names: string[]][] = [
    ['everything without terms', {}, ['planner', 'builder', 'plan-day']],
    ['everything for blanks', { q: ' \t ' }, ['planner', 'builder', 'plan-day']],
    ['a word of a name in any case', { q: 'PLAN' }, ['planner', 'plan-day']],
    ['kind and name', { q: 'agents/pl' }, ['planner']],
    ['a word of a file', { q: 'team/agents' }, ['planner', 'builder', 'plan-day']],
    ['a word of a label', { q: 'tier=o' }, ['planner']],
    ['several words, all of which must hold', { q: 'plan agents/' }, ['planner']],
    ['a kind by any of its names', { q: 'kind:agent' }, ['planner', 'builder']],
    ['a source', { q: 'source:other' }, ['plan-day']],
    ['a label', { q: 'label:tier' }, ['planner']],
    ['a label with its exact value', { q: 'label:team=build' }, ['builder']],
    ['an unknown prefix, as a word', { q: 'colour:red' }, []],
    ['the members kind and source', { kind: 'agent', source: 'default' }, ['planner', 'builder']],
    ['several labels', { labels: 'team=Build,tier' }, ['planner']],
    ['no label by the name of a property of every object', { labels: 'constructor' }, []],
    ['no label by the name of the prototype', { q: 'label:__proto__' }, []],
    ['characters of patterns only verbatim', { q: '.* (' }, []],
  ]
  test.each(cases)('finds %s', (_title, filter, names) => {
    expect(found(filter)).toEqual(names)
  })

  test('keeps states apart from the other conditions', () => {
    const search = searchOf({ q: 'is:drifted plan is:odd' }, kindOf)
    expect(search.states).toEqual(['drifted', 'odd'])
    expect(all.filter(search.holds).map(({ name }) => name)).toEqual(['planner', 'plan-day'])
  })
})

describe('a faulty search', () => {
  const cases: [title: string, filter: Parameters<typeof searchOf>[0], message: string][] = [
    ['an unknown state', { q: 'is:drifed' }, 'q: is:drifed is not a state; did you mean "drifted"?'],
    ['a state in another case', { q: 'is:ODD' }, 'q: is:ODD is not a state; did you mean "odd"?'],
    ['a missing state', { q: 'is:' }, 'q: is: is not a state; expected one of synced, changed'],
    [
      'the name of a property of every object',
      { q: 'is:constructor' },
      'q: is:constructor is not a state; expected one of synced',
    ],
    ['an unknown kind', { q: 'kind:cars' }, 'kind cars does not exist'],
    ['a label without a name in q', { q: 'label:=x' }, 'q: expected a label as NAME or NAME=VALUE; got "=x"'],
    ['a label without a name', { labels: 'a,=x' }, 'labels: expected a label as NAME or NAME=VALUE; got "=x"'],
    ['an empty label', { labels: 'a,,b' }, 'labels: expected a label as NAME or NAME=VALUE; got ""'],
  ]
  test.each(cases)('is refused for %s', (_title, filter, message) => {
    expect(() => searchOf(filter, kindOf)).toThrow(
      expect.objectContaining({ status: 400, message: expect.stringContaining(message) }),
    )
  })
})
