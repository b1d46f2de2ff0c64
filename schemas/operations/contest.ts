// What can be asked about a resource that two writers kept undoing each other at.
import Type from 'typebox'
import { Resource } from '../resource.ts'
import { operation } from './operation.ts'

export const resumeResource = operation({
  id: 'controller.resumeResource',
  summary: 'Write a contested resource again',
  method: 'POST',
  path: '/resources/:kind/:name/resume',
  guard: 'source',
  params: Type.Object({ kind: Type.String(), name: Type.String() }),
  reply: { 200: Resource },
  errors: [404, 409],
})
