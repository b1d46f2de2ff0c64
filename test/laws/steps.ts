// What may happen to a daemon, as values: a seed is a list of batches of these, and a failure is told in them.
import type { Edit, Id, Kind, Members, SourceName } from './desired.ts'

export type Step =
  /** Both sources in one commit. */
  | { step: 'commit'; edits: Edit[] }
  /** The files as they were before the last `count` commits, committed. */
  | { step: 'go back'; count: number }
  /** By hand, as are all that follow. */
  | { step: 'patch'; id: Id; member: string; value: unknown }
  /** Puts back by hand what a hand had changed. */
  | { step: 'undo'; id: Id }
  | { step: 'create'; kind: Kind; name: string; members: Members }
  /** An agent's record goes too where `purge` says so. */
  | { step: 'delete'; id: Id; purge: boolean }
  | { step: 'restart'; id: Id }
  /** The process of an agent dies. */
  | { step: 'end process'; id: Id }
  /** A prompt that takes so long, in milliseconds. */
  | { step: 'prompt'; id: Id; ms: number }
  | { step: 'sync'; source: SourceName }
  | { step: 'revert'; id: Id }
  /** `kill -9` of the daemon after its next so many effects; 0: at once. */
  | { step: 'kill'; after: number }

export type Batch = Step[]

/** A step in words. */
export function inWords(step: Step): string {
  const { step: name, ...rest } = step
  return step.step === 'commit' ? `commit ${step.edits.map(inWordsOf).join('; ')}` : words(name, rest)
}

const inWordsOf = ({ edit, ...rest }: Edit): string => words(edit, rest)

const words = (name: string, rest: object): string =>
  [name, ...Object.entries(rest).map(([key, value]) => `${key}=${JSON.stringify(value)}`)].join(' ')

export const countSteps = (batches: readonly Batch[]): number => batches.reduce((sum, batch) => sum + batch.length, 0)

/** The same batches less the steps and edits of these names. */
export function without(batches: readonly Batch[], names: readonly string[]): Batch[] {
  const kept = (step: Step): Step[] => {
    if (names.includes(step.step)) return []
    return step.step === 'commit'
      ? [{ ...step, edits: step.edits.filter(({ edit }) => !names.includes(edit)) }]
      : [step]
  }
  return batches.map((batch) => batch.flatMap(kept))
}
