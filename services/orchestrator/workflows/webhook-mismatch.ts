import { payloadValue } from '../../../schemas/workflow/payload-paths.ts'
import { conditionsOf, type Scalar, type WebhookMatch } from '../../../schemas/workflow/webhook-match.ts'
import type { ReadDelivery } from './webhook-delivery.ts'

/** Returns null if all conditions hold, else those that do not. */
export function mismatchOf(match: WebhookMatch, delivery: ReadDelivery): string | null {
  const failed = [...conditionsOf(match)].flatMap(([name, wanted]) => {
    const seen = valuesOf(name, delivery)
    if (seen.some((value) => wanted.includes(value as Scalar))) return []
    return [`${name} is ${either(seen)}, expected ${either(wanted)}`]
  })
  return failed.length === 0 ? null : `the delivery does not match the trigger: ${failed.join('; ')}`
}

function valuesOf(condition: string, { event, payload }: ReadDelivery): unknown[] {
  if (condition === 'event') return [event]
  if (condition === 'label') return labelsOf(payload)
  return [payloadValue(payload, condition.replace(/^payload\./, ''))]
}

/** A forge reports one added or removed label in `label`. */
function labelsOf(payload: unknown): unknown[] {
  const moved = payloadValue(payload, 'label.name')
  if (moved !== undefined) return [moved]
  const labels = payloadValue(payload, 'pull_request.labels') ?? payloadValue(payload, 'issue.labels')
  return Array.isArray(labels) ? labels.map((label) => payloadValue(label, 'name')) : []
}

const MOST_SHOWN = 5
const LONGEST_SHOWN = 60

function either(values: readonly unknown[]): string {
  if (values.length === 0) return 'missing'
  const shown = values.slice(0, MOST_SHOWN).map(describe).join(' or ')
  return values.length > MOST_SHOWN ? `${shown} or ${values.length - MOST_SHOWN} more` : shown
}

function describe(value: unknown): string {
  if (value === undefined) return 'missing'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  return JSON.stringify(typeof value === 'string' ? value.slice(0, LONGEST_SHOWN) : value)
}
