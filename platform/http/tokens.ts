import { createHash, timingSafeEqual } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { subjectFaults, TokensFile, type Role, type Token } from '../../schemas/access/token.ts'
import { createAjv } from '../../schemas/validation/ajv.ts'
import { fieldErrors } from '../../schemas/validation/fields.ts'
import type { Log } from '../core/log/log.ts'
import { unavailable } from '../core/problem.ts'

export interface TokenHolder {
  subject: string
  role: Role
  /** SHA-256 of the token, in lower-case hexadecimal. */
  digest: string
}

export interface Tokens {
  find(token: string): TokenHolder | null
  /** `digest`: SHA-256 in hexadecimal. Null once the token is revoked or replaced. */
  ofDigest(digest: string): TokenHolder | null
}

/**
 * Reads the file, and rereads it when it changes; keeps the previous tokens if the new ones are invalid. Throws if the
 * file is unreadable at the start or, with `required`, missing.
 */
export function openTokens(file: string, log: Log, { required }: { required: boolean }): Tokens {
  let version = versionOf(file)
  let tokens = version === null && !required ? [] : readTokens(file)
  const refresh = (): void => {
    const now = versionOf(file)
    if (now === version) return
    version = now
    try {
      tokens = now === null ? [] : readTokens(file)
      log.info({ file, tokens: tokens.length }, 'api tokens read')
    } catch (error) {
      log.error({ file, err: error }, 'failed to read api tokens; keeping the previous ones')
    }
  }
  const ofDigest = (digest: string): TokenHolder | null => {
    refresh()
    const bytes = Buffer.from(digest, 'hex')
    // Compares every entry, so that timing reveals nothing.
    const [match] = tokens.filter((entry) => timingSafeEqual(Buffer.from(entry.sha256, 'hex'), bytes))
    return match ? { subject: match.subject, role: match.role, digest } : null
  }
  return { ofDigest, find: (token) => ofDigest(createHash('sha256').update(token).digest('hex')) }
}

function versionOf(file: string): string | null {
  const facts = statSync(file, { throwIfNoEntry: false })
  return facts ? `${facts.ino}:${facts.mtimeMs}:${facts.size}` : null
}

const isTokensFile = createAjv().compile<Token[]>(TokensFile)

function readTokens(file: string): Token[] {
  const wanted = 'expected a JSON list of {subject, role: viewer | operator | admin, sha256: <hex of the token>}'
  let content: unknown
  try {
    content = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new Error(
      `SVC_TOKENS_FILE=${file} cannot be read: ${(error as Error).message}; ${wanted}; create one with "svc token create NAME"`,
      { cause: error },
    )
  }
  if (!isTokensFile(content)) {
    const [fault] = fieldErrors(isTokensFile.errors!, 'the file')
    throw new Error(`SVC_TOKENS_FILE=${file}: ${fault!.path || 'the file'} ${fault!.message}; ${wanted}`)
  }
  const faults = subjectFaults(content)
  if (faults.length > 0)
    throw new Error(
      `SVC_TOKENS_FILE=${file}: ${faults.join('; ')}: revoke with "svc token revoke NAME", then create it again`,
    )
  return content
}

/** Names and roles in the file; none if it is missing. Throws 503 if it is invalid. */
export function tokenHolders(file: string): Pick<Token, 'subject' | 'role'>[] {
  if (versionOf(file) === null) return []
  try {
    return readTokens(file).map(({ subject, role }) => ({ subject, role }))
  } catch (error) {
    throw unavailable((error as Error).message, undefined, error)
  }
}
