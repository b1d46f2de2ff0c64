import * as Type from 'typebox'
import { manifestObject } from '../kind.ts'
import { inputOf, partialOf } from '../members.ts'
import { ManifestTrigger, TriggerBody } from '../trigger.ts'
import { PollInterval, WorkflowName, workflowMembers } from './members.ts'
import { namedObject, mapOf } from '../shapes.ts'

const input = inputOf(workflowMembers)

/** Names of the trigger field. */
export const TRIGGER_MEMBERS = ['source', 'trigger_config', 'source_config'] as const

export const WorkflowManifest = manifestObject('Workflow', 'A trigger, a prompt template and one agent', {
  agent: Type.String({ description: 'Name of the agent that does the work' }),
  source: Type.Optional(ManifestTrigger),
  trigger_config: Type.Optional(ManifestTrigger),
  source_config: Type.Optional(ManifestTrigger),
  ...input,
  prompt_template: Type.Optional(input.prompt_template),
  prompt_template_file: Type.Optional(Type.String({ description: 'File with the prompt template' })),
  poll_interval: Type.Optional(PollInterval),
  policy: Type.Optional(Type.String({ description: 'Name of a Policy, instead of tool_policy' })),
})
export type WorkflowManifest = Type.Static<typeof WorkflowManifest>

/** `source_config` is an alias of `trigger_config`. */
export const WorkflowInput = namedObject('WorkflowInput', {
  name: WorkflowName,
  agent_id: Type.String({ format: 'uuid' }),
  trigger_config: Type.Optional(TriggerBody),
  source_config: Type.Optional(TriggerBody),
  ...input,
})
export type WorkflowInput = Type.Static<typeof WorkflowInput>

const TriggerPatch = mapOf(Type.Unknown(), {
  description: 'Trigger fields; without `type` they are merged into the current trigger',
})

export const WorkflowPatch = namedObject('WorkflowPatch', {
  name: Type.Optional(WorkflowName),
  agent_id: Type.Optional(Type.String({ format: 'uuid' })),
  ...partialOf(workflowMembers),
  source: Type.Optional(TriggerPatch),
  trigger_config: Type.Optional(TriggerPatch),
  source_config: Type.Optional(TriggerPatch),
})
export type WorkflowPatch = Type.Static<typeof WorkflowPatch>
