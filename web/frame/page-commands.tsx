import type { AgentRecord } from '../../schemas/agent/record.ts'
import type { Resource } from '../../schemas/resource.ts'
import { agentsTopic, stateTopic } from '../live/topics.ts'
import { useTopic } from '../live/use-live.ts'
import { CommandBar } from '../parts/commands/command-bar.tsx'
import { shellWord } from '../parts/commands/curl.ts'
import type { Command } from '../parts/commands/commands.ts'
import { useKeyRegistry } from '../parts/keys/use-keys.ts'
import { pagePath, useGo } from './page-link.tsx'
import type { RailEntry } from './rail.tsx'

type Go = (path: string) => void

const agentCommand = (go: Go, { id, name, status }: AgentRecord): Command => ({
  id: `agent-${id}`,
  kind: 'find',
  title: name,
  detail: `agent, ${status}`,
  shown: `agent orchestrator get-agent ${shellWord(name)}`,
  run: () => go(pagePath('agents', id, 'talk')),
})

const resourceCommand = (go: Go, { id, kind, name, file, line }: Resource): Command => ({
  id: `resource-${id}`,
  kind: 'find',
  title: id,
  detail: `${file}:${line}`,
  shown: `svc get ${shellWord(id)}`,
  run: () => go(pagePath('state', kind, name)),
})

/** Screens, objects, and the actions of the screen that is open. */
export function PageCommands({ entries, onClose }: { entries: readonly RailEntry[]; onClose(): void }) {
  const registry = useKeyRegistry()
  const go = useGo()
  const agents = useTopic(agentsTopic).cache.values
  const resources = useTopic(stateTopic).cache.values
  const commands: Command[] = [
    ...entries.map(({ title, root, key }): Command => ({
      id: root,
      kind: 'go',
      title,
      keys: `g ${key}`,
      run: () => go(root),
    })),
    ...registry
      .listed()
      .filter(({ keys }) => !keys.startsWith('g ') && keys !== 'Ctrl K' && keys !== ':')
      .map(({ keys, does, shown, run }): Command => ({
        id: `key-${keys}`,
        kind: 'do',
        title: does,
        keys,
        ...(shown === undefined ? {} : { shown }),
        run,
      })),
    ...agents.map((agent) => agentCommand(go, agent)),
    ...resources.map((resource) => resourceCommand(go, resource)),
  ]
  return <CommandBar commands={commands} onClose={onClose} />
}
