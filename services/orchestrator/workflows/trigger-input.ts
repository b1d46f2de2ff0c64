import { invalid } from '../../../platform/core/problem.ts'
import { mapSecrets } from '../../../platform/secrets/vault.ts'
import { faultErrors } from '../../../schemas/problem.ts'
import { MASK, Secret } from '../../../schemas/secret.ts'
import {
  canonicalTrigger,
  TRIGGER_ALIASES,
  TRIGGER_TYPES,
  TRIGGERS,
  type TriggerType,
} from '../../../schemas/trigger.ts'
import { triggerFaults } from '../../../schemas/workflow/trigger-faults.ts'
import { valueCheck } from '../../../schemas/validation/fields.ts'
import { nearestHint } from '../../../schemas/validation/nearest.ts'
import type { StoredTrigger } from '../record/tables.ts'

/**
 * Merges `input` into `present`, or replaces it if `input` has a `type`. A secret of *** keeps the stored one. Throws
 * 400 with every error.
 */
export function readTrigger(
  input: Record<string, unknown>,
  present: StoredTrigger | null,
  secret?: Secret,
): StoredTrigger {
  const merged: Record<string, unknown> = input.type === undefined && present ? { ...present, ...input } : { ...input }
  if (secret) merged.secret = secret
  if (merged.secret === MASK) merged.secret = storedSecret(present)
  if (typeof merged.secret === 'string') merged.secret = new Secret(merged.secret)
  const type = TRIGGER_ALIASES[String(merged.type)] ?? String(merged.type)
  if (!Object.hasOwn(TRIGGERS, type)) throw unknownType(merged.type)
  const trigger = canonicalTrigger(merged)
  checkTrigger(type as TriggerType, trigger)
  return trigger as StoredTrigger
}

function storedSecret(present: StoredTrigger | null): Secret {
  if (present?.secret) return present.secret
  throw invalid(`secret is ${MASK}, which keeps the stored value, but none is stored: write the secret`, [
    { path: 'trigger_config.secret', message: 'has no stored value', code: 'invalid-value' },
  ])
}

function unknownType(type: unknown): Error {
  if (typeof type !== 'string')
    return invalid(`the trigger needs a type: one of ${TRIGGER_TYPES.join(', ')}`, [
      { path: 'trigger_config.type', message: 'is missing', code: 'missing-member' },
    ])
  const hint = nearestHint(type, TRIGGER_TYPES, `it should be one of ${TRIGGER_TYPES.join(', ')}`)
  return invalid(`trigger type "${type}" is not known; ${hint}`, [
    { path: 'trigger_config.type', message: `should be one of ${TRIGGER_TYPES.join(', ')}`, code: 'invalid-value' },
  ])
}

const triggerChecks = new Map(TRIGGER_TYPES.map((type) => [type, valueCheck(TRIGGERS[type], `a ${type} trigger`)]))

function checkTrigger(type: TriggerType, trigger: Record<string, unknown>): void {
  const plain = mapSecrets(trigger, (secret) => (secret.reveal() === '' ? '' : MASK)) as Record<string, unknown>
  const errors = [
    ...triggerChecks.get(type)!(plain, ['trigger_config']),
    ...faultErrors(triggerFaults(plain, ['trigger_config'])),
  ]
  if (errors.length > 0) throw invalid(errors.map((error) => `${error.path}: ${error.message}`).join('; '), errors)
}
