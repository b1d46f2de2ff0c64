// What the verbs on rooms are about, as it is named on the command line.
import { Option, type Command } from 'commander'
import type { Message } from '../../../schemas/communicate/message.ts'
import { paint, visible } from '../../output/print.ts'
import { actor, variable } from '../../settings.ts'
import type { Subject, Typed } from '../../verb.ts'

/** What is sent to the service as it is typed. */
const asTyped = (shown: string, help: string): Subject<{ id: string }> => ({
  shown,
  help,
  find: async (word) => ({ id: word }),
})

/** The service finds a room by its name as well. */
export const aRoom = asTyped('<room>', 'name or id')
export const aMessage = asTyped('<message>', 'id')

/** Under which name something is said or made. */
export const withName = (command: Command): Command =>
  command.addOption(new Option('--as <name>', 'participant you are; default: SVC_ACTOR, or your user name'))

/** The agent whose session this is, else who was named, else who runs this. */
export const nameOf = ({ options }: Pick<Typed, 'options'>): string =>
  (options.as as string | undefined) ?? variable('SVC_AGENT_ID') ?? actor()

/** One message for people. */
export function messageLine({ created_at, sender_name, sender_kind, content }: Message): string {
  const colours = paint()
  const name = sender_kind === 'agent' ? colours.cyan(visible(sender_name)) : colours.bold(visible(sender_name))
  return `${colours.dim(created_at.slice(11, 19))} ${name}: ${visible(content)}`
}
