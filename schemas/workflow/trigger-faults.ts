// Separate, so that clients do not load the cron parser.
import { Cron } from 'croner'
import type { Fault, Path } from '../kind.ts'
import { matchFaults } from './webhook-match.ts'

/** Errors beyond the schema, at paths below `at`. */
export function triggerFaults(trigger: Record<string, any>, at: Path): Fault[] {
  if (trigger.type === 'cron') return cronFaults(trigger, at)
  if (trigger.type === 'webhook') return matchFaults(trigger.match, [...at, 'match'])
  if (trigger.type === 'delay' && (trigger.run_at === undefined) === (trigger.delay_secs === undefined)) {
    return [
      {
        path: at,
        members: ['run_at', 'delay_secs'],
        code: 'invalid-value',
        message: 'a delay trigger needs either run_at or delay_secs',
        hint: 'write run_at: 2030-01-01T00:00:00Z, or delay_secs: 3600',
      },
    ]
  }
  return []
}

/** Checks `expression` and `timezone` at `at`. */
export function cronFaults(trigger: Record<string, any>, at: Path): Fault[] {
  if (typeof trigger.expression !== 'string') return [] // reported by the schema
  const { expression } = trigger
  const fields = expression.trim().split(/\s+/).length
  const fault = (member: string, message: string, hint: string): Fault => ({
    path: [...at, member],
    code: 'cron-invalid',
    message,
    hint,
  })
  if (fields !== 5 && fields !== 6)
    return [
      fault(
        'expression',
        `cron expression "${expression}" has ${fields} fields, expected 5 or 6`,
        'write minute hour day month weekday, such as "30 2 * * 1-5"',
      ),
    ]
  const faults: Fault[] = []
  const zone = String(trigger.timezone ?? 'UTC')
  if (!isTimeZone(zone))
    faults.push(
      fault('timezone', `"${zone}" is not an IANA time zone`, 'write a name such as Europe/Vienna, or omit it for UTC'),
    )
  try {
    if (new Cron(expression, { paused: true }).nextRun() === null) {
      faults.push(fault('expression', `cron expression "${expression}" never fires`, 'choose a date that exists'))
    }
  } catch (error) {
    faults.push(
      fault(
        'expression',
        `cron expression "${expression}" is invalid: ${(error as Error).message.replace(/^CronPattern: /, '')}`,
        'minutes 0-59, hours 0-23, days 1-31, months 1-12, weekdays 0-7',
      ),
    )
  }
  return faults
}

export function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return true
  } catch {
    return false
  }
}
