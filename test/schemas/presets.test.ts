import { describe, expect, test } from 'vitest'
import { PRESETS } from '../../schemas/tools/presets/index.ts'
import { policyFaults } from '../../schemas/tools/policy-faults.ts'

test('are the five built-in policies', () => {
  expect(PRESETS.map(({ name }) => name)).toEqual(['reviewer', 'builder', 'releaser', 'careful', 'open'])
})

describe.each(PRESETS.map((preset) => [preset.name, preset] as const))('%s', (_, preset) => {
  test('has no faults and no entry in two of its lists', () => {
    const { tools, ask, deny } = preset
    expect(policyFaults(preset, [])).toEqual([])
    const all = [...tools, ...ask, ...deny]
    expect(all.filter((entry, at) => all.indexOf(entry) !== at)).toEqual([])
  })
})
