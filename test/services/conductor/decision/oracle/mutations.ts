// Changes of the rules' source, each with the groups of cases that have to notice it.
import type { GroupName } from './cases.ts'

export interface Mutation {
  name: string
  /** In services/conductor/decision. */
  file: string
  find: string
  replace: string
  groups: readonly GroupName[]
}

export const MUTATIONS: readonly Mutation[] = []
