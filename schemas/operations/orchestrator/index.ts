import { operations } from '../operation.ts'
import * as limits from './agent-limits.ts'
import * as sessions from './agent-sessions.ts'
import * as agents from './agents.ts'
import * as approvals from './approvals.ts'
import * as policies from './policies.ts'
import * as queues from './queues.ts'
import * as roomWakes from './room-wakes.ts'
import * as streams from './streams.ts'
import * as transcript from './transcript.ts'
import * as webhooks from './webhooks.ts'
import * as work from './work.ts'
import * as workflows from './workflows.ts'

/** These modules must export nothing but operations. */
export const orchestratorOperations = operations(
  { service: 'orchestrator', port: 17006 },
  {
    ...agents,
    ...sessions,
    ...transcript,
    ...limits,
    ...workflows,
    ...webhooks,
    ...queues,
    ...work,
    ...approvals,
    ...policies,
    ...roomWakes,
    ...streams,
  },
)
