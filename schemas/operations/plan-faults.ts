// What no schema can say of a plan that is asked for: targets that name nothing, and manifests that stand nowhere.
import { isAbsolute } from 'node:path'
import type { Fault } from '../kind.ts'
import { findKind, kinds } from '../kinds.ts'
import type { PlanInput } from '../plan.ts'
import { nearestHint } from '../validation/nearest.ts'

/** Faults of the body of a plan or a pass that its schema cannot describe. */
export function planFaults(input: PlanInput): Fault[] {
  return [...placeFaults(input), ...targetFaults(input.targets)]
}

/** A target that can name nothing: a plan narrowed to it would be empty and look like success. */
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

/** A folder the daemon cannot know, and a manifest that would stand outside of it. */
function placeFaults({ root, manifests }: PlanInput): Fault[] {
  const faults = (manifests ?? []).flatMap(({ path }, index): Fault[] => {
    if (!isAbsolute(path) && !path.split(/[\\/]/).includes('..')) return []
    const message = `should be relative to root and below it, instead got "${path}"`
    return [{ path: ['manifests', index, 'path'], code: 'invalid-value', message, hint: 'send it from its root' }]
  })
  if (root === undefined || isAbsolute(root)) return faults
  const message = `should be an absolute path, instead got "${root}"`
  return [...faults, { path: ['root'], code: 'invalid-value', message, hint: 'the daemon does not know your folder' }]
}
