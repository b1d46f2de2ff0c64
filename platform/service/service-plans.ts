// What the environment says about the services that are to run: all of it is read before anything is touched.
import { existsSync } from 'node:fs'
import type { Config } from '../core/config.ts'
import { invalid } from '../core/problem.ts'
import type { Served } from './define.ts'
import { readSettings, type Values } from './settings.ts'

/** What the environment says about one service. */
export interface Plan {
  served: Served
  port: number
  settings: Values<any>
}

export interface Asked {
  services: readonly Served[]
  config: Config
  /** The service that PORT means where several run. */
  primary: string
}

/** Throws a 400 that says how to run them together. */
export function refuseMissingNeeds(services: readonly Served[]): void {
  const names = services.map((served) => served.name)
  for (const { name, needs } of services) {
    const missing = needs.filter((need) => !names.includes(need))
    if (missing.length > 0)
      throw invalid(
        `${name} works in one process with ${missing.join(', ')}: run "svc serve ${[...missing, name].join(' ')}"`,
      )
  }
}

/** Ports and settings of every service. Throws one 400 for all that is ill-formed. */
export function readPlans({ services, config, primary }: Asked): Plan[] {
  const faults: string[] = []
  const plans = services.map((served): Plan => {
    const { operations, settings } = served.definition
    const documented = services.length === 1 ? ['PORT', 'SVC_PORT'] : served.name === primary ? ['PORT'] : []
    const { values, faults: found } = readSettings(served.name, settings, config.env)
    faults.push(...found)
    let port = 0
    try {
      port = config.port(operations, documented)
    } catch (error) {
      faults.push((error as Error).message)
    }
    return { served, port, settings: values }
  })
  if (faults.length > 0) throw invalid(faults.join('; '))
  return plans
}

/** Throws 400 where every request would be refused. */
export function refuseMissingTokens({ auth, tokensFile }: Config): void {
  if (!auth || existsSync(tokensFile)) return
  throw invalid(
    `tokens are asked for (SVC_AUTH, SVC_TOKENS_FILE), and there is no file ${tokensFile}: make the first with "svc token create NAME --role admin", ` +
      'or name another file in SVC_TOKENS_FILE',
  )
}
