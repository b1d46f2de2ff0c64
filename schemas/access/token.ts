// The file of API tokens. It contains digests, never tokens.
import * as Type from 'typebox'
import { isReservedName } from './names.ts'

/** Each role includes the permissions of the previous ones. */
export const ROLES = ['viewer', 'operator', 'admin'] as const
export type Role = (typeof ROLES)[number]

export const TokensFile = Type.Array(
  Type.Object({
    subject: Type.String({ minLength: 1 }),
    role: Type.Enum([...ROLES]),
    sha256: Type.String({ pattern: '^[0-9a-fA-F]{64}$', description: 'Of the token, in hexadecimal' }),
  }),
)
export type Token = Type.Static<typeof TokensFile>[number]

/** Returns why the subjects are invalid: reserved names and duplicates. */
export function subjectFaults(tokens: readonly Token[]): string[] {
  const faults: string[] = []
  const seen = new Set<string>()
  for (const { subject } of tokens) {
    if (isReservedName(subject)) faults.push(`the name "${subject}" is reserved`)
    if (seen.has(subject)) faults.push(`the name "${subject}" has more than one token`)
    seen.add(subject)
  }
  return [...new Set(faults)]
}
