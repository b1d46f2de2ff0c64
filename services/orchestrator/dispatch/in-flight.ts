// The face of the work in hand: what agents were given, and taking no more of it while somebody waits to stop the
// daemon.
import type { Timer } from '../../../platform/core/clock.ts'
import type { Page, PageLimits } from '../../../platform/store/page.ts'
import type { DrainState, InFlight } from '../../../schemas/agent/in-flight.ts'
import type { Work } from '../face.ts'
import type { DispatchWorld } from './world.ts'
import { wake } from './prompt-sender.ts'
import type { Prompt } from '../record/tables.ts'
import { ruleOf } from './restart-rules.ts'

type SentPrompt = Prompt & { sent_at: string | null }

export class WorkInHand implements Work {
  readonly #service: DispatchWorld
  #over: Timer | null = null

  constructor(service: DispatchWorld) {
    this.#service = service
  }

  async inFlight(limits: PageLimits | null = null): Promise<Page<InFlight>> {
    const { db, tables } = this.#service
    const running = () => db('orchestrator_agents').where({ status: 'running' }).select('id')
    const { items, total } = await tables.prompts.page({
      where: (query) => void query.where({ status: 'sent' }).whereIn('agent_id', running()),
      ...limits,
    })
    return { items: await Promise.all(items.map((prompt) => this.#shown(prompt))), total }
  }

  /**
   * Until then, or until it is told again, no prompt goes out and no task is taken; what came before is still taken
   * in.
   */
  async drain(forSecs: number): Promise<DrainState> {
    const { clock, log } = this.#service
    this.#over?.cancel()
    const until = forSecs === 0 ? null : clock.now() + forSecs * 1000
    if (until === null) this.#goOn()
    else {
      this.#service.draining.begin(until)
      this.#over = clock.after(forSecs * 1000, () => this.#goOn())
    }
    log.info({ for_secs: forSecs }, until === null ? 'work is taken again' : 'no more work is taken')
    return { draining: until !== null, until: until === null ? null : new Date(until).toISOString() }
  }

  stop(): void {
    this.#over?.cancel()
  }

  #goOn(): void {
    this.#service.draining.end()
    for (const session of this.#service.sessions.all()) wake(this.#service, session)
  }

  async #shown({ id, kind, agent_id, dispatch_id, sent_at }: SentPrompt): Promise<InFlight> {
    const { agents, tables } = this.#service
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
      on_restart: dispatch && ruleOf(this.#service, workflow),
      since: sent_at,
    }
  }
}
