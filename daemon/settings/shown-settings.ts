// Settings in force, where each comes from, and what it means.
import { readConfig, usualConfigFile, type Config } from '../../platform/core/config.ts'
import { Masker } from '../../platform/secrets/masking/masker.ts'
import { ownSecrets } from '../../platform/secrets/masking/own-secrets.ts'
import { addressVariables } from '../../platform/service/addresses.ts'
import type { Served } from '../../platform/service/define.ts'
import { portVariables } from '../../platform/service/service-plans.ts'
import { readSettings, variableOf, type Settings } from '../../platform/service/settings.ts'
import { SECRET_SET, SECRET_UNSET, type ShownSetting } from '../../schemas/operations/gitops/settings.ts'
import { everyService } from '../../schemas/operations/services.ts'
import type { Declared, SettingValue } from './declared.ts'
import type { FileSetting } from './file-settings.ts'
import { meanings } from './meanings.ts'
import { ownSettings } from './own-settings.ts'

interface Asked {
  config: Config
  /** Services of this process. */
  services: readonly Served[]
  /** Service that uses PORT if several run. */
  primary: string
  /** As read at the start. */
  written: readonly FileSetting[]
}

/** Of the daemon, then of each service of this process. Services in other processes have their own environment. */
export function shownSettings(asked: Asked): ShownSetting[] {
  const { config, services } = asked
  const own = ownSettings.filter(({ service }) => service === 'daemon' || services.some(({ name }) => name === service))
  const declared = [
    ...own,
    ...everyService.flatMap(addressSetting),
    ...services.flatMap((each) => ofService(each, asked)),
  ]
  const masker = new Masker(ownSecrets(config))
  const shown = declared.map((each) => masked(show(each, asked), masker))
  return [...shown, configFile(config), ...inFileOnly(asked, shown).map((each) => masked(each, masker))]
}

function ofService(served: Served, { config, services, primary }: Asked): Declared[] {
  const { operations, settings } = served.definition
  const { name } = served
  const port: Declared[] = operations.mount
    ? []
    : [
        {
          service: name,
          name: 'port',
          variables: portVariables(served, services, primary),
          description: 'Port of the service; 0: any free port',
          value: (read) => read.port(operations, portVariables(served, services, primary)),
        },
      ]
  const { values } = readSettings(name, settings as Settings, config.env)
  const own = Object.entries(settings as Settings).map(([setting, definition]): Declared => {
    const variable = variableOf(name, setting, definition)
    const value = values[setting] as SettingValue
    return {
      service: name,
      name: setting,
      variables: [variable],
      ...meanings[variable]!,
      value: () => value,
      default: definition.default as SettingValue,
    }
  })
  return [...port, ...own]
}

function addressSetting({ service }: { service: string }): Declared[] {
  const variables = addressVariables(service)
  return [
    {
      service,
      name: 'url',
      variables,
      description: 'Address of the service if it runs in another process',
      value: ({ env }) => variables.map((name) => env[name]).find(Boolean) ?? null,
      default: null,
    },
  ]
}

function show(declared: Declared, { config, written }: Asked): ShownSetting {
  const { service, name, variables, description, unit = null, secret = false } = declared
  const variable = variables.find((each) => (config.env[each] ?? '') !== '') ?? null
  const inFile = written.find((each) => each.line !== null && each.service === service && each.name === name)
  const usual = declared.default === undefined ? usualValue(declared, config) : declared.default
  const shown = { service, name, variables: [...variables], unit, description, secret }
  if (secret)
    return {
      ...shown,
      value: variable === null ? SECRET_UNSET : SECRET_SET,
      default: SECRET_UNSET,
      origin: originOf(variable),
    }
  return inFile && variable === null
    ? { ...shown, value: inFile.value, default: usual, origin: placeOf(inFile, config) }
    : { ...shown, value: declared.value(config), default: usual, origin: originOf(variable) }
}

/** Variables can require each other: without one, the environment may be invalid. */
function usualValue({ variables, value }: Declared, { env }: Config): SettingValue {
  const without = { ...env, ...Object.fromEntries(variables.map((name) => [name, undefined])) }
  const { HOME, XDG_DATA_HOME, XDG_CONFIG_HOME } = env
  for (const each of [without, { HOME, XDG_DATA_HOME, XDG_CONFIG_HOME }])
    try {
      return value(readConfig(each))
    } catch {
      continue
    }
  return null
}

const originOf = (variable: string | null): ShownSetting['origin'] => ({
  from: variable === null ? 'default' : 'environment',
  variable,
  file: null,
  line: null,
})

const placeOf = ({ line }: FileSetting, config: Config): ShownSetting['origin'] =>
  line === null ? originOf(null) : { from: 'file', variable: null, file: config.configFile, line }

function configFile(config: Config): ShownSetting {
  const usual = usualConfigFile(config)
  const from = config.configFile === usual ? 'default' : 'option'
  return {
    service: 'daemon',
    name: 'configFile',
    variables: [],
    value: config.configFile,
    default: usual,
    unit: null,
    description: 'Configuration file with sources, sinks and the default sandbox (--config)',
    secret: false,
    origin: { from, variable: null, file: null, line: null },
  }
}

/** Settings that no variable sets, in the order of the file. */
function inFileOnly({ config, written }: Asked, shown: readonly ShownSetting[]): ShownSetting[] {
  const isShown = ({ service, name }: FileSetting) =>
    shown.some((each) => each.service === service && each.name === name)
  return written
    .filter((each) => !isShown(each))
    .map((each) => ({
      service: each.service,
      name: each.name,
      variables: [],
      value: each.value,
      default: each.usual,
      unit: each.unit ?? null,
      description: each.description,
      secret: false,
      origin: placeOf(each, config),
    }))
}

/** Short passwords in addresses are no secrets for the masker. */
function masked(setting: ShownSetting, masker: Masker): ShownSetting {
  return { ...setting, value: maskedValue(setting.value, masker), default: maskedValue(setting.default, masker) }
}

const CREDENTIALS = /:\/\/[^\s]*@/g
const QUERY_SECRET = /([?&][^=&]*(?:password|token|secret|key)[^=&]*=)[^&]*/gi

function maskedValue(value: unknown, masker: Masker): unknown {
  if (Array.isArray(value)) return value.map((each) => maskedValue(each, masker))
  if (typeof value !== 'string') return value
  return masker.mask(value).replace(CREDENTIALS, '://***@').replace(QUERY_SECRET, '$1***')
}
