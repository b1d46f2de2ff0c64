// Nothing is planned for unobservable resources or for dependents of their existence. Pure.
import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { DesiredResource } from '../reading/desired-state.ts'
import { groupBy } from '../../platform/core/group-by.ts'
import { idOf, reachable, usersOf } from '../reading/graph.ts'
import type { Owned } from './ownership.ts'

/** Neither present nor missing. */
export interface Unknown {
  kind: string
  name: string
  desired: DesiredResource | null
  entry: Owned | undefined
  why: string
}

interface Sides {
  kind: string
  name: string
  resource: DesiredResource | null
  entry: Owned | undefined
}

/** Creations that need an unknown resource and deletions connected to one, also through `others`. By kind/name. */
export function waitingFor(
  unknown: readonly Unknown[],
  subjects: readonly Sides[],
  others: readonly Owned[],
): Set<string> {
  const known = others.map((entry) => ({ kind: entry.kind, name: entry.name, resource: null, entry }))
  const all = [...known, ...unknown.map((one) => ({ ...one, resource: one.desired })), ...subjects]
  const needs = new Map(all.map((one) => [idOf(one), (one.resource ?? one.entry)?.dependsOn ?? []]))
  const users = usersOf(needs)
  const start = unknown.map(idOf)
  const using = reachable(start, users)
  const used = reachable(start, needs)
  const notMade = unknown.filter(({ entry }) => !entry?.applied).map(idOf)
  const needing = reachable(notMade, users)
  const waits = (one: Sides) =>
    one.resource ? !one.entry?.applied && needing.has(idOf(one)) : using.has(idOf(one)) || used.has(idOf(one))
  return new Set(subjects.filter(waits).map(idOf))
}

/** One error per kind and reason, at the first resource. */
export function unreachable(unknown: readonly Unknown[], waiting: number): Diagnostic[] {
  const groups = groupBy(unknown, ({ kind, why }) => `${kind} ${why}`)
  return [...groups.values()].map((group): Diagnostic => {
    const [{ kind, name, desired, entry, why }] = group as [Unknown]
    const { file, line, column } = (desired ?? entry)!
    const more = group.length > 1 ? ` and ${group.length - 1} more` : ''
    const tied = waiting > 0 ? `; dependent resources that also wait: ${waiting}` : ''
    const message = `${kind}/${name}${more} could not be observed (${why}): no changes or deletions are planned${tied}`
    const hint = 'no action needed: the next pass retries; svc status shows whether the service is healthy'
    return { severity: 'error', code: UNREACHABLE, message, hint, file, line, column, kind, name }
  })
}

/** Code for errors of the live system, not of manifests. */
export const UNREACHABLE = 'unreachable'
