import type { Config } from '../core/config.ts'

const DOCUMENTED: Readonly<Record<string, string>> = {
  notify: 'NOTIFY_SERVICE_URL',
  index: 'SVC_INDEX_SERVICE_URL',
}

/** Address of a service elsewhere, by SVC_<SERVICE>_URL or its documented variable; undefined if none is set. */
export function configuredAddress({ env }: Pick<Config, 'env'>, { service }: { service: string }): string | undefined {
  const documented = DOCUMENTED[service]
  return env[`SVC_${service.toUpperCase()}_URL`] || (documented && env[documented]) || undefined
}
