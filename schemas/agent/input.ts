import * as Type from 'typebox'
import { manifestObject } from '../kind.ts'
import { inputOf, patchOf } from '../members.ts'
import { agentMembers } from './members.ts'
import { closedObject, namedObject } from '../shapes.ts'

export const AgentManifest = manifestObject('Agent', 'A program that runs in its own session', {
  ...inputOf(agentMembers),
  policy: Type.Optional(Type.String({ description: 'Name of a Policy, instead of tool_policy' })),
})
export type AgentManifest = Type.Static<typeof AgentManifest>

const AgentName = Type.String({ minLength: 1, maxLength: 256 })

export const AgentInput = namedObject('AgentInput', { name: AgentName, ...inputOf(agentMembers) })
export type AgentInput = Type.Static<typeof AgentInput>

/** JSON Merge Patch on name and config; config fields at top level or below `config`. */
export const AgentPatch = namedObject('AgentPatch', {
  name: Type.Optional(AgentName),
  ...patchOf(agentMembers),
  config: Type.Optional(closedObject(patchOf(agentMembers))),
})
export type AgentPatch = Type.Static<typeof AgentPatch>
