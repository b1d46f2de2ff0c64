// Options that say a workflow's trigger.
import { type Command, Option } from 'commander'
import { TRIGGER_ALIASES, TRIGGER_TYPES } from '../../../schemas/trigger.ts'
import { misuse } from '../../failure.ts'
import { collect } from '../../options.ts'

export interface TriggerOptions {
  trigger?: string
  set?: string[]
}

export function withTrigger(command: Command): Command {
  return command
    .addOption(
      new Option('--trigger <type>', 'what yields its tasks').choices([
        ...TRIGGER_TYPES,
        ...Object.keys(TRIGGER_ALIASES),
      ]),
    )
    .option(
      '--set <member=value>',
      'a member of the trigger, such as expression="0 9 * * 1-5"; may be given several times',
      collect,
    )
}

/** The trigger the options say, or undefined. Values that read as JSON (numbers, lists, true) are taken as such. */
export function triggerOf(options: TriggerOptions): Record<string, unknown> | undefined {
  if (options.trigger === undefined && options.set === undefined) return undefined
  const members = (options.set ?? []).map((text): [string, unknown] => {
    const at = text.indexOf('=')
    if (at < 1) throw misuse(`--set ${text} has no member and value`, 'write --set queue_name=build')
    return [text.slice(0, at), value(text.slice(at + 1))]
  })
  return { ...(options.trigger === undefined ? {} : { type: options.trigger }), ...Object.fromEntries(members) }
}

function value(text: string): unknown {
  if (!/^(-?\d+(\.\d+)?|true|false|null|\[[\s\S]*\]|".*")$/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
