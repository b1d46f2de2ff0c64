// What can be asked about who set what of a resource.
import * as Type from 'typebox'
import { operation } from './operation.ts'
import { ResourceId } from './parameters.ts'
import { closedObject, namedObject, nullableText, orNull } from '../shapes.ts'

export const BlamedMember = closedObject({
  path: Type.String({ description: 'Dotted, an element of a keyed list in brackets' }),
  value: Type.Unknown({ description: 'As it is live; secrets are masked' }),
  owner: Type.String({
    description:
      'Who set it: git:<source> by its manifest, api:<actor> on the live system, default where nobody did. A folder is git too',
  }),
  place: orNull(Type.String(), 'Of a manifest that says it, or would: file:line:column'),
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
  summary: 'Who set each member of a resource: its manifest, somebody on the live system, or nobody',
  params: ResourceId,
  query: Type.Object({
    path: Type.Optional(Type.String({ maxLength: 4096, description: 'Only this member, and what it is made of' })),
  }),
  reply: { 200: Blame },
  errors: [404],
})
