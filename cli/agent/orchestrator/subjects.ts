// What the verbs of the orchestrator are about, as it is named on the command line.
import type { AgentRecord } from '../../../schemas/agent.ts'
import type { WorkflowRecord } from '../../../schemas/workflow.ts'
import { findAgent, findApproval, findWorkflow } from '../../lookup.ts'
import type { Subject } from '../../verb.ts'

export const anAgent: Subject<AgentRecord> = { shown: '<agent>', help: 'id, or name where unique', find: findAgent }

export const aWorkflow: Subject<WorkflowRecord> = { shown: '<workflow>', help: 'id or name', find: findWorkflow }

export const anApproval: Subject<{ id: string }> = {
  shown: '<approval>',
  help: 'id, or its first characters',
  find: findApproval,
}
