import { limitText } from '../../../platform/core/limits.ts'
import { RecentSet } from '../../../platform/core/recent.ts'
import type { AgentRow } from '../record/agent-store.ts'
import type { RecordWorld } from '../record/world.ts'
import { settings } from '../settings.ts'

const MOST_FULL = 1000

/** The number of pending approvals that an agent may have. */
export class ApprovalLimit {
  readonly #record: Pick<RecordWorld, 'tables' | 'log'>
  readonly #most: number
  /** Agents whose requests exceed the limit. */
  readonly #full = new RecentSet(MOST_FULL)

  constructor(record: Pick<RecordWorld, 'tables' | 'log'>, most: number) {
    this.#record = record
    this.#most = most
  }

  /** Returns the reason for a denial, or null. Logged once until the agent is below the limit: a flood would fill the log. */
  async reachedBy({ id, name }: AgentRow): Promise<string | null> {
    const { tables, log } = this.#record
    const most = this.#most
    const pending = await tables.approvals.count({ agent_id: id, status: 'pending' })
    if (pending < most) this.#full.delete(id)
    if (pending < most) return null
    const { variable } = settings.mostApprovals
    const next = 'wait until some are decided'
    const reason = limitText(`agent:${name}`, { what: 'pending approvals', most, variable, next })
    if (this.#full.add(id)) log.warn({ agent_id: id, limit: most }, 'tool requests denied: limit reached')
    return reason
  }
}
