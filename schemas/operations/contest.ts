// Whether one resource is written: it can be set aside, and is by itself where two writers kept undoing each other.
import * as Type from 'typebox'
import { Resource } from '../resource.ts'
import { operation } from './operation.ts'

const Named = Type.Object({ kind: Type.String(), name: Type.String() })

export const suspendResource = operation('controller.suspendResource', 'POST /resources/:kind/:name/suspend', {
  summary: 'Set one resource aside: nothing of it is written, drift is still reported',
  guard: 'source',
  params: Named,
  reply: { 200: Resource },
  errors: [404],
})

export const resumeResource = operation('controller.resumeResource', 'POST /resources/:kind/:name/resume', {
  summary: 'Write a suspended or contested resource again',
  guard: 'source',
  params: Named,
  reply: { 200: Resource },
  errors: [404, 409],
})
