import { agentKind } from './agent.ts'
import { documentKind } from './document.ts'
import type { KindDefinition, KindWords } from './kind.ts'
import { policyKind } from './policy.ts'
import { repositoryKind } from './repository.ts'
import { roomKind } from './room.ts'
import { workflowKind } from './workflow.ts'

export const kinds: readonly KindDefinition<any>[] = [
  policyKind,
  roomKind,
  documentKind,
  repositoryKind,
  agentKind,
  workflowKind,
]

/** Accepts `agents`, `agent` and `Agent`. */
export function findKind<K extends KindWords>(word: string, among: readonly K[]): K | undefined {
  const wanted = word.toLowerCase()
  return among.find((kind) => [kind.kind, kind.title, kind.manifestKind.toLowerCase()].includes(wanted))
}
