import { invalid } from '../core/problem.ts'

const VARIABLES = ['SVC_FORGE_TOKEN', 'GITHUB_TOKEN'] as const

type Environment = Readonly<Record<string, string | undefined>>

/** Token of the forge; null if none is set. Throws 400 for white space inside, which no request could carry. */
export function forgeToken(env: Environment): string | null {
  const variable = VARIABLES.find((name) => env[name]?.trim())
  const token = variable === undefined ? null : env[variable]!.trim()
  if (token !== null && /\s/.test(token))
    throw invalid(`${variable} has a space or line break inside: set it to the token alone`)
  return token
}

/** The environment with its tokens as forgeToken() reads them. */
export const withTrimmedTokens = (env: Environment): Environment => ({
  ...env,
  ...Object.fromEntries(VARIABLES.map((name) => [name, env[name]?.trim()])),
})
