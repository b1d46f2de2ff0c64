// The one place that makes a validator: ajv 2020-12, nothing stripped, nothing filled in.
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

/** Only the plain form: the package's also takes `urn:uuid:`. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export interface AjvOptions {
  /** All faults. Default true; without, the first fault ends the (cheaper) look. */
  thorough?: boolean
  /** Texts are taken for the numbers and booleans they spell, as in a query string. Default false. */
  coerce?: boolean
  /** Lengths count UTF-16 units, which are known, in place of characters, which have to be counted. Default false. */
  units?: boolean
}

export function createAjv({ thorough = true, coerce = false, units = false }: AjvOptions = {}): Ajv2020 {
  const ajv = new Ajv2020({
    discriminator: true,
    removeAdditional: false,
    coerceTypes: coerce,
    useDefaults: false,
    allErrors: thorough,
    // What `explain` needs of each fault.
    verbose: true,
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allowUnionTypes: true,
    // That each schema is one is held by a test; to look again costs a daemon a fourth of the time it starts in.
    validateSchema: false,
    // Its passes over the code cost more than the code that they save.
    code: { optimize: false },
    // The option is called deprecated, in a line on standard error, and has no successor.
    ...(units ? { unicode: false, logger: false as const } : {}),
  })
  addFormats.default(ajv)
  return ajv.addFormat('uuid', UUID)
}
