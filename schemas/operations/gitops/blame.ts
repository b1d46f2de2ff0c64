import * as Type from 'typebox'
import { operation } from '../operation.ts'
import { ResourceId } from '../parameters.ts'
import { closedObject, namedObject, nullableText, orNull } from '../../shapes.ts'

export const BlamedMember = closedObject({
  path: Type.String({ description: 'Dotted path; elements of a keyed list in brackets' }),
  value: Type.Unknown({ description: 'Live value; secrets are redacted' }),
  owner: Type.String({
    description:
      'Owner of the value: git:<source> (a manifest, also of a folder), api:<actor> (a change through the API) or default',
  }),
  place: orNull(Type.String(), 'Position in the manifest that sets it, or would set it: file:line:column'),
  at: nullableText,
  request_id: nullableText,
  endpoint: nullableText,
})
export type BlamedMember = Type.Static<typeof BlamedMember>

export const Blame = namedObject('Blame', {
  kind: Type.String(),
  name: Type.String(),
  source: Type.String(),
  members: Type.Array(BlamedMember),
})
export type Blame = Type.Static<typeof Blame>

export const blameResource = operation('controller.blameResource', 'GET /resources/:kind/:name/blame', {
  identity: 'none',
  summary: 'Show who set each field of a resource',
  params: ResourceId,
  query: Type.Object({
    path: Type.Optional(Type.String({ maxLength: 4096, description: 'Only this field and the fields below it' })),
  }),
  reply: { 200: Blame },
  errors: [404],
})
