// Full products of choices, and cases made of them.
import type { DecisionInput } from '../../../../../../services/conductor/decision/contract.ts'
import type { Snapshot } from '../../../../../../services/conductor/snapshot/facts.ts'
import { inputOf } from '../../../snapshots.ts'
import type { Case } from '../facts.ts'

type Choices<Chosen> = { readonly [Name in keyof Chosen]: readonly Chosen[Name][] }

/** Every combination of one choice for each name. */
export function* product<Chosen extends object>(choices: Choices<Chosen>): Generator<Chosen> {
  const names = Object.keys(choices) as (keyof Chosen)[]
  const counters = names.map(() => 0)
  for (;;) {
    const chosen = {} as Chosen
    names.forEach((name, at) => (chosen[name] = choices[name][counters[at]!]!))
    yield chosen
    let at = 0
    for (; at < names.length; at += 1) {
      const next = counters[at]! + 1
      const { length } = choices[names[at]!]
      counters[at] = next % length
      if (next < length) break
    }
    if (at === names.length) return
  }
}

export const flags = [false, true] as const

/** Elements of a list, or none if the condition is false. */
export const listIf = <Element>(condition: boolean, ...elements: Element[]): Element[] => (condition ? elements : [])

interface Given extends Partial<Omit<DecisionInput, 'snapshot'>> {
  restacks?: Case['restacks']
  merges?: Case['merges']
  rereads?: Case['rereads']
  deletions?: Case['deletions']
  announcements?: Case['announcements']
}

export const caseOf = (group: string, choices: object, snapshot: Partial<Snapshot>, given: Given = {}): Case => ({
  ...given,
  ...inputOf(snapshot, given),
  group,
  choices,
})

/** A memory that is empty, unreachable, or holds these keys with their ages. */
export const memoryOf = (
  time: number,
  ages: Readonly<Record<string, number | undefined>> | null,
): DecisionInput['reported'] =>
  ages === null
    ? null
    : new Map(Object.entries(ages).flatMap(([key, age]) => (age === undefined ? [] : [[key, time - age]])))
