// The batches of a seed, generated before anything runs. A step without a target is skipped.
import { Random } from '../support/random.ts'
import {
  Desired,
  FAULTS,
  SOURCES,
  idOf,
  parts,
  type Declared,
  type Edit,
  type Id,
  type Kind,
  type Members,
  type SourceName,
  type Sync,
} from './desired.ts'
import type { Batch, Step } from './steps.ts'

const NAMES: Record<Kind, string[]> = {
  policies: ['p1', 'p2', 'p3', 'p4'],
  agents: ['a1', 'a2', 'a3', 'a4'],
  workflows: ['w1', 'w2', 'w3', 'w4'],
}
const KINDS = Object.keys(NAMES) as Kind[]
const MODES = ['allow_all', 'deny_all', 'require_approval']
/** Resources that no manifest declares and that must never change. */
export const BY_HAND: { kind: Kind; name: string; members: Members }[] = [
  { kind: 'policies', name: 'kept-policy', members: { mode: 'deny_all', description: 'manual' } },
  { kind: 'agents', name: 'kept-agent', members: { model: 'manual' } },
  { kind: 'workflows', name: 'kept-workflow', members: { agent: 'kept-agent', prompt_template: 'manual' } },
]

export function scheduleOf(seed: number, batches: number): Batch[] {
  const schedule = new Schedule(new Random(seed))
  return [schedule.first(), ...Array.from({ length: batches - 1 }, () => schedule.next()), [{ step: 'kill', after: 0 }]]
}

class Schedule {
  readonly #random: Random
  readonly #desired = new Desired()
  #serial = 0

  constructor(random: Random) {
    this.#random = random
  }

