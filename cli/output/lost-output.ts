import { EXIT } from '../exit-codes.ts'

const REASONS: Readonly<Record<string, string>> = {
  EPIPE: 'its reader has closed it',
  ENOSPC: 'no space is left on the device',
}

/**
 * Ends the process with one line if standard output cannot be written. Errors of standard error are ignored, because
 * they cannot be reported.
 */
export function endOnLostOutput(): void {
  process.stderr.on('error', () => undefined)
  process.stdout.on('error', ({ code = '', message }: NodeJS.ErrnoException) => {
    process.stderr.write(`error: standard output cannot be written: ${REASONS[code] ?? message}\n`)
    process.exit(EXIT.error)
  })
}
