// The only place that creates validators.
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

/** Excludes `urn:uuid:`, which ajv-formats accepts. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export interface AjvOptions {
  /** Report all errors. Default true; false stops at the first, which is cheaper. */
  thorough?: boolean
  /** Coerce text to numbers and booleans, as in query strings. Default false. */
  coerce?: boolean
  /** Count lengths in UTF-16 units, which is cheaper than characters. Default false. */
  units?: boolean
}

export function createAjv({ thorough = true, coerce = false, units = false }: AjvOptions = {}): Ajv2020 {
  const ajv = new Ajv2020({
    discriminator: true,
    removeAdditional: false,
    coerceTypes: coerce,
    useDefaults: false,
    allErrors: thorough,
    // Needed by `explain`.
    verbose: true,
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allowUnionTypes: true,
    // A test validates the schemas; checking again would cost a quarter of the daemon's start time.
    validateSchema: false,
    // Optimising costs more time than it saves.
    code: { optimize: false },
    // Deprecated without a successor; silences the warning.
    ...(units ? { unicode: false, logger: false as const } : {}),
  })
  addFormats.default(ajv)
  return ajv.addFormat('uuid', UUID)
}
