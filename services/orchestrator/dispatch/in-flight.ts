import type { Timer } from '../../../platform/core/clock.ts'
import type { Page, PageLimits } from '../../../platform/store/page.ts'
import type { DrainState, InFlight } from '../../../schemas/agent/in-flight.ts'
import type { Work } from '../face.ts'
import type { Prompt } from '../record/tables.ts'
import type { RecordWorld } from '../record/world.ts'
import type { Sessions } from '../session/sessions.ts'
import type { DispatchWorld } from './world.ts'
import { ruleOf, type RestartSettings } from './restart-rules.ts'

interface Parts extends DispatchWorld {
  sessions: Sessions
  settings: RestartSettings
}

type SentPrompt = Prompt & { sent_at: string | null }

export class InFlightWork implements Work {
  readonly #record: RecordWorld
  readonly #parts: Parts
  #over: Timer | null = null

  constructor(record: RecordWorld, parts: Parts) {
    this.#record = record
    this.#parts = parts
  }

  async inFlight(limits: PageLimits | null = null): Promise<Page<InFlight>> {
    const { db, tables } = this.#record
    const running = () => db('orchestrator_agents').where({ status: 'running' }).select('id')
    const { items, total } = await tables.prompts.page({
      where: (query) => void query.where({ status: 'sent' }).whereIn('agent_id', running()),
      ...limits,
    })
    return { items: await Promise.all(items.map((prompt) => this.#shown(prompt))), total }
  }

  async drain(forSecs: number): Promise<DrainState> {
    const { clock, log } = this.#record
    this.#over?.cancel()
    const until = forSecs === 0 ? null : clock.now() + forSecs * 1000
    if (until === null) this.#resume()
    else {
      this.#parts.draining.begin(until)
      this.#over = clock.after(forSecs * 1000, () => this.#resume())
    }
    log.info({ for_secs: forSecs }, until === null ? 'accepting work again' : 'draining: accepting no new work')
    return { draining: until !== null, until: until === null ? null : new Date(until).toISOString() }
  }

  stop(): void {
    this.#over?.cancel()
  }

  #resume(): void {
    this.#parts.draining.end()
    for (const session of this.#parts.sessions.all()) this.#parts.prompts.wake(session.agentId)
  }

  async #shown({ id, kind, agent_id, dispatch_id, sent_at }: SentPrompt): Promise<InFlight> {
    const { agents, tables } = this.#record
    const dispatch = dispatch_id === null ? null : await tables.dispatches.find(dispatch_id)
    const workflow = dispatch && (await tables.workflows.find(dispatch.workflow_id))
    return {
      id,
      kind,
      agent_id,
      agent: (await agents.find(agent_id))?.name ?? null,
      dispatch_id,
      workflow_id: dispatch?.workflow_id ?? null,
      workflow: workflow?.name ?? null,
      on_restart: dispatch && ruleOf(this.#parts.settings, workflow),
      since: sent_at,
    }
  }
}
