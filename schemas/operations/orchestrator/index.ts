// What can be asked of the orchestrator.
import { operations } from '../operation.ts'
import { listAgents, createAgent, getAgent, updateAgent, deleteAgent, restartAgent } from './agents.ts'
import {
  sendMessage,
  listMessages,
  getMessage,
  clearContext,
  interruptAgent,
  getUsage,
  getLogs,
} from './agent-sessions.ts'
import { getPolicy, setPolicy, addDirectory, removeDirectory } from './agent-limits.ts'
import {
  listWorkflows,
  createWorkflow,
  getWorkflow,
  updateWorkflow,
  putWorkflow,
  deleteWorkflow,
  listDispatches,
  getDispatch,
  triggerWorkflow,
  validateTemplate,
} from './workflows.ts'
import { receiveWebhook } from './webhooks.ts'
import { listQueues, pushTask, queueStats, peekQueue, purgeQueue, redriveQueue } from './queues.ts'
import { listInFlight, drain } from './work.ts'
import { listApprovals, listAgentApprovals, getApproval, approve, deny } from './approvals.ts'
import { listPolicies, getNamedPolicy, putNamedPolicy, deleteNamedPolicy } from './policies.ts'
import { streamAll, streamAgent, agentSocket } from './streams.ts'

export const orchestratorOperations = operations(
  { service: 'orchestrator', port: 17006 },
  {
    listAgents,
    createAgent,
    getAgent,
    updateAgent,
    deleteAgent,
    restartAgent,
    sendMessage,
    listMessages,
    getMessage,
    clearContext,
    interruptAgent,
    getUsage,
    getLogs,
    getPolicy,
    setPolicy,
    addDirectory,
    removeDirectory,
    listWorkflows,
    createWorkflow,
    getWorkflow,
    updateWorkflow,
    putWorkflow,
    deleteWorkflow,
    listDispatches,
    getDispatch,
    triggerWorkflow,
    validateTemplate,
    receiveWebhook,
    listQueues,
    pushTask,
    queueStats,
    peekQueue,
    purgeQueue,
    redriveQueue,
    listInFlight,
    drain,
    listApprovals,
    listAgentApprovals,
    getApproval,
    approve,
    deny,
    listPolicies,
    getNamedPolicy,
    putNamedPolicy,
    deleteNamedPolicy,
    streamAll,
    streamAgent,
    agentSocket,
  },
)
