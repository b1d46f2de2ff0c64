import { expect, test } from 'vitest'
import { minimised } from './minimise.ts'
import { scheduleOf } from './schedule.ts'
import { countSteps, inWords, without, type Batch, type Step } from './steps.ts'

test('returns the same batches for the same seed only', () => {
  expect(scheduleOf(17, 5)).toEqual(scheduleOf(17, 5))
  expect(scheduleOf(17, 5)).not.toEqual(scheduleOf(18, 5))
})

test('uses every step and every edit in a few hundred seeds', () => {
  const steps = Array.from({ length: 300 }, (_, seed) => scheduleOf(seed, 5)).flat(2)
  const edits = steps.flatMap((step) => (step.step === 'commit' ? step.edits : []))
  const names = new Set([...steps.map(({ step }) => step), ...edits.map(({ edit }) => edit)])
  expect([...names].sort()).toEqual([
    'break',
    'change',
    'commit',
    'create',
    'declare',
    'delete',
    'end process',
    'kill',
    'move',
    'own rules',
    'patch',
    'prompt',
    'refile',
    'remove',
    'rename',
    'repair',
    'restart',
    'revert',
    'roll back',
    'rules',
    'sync',
    'undo',
  ])
})

test('leaves out steps by name', () => {
  const names = without(scheduleOf(17, 5), ['kill', 'move'])
    .flat()
    .map(({ step }) => step)
  expect(names).not.toContain('kill')
})

const violation = { law: 'a law', what: 'agents', detail: 'a detail' }
const kill = (after: number): Step => ({ step: 'kill', after })
const numbersOf = (batches: Batch[]) => batches.flat().map((step) => (step.step === 'kill' ? step.after : 0))

test('keeps only the steps that break the same law', async () => {
  const batches = [[kill(1), kill(2), kill(3)], [kill(4)], [kill(5), kill(6)]]
  const play = async (tried: Batch[]) => {
    const numbers = numbersOf(tried)
    const isBroken = numbers.includes(2) && numbers.includes(5)
    return { broken: isBroken ? [violation] : [], at: tried.length - 1 }
  }
  const least = await minimised(batches, { broken: [violation] }, { withinMs: 10_000, play })
  expect(least?.batches).toEqual([[kill(2)], [kill(5)]])
  expect(countSteps(least!.batches)).toBe(2)
  expect(least!.batches.flat().map((step) => inWords(step))).toEqual(['kill after=2', 'kill after=5'])
})

test('ignores a violation of a different law', async () => {
  const play = async () => ({ broken: [{ ...violation, law: 'another' }], at: 0 })
  expect(await minimised([[kill(1)], [kill(2)]], { broken: [violation] }, { withinMs: 10_000, play })).toBeNull()
})
