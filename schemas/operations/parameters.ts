import * as Type from 'typebox'

export const Id = Type.Object({ id: Type.String({ format: 'uuid' }) })

export const ResourceId = Type.Object({ kind: Type.String(), name: Type.String() })

export const filterText = (description: string) => Type.Optional(Type.String({ minLength: 1, description }))
