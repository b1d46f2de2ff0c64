import { expect, test } from 'vitest'
import { anyHeals, askedRules, driftModeOf, syncRules } from '../../../controller/planning/sync-rules.ts'

const modes = (rules: ReturnType<typeof syncRules>, ...paths: string[]) => paths.map((path) => driftModeOf(rules, path))

test('prefers the longest matching path, then later rules', () => {
  const rules = syncRules(
    { drift: 'heal', fields: { env: 'report', 'env.HOME': 'block', tools: 'heal' } },
    { drift: 'report', fields: { tools: 'block' } },
  )
  expect(modes(rules, 'size', 'env.PATH', 'env.HOME', 'environment', 'tools[Read]', '')).toEqual([
    'report',
    'report',
    'block',
    'report',
    'block',
    'report',
  ])
})

test('blocks the whole resource if one field is blocked', () => {
  const rules = syncRules({ fields: { 'tool_policy.tools': 'block', 'env.HOME': 'heal' } })
  expect(modes(rules, 'tool_policy', 'tool_policy.mode', 'env')).toEqual(['block', 'report', 'report'])
})

test('lets a request revert all drift or keep all of it', () => {
  const rules = syncRules({ drift: 'heal', fields: { size: 'block', hard: 'heal' } })
  expect(anyHeals(rules)).toBe(true)
  expect(modes(askedRules(rules, false), 'size', 'hard', 'other')).toEqual(['heal', 'heal', 'heal'])
  const kept = askedRules(rules, true)
  expect(modes(kept, 'size', 'hard', 'other')).toEqual(['block', 'report', 'report'])
  expect(anyHeals(kept)).toBe(false)
})
