// An in-memory live system for every kind, with hooks for faults.
import type { KindDefinition } from '../../schemas/kind.ts'
import { Secret } from '../../schemas/secret.ts'
import { MovedError, type Movement, type Reconciler, type Step } from '../../controller/reconciler.ts'

export interface LiveSpec {
  name: string
  [member: string]: unknown
}

export type Call = 'observe' | 'observeAll' | 'apply' | 'remove'

export class MemoryServices {
  /** By kind and id. */
  readonly live = new Map<string, Map<string, LiveSpec>>()
  readonly reconcilers: readonly Reconciler[]
  /** Called before the effect; errors reach the caller. */
  before: (call: Call, id: string) => Promise<void> = () => Promise.resolve()
  /** Called after the effect, before it is published. */
  after: (call: Call, id: string) => Promise<void> = () => Promise.resolve()
  isPublished: () => boolean = () => true
  readonly #listeners = new Map<string, Set<(movement: Movement) => void>>()
  #cursor = 0

  constructor(kinds: readonly KindDefinition<any>[]) {
    for (const { kind } of kinds) this.live.set(kind, new Map())
    this.reconcilers = kinds.map((definition) => this.#reconciler(definition))
  }

  /** Sorted `kind/name`. */
  names(): string[] {
    return [...this.live].flatMap(([kind, all]) => [...all.values()].map(({ name }) => `${kind}/${name}`)).sort()
  }

  /** Changes a live resource, or deletes it (null). */
  changeByHand(kind: string, name: string, change: Partial<LiveSpec> | null): void {
    const all = this.live.get(kind)!
    const found = [...all].find(([, spec]) => spec.name === name)
    if (!found) return
    if (change) all.set(found[0], { ...found[1], ...change })
    else all.delete(found[0])
    this.#moved(kind, found[0], name)
  }

  #moved(kind: string, liveId: string, name: string): void {
    this.#cursor++
    if (!this.isPublished()) return
    for (const listener of this.#listeners.get(kind) ?? [])
      listener({ liveId, name, moved: 'state', cursor: this.#cursor, by: null })
  }

  #reconciler(definition: KindDefinition<any>): Reconciler<LiveSpec, LiveSpec> {
    const { kind } = definition
    const all = this.live.get(kind)!
    const observed = (liveId: string, spec: LiveSpec) => ({ liveId, spec: copied(spec) as LiveSpec, live: spec })
    return {
      definition,
      observe: async ({ name, liveId }) => {
        await this.before('observe', `${kind}/${name}`)
        const found = [...all].find(([id, spec]) => (liveId === null ? spec.name === name : id === liveId))
        return found ? observed(...found) : null
      },
      observeAll: async () => {
        await this.before('observeAll', kind)
        return [...all].map(([id, spec]) => observed(id, spec))
      },
      apply: async (step) => {
        await this.before('apply', `${kind}/${step.name}`)
        all.set(step.liveId, converged(step, all.get(step.liveId)))
        await this.after('apply', `${kind}/${step.name}`)
        this.#moved(kind, step.liveId, step.name)
        return { liveId: step.liveId, spec: copied(all.get(step.liveId)) as LiveSpec }
      },
      remove: async ({ name, liveId }) => {
        await this.before('remove', `${kind}/${name}`)
        all.delete(liveId)
        await this.after('remove', `${kind}/${name}`)
        this.#moved(kind, liveId, name)
      },
      health: () => ({ status: 'Ready', message: 'exists' }),
      interrupts: () => null,
      writer: () => Promise.resolve(null),
      changes: (listener) => {
        const listeners = this.#listeners.get(kind) ?? new Set()
        this.#listeners.set(kind, listeners.add(listener))
        return () => void listeners.delete(listener)
      },
    }
  }
}

function converged({ action, name, spec, members, seen }: Step<LiveSpec>, present?: LiveSpec): LiveSpec {
  if (action === 'create' || action === 'replace') return copied(spec) as LiveSpec
  const picked = (from: LiveSpec) => JSON.stringify(members.map((member) => from[member]))
  if (!present || (seen && picked(seen) !== picked(present))) throw new MovedError(`${name} moved`)
  return copied({ ...present, ...Object.fromEntries(members.map((member) => [member, spec[member]])) }) as LiveSpec
}

/** Copies a value deeply, as a service does, but not its secrets. */
function copied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copied)
  if (typeof value !== 'object' || value === null || value instanceof Secret) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, copied(member)]))
}
