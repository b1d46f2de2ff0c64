import { createHash, timingSafeEqual } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { subjectFaults, TokensFile, type Role, type Token } from '../../schemas/access/token.ts'
import { createAjv } from '../../schemas/validation/ajv.ts'
import { fieldErrors } from '../../schemas/validation/fields.ts'
import type { Log } from '../core/log/log.ts'

export interface Tokens {
  find(token: string): { subject: string; role: Role } | null
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
  return {
    find(token) {
      refresh()
      const digest = createHash('sha256').update(token).digest()
      // Compares every entry, so that timing reveals nothing.
      const matches = tokens.filter((entry) => timingSafeEqual(Buffer.from(entry.sha256, 'hex'), digest))
      return matches[0] ? { subject: matches[0].subject, role: matches[0].role } : null
    },
  }
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
