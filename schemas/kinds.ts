// Every manifest kind there is, and those whose time has not come.
import { agentKind } from './agent.ts'
import { documentKind } from './document.ts'
import type { KindDefinition } from './kind.ts'
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

/** Kinds of the contract that this version cannot converge yet: named in a warning, an error under `--strict`. */
export const kindsToCome: readonly { kind: string; title: string; manifestKind: string }[] = []

/** Finds a kind by any of its words: `agents`, `agent`, `Agent`. */
export function findKind<K extends { kind: string; title: string; manifestKind: string }>(
  word: string,
  among: readonly K[],
): K | undefined {
  const wanted = word.toLowerCase()
  return among.find((kind) => [kind.kind, kind.title, kind.manifestKind.toLowerCase()].includes(wanted))
}
