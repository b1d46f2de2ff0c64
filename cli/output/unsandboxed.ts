// Agents whose programs run without a sandbox although no person has switched it off.
import type { AgentRecord } from '../../schemas/agent.ts'
import { typed } from '../command-line.ts'
import { nameList } from './name-lists.ts'
import { visible } from './print.ts'

const MOST_NAMED = 5

type Shown = Pick<AgentRecord, 'name' | 'status' | 'sandbox'>

export const unsandboxed = <T extends Shown>(agents: readonly T[]): T[] =>
  agents.filter(
    ({ status, sandbox }) =>
      status === 'running' && sandbox !== null && sandbox.state !== 'on' && sandbox.code !== 'sandbox-off',
  )

/** Null if there are none. */
export function unsandboxedLine(all: readonly Shown[]): string | null {
  const agents = unsandboxed(all)
  if (agents.length === 0) return null
  const names = agents.map(({ name }) => visible(name)).toSorted()
  const reasons = new Set(agents.map(({ sandbox }) => sandbox?.reason ?? 'reason unknown'))
  const [reason = ''] = reasons
  const why = reasons.size === 1 ? visible(reason) : `see "${typed`svc doctor`}"`
  const count = names.length === 1 ? '1 agent runs' : `${names.length} agents run`
  return `${count} without a sandbox: ${nameList(names, MOST_NAMED)} (${why})`
}
