import type { Config } from '../../platform/core/config.ts'

export type SettingValue = string | number | boolean | readonly string[] | null

export interface Meaning {
  description: string
  unit?: 's' | 'days' | 'MiB' | '%'
}

/** A setting with what it takes to show it. */
export interface Declared extends Meaning {
  service: string
  name: string
  /** The first one that is set wins. Empty: it is set by the configuration file or an option only. */
  variables: readonly string[]
  secret?: true
  /** Of the environment that the configuration was read from. */
  value(config: Config): SettingValue
  /** Without the variables. Default: the value for an environment without them. */
  default?: SettingValue
}
