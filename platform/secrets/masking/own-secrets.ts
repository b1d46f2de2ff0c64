// The secrets that the daemon itself was given: what an error or a program of the same user could show of them is
// masked.
import type { Config } from '../../core/config.ts'

/** Names of variables whose values are secrets, whatever they are for. */
const SECRET_NAME = /(TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY)$/i
/** A shorter value by such a name is more likely a word that stands in any text. */
const LEAST = 8

/** Values of the environment that are secrets by their names, and the passwords of its addresses. */
export function ownSecrets({ env, databaseUrl }: Pick<Config, 'env' | 'databaseUrl'>): string[] {
  const named = Object.entries(env).flatMap(([name, value]) => (value && SECRET_NAME.test(name) ? [value] : []))
  const addresses = [databaseUrl, ...Object.values(env)].flatMap((value) => (value ? passwordsIn(value) : []))
  return [...new Set([...named, ...addresses])].filter((value) => value.length >= LEAST)
}

/** Of `scheme://user:password@host`, as it is written and decoded; one that was not encoded may hold any sign. */
function passwordsIn(address: string): string[] {
  const written = /^[a-z][a-z0-9+.-]{0,30}:\/\/[^:/?#]{0,256}:(.*)@/is.exec(address)?.[1]
  if (written === undefined) return []
  try {
    return [written, decodeURIComponent(written)]
  } catch {
    return [written]
  }
}
