import type { Pieces } from '../../../platform/async/time-slices.ts'
import { Masker } from '../../../platform/secrets/masking/masker.ts'
import { mapSecrets } from '../../../platform/secrets/vault.ts'
import type { Plan } from '../../../schemas/plan.ts'

/** Masks the secrets of `specs` in every text of a plan: a prompt or a document may quote one. */
export function* maskPlan(plan: Plan, specs: Iterable<object>): Pieces<Plan> {
  const text = [...stringsIn([plan.steps, plan.drift, plan.diagnostics])].join('\n')
  const quoted = new Set<string>()
  if (text === '') return plan
  for (const spec of specs) {
    for (const secret of secretsOf(spec)) if (isQuoted(secret, text)) quoted.add(secret)
    yield
  }
  if (quoted.size === 0) return plan
  const masker = new Masker(quoted)
  const masked: Plan = { ...plan, steps: [], drift: [], diagnostics: [] }
  for (const step of plan.steps) {
    const changes: typeof step.changes = []
    for (const change of step.changes) {
      const before = yield* masker.masking(change.before)
      changes.push({ ...change, before, after: yield* masker.masking(change.after) })
    }
    masked.steps.push({ ...step, changes })
  }
  for (const each of plan.drift) {
    const desired = yield* masker.masking(each.desired)
    masked.drift.push({ ...each, desired, live: yield* masker.masking(each.live) })
  }
  for (const each of plan.diagnostics)
    masked.diagnostics.push({ ...each, message: masker.mask(each.message), hint: masker.mask(each.hint) })
  return masked
}

/** Specs keep their identity while their manifest is unchanged. */
const known = new WeakMap<object, readonly string[]>()

function secretsOf(spec: object): readonly string[] {
  let secrets = known.get(spec)
  if (secrets === undefined) {
    const found: string[] = []
    mapSecrets(spec, (secret) => found.push(secret.reveal()))
    known.set(spec, (secrets = found))
  }
  return secrets
}

/** YAML indents the lines of a value. Skips values that are certainly absent, which are nearly all. */
const isQuoted = (secret: string, text: string): boolean =>
  secret.split('\n').some((line) => line.trim() !== '' && text.includes(line.trim()))

function* stringsIn(value: unknown): Iterable<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) yield* stringsIn(each)
}
