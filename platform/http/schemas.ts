// One compiler for every schema of a route: ajv 2020-12, nothing stripped, all faults at once.
import { Ajv2020, type AnySchema, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { FastifyInstance } from 'fastify'
import type { TSchema } from 'typebox'

type Json = Record<string, unknown>

/** Only the plain form: the package's also takes `urn:uuid:`. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

function createAjv(coerce: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    discriminator: true,
    removeAdditional: false,
    coerceTypes: coerce,
    useDefaults: false,
    allErrors: true,
    verbose: true,
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allowUnionTypes: true,
  })
  addFormats.default(ajv)
  return ajv.addFormat('uuid', UUID)
}

/** Text of a query string is coerced to what its schema says; nothing else is. */
export function installValidation(app: FastifyInstance): void {
  const [strict, coercing] = [createAjv(false), createAjv(true)]
  app.setValidatorCompiler(({ schema, httpPart }): ValidateFunction => {
    const ajv = httpPart === 'querystring' ? coercing : strict
    for (const [id, shared] of Object.entries(app.getSchemas()))
      if (!ajv.getSchema(id)) ajv.addSchema(shared as AnySchema)
    return ajv.compile(schema as AnySchema)
  })
  // Faces return what the schema says; rebuilding it member by member would only cost time.
  app.setSerializerCompiler(() => (body) => JSON.stringify(body))
}

/**
 * Gives a schema that has an `$id`, and all such schemas within it, to the server once, and returns
 * what stands for it in a route: a reference, so that OpenAPI names each shape once.
 */
export function shapesOf(app: FastifyInstance): (schema: TSchema) => TSchema {
  const known = new Set(Object.keys(app.getSchemas()))
  const reference = (schema: Json): Json => {
    const id = schema.$id as string
    if (!known.has(id)) {
      known.add(id)
      app.addSchema({ ...members(schema), $id: id })
    }
    return { $ref: `${id}#` }
  }
  const members = (schema: Json): Json =>
    Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, turned(value)]))
  const turned = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(turned)
    if (typeof value !== 'object' || value === null) return value
    return typeof (value as Json).$id === 'string' ? reference(value as Json) : members(value as Json)
  }
  return (schema) => turned(schema) as TSchema
}
