import * as Type from 'typebox'
import { ROLES } from '../../access/token.ts'
import { list } from '../operation.ts'

export const listTokens = list('controller.listTokens', '/tokens', {
  // Names that could be claimed or attacked.
  guard: 'policy',
  identity: 'caller',
  summary: 'List the names and roles of API tokens',
  item: Type.Object({ subject: Type.String(), role: Type.Enum([...ROLES]) }),
})
