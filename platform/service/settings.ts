export interface Setting<T> {
  /** Default SVC_<SERVICE>_<NAME>. */
  variable?: string
  default: T
  /** Expected value in words, for errors and documentation. */
  wanted: string
  /** Returns undefined for an invalid text. */
  parse(text: string): T | undefined
}

export type Settings = Readonly<Record<string, Setting<any>>>
export type Values<S extends Settings> = { readonly [Name in keyof S]: S[Name] extends Setting<infer T> ? T : never }

const numberIf =
  (fits: (value: number) => boolean) =>
  (text: string): number | undefined => {
    const value = Number(text)
    return Number.isFinite(value) && fits(value) ? value : undefined
  }

/** A time in seconds; fractions allowed. */
export function seconds(options: { default: number; least?: number; variable?: string }): Setting<number> {
  const { least = 0 } = options
  return { ...options, wanted: `a number of at least ${least}`, parse: numberIf((value) => value >= least) }
}

export function number(options: {
  default: number
  least: number
  most: number
  whole?: boolean
  variable?: string
}): Setting<number> {
  const { least, most, whole = false } = options
  return {
    ...options,
    wanted: `a ${whole ? 'whole ' : ''}number from ${least} to ${most}`,
    parse: numberIf((value) => value >= least && value <= most && (!whole || Number.isInteger(value))),
  }
}

/** How much one caller may accumulate. */
export function limit(options: { default: number; variable: string }): Setting<number> & { variable: string } {
  return { ...number({ ...options, least: 1, most: 1_000_000_000, whole: true }), variable: options.variable }
}

export function text(options: { default: string; variable?: string }): Setting<string> {
  return { ...options, wanted: 'text', parse: (given) => given }
}

export function httpAddress(options: { default: string; variable?: string }): Setting<string> {
  return {
    ...options,
    wanted: 'an address such as https://api.example.com',
    parse: (given) => (/^https?:\/\/[^/?#\s]+[^?#\s]*$/.test(given) && URL.canParse(given) ? given : undefined),
  }
}

export function choice<const T extends string>(
  words: readonly T[],
  options: { default: T; variable?: string },
): Setting<T> {
  return { ...options, wanted: `one of ${words.join(', ')}`, parse: (given) => words.find((word) => word === given) }
}

/** `cleanupSecs` becomes `SVC_NOTIFY_CLEANUP_SECS`. */
export function variableOf(service: string, name: string, setting: Setting<unknown>): string {
  return setting.variable ?? `SVC_${service}_${name.replace(/[A-Z]/g, '_$&')}`.toUpperCase()
}

/** Returns the effective values and all faults. An empty variable counts as unset. */
export function readSettings<S extends Settings>(
  service: string,
  settings: S,
  env: Readonly<Record<string, string | undefined>>,
): { values: Values<S>; faults: string[] } {
  const faults: string[] = []
  const values = Object.entries(settings).map(([name, setting]) => {
    const variable = variableOf(service, name, setting)
    const given = env[variable]
    if (given === undefined || given === '') return [name, setting.default]
    const value: unknown = setting.parse(given)
    if (value === undefined) faults.push(`${variable} should be ${setting.wanted}, instead got "${given}"`)
    return [name, value ?? setting.default]
  })
  return { values: Object.fromEntries(values) as Values<S>, faults }
}
