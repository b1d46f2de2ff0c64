// Parameters that operations of several services share.
import * as Type from 'typebox'

/** Path parameter of a record. */
export const Id = Type.Object({ id: Type.String({ format: 'uuid' }) })

/** Path parameters of a resource. */
export const ResourceId = Type.Object({ kind: Type.String(), name: Type.String() })

/** Text of a query string that narrows a list. */
export const filterText = (description: string) => Type.Optional(Type.String({ minLength: 1, description }))
