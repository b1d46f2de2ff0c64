// Settings of the configuration file, with their lines.
import { readConfigFile, type ConfigFile } from '../../controller/reading/rules/config-file.ts'
import type { Config } from '../../platform/core/config.ts'
import type { DocumentsConfig } from '../../schemas/docstore/document.ts'
import type { QuietHours } from '../../schemas/notify/sinks.ts'
import type { SandboxSpec } from '../../schemas/sandbox/sandbox.ts'
import { DEDUPLICATE_SECS } from '../../services/notify/service.ts'
import type { Meaning, SettingValue } from './declared.ts'

export interface FileSetting extends Meaning {
  service: string
  name: string
  value: SettingValue
  /** Without the line. */
  usual: SettingValue
  /** From 1; null if the file does not set it. */
  line: number | null
}

interface Read {
  documents: DocumentsConfig
  defaultSandbox: SandboxSpec
}

/** `read`: parts of the file with absolute paths. */
export function readFileSettings(
  options: { configFile?: string | undefined },
  config: Pick<Config, 'home' | 'env'>,
  { documents, defaultSandbox }: Read,
): FileSetting[] {
  const { content, lineOf } = readConfigFile(options, config)
  const one = (path: string, setting: Omit<FileSetting, 'line'>): FileSetting => ({
    ...setting,
    line: lineOf(path.split('.')),
  })
  const { path = null, enabled } = documents
  const { quiet_hours: quiet, deduplicate_secs: deduplicate = DEDUPLICATE_SECS } = content.notify ?? {}
  const sandbox = typeof defaultSandbox === 'string' ? defaultSandbox : JSON.stringify(defaultSandbox)
  const meaning = (description: string) => ({ description, usual: null })
  return [
    one('default_sandbox', {
      service: 'daemon',
      name: 'defaultSandbox',
      value: sandbox,
      description: 'Sandbox of agents that have none and whose policy has none',
      usual: 'auto',
    }),
    ...sourcesOf(content, lineOf),
    one('notify.quiet_hours', {
      service: 'notify',
      name: 'quietHours',
      value: quiet ? hoursText(quiet) : null,
      ...meaning('Times at which notifications are not delivered to sinks'),
    }),
    one('notify.deduplicate_secs', {
      service: 'notify',
      name: 'deduplicateSecs',
      value: deduplicate,
      description: 'Time in which equal notifications are delivered once',
      unit: 's',
      usual: DEDUPLICATE_SECS,
    }),
    ...sinksOf(content, lineOf),
    one('documents.path', { service: 'docstore', name: 'documentsPath', value: path, ...meaning('') }),
    one('documents.enabled', {
      service: 'docstore',
      name: 'documentsEnabled',
      value: String(enabled ?? true),
      ...meaning(''),
    }),
  ]
}

type LineOf = ReturnType<typeof readConfigFile>['lineOf']

const sourcesOf = ({ sources = [] }: ConfigFile, lineOf: LineOf): FileSetting[] =>
  sources.map(({ name, directory, git }, index) => ({
    service: 'controller',
    name: `sources.${name}`,
    value: directory ?? git?.url ?? null,
    usual: null,
    line: lineOf(['sources', index]),
    description: 'Source of manifests',
  }))

/** Addresses of sinks can be secrets. */
const sinksOf = ({ notify: { sinks = [] } = {} }: ConfigFile, lineOf: LineOf): FileSetting[] =>
  sinks.map(({ name, type }, index) => ({
    service: 'notify',
    name: `sinks.${name}`,
    value: type,
    usual: null,
    line: lineOf(['notify', 'sinks', index]),
    description: 'Type of a sink, to which notifications are delivered',
  }))

const hoursText = ({ from, to, timezone = 'UTC', except }: QuietHours): string =>
  `${from} to ${to} ${timezone}${except === undefined ? '' : `, except ${except}`}`
