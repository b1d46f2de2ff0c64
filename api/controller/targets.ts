// Targets of a plan or a pass: the resources it is narrowed to, as kind/name.
import { invalid } from '../../platform/problem.ts'
import { findKind, kinds } from '../../schemas/kinds.ts'

/** Throws 400 for a target that can name nothing: a plan narrowed to it would be empty and look like success. */
export function checkTargets(targets: readonly string[] | undefined): void {
  const errors = (targets ?? []).flatMap((target, index) => {
    const [kind = '', name = ''] = target.split('/', 2)
    const isKnown = findKind(kind, kinds)?.kind === kind && name !== ''
    return isKnown
      ? []
      : [
          {
            path: `targets.${index}`,
            message: `should be KIND/NAME with a kind of ${kinds.map((each) => each.kind).join(', ')}, instead got "${target}"`,
          },
        ]
  })
  if (errors.length > 0) throw invalid(errors.map((error) => `${error.path} ${error.message}`).join('; '), errors)
}
