import { orchestratorOperations } from '../../../schemas/operations/orchestrator/index.ts'
import { inGroup, type CommandEntry } from '../../program.ts'
import { healthVerb } from '../health.ts'
import { agentVerbs } from './agents.ts'
import { approvalVerbs } from './approvals.ts'
import { firingVerbs } from './firings.ts'
import { limitVerbs } from './limits.ts'
import { queueVerbs } from './queues.ts'
import { sessionVerbs } from './sessions.ts'
import { validateTemplate } from './template-entry.ts'
import { workflowVerbs } from './workflows.ts'

export const orchestrator: readonly CommandEntry[] = [
  ...inGroup('Agents', agentVerbs),
  ...inGroup('Sessions', sessionVerbs),
  ...inGroup('Limits', limitVerbs),
  ...inGroup('Approvals', approvalVerbs),
  ...inGroup('Workflows', [...workflowVerbs, ...firingVerbs, validateTemplate]),
  ...inGroup('Queues', queueVerbs),
  { ...healthVerb('orchestrator', orchestratorOperations, 'Check the health of the orchestrator'), group: 'Other' },
]
