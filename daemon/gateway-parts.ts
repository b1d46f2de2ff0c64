import type { Controller } from '../controller/face.ts'
import { managedRecords } from '../controller/live-topics.ts'
import { controller } from '../controller/service.ts'
import type { Host, Opened } from '../platform/service/define.ts'
import type { LiveTopic } from '../platform/store/live-topic.ts'
import { ask } from '../services/ask/service.ts'
import { communicate } from '../services/communicate/service.ts'
import { conductor } from '../services/conductor/service.ts'
import type { GatewayParts } from '../services/gateway/service.ts'
import { monitor } from '../services/monitor/service.ts'
import { notify } from '../services/notify/service.ts'
import { orchestrator } from '../services/orchestrator/service.ts'

/** What the gateway needs of the other services in this process. */
export function gatewayParts(host: Host): GatewayParts {
  const opened: readonly (Opened | null)[] = [
    host.find(orchestrator),
    host.find(communicate),
    host.find(controller),
    host.find(notify),
    host.find(ask),
    host.find(monitor),
    host.find(conductor),
  ]
  return {
    mayOf: async (id) => (await host.find(orchestrator)!.callers!.find(id))?.may ?? [],
    topics: opened.flatMap((face) => face?.topics ?? []).map(withManifests(host.find(controller)!)),
    inboxSources: opened.flatMap((face) => face?.inboxSources ?? []),
    planned: (listener) =>
      host.find(controller)!.events((event) => {
        if (event.type === 'plan') listener(event.source)
      }),
  }
}

/** Adds the manifest to agents, as the operations of the orchestrator do. */
const withManifests =
  ({ managedBy }: Pick<Controller, 'managedBy'>) =>
  (topic: LiveTopic): LiveTopic =>
    topic.name !== 'agents' || !('sources' in topic)
      ? topic
      : {
          ...topic,
          sources: [...topic.sources, managedRecords('agents')],
          read: async (ids, of) => {
            const agents = await topic.read(ids, of)
            return new Map([...agents].map(([id, agent]) => [id, { ...agent, managed_by: managedBy('agents', id) }]))
          },
        }
