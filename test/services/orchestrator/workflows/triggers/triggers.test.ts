import { describe, expect, test } from 'vitest'
import { triggers } from '../../../../../services/orchestrator/workflows/triggers/index.ts'
import { triggerContract } from './contract.ts'
import { firingContract } from './firing-contract.ts'

describe.each(triggers.map((definition) => ({ definition, type: definition.type })))('$type', ({ definition }) => {
  triggerContract(definition)
  firingContract(definition)
})

test('registers each type once', () => {
  const types = triggers.map((definition) => definition.type)
  expect([...new Set(types)]).toEqual(types)
})
