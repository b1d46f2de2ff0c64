// Every verb of `agent orchestrator`, in the order help lists them.
import { orchestratorOperations } from '../../../schemas/operations/orchestrator/index.ts'
import type { CommandEntry } from '../../program.ts'
import { healthVerb } from '../health.ts'
import { agentVerbs } from './agents.ts'
import { approvalVerbs } from './approvals.ts'
import { limitVerbs } from './limits.ts'
import { queueVerbs } from './queues.ts'
import { sessionVerbs } from './sessions.ts'
import { validateTemplate } from './template-entry.ts'
import { workflowVerbs } from './workflows.ts'

export const orchestrator: readonly CommandEntry[] = [
  ...agentVerbs,
  ...sessionVerbs,
  ...limitVerbs,
  ...approvalVerbs,
  ...workflowVerbs,
  ...queueVerbs,
  validateTemplate,
  healthVerb('orchestrator', orchestratorOperations, 'whether the orchestrator answers, and how it is'),
]
