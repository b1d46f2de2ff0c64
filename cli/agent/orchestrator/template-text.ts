import { readFile } from 'node:fs/promises'
import { Failure, misuse } from '../../failure.ts'
import { standardInput, STDIN } from '../../standard-input.ts'

/** `file` is a path, or `-` for standard input. Returns undefined if neither is given. */
export async function templateText(given: string | undefined, file: string | undefined): Promise<string | undefined> {
  if (given !== undefined && file !== undefined)
    throw misuse('the template is given both on the command line and as a file', 'use one of the two')
  if (file === STDIN || given === STDIN) return standardInput()
  if (file === undefined) return given
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Failure(`cannot read the template: ${error.message}`, {
      where: file,
      hint: 'check that the file exists and is readable',
    })
  })
}
