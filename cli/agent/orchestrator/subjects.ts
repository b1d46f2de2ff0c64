// What the verbs of the orchestrator are about, as it is named on the command line.
import type { AgentRecord } from '../../../schemas/agent.ts'
import type { WorkflowRecord } from '../../../schemas/workflow.ts'
import { orchestratorOperations } from '../../../schemas/operations/orchestrator/index.ts'
import { connect } from '../../http-client.ts'
import { findAgent, findWorkflow, subjectById } from '../../lookup.ts'
import type { Subject } from '../../verb.ts'

export const anAgent: Subject<AgentRecord> = { shown: '<agent>', help: 'id, or name where unique', find: findAgent }

export const aWorkflow: Subject<WorkflowRecord> = { shown: '<workflow>', help: 'id or name', find: findWorkflow }

export const anApproval = subjectById('approval', 'agent orchestrator list-approvals', (options) =>
  connect(orchestratorOperations, options).listApprovals(),
)
