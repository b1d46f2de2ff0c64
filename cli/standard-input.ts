// `-` is standard input for arguments and options whose help says so, and refused elsewhere.
import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import { misuse } from './failure.ts'

export const STDIN = '-'

/** Part of the help of each argument and option that reads standard input. */
export const READS = '- reads standard input'

let input: Promise<string> | undefined

/** Returns the same text each time. */
export const standardInput = (): Promise<string> => (input ??= text(process.stdin))

/** Throws if `-` is given to an argument or option that does not read standard input, or to two that do. */
export function checkInputs(command: Command): void {
  const given = [
    ...command.registeredArguments.map((argument, at) => {
      const shown = `<${argument.name()}>`
      return { shown, description: argument.description, value: command.processedArgs[at] as unknown }
    }),
    ...command.options.map((option) => {
      const value: unknown = command.getOptionValue(option.attributeName())
      return { shown: option.long ?? option.flags, description: option.description, value }
    }),
  ].filter(({ value }) => isStdin(value))
  for (const { shown, description } of given)
    if (!description.includes(READS))
      throw misuse(
        `"-" is not accepted for ${shown}: it does not read standard input`,
        'pass the value itself; a file of this name is ./-',
      )
  // `[path]` and `-f` are the same.
  if (new Set(given.map(({ shown }) => (shown === '--filename' ? '<path>' : shown))).size > 1)
    throw misuse(
      `standard input can be read once, and is given for ${given.map(({ shown }) => shown).join(' and ')}`,
      'use - only once',
    )
  if (given.length > 0 && command.opts<{ prune?: boolean }>().prune)
    throw misuse(
      '--prune needs a file or folder',
      'standard input has no identity, so earlier applies of it are unknown',
    )
}

/** A hyphen among several words is text. */
const isStdin = (value: unknown): boolean =>
  value === STDIN || (Array.isArray(value) && value.length === 1 && value[0] === STDIN)
