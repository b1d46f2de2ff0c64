import { invalid } from '../core/problem.ts'

const VARIABLES = ['SVC_FORGE_TOKEN', 'GITHUB_TOKEN'] as const

/** Token of the forge; null if none is set. Throws 400 for white space inside, which no request could carry. */
export function forgeToken(env: Readonly<Record<string, string | undefined>>): string | null {
  const variable = VARIABLES.find((name) => (env[name] ?? '') !== '')
  if (variable === undefined) return null
  const token = env[variable]!.trim()
  if (/\s/.test(token)) throw invalid(`${variable} has a space or line break inside: set it to the token alone`)
  return token === '' ? null : token
}
