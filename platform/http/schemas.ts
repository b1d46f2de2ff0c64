// Compiles route schemas: strips nothing, reports all faults at once.
import { strictJson } from '../../schemas/validation/text.ts'
import type { Ajv2020, AnySchema, ValidateFunction } from 'ajv/dist/2020.js'
import type { FastifyInstance } from 'fastify'
import type { TSchema } from 'typebox'
import { createAjv, type AjvOptions } from '../../schemas/validation/ajv.ts'
import { twoStepValidator } from '../../schemas/validation/two-step-validator.ts'

type Json = Record<string, unknown>

/** Coerces query strings only. Compiles each schema on first use: compiling all takes a second. */
export function installValidation(app: FastifyInstance): void {
  const [quick, thorough, coercing] = [later({ thorough: false }), later(), later({ coerce: true })]
  app.setValidatorCompiler(({ schema, httpPart }): ValidateFunction => {
    const compileBy = (ajvOf: () => Ajv2020) => () => {
      const ajv = ajvOf()
      for (const [id, shared] of Object.entries(app.getSchemas()))
        if (!ajv.schemas[id]) ajv.addSchema(shared as AnySchema)
      return ajv.compile(schema as AnySchema)
    }
    if (httpPart !== 'querystring') return twoStepValidator(compileBy(quick), compileBy(thorough))
    return twoStepValidator(compileBy(coercing), compileBy(coercing))
  })
  // Handlers return what the schema declares, so plain JSON is enough.
  app.setSerializerCompiler(() => strictJson)
  app.setReplySerializer(strictJson)
}

function later(options?: AjvOptions): () => Ajv2020 {
  let ajv: Ajv2020 | undefined
  return () => (ajv ??= createAjv(options))
}

/** Registers schemas with an `$id` and returns references, so that OpenAPI names each once. */
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
