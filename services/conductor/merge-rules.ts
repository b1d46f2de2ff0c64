import { conflict, Problem } from '../../platform/core/problem.ts'
import type { ConductorRun, JudgedRule } from '../../schemas/conductor/run.ts'

/** Rules of a pull request by a dry run. Throws 409 unless all but `label` hold. */
export function mergeRulesOf({ repository, items }: Pick<ConductorRun, 'repository' | 'items'>, number: number) {
  const item = items.find((each) => each.number === number)
  if (!item) throw conflict(`${repository}#${number} is not an open pull request`)
  const failing = item.rules.filter(({ rule, holds }) => rule !== 'label' && holds !== true)
  if (failing.length === 0) return item.rules
  const errors = failing.map((each) => ({ path: each.rule, message: reasonOf(each), code: 'invalid-value' }))
  const detail = errors.map(({ path, message }) => `${path}: ${message}`).join('; ')
  throw new Problem(409, `${repository}#${number} may not be merged yet: ${detail}`, { code: 'not-eligible', errors })
}

const reasonOf = ({ holds, reason }: JudgedRule): string =>
  reason ?? (holds === null ? 'not known yet' : 'does not hold')
