import type { Listening } from '../../events/event-bus.ts'
import type { TriggerDefinition } from './contract.ts'

const EVENTS = {
  session_start: 'AgentConnected',
  session_end: 'AgentDisconnected',
  context_clear: 'ContextCleared',
} as const

export const agentLifecycle: TriggerDefinition = {
  type: 'agent_lifecycle',
  fires: 'pushed',
  open: (world, { agentId, trigger }) => {
    const event_type = trigger.event as keyof typeof EVENTS
    let listening: Listening | null = null
    return {
      start: async () => {
        listening = world.listen(async (event) => {
          if (event.type !== EVENTS[event_type] || event.agent_id !== agentId) return
          const { timestamp } = event
          const task = {
            sourceId: `event:${event_type}:${agentId}:${timestamp}`,
            title: `Agent lifecycle: ${event_type}`,
            metadata: { event_type, agent_id: agentId, timestamp },
          }
          await world.accept([task])
        })
      },
      stop: async () => listening?.close(),
    }
  },
}
