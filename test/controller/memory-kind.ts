import * as Type from 'typebox'
import type { Reconciler, Writer } from '../../controller/reconciler.ts'
import { ChangeFeed } from '../../platform/async/change-feed.ts'
import { noLog } from '../../platform/core/log/log.ts'
import { never } from '../../schemas/members/widening.ts'
import { commonMembers, type KindDefinition } from '../../schemas/kind.ts'

export interface Participant {
  identifier: string
  role: string
}

export interface CircleSpec {
  name: string
  topic: string
  participants: Participant[]
  mode: string
  tools: string[]
  steps: string[]
}

const texts = Type.Optional(Type.Array(Type.String()))

const circleKind: KindDefinition<CircleSpec> = {
  kind: 'circles',
  title: 'circle',
  manifestKind: 'Circle',
  schema: Type.Object(
    {
      ...commonMembers,
      topic: Type.Optional(Type.String()),
      participants: Type.Optional(
        Type.Array(Type.Object({ identifier: Type.String(), role: Type.Optional(Type.String()) })),
      ),
      mode: Type.Optional(Type.String()),
      tools: texts,
      steps: texts,
    },
    { $id: 'CircleManifest', additionalProperties: false },
  ),
  secrets: [],
  check: () => [],
  references: () => [],
  canonicalise: (manifest) => ({
    name: manifest.name,
    topic: manifest.topic ?? '',
    participants: (manifest.participants ?? []).map(({ identifier, role = 'member' }: Partial<Participant>) => ({
      identifier,
      role,
    })),
    mode: manifest.mode ?? 'allow',
    tools: manifest.tools ?? [],
    steps: manifest.steps ?? [],
  }),
  change: () => 'in-place',
  widens: { topic: never, participants: never, mode: never, tools: never, steps: never },
  keyed: { participants: 'identifier', tools: { by: '.', under: 'mode' } },
}

export class Circles {
  readonly live = new Map<string, CircleSpec>()
  readonly written: { path: string; writer: Writer }[] = []
  readonly changes = new ChangeFeed<{ id: string; name: string }>(noLog)
  #requests = 0

  get(name: string): CircleSpec {
    return [...this.live.values()].find((circle) => circle.name === name)!
  }

  /** Changes a live resource and records the writer of `path`. */
  changeByHand(name: string, change: Partial<CircleSpec>, actor: string, path: string): void {
    const [id, circle] = [...this.live].find(([, each]) => each.name === name)!
    this.live.set(id, { ...circle, ...change })
    const requestId = `r-${++this.#requests}`
    const endpoint = 'PUT /circles/{id}'
    this.written.push({ path, writer: { actor, requestId, endpoint, at: '2030-01-01T00:00:00.000Z' } })
    this.changes.publish({ id, name })
  }

  reconciler(): Reconciler<CircleSpec, CircleSpec> {
    const observed = (liveId: string, spec: CircleSpec) => ({ liveId, spec, live: spec })
    return {
      definition: circleKind,
      observe: async ({ liveId }) => (this.live.has(liveId!) ? observed(liveId!, this.live.get(liveId!)!) : null),
      observeAll: async () => [...this.live].map(([id, spec]) => observed(id, spec)),
      apply: async ({ liveId, name, spec }) => {
        this.live.set(liveId, spec)
        this.changes.publish({ id: liveId, name })
        return { liveId, spec }
      },
      remove: async ({ liveId }) => void this.live.delete(liveId),
      health: () => ({ status: 'Ready', message: 'exists' }),
      interrupts: () => null,
      writer: async (_, path) =>
        this.written.findLast((each) => each.path === path || path.startsWith(`${each.path}[`))?.writer ?? null,
      changes: (listener) =>
        this.changes.subscribe(({ id, name }) => listener({ liveId: id, name, moved: 'state', cursor: 0, by: null })),
    }
  }
}
