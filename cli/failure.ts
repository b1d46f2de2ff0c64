// An error a person reads: what, where, and the next step.
import type { ExitName } from './exit-codes.ts'
import { wrapped } from './output/print.ts'

export class Failure extends Error {
  override readonly name = 'Failure'
  readonly where: string | undefined
  readonly hint: string | undefined
  readonly exit: ExitName
  /** HTTP status behind it, if any. */
  readonly status: number | undefined
  /** Code of the problem that a service answered with; `unreachable` if none answered at the address. */
  readonly code: string | undefined

  constructor(
    what: string,
    options: {
      where?: string
      hint?: string
      exit?: ExitName
      status?: number
      code?: string | undefined
      cause?: unknown
    } = {},
  ) {
    super(what, { cause: options.cause })
    this.where = options.where
    this.hint = options.hint
    this.exit = options.exit ?? 'error'
    this.status = options.status
    this.code = options.code
  }
}

/** Wrong use of a command: exit 64. */
export const misuse = (what: string, hint: string) => new Failure(what, { hint, exit: 'usage' })

/** Broken between words on a terminal, where it would be broken within them. */
const fitted = (text: string, indent: number): string =>
  process.stderr.isTTY ? wrapped(text, indent, process.stderr.columns || 80) : text

/** `error: …` and `hint: …`, each on a line of its own. */
export function failureText(error: unknown): string {
  const failure = error instanceof Failure ? error : new Failure(error instanceof Error ? error.message : String(error))
  const where = failure.where ? ` (${failure.where})` : ''
  const shown = (title: string, text: string) => `${title}: ${fitted(text, title.length + 2)}\n`
  return shown('error', `${failure.message}${where}`) + (failure.hint ? shown('hint', failure.hint) : '')
}
