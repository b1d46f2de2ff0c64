// Secrets in the daemon's environment, which errors could reveal.
import type { Config } from '../../core/config.ts'

const SECRET_NAME = /(TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY)$/i
/** Shorter values are probably ordinary words. */
const LEAST = 8

export function ownSecrets({ env, databaseUrl }: Pick<Config, 'env' | 'databaseUrl'>): string[] {
  const named = Object.entries(env).flatMap(([name, value]) => (value && SECRET_NAME.test(name) ? [value] : []))
  const addresses = [databaseUrl, ...Object.values(env)].flatMap((value) => (value ? passwordsIn(value) : []))
  return [...new Set([...named, ...addresses])].filter((value) => value.length >= LEAST)
}

/** Matches `scheme://user:password@host`; the password may be unencoded. */
function passwordsIn(address: string): string[] {
  const written = /^[a-z][a-z0-9+.-]{0,30}:\/\/[^:/?#]{0,256}:(.*)@/is.exec(address)?.[1]
  if (written === undefined) return []
  try {
    return [written, decodeURIComponent(written)]
  } catch {
    return [written]
  }
}
