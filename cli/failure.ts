// An error a person reads: what, where, and the next step.
import type { ExitName } from './exit-codes.ts'
import { wrapped } from './output/print.ts'

interface FailureDetails {
  where?: string
  hint?: string | undefined
  /** Default error. */
  exit?: ExitName
  /** Code of the problem that a service answered with; `unreachable` if none answered at the address. */
  code?: string | undefined
  cause?: unknown
}

export class Failure extends Error {
  override readonly name = 'Failure'

  constructor(
    what: string,
    readonly details: FailureDetails = {},
  ) {
    super(what, { cause: details.cause })
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
  const { where, hint } = failure.details
  const shown = (title: string, text: string) => `${title}: ${fitted(text, title.length + 2)}\n`
  return shown('error', failure.message + (where ? ` (${where})` : '')) + (hint ? shown('hint', hint) : '')
}

/** How a command that failed so ends. */
export const exitOf = (error: unknown): ExitName => (error instanceof Failure && error.details.exit) || 'error'
