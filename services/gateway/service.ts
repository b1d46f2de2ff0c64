// Sessions of browsers, and what the web page needs besides the other services, which it reaches at /api/{service}.
import { isAgent, type Actor } from '../../platform/core/actor.ts'
import { counter } from '../../platform/metrics/metrics.ts'
import { defineService, type Opened } from '../../platform/service/define.ts'
import type { World } from '../../platform/service/world.ts'
import type { LiveTopic } from '../../platform/store/live-topic.ts'
import { GUARDS, type Guard } from '../../schemas/agent/guards.ts'
import type { Role } from '../../schemas/access/token.ts'
import { gatewayOperations } from '../../schemas/operations/gateway/index.ts'
import type { Operation } from '../../schemas/operations/operation.ts'
import { everyService } from '../../schemas/operations/services.ts'
import type { Gateway } from './face.ts'
import { Inbox } from './inbox/inbox.ts'
import { inboxTopic, type InboxTopicParts } from './inbox/live-topic.ts'
import { openLive, type Live } from './live/live.ts'
import { migrations } from './migrations.ts'
import { Sessions } from './session/sessions.ts'
import { settings } from './settings.ts'

export interface GatewayParts extends InboxTopicParts {
  /** Of the other services in this process, which must be open. */
  topics: readonly LiveTopic[]
}

export const gateway = defineService({
  operations: gatewayOperations,
  settings,
  migrations,
  open: async (world: World<typeof settings>, parts: GatewayParts): Promise<Gateway & Opened> => {
    const inbox = new Inbox(world)
    const live = await openLive(world, [...parts.topics, inboxTopic(inbox, parts)])
    return new GatewayService(world, parts, { inbox, live })
  },
})

const OPERATIONS = everyService.flatMap((group) => Object.values<Operation>(group.operations))
const OF_ADMINS = new Set(OPERATIONS.map((each) => each.role === 'admin' && 'guard' in each && each.guard))

/** Guards of the operations that the role may call. */
const mayOf = (role: Role): Guard[] =>
  role === 'viewer' ? [] : GUARDS.filter((guard) => role === 'admin' || !OF_ADMINS.has(guard))

class GatewayService implements Gateway, Opened {
  readonly #world: World<typeof settings>
  readonly #parts: GatewayParts
  readonly sessions: Gateway['sessions']
  readonly inbox: Gateway['inbox']
  readonly live: Gateway['live']
  readonly metrics

  constructor(world: World<typeof settings>, parts: GatewayParts, { inbox, live }: { inbox: Inbox; live: Live }) {
    this.#world = world
    this.#parts = parts
    this.sessions = new Sessions(world)
    this.inbox = inbox
    this.live = live
    const failures = () => this.sessions.failures
    this.metrics = [
      ...live.metrics,
      counter('gateway_sign_in_failures_total', 'Sign-ins with an unknown token', failures),
    ]
  }

  async start(): Promise<void> {
    await this.live.start()
  }

  async stop(): Promise<void> {
    await this.live.stop()
  }

  readonly whoami: Gateway['whoami'] = async (actor) => {
    if (isAgent(actor))
      return { subject: actor.actor, role: null, may: await this.#mayOf(actor), agent: actor.agent ?? null }
    const { role = 'admin' } = actor
    // Without a token only the daemon's own user comes here.
    const subject = actor.actor === 'anonymous' ? 'operator' : actor.actor
    return { subject, role, may: mayOf(role), agent: null }
  }

  readonly forward: Gateway['forward'] = (group, operation, input) => {
    const client = this.#world.call(group, { forwards: true }) as Record<string, (input: object) => Promise<unknown>>
    return client[operation]!(input)
  }

  async #mayOf({ agent }: Actor): Promise<Guard[]> {
    const may = agent === undefined ? [] : await this.#parts.mayOf(agent)
    return GUARDS.filter((guard) => may.includes(guard))
  }
}
