// Every verb of `agent orchestrator`, in the order help lists them.
import { common, health } from '../../../schemas/operations/health.ts'
import { orchestratorOperations } from '../../../schemas/operations/orchestrator/index.ts'
import { lines } from '../../output/records.ts'
import type { CommandEntry } from '../../program.ts'
import { verb } from '../../verb.ts'
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
  verb('health', common(orchestratorOperations), health, {
    summary: 'whether the orchestrator answers, and how it is',
    examples: ['agent orchestrator health'],
    done: (answer) => lines(answer),
    exit: ({ status }) => (status === 'ok' ? 0 : 1),
  }),
]
