import type { Edit, Id, Kind, Members, SourceName } from './desired.ts'

export type Step =
  /** One commit for both sources. */
  | { step: 'commit'; edits: Edit[] }
  /** Commits the files from before the last `count` commits. */
  | { step: 'roll back'; count: number }
  /** Manual, as are the following steps. */
  | { step: 'patch'; id: Id; member: string; value: unknown }
  /** Reverts manual changes. */
  | { step: 'undo'; id: Id }
  | { step: 'create'; kind: Kind; name: string; members: Members }
  /** `purge` also deletes the record of an agent. */
  | { step: 'delete'; id: Id; purge: boolean }
  | { step: 'restart'; id: Id }
  | { step: 'end process'; id: Id }
  /** Duration of the turn in milliseconds. */
  | { step: 'prompt'; id: Id; ms: number }
  | { step: 'sync'; source: SourceName }
  | { step: 'revert'; id: Id }
  /** `kill -9` of the daemon after this many effects; 0: at once. */
  | { step: 'kill'; after: number }

export type Batch = Step[]

export function inWords(step: Step): string {
  const { step: name, ...rest } = step
  return step.step === 'commit' ? `commit ${step.edits.map(inWordsOf).join('; ')}` : words(name, rest)
}

const inWordsOf = ({ edit, ...rest }: Edit): string => words(edit, rest)

const words = (name: string, rest: object): string =>
  [name, ...Object.entries(rest).map(([key, value]) => `${key}=${JSON.stringify(value)}`)].join(' ')

export const countSteps = (batches: readonly Batch[]): number => batches.reduce((sum, batch) => sum + batch.length, 0)

export function without(batches: readonly Batch[], names: readonly string[]): Batch[] {
  const kept = (step: Step): Step[] => {
    if (names.includes(step.step)) return []
    return step.step === 'commit'
      ? [{ ...step, edits: step.edits.filter(({ edit }) => !names.includes(edit)) }]
      : [step]
  }
  return batches.map((batch) => batch.flatMap(kept))
}
