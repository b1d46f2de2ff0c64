import type { AgentRecord } from '../../../schemas/agent.ts'
import type { WorkflowRecord } from '../../../schemas/workflow.ts'
import { orchestratorOperations } from '../../../schemas/operations/orchestrator/index.ts'
import { connect } from '../../http-client.ts'
import { findAgent, findWorkflow, subjectById } from '../../lookup.ts'
import type { Subject } from '../../verb.ts'

export const anAgent: Subject<AgentRecord> = { shown: '<agent>', help: 'Id, or name if unique', find: findAgent }

export const aWorkflow: Subject<WorkflowRecord> = { shown: '<workflow>', help: 'Id or name', find: findWorkflow }

export const anApproval = subjectById('approval', 'agent orchestrator list-approvals', (options) =>
  connect(orchestratorOperations, options).listApprovals(),
)
