import type { Migrations } from '../../platform/database/database.ts'
import { addAuditPages, createAuditTable } from '../../platform/store/audit.ts'
import {
  addAgentAndApprovalPages,
  addAgentSandboxes,
  addAlikeApprovals,
  addApprovalFacts,
  addApprovalFindings,
  addMessageOwners,
  addPolicyAnswers,
  addPolicySandboxes,
  createAgents,
  createApprovals,
  createPrompts,
  createToolCalls,
} from './migrations/agents.ts'
import { createRooms } from './migrations/rooms.ts'
import { createEntries } from './migrations/transcript.ts'
import { createUsageHours } from './migrations/usage.ts'
import {
  addQueuePages,
  addTasksOfAgents,
  createDispatches,
  createFiringLog,
  createQueueTasks,
  createWorkflows,
} from './migrations/workflows.ts'

export const migrations: Migrations = {
  prefix: 'orchestrator',
  replaces: [
    '001-core',
    '002-trigger-cursors',
    '003-approval-causes',
    '004-page-indexes',
    '005-bound-decisions',
    '006-restarts',
    '007-version-columns',
    '008-agent-versions',
    '009-durable-tasks',
    '010-queue-tasks',
    '011-seen-tasks',
    '012-chain-ends',
    '013-finished-workflows',
    '014-trigger-names',
    '015-transcript',
    '016-rooms',
  ],
  steps: [
    {
      name: '0.1.0',
      up: async (db) => {
        await createAgents(db)
        await createPrompts(db)
        await createApprovals(db)
        await createWorkflows(db)
        await createDispatches(db)
        await createQueueTasks(db)
        await createRooms(db)
        await createAuditTable(db, 'orchestrator')
      },
    },
    { name: 'tasks-of-agents', up: addTasksOfAgents },
    { name: 'message-owners', up: addMessageOwners },
    { name: 'policy-answers', up: addPolicyAnswers },
    { name: 'approval-findings', up: addApprovalFindings },
    { name: 'tool-calls', up: createToolCalls },
    { name: 'policy-sandboxes', up: addPolicySandboxes },
    { name: 'agent-sandboxes', up: addAgentSandboxes },
    { name: 'approval-facts', up: addApprovalFacts },
    { name: 'alike-approvals', up: addAlikeApprovals },
    { name: 'queue-pages', up: addQueuePages },
    { name: 'transcript-entries', up: createEntries },
    { name: 'agent-and-approval-pages', up: addAgentAndApprovalPages },
    { name: 'audit-pages', up: (db) => addAuditPages(db, 'orchestrator') },
    { name: 'firing-log', up: createFiringLog },
    { name: 'usage-hours', up: createUsageHours },
  ],
}
