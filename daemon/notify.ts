import type { Config } from '../platform/core/config.ts'
import { invalid } from '../platform/core/problem.ts'
import type { NotifyConfig, SinkConfig } from '../schemas/notify/sinks.ts'
import { readConfigFile } from '../controller/reading/rules/config-file.ts'
import { isTimeZone } from '../schemas/workflow/trigger-faults.ts'
import type { SourceOptions } from './sources.ts'

/** Fills in secrets of sinks. Throws a 400 that names the file and all faults. */
export function readNotify(
  options: Pick<SourceOptions, 'configFile'>,
  config: Pick<Config, 'home' | 'env'>,
): NotifyConfig {
  const { file, content } = readConfigFile(options, config)
  const { sinks = [], ...rest } = content.notify ?? {}
  const names = sinks.map(({ name }) => name)
  const twice = names.filter((name, index) => names.indexOf(name) < index)
  const missing = new Set<string>()
  const filled = sinks.map((sink) => withSecrets(sink, config.env, missing))
  const zone = rest.quiet_hours?.timezone
  const faults = [
    ...twice.map((name) => `there are two sinks named "${name}": rename one`),
    ...[...missing].map((name) => `a sink uses the variable ${name}, which is not set: set it and restart`),
    ...(zone === undefined || isTimeZone(zone) ? [] : [`quiet_hours.timezone "${zone}" is not an IANA time zone`]),
  ]
  if (faults.length > 0) throw invalid(faults.map((fault) => `${file}: notify: ${fault}`).join('; '))
  return { ...rest, sinks: filled }
}

function withSecrets(sink: SinkConfig, env: Config['env'], missing: Set<string>): SinkConfig {
  const fill = (text: string) =>
    text.replace(/\$\{(\w+)\}/g, (_whole, name: string) => {
      const value = env[name]
      if (!value) missing.add(name)
      return value ?? ''
    })
  if (sink.type === 'webhook' && sink.secret !== undefined) return { ...sink, secret: fill(sink.secret) }
  if (sink.type === 'ntfy' && sink.token !== undefined) return { ...sink, token: fill(sink.token) }
  return sink
}
