import { text } from 'node:stream/consumers'

/** Reads standard input for `-`, else returns the text. */
export async function textOf(given: string | undefined): Promise<string | undefined> {
  return given === '-' ? text(process.stdin) : given
}
