// Texts that are too long for a command line.
import { text } from 'node:stream/consumers'

/** `-` stands for standard input; anything else for itself. */
export async function textOf(given: string | undefined): Promise<string | undefined> {
  return given === '-' ? text(process.stdin) : given
}
