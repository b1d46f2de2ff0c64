// Shapes that many records share.
import * as Type from 'typebox'

export const nullableText = Type.Union([Type.String(), Type.Null()])

/** An object that takes no members beside these. */
export const closedObject = <Members extends Type.TProperties>(members: Members) =>
  Type.Object(members, { additionalProperties: false })

/** A closed object under the name (`$id`) that the API's documents refer to. */
export const namedObject = <Members extends Type.TProperties>(name: string, members: Members) =>
  Type.Object(members, { $id: name, additionalProperties: false })
