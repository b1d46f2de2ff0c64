import type { ChangeFeed } from '../../platform/async/change-feed.ts'
import type { ChangeSource } from '../../platform/store/change-triggers.ts'
import { eachRecord, type LiveTopic } from '../../platform/store/live-topic.ts'
import { USUAL_LOG_LINES } from '../../schemas/agent/message.ts'
import type { AgentPane } from '../../schemas/agent/pane.ts'
import type { LiveChange, Orchestrator } from './face.ts'

interface Parts extends Pick<Orchestrator, 'agents' | 'workflows' | 'transcripts'> {
  feed: ChangeFeed<LiveChange>
}

export const liveFace = (parts: Parts): Pick<Orchestrator, 'topics' | 'inboxSources'> => ({
  topics: liveTopics(parts),
  inboxSources,
})

function liveTopics({ agents, workflows, transcripts, feed }: Parts): LiveTopic[] {
  return [
    {
      name: 'agents',
      sources: [
        { table: 'orchestrator_agents', topic: 'agents', id: ['id'], columns: SHOWN_OF_AGENT },
        // The agent is busy or idle.
        {
          table: 'orchestrator_prompts',
          topic: 'agents',
          id: ['agent_id'],
          columns: ['status'],
          events: ['UPDATE'],
        },
      ],
      read: (ids) => eachRecord(ids, (id) => agents.get(id)),
      unrecorded: (listener) => feed.subscribe(({ kind, id }) => kind === 'agents' && listener(id)),
    },
    {
      name: 'agent',
      hasIds: true,
      sources: [{ table: 'orchestrator_entries', topic: 'agent', of: 'agent_id', id: ['id'], events: ['INSERT'] }],
      open: async (id) => void (await agents.get(id)),
      read: async (ids, agentId) =>
        new Map((await transcripts.entries(agentId, ids)).map((entry) => [entry.id, entry])),
    },
    {
      name: 'pane',
      hasIds: true,
      open: async (id) => void (await agents.get(id)),
      poll: async (id): Promise<AgentPane> => {
        const lines = await agents.logs(id, USUAL_LOG_LINES)
        return { status: (await agents.get(id)).status, lines }
      },
    },
    {
      name: 'workflows',
      sources: [
        { table: 'orchestrator_workflows', topic: 'workflows', id: ['id'] },
        { table: 'orchestrator_firings', topic: 'workflows', id: ['workflow_id'], events: ['INSERT', 'UPDATE'] },
      ],
      read: (ids) => eachRecord(ids, (id) => workflows.get(id)),
    },
  ]
}

/** Also two changes in one millisecond. Other columns are notes of the daemon. */
const SHOWN_OF_AGENT = [
  'updated_at',
  'name',
  'status',
  'config',
  'launched_config',
  'restarts',
  'last_error',
  'sandbox',
  'warnings',
  'lost_messages',
]

const inboxSources: readonly ChangeSource[] = [
  { table: 'orchestrator_approvals', topic: 'inbox', kind: 'approval', id: ['id'], columns: ['status'] },
]
