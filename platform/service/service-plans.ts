import { existsSync } from 'node:fs'
import { portVariable, type Config } from '../core/config.ts'
import { invalid } from '../core/problem.ts'
import type { Served } from './define.ts'
import { readSettings, type Values } from './settings.ts'

export interface Plan {
  served: Served
  /** Unused by a service without an own port. */
  port: number
  settings: Values<any>
}

export interface Asked {
  services: readonly Served[]
  config: Config
  /** Service that uses PORT if several run. */
  primary: string
}

export function refuseMissingNeeds(services: readonly Served[]): void {
  const names = services.map((served) => served.name)
  for (const { name, needs } of services) {
    const missing = needs.filter((need) => !names.includes(need))
    if (missing.length > 0)
      throw invalid(
        `${name} requires ${missing.join(', ')} in the same process: run "svc serve ${[...missing, name].join(' ')}"`,
      )
  }
}

/** Throws one 400 with all faults. */
export function readPlans({ services, config, primary }: Asked): Plan[] {
  const faults: string[] = []
  const plans = services.map((served): Plan => {
    const { operations, settings } = served.definition
    const { values, faults: found } = readSettings(served.name, settings, config.env)
    faults.push(...found)
    let port = 0
    try {
      if (!operations.mount) port = config.port(operations, documentedPort(served, services, primary))
    } catch (error) {
      faults.push((error as Error).message)
    }
    return { served, port, settings: values }
  })
  if (faults.length > 0) throw invalid(faults.join('; '))
  return plans
}

/** Variables of the port besides SVC_<SERVICE>_PORT; they win. */
function documentedPort({ name }: Served, services: readonly Served[], primary: string): string[] {
  return services.length === 1 ? ['PORT', 'SVC_PORT'] : name === primary ? ['PORT'] : []
}

/** All variables that set the port; the first one that is set wins. */
export const portVariables = (served: Served, services: readonly Served[], primary: string): string[] => [
  ...documentedPort(served, services, primary),
  portVariable(served.definition.operations),
]

export function refuseMissingTokens({ auth, tokensFile }: Config): void {
  if (!auth || existsSync(tokensFile)) return
  throw invalid(
    `tokens are required (SVC_AUTH, SVC_TOKENS_FILE), but the file ${tokensFile} does not exist: create the first token with "svc token create NAME --role admin", ` +
      'or set SVC_TOKENS_FILE to another file',
  )
}
