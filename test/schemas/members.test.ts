import * as Type from 'typebox'
import Value from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { AgentManifest } from '../../schemas/agent/input.ts'
import { AgentInput, AgentPatch, AgentRecord, agentKind, canonicalAgent } from '../../schemas/agent.ts'
import {
  atomsIn,
  canonical,
  costIn,
  inputOf,
  nullable,
  partialOf,
  patchOf,
  recordOf,
  required,
  secretsIn,
  shaped,
  sortedSet,
  withDefault,
} from '../../schemas/members.ts'
import { Secret } from '../../schemas/secret.ts'

const table = {
  folder: required(Type.String(), { cost: 'replace' }),
  model: nullable(Type.String(), 'which model', { cost: 'restart' }),
  mode: withDefault(Type.Enum(['auto', 'manual']), 'auto'),
  tags: shaped(Type.Array(Type.String()), sortedSet, { atom: true }),
  env: shaped(Type.Record(Type.String(), Type.String()), (env) => Object.keys(env ?? {}).length, {
    secrets: [['*']],
    record: Type.Integer(),
  }),
}
const takes = (members: Record<string, Type.TSchema>, value: unknown) =>
  Value.Check(Type.Object(members, { additionalProperties: false }), value)

describe('a table of fields', () => {
  test('defines required and nullable fields', () => {
    expect(takes(inputOf(table), { folder: '/' })).toBe(true)
    expect(takes(inputOf(table), {})).toBe(false)
    expect(takes(inputOf(table), { folder: '/', model: null })).toBe(true)
    expect(takes(inputOf(table), { folder: '/', mode: null })).toBe(false)
  })

  test('lets a patch restore defaults by null, but not remove required fields', () => {
    expect(takes(patchOf(table), {})).toBe(true)
    expect(takes(patchOf(table), { model: null, mode: null, tags: null, env: null })).toBe(true)
    expect(takes(patchOf(table), { folder: null })).toBe(false)
    expect(takes(partialOf(table), { mode: 'auto' })).toBe(true)
    expect(takes(partialOf(table), { mode: null })).toBe(false)
  })

  test('shows every field in a record, in its record shape', () => {
    const record = { folder: '/', model: null, mode: 'auto', tags: [], env: 2 }
    expect(takes(recordOf(table), record)).toBe(true)
    const { model: _, ...without } = record
    expect(takes(recordOf(table), without)).toBe(false)
  })

  test('makes a canonical spec with defaults, nulls and sorted sets', () => {
    expect(canonical(table, { folder: '/', tags: ['b', 'a', 'b'], env: { A: '1' }, other: 1 })).toEqual({
      folder: '/',
      model: null,
      mode: 'auto',
      tags: ['a', 'b'],
      env: 1,
    })
  })

  test('returns costs, secrets and atomic fields', () => {
    const cost = costIn(table)
    expect(['folder', 'model', 'model.x', 'mode', 'name', 'constructor'].map(cost)).toEqual([
      'replace',
      'restart',
      'restart',
      'in-place',
      'in-place',
      'in-place',
    ])
    expect(secretsIn(table)).toEqual([['env', '*']])
    expect(atomsIn(table)).toEqual(['tags'])
  })
})

describe('an agent', () => {
  const members = (schema: { properties: object }) => Object.keys(schema.properties)
  const config = members(AgentRecord.properties.config)

  test('has the same fields in manifest, body, patch, record and spec', () => {
    expect(members(AgentInput)).toEqual(['name', ...config])
    expect(members(AgentPatch)).toEqual(['name', ...config, 'config'])
    expect(members(AgentManifest)).toEqual(expect.arrayContaining(config))
    expect(Object.keys(canonicalAgent({ name: 'a', working_dir: '/' }, { restart: 'never' }))).toEqual([
      'name',
      ...config,
    ])
  })

  test('allows every tool by default, not interactive and without a worktree', () => {
    expect(canonicalAgent({ name: 'a', working_dir: '/' }, { restart: 'never' })).toMatchObject({
      interactive: false,
      worktree: false,
      tool_policy: { mode: 'allow_all' },
    })
  })

  test('is stored with all defaults, and its environment as secrets', () => {
    const spec = canonicalAgent(
      { name: 'a', working_dir: '/', env: { B: '2', A: '1' }, rooms: ['z', { name: 'b', role: 'admin' }] },
      { restart: 'never' },
    )
    expect(spec).toMatchObject({
      shell: 'zsh',
      runtime: 'claude-code',
      restart: 'never',
      model: null,
      tool_policy: { mode: 'allow_all' },
      rooms: [
        { name: 'b', role: 'admin', respond: 'mentioned' },
        { name: 'z', role: 'member', respond: 'mentioned' },
      ],
    })
    expect(Object.keys(spec.env)).toEqual(['A', 'B'])
    expect(spec.env.A).toBeInstanceOf(Secret)
    expect(canonicalAgent(spec as never, { restart: 'always' })).toEqual(spec)
  })

  test('restarts for fields that only a new process reads', () => {
    expect(agentKind.change('env.TOKEN')).toBe('restart')
    expect(agentKind.change('prompt')).toBe('in-place')
    expect(agentKind.secrets).toEqual([['env', '*']])
  })
})
