import { type Command, Option } from 'commander'
import { TRIGGER_ALIASES, TRIGGER_TYPES } from '../../../schemas/trigger.ts'
import { pairs } from '../../options.ts'

interface TriggerOptions {
  trigger?: string
  set?: Record<string, string>
  [other: string]: unknown
}

export const triggerOption = (help: string): Option =>
  new Option('--trigger <type>', help).choices([...TRIGGER_TYPES, ...Object.keys(TRIGGER_ALIASES)])

export function withTrigger(command: Command): Command {
  return command
    .addOption(triggerOption('Trigger type'))
    .option(
      '--set <field=value>',
      'Field of the trigger, such as expression="0 9 * * 1-5" (repeatable)',
      pairs('--set', 'queue_name=build', 'field'),
    )
}

/** Returns undefined if no trigger option is given. Values are parsed if they are JSON. */
export function triggerOf(options: TriggerOptions): Record<string, unknown> | undefined {
  if (options.trigger === undefined && options.set === undefined) return undefined
  const members = Object.entries(options.set ?? {}).map(([member, text]) => [member, value(text)])
  return { ...(options.trigger === undefined ? {} : { type: options.trigger }), ...Object.fromEntries(members) }
}

function value(text: string): unknown {
  if (!/^(-?\d+(\.\d+)?|true|false|null|\[[\s\S]*\]|\{[\s\S]*\}|".*")$/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
