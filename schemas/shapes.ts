// Shapes that many records share.
import * as Type from 'typebox'

/** A value, or null where there is none. */
export const orNull = <T extends Type.TSchema>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description })

export const nullableText = orNull(Type.String())

/** An object that takes no members beside these. */
export const closedObject = <Members extends Type.TProperties>(members: Members, options: Type.TObjectOptions = {}) =>
  Type.Object(members, { additionalProperties: false, ...options })

/** A closed object under the name (`$id`) that the API's documents refer to. */
export const namedObject = <Members extends Type.TProperties>(name: string, members: Members) =>
  Type.Object(members, { $id: name, additionalProperties: false })
