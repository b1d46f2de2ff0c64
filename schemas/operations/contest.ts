// Whether one resource is written: it can be set aside, and is by itself where two writers kept undoing each other.
import Type from 'typebox'
import { Resource } from '../resource.ts'
import { operation } from './operation.ts'

const Named = Type.Object({ kind: Type.String(), name: Type.String() })

export const suspendResource = operation({
  id: 'controller.suspendResource',
  summary: 'Set one resource aside: nothing of it is written, drift is still reported',
  method: 'POST',
  path: '/resources/:kind/:name/suspend',
  guard: 'source',
  params: Named,
  reply: { 200: Resource },
  errors: [404],
})

export const resumeResource = operation({
  id: 'controller.resumeResource',
  summary: 'Write a suspended or contested resource again',
  method: 'POST',
  path: '/resources/:kind/:name/resume',
  guard: 'source',
  params: Named,
  reply: { 200: Resource },
  errors: [404, 409],
})
