// Errors of plan requests beyond their schema.
import { isAbsolute } from 'node:path'
import type { Fault } from '../../kind.ts'
import { findKind, kinds } from '../../kinds.ts'
import type { PlanInput } from '../../plan.ts'
import { nearestHint } from '../../validation/nearest.ts'

export function planFaults(input: PlanInput): Fault[] {
  return [...placeFaults(input), ...targetFaults(input.targets)]
}

/** Refuses invalid targets: the plan would be empty and look like success. */
function targetFaults(targets: readonly string[] | undefined): Fault[] {
  return (targets ?? []).flatMap((target, index) => {
    const [kind = '', name = ''] = target.split('/', 2)
    if (findKind(kind, kinds)?.kind === kind && name !== '') return []
    const message = `should be KIND/NAME, instead got "${target}"`
    const words = kinds.map((each) => each.kind)
    const hint = nearestHint(kind, words, `kinds are ${words.join(', ')}`)
    return [{ path: ['targets', index], code: 'invalid-value', message, hint }]
  })
}

/** Refuses relative roots, and manifests outside the root. */
function placeFaults({ root, manifests }: PlanInput): Fault[] {
  const faults = (manifests ?? []).flatMap(({ path }, index): Fault[] => {
    if (!isAbsolute(path) && !path.split(/[\\/]/).includes('..')) return []
    const message = `should be a path below root, instead got "${path}"`
    return [{ path: ['manifests', index, 'path'], code: 'invalid-value', message, hint: 'send paths relative to root' }]
  })
  if (root === undefined || isAbsolute(root)) return faults
  const message = `should be an absolute path, instead got "${root}"`
  return [
    ...faults,
    { path: ['root'], code: 'invalid-value', message, hint: 'relative paths are not resolved in requests' },
  ]
}
