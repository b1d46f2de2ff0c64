// Whether one resource is written: it can be set aside, and is by itself where two writers kept undoing each other.
import { Resource } from '../resource.ts'
import { operation } from './operation.ts'
import { ResourceId } from './parameters.ts'

const change = { guard: 'source', params: ResourceId, reply: { 200: Resource } } as const

export const suspendResource = operation('controller.suspendResource', 'POST /resources/:kind/:name/suspend', {
  summary: 'Set one resource aside: nothing of it is written, drift is still reported',
  ...change,
  errors: [404],
})

export const resumeResource = operation('controller.resumeResource', 'POST /resources/:kind/:name/resume', {
  summary: 'Write a suspended or contested resource again',
  ...change,
  errors: [404, 409],
})
