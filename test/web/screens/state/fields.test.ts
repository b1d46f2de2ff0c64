import { describe, expect, test } from 'vitest'
import { absentSides, driftOf, fieldRows, oddFields, placeOf } from '../../../../web/screens/state/fields.ts'

const applied = { model: null, tool_policy: { mode: 'allow_list', tools: ['Read'] }, env: {} }

describe('the fields of a resource', () => {
  test('are compared by dotted path, lists as a whole', () => {
    const live = { ...applied, tool_policy: { mode: 'deny_all' } }
    const { odd, equal } = oddFields(fieldRows({ desired: applied, last_applied: applied, live }))
    expect(odd).toEqual([
      {
        path: 'tool_policy.mode',
        desired: 'allow_list',
        applied: 'allow_list',
        live: 'deny_all',
        isDrifted: true,
        isChanged: false,
      },
      {
        path: 'tool_policy.tools',
        desired: ['Read'],
        applied: ['Read'],
        live: undefined,
        isDrifted: true,
        isChanged: false,
      },
    ])
    expect(equal.map(({ path }) => path)).toEqual(['model'])
  })

  test('have no drift while live state is unknown', () => {
    const rows = fieldRows({ desired: { model: 'b' }, last_applied: { model: 'a' }, live: null })
    expect(rows).toEqual([
      { path: 'model', desired: 'b', applied: 'a', live: undefined, isDrifted: false, isChanged: true },
    ])
  })

  test('show an object beside a value of another type as a whole', () => {
    const rows = fieldRows({
      desired: { sandbox: 'auto' },
      last_applied: { sandbox: { write: [] } },
      live: { sandbox: 'auto' },
    })
    expect(rows.map(({ path, isDrifted, isChanged }) => [path, isDrifted, isChanged])).toEqual([
      ['sandbox', true, true],
    ])
  })

  test('are complete for a resource that was never applied', () => {
    const rows = fieldRows({ desired: { model: 'a' }, last_applied: null, live: null })
    expect(rows.map(({ path, isChanged }) => [path, isChanged])).toEqual([['model', true]])
  })

  test('do not differ if one side has null, which is not set', () => {
    const [row] = fieldRows({ desired: { model: null }, last_applied: {}, live: { model: null } })
    expect(row).toMatchObject({ isDrifted: false, isChanged: false })
  })
})

test('a side that is absent as a whole is not called "not set"', () => {
  const none = { desired: null, last_applied: null, live: null }
  expect(absentSides({ ...none, drift: [] })).toEqual({
    desired: 'not in a manifest',
    applied: 'not applied yet',
    live: 'unknown',
  })
  expect(absentSides({ ...none, drift: [{ path: '', resolution: null } as never] }).live).toBe('missing')
  expect(absentSides({ desired: {}, last_applied: {}, live: {}, drift: [] })).toEqual({
    desired: 'not set',
    applied: 'not set',
    live: 'not set',
  })
})

test('finds the drift record of a field, of its object or of its entry', () => {
  const record = (path: string, resolution: string | null = null) => ({ id: path, path, resolution })
  const drift = [record('tool_policy.mode', 'reverted'), record('tool_policy'), record('env[HOME]')] as never
  expect(driftOf('tool_policy.mode', { drift })?.id).toBe('tool_policy')
  expect(driftOf('env', { drift })?.id).toBe('env[HOME]')
  expect(driftOf('tool_policy_2', { drift })).toBeUndefined()
})

test('finds the place of a field in its manifest', () => {
  const members = [
    { path: 'model', place: null },
    { path: 'tool_policy.tools[Read]', place: 'agents/greeter.yml:6:9' },
  ] as never
  expect(placeOf('tool_policy.tools', { members })).toBe('agents/greeter.yml:6')
  expect([placeOf('model', { members }), placeOf('env', { members })]).toEqual([null, null])
})