  first(): Batch {
    const { agents, policies, workflows } = NAMES
    const ids = [
      policies.slice(0, 2).map((name): Id => `policies/${name}`),
      agents.slice(0, 2 + this.#random.whole(2)).map((name): Id => `agents/${name}`),
      workflows.slice(0, 2).map((name): Id => `workflows/${name}`),
    ].flat()
    const edits: Edit[] = []
    const drift = this.#random.pick(['report', 'report', 'heal'] as const)
    edits.push({ edit: 'rules', source: this.#random.pick(SOURCES), sync: { drift } })
    const commit: Step = { step: 'commit', edits }
    for (const id of ids) edits.push(...this.#now([this.#declare(id)]))
    return [commit, ...(this.#random.chance(0.2) ? [this.#kill()] : [])]
  }

  next(): Batch {
    const batch: Batch = []
    if (this.#random.chance(0.4)) batch.push(this.#kill())
    const count = 1 + this.#random.whole(4)
    for (let index = 0; index < count; index++) {
      const step = this.#step()
      if (step) batch.push(step)
    }
    return batch
  }

  #kill(): Step {
    return { step: 'kill', after: this.#random.chance(0.15) ? 0 : 1 + this.#random.whole(24) }
  }

  #step(): Step | null {
    const random = this.#random
    switch (
      random.weighted({ commit: 10, rollBack: 1, patch: 5, undo: 1, create: 1, delete: 2, agent: 2, ask: 1, kill: 1 })
    ) {
      case 'commit':
        return { step: 'commit', edits: this.#edits() }
      case 'rollBack':
        return this.#rollBack()
      case 'patch':
        return this.#patch()
      case 'undo':
        return this.#about((id) => ({ step: 'undo', id }))
      case 'create':
        return this.#create()
      case 'delete':
        return this.#about((id) => ({ step: 'delete', id, purge: random.chance(0.5) }))
      case 'agent':
        return this.#about((id) => this.#toAgent(id), 'agents')
      case 'ask':
        return random.chance(0.5)
          ? { step: 'sync', source: random.pick(SOURCES) }
          : this.#about((id) => ({ step: 'revert', id }))
      case 'kill':
        return this.#kill()
    }
  }

  #toAgent(id: Id): Step {
    const random = this.#random
    const what = random.weighted({ restart: 2, 'end process': 1, prompt: 4 })
    return what === 'prompt' ? { step: what, id, ms: 300 + random.whole(1200) } : { step: what, id }
  }

  #rollBack(): Step {
    const count = 1 + this.#random.whole(3)
    this.#desired.rollBack(count)
    return { step: 'roll back', count }
  }

  #edits(): Edit[] {
    const edits: Edit[] = []
    for (let left = 1 + this.#random.whole(3); left > 0; left--) edits.push(...this.#now(this.#edit()))
    return edits
  }

  /** Also commits the edits to the model. */
  #now(edits: Edit[]): Edit[] {
    this.#desired.commit(edits)
    return edits
  }

  #edit(): Edit[] {
    const random = this.#random
    const source = random.pick(SOURCES)
    const declared = random.pick(this.#desired.all())
    const kind = random.weighted({
      declare: 3,
      change: 7,
      remove: 3,
      rename: 1,
      move: 3,
      refile: 1,
      rules: 1,
      own: 1,
      fault: 1,
    })
    if (kind === 'rules') return [{ edit: 'rules', source, sync: this.#sync() }]
    if (kind === 'fault') return [this.#fault(source)]
    if (kind === 'declare' || !declared) return [this.#declare(this.#kindAndName())]
    const id = idOf(declared)
    switch (kind) {
      case 'change':
        return [this.#change(declared)]
      case 'remove':
        return [{ edit: 'remove', id }]
      case 'rename':
        return [{ edit: 'rename', id, to: random.pick(NAMES[declared.kind]) }]
      case 'move':
        return [
          { edit: 'move', id, to: declared.source === 'default' ? 'second' : 'default' },
          ...this.#along(declared),
        ]
      case 'refile':
        return [{ edit: 'refile', id }]
      case 'own':
        return [{ edit: 'own rules', id, sync: this.#sync() }]
    }
  }

  #along(declared: Declared): Edit[] {
    return this.#random.chance(0.3) ? [this.#change(declared)] : []
  }

  #fault(source: SourceName): Edit {
    return this.#desired.fault(source)
      ? { edit: 'repair', source }
      : { edit: 'break', source, fault: this.#random.pick(FAULTS) }
  }

  #sync(): Sync {
    const random = this.#random
    return {
      ...(random.chance(0.5) ? { drift: random.pick(['report', 'heal'] as const) } : {}),
      ...(random.chance(0.15) ? { mode: random.pick(['auto', 'manual'] as const) } : {}),
      ...(random.chance(0.2) ? { prune: random.chance(0.5) } : {}),
    }
  }

  #kindAndName(): Id {
    const kind = this.#random.pick(KINDS)
    return `${kind}/${this.#random.pick(NAMES[kind])}`
  }

  #declare(id: Id): Edit {
    const { kind, name } = parts(id)
    // A rewritten manifest stays in its source.
    const source = this.#desired.get(id)?.source ?? this.#random.pick(SOURCES)
    return { edit: 'declare', kind, name, source, file: 0, members: this.#members(kind) }
  }

  #members(kind: Kind): Members {
    const random = this.#random
    const policy = this.#named('policies')
    if (kind === 'policies') return { mode: random.pick(MODES), description: `text ${++this.#serial}` }
    const shared = policy && random.chance(0.4) ? { policy } : {}
    if (kind === 'agents') return { model: `m${++this.#serial}`, ...shared }
    const after = this.#named('workflows')
    const chain = after && random.chance(0.2) ? { after } : {}
    return { agent: this.#named('agents') ?? 'a1', prompt_template: `task ${++this.#serial}`, ...shared, ...chain }
  }

  #named(kind: Kind): string | undefined {
    const declared = this.#desired.all(kind)
    return declared.length === 0 ? undefined : this.#random.pick(declared).name
  }

  #change({ kind, ...declared }: Declared): Edit {
    const [member, value] = this.#value(kind)
    return { edit: 'change', id: idOf({ kind, name: declared.name }), member, value }
  }

  /** Returns a unique value, except for enums. */
  #value(kind: Kind): [member: string, value: unknown] {
    const random = this.#random
    const number = ++this.#serial
    if (kind === 'policies')
      return random.chance(0.5) ? ['mode', random.pick(MODES)] : ['description', `text ${number}`]
    if (kind === 'agents') {
      const member = random.pick(['model', 'system_prompt', 'max_cost_usd', 'auto_clear_threshold', 'tool_policy'])
      if (member === 'tool_policy') return [member, random.pick(MODES)]
      return [member, member === 'max_cost_usd' || member === 'auto_clear_threshold' ? 1000 + number : `v${number}`]
    }
    const member = random.pick(['prompt_template', 'enabled', 'poll_interval_secs', 'tool_policy', 'agent'])
    if (member === 'agent') return [member, this.#named('agents') ?? 'a1']
    if (member === 'tool_policy') return [member, random.pick(MODES)]
    return [
      member,
      member === 'enabled' ? random.chance(0.5) : member === 'prompt_template' ? `task ${number}` : number,
    ]
  }

  #patch(): Step | null {
    return this.#about((id) => {
      const [member, value] = this.#value(parts(id).kind)
      // A manual change may also select an agent that no manifest declares.
      const toNobody = member === 'agent' && this.#random.chance(0.5)
      return { step: 'patch', id, member, value: toNobody ? 'kept-agent' : value }
    })
  }

  #create(): Step | null {
    const id = this.#kindAndName()
    if (this.#desired.get(id)) return null
    const { kind, name } = parts(id)
    return { step: 'create', kind, name, members: this.#members(kind) }
  }

  #about(make: (id: Id) => Step, kind?: Kind): Step | null {
    const declared = this.#desired.all(kind)
    return declared.length === 0 ? null : make(idOf(this.#random.pick(declared)))
  }
}
