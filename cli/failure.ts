import type { ExitName } from './exit-codes.ts'
import { wrapped } from './output/print.ts'

interface FailureDetails {
  where?: string
  hint?: string | undefined
  /** Default: error. */
  exit?: ExitName
  /** Problem code of the service; `unreachable` if there was no response. */
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

/** Wrong usage: exit 64. */
export const misuse = (what: string, hint: string) => new Failure(what, { hint, exit: 'usage' })

/** Wraps at words, because a terminal would break within them. */
const fitted = (text: string, indent: number): string =>
  process.stderr.isTTY ? wrapped(text, indent, process.stderr.columns || 80) : text

/** Formats `error: …` and `hint: …` lines. */
export function failureText(error: unknown): string {
  const failure = error instanceof Failure ? error : new Failure(error instanceof Error ? error.message : String(error))
  const { where, hint } = failure.details
  const shown = (title: string, text: string) => `${title}: ${fitted(text, title.length + 2)}\n`
  return shown('error', failure.message + (where ? ` (${where})` : '')) + (hint ? shown('hint', hint) : '')
}

export const exitOf = (error: unknown): ExitName => (error instanceof Failure && error.details.exit) || 'error'
