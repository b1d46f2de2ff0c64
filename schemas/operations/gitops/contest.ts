import { Resource } from '../../resource.ts'
import { operation } from '../operation.ts'
import { ResourceId } from '../parameters.ts'

const change = { guard: 'source', params: ResourceId, reply: { 200: Resource } } as const

export const suspendResource = operation('controller.suspendResource', 'POST /resources/:kind/:name/suspend', {
  summary: 'Suspend a resource; drift is still reported',
  ...change,
  errors: [404],
})

export const resumeResource = operation('controller.resumeResource', 'POST /resources/:kind/:name/resume', {
  summary: 'Resume a suspended or contested resource',
  ...change,
  errors: [404, 409],
})
