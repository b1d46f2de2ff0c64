import { Option, type Command } from 'commander'
import type { Message } from '../../../schemas/communicate/message.ts'
import { paint, visible } from '../../output/print.ts'
import { actor, variable } from '../../settings.ts'
import type { Subject, Typed } from '../../verb.ts'

const asTyped = (shown: string, help: string): Subject<{ id: string }> => ({
  shown,
  help,
  find: async (word) => ({ id: word }),
})

/** The service resolves names of rooms itself. */
export const aRoom = asTyped('<room>', 'Name or id')
export const aMessage = asTyped('<message>', 'Id of the message')

export const withName = (command: Command): Command =>
  command.addOption(new Option('--as <name>', 'Participant to act as (default: SVC_ACTOR, or your user name)'))

/** `--as`, else the agent of this session, else the user. */
export const nameOf = ({ options }: Pick<Typed, 'options'>): string =>
  (options.as as string | undefined) ?? variable('SVC_AGENT_ID') ?? actor()

export function messageLine({ created_at, sender_name, sender_kind, content }: Message): string {
  const colours = paint()
  const name = sender_kind === 'agent' ? colours.cyan(visible(sender_name)) : colours.bold(visible(sender_name))
  return `${colours.dim(created_at.slice(11, 19))} ${name}: ${visible(content)}`
}
