import * as Type from 'typebox'

export const orNull = <T extends Type.TSchema>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description })

export const nullableText = orNull(Type.String())

/**
 * An object with values of one schema; `keys`: pattern of its keys, default any. `Type.Record` would load TypeBox's type
 * engine, 100 KB, into every command.
 */
export const mapOf = <Value extends Type.TSchema>(
  value: Value,
  { keys = '^.*$', ...options }: Type.TObjectOptions & { keys?: string } = {},
) =>
  Type.Unsafe<Record<string, Type.Static<Value>>>({ type: 'object', patternProperties: { [keys]: value }, ...options })

/** An object without additional fields. */
export const closedObject = <Members extends Type.TProperties>(members: Members, options: Type.TObjectOptions = {}) =>
  Type.Object(members, { additionalProperties: false, ...options })

/** A closed object with an `$id` that API documents refer to. */
export const namedObject = <Members extends Type.TProperties>(name: string, members: Members) =>
  Type.Object(members, { $id: name, additionalProperties: false })
