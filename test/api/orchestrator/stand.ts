// Orchestrator routes on a double of its face, shared by the tests of these routes.
import type { WebSocket } from 'ws'
import { orchestratorRoutes } from '../../../api/orchestrator/index.ts'
import { ChangeFeed } from '../../../platform/async/change-feed.ts'
import { noLog } from '../../../platform/core/log/log.ts'
import { conflict, notFound } from '../../../platform/core/problem.ts'
import type { StreamFrame } from '../../../schemas/agent/stream.ts'
import type { Orchestrator } from '../../../services/orchestrator/face.ts'
import { answers, ID, serveRoutes } from '../stand.ts'

/** Id of an agent that does not exist. */
export const OTHER = '00000000-0000-4000-8000-000000000000'
/** Manifest of the agent `ID`. */
export const managedBy = { source: 'default', file: 'agents/a.yaml', line: 3 }
export const frames = new ChangeFeed<StreamFrame>(noLog)

const agent = {
  id: ID,
  name: 'a',
  status: 'running',
  config: { tool_policy: { mode: 'allow_all' }, env: { KEY: '***' } },
  managed_by: null,
}
const workflow = { id: ID, name: 'w' }
export const approval = {
  id: ID,
  agent_id: ID,
  status: 'pending',
  workflow: null,
  policy: { of: 'agent', mode: 'allow_list', name: 'reader', field: 'ask', entry: 'Read', managed_by: managedBy },
}
const getAgent = answers('agents.get', agent)

const face = {
  defaultSandbox: null,
  agents: {
    create: answers('agents.create', agent),
    get: async (id: string) => {
      if (id === OTHER) throw notFound('agent', id)
      return getAgent(id)
    },
    list: answers('agents.list', [agent, agent, agent]),
    patch: answers('agents.patch', { ...agent, requires_restart: true }),
    terminate: answers('agents.terminate', { ...agent, status: 'stopped' }),
    purge: answers('agents.purge', undefined),
    restart: answers('agents.restart', agent),
    message: answers('agents.message', { status: 'sent', agent_id: ID, message_id: ID }),
    messages: answers('agents.messages', [{ id: ID, status: 'done' }]),
    messageOf: answers('agents.messageOf', { id: ID, status: 'done' }),
    setPolicy: answers('agents.setPolicy', { mode: 'deny_all' }),
    addDirectory: answers('agents.addDirectory', { agent_id: ID, additional_dirs: ['/x'], requires_restart: true }),
    removeDirectory: answers('agents.removeDirectory', { agent_id: ID, additional_dirs: [], requires_restart: true }),
    clearContext: answers('agents.clearContext', { agent_id: ID, new_session_number: 2 }),
    interrupt: answers('agents.interrupt', undefined),
    usage: answers('agents.usage', { agent_id: ID, session_count: 1 }),
    logs: answers('agents.logs', 'last words'),
  },
  usage: { history: answers('usage.history', { hours: [] }) },
  workflows: {
    create: answers('workflows.create', workflow),
    get: answers('workflows.get', workflow),
    list: answers('workflows.list', [workflow]),
    patch: answers('workflows.patch', workflow),
    delete: answers('workflows.delete', undefined),
    history: answers('workflows.history', [{ id: ID, status: 'completed' }]),
    dispatch: answers('workflows.dispatch', { id: ID, status: 'completed' }),
    trigger: answers('workflows.trigger', { id: ID, status: 'pending' }),
  },
  work: {
    inFlight: answers('work.inFlight', [{ id: ID, kind: 'message' }]),
    drain: answers('work.drain', { draining: true, until: null }),
  },
  policies: {
    list: answers('policies.list', []),
    get: answers('policies.get', { name: 'p' }),
    put: async (name: string) => ({ policy: { name }, created: name === 'new' }),
    delete: answers('policies.delete', undefined),
  },
  rooms: { wakes: answers('rooms.wakes', { agents: [{ id: ID, name: 'a' }] }) },
  policyTests: { run: answers('policyTests.run', { calls: [] }) },
  approvals: {
    list: answers('approvals.list', { items: [approval], total: 1 }),
    slice: answers('approvals.slice', { items: [approval], next: null, previous: null, counts: { total: 1 } }),
    get: answers('approvals.get', approval),
    approve: answers('approvals.approve', { ...approval, status: 'approved' }),
    deny: async () => {
      throw conflict('it is decided already')
    },
    decideAlike: answers('approvals.decideAlike', [{ id: ID, approval, problem: null }]),
    withdraw: answers('approvals.withdraw', approval),
    similar: answers('approvals.similar', [{ id: ID, status: 'denied' }]),
  },
  transcripts: {
    page: answers('transcripts.page', { items: [], next: null, previous: null, kept_since: null }),
    content: answers('transcripts.content', '<b>whole</b>'),
  },
  sockets: {
    connected: 2,
    admit: async (id: string, token: string | null) => id === ID && token === 'right',
    attach: (id: string, socket: WebSocket) => socket.send(`hello ${id}`),
  },
  streams: {
    subscribe: (listener: (frame: StreamFrame) => void, agentId?: string) =>
      frames.subscribe((frame) => (agentId === undefined || agentId === frame.agent_id ? listener(frame) : undefined)),
  },
} as unknown as Orchestrator

export function serveOrchestratorRoutes(): void {
  serveRoutes('orchestrator', (app) =>
    orchestratorRoutes(app, face, (kind, id) => (kind === 'agents' && id === ID ? managedBy : null)),
  )
}
