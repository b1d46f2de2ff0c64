// A prompt template from the command line, a file, or standard input.
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { Failure, misuse } from '../../failure.ts'

/** `file` may be `-` for standard input. Undefined when neither is given. */
export async function templateText(given: string | undefined, file: string | undefined): Promise<string | undefined> {
  if (given !== undefined && file !== undefined)
    throw misuse('the template is given twice', 'give it on the command line, or as a file')
  if (file === '-') return text(process.stdin)
  if (file === undefined) return given
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Failure(`the template cannot be read: ${error.message}`, {
      where: file,
      hint: 'name a file that exists and that you may read',
    })
  })
}
