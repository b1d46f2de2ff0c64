// Applied manifests, evaluated again when inputs in other sources change.
import { isDeepStrictEqual } from 'node:util'
import { relative } from 'node:path'
import { write } from '../../../platform/database/database.ts'
import type { TableWorld } from '../../../platform/store/table.ts'
import type { PlanInput } from '../../../schemas/plan.ts'
import { Secret } from '../../../schemas/secret.ts'
import type { DesiredResource, DesiredState, ReadContext } from '../../reading/desired-state.ts'
import type { Answered } from '../../reading/environment.ts'
import { idOf, partsOf } from '../../reading/graph.ts'

const TABLE = 'controller_sent'

interface Kept {
  seq: number
  input: PlanInput
  /** Null before the first evaluation. */
  made: { state: DesiredState; inputs: Answered[] } | null
}

type Make = (input: PlanInput, onAnswer: (answered: Answered) => void) => Promise<DesiredState>

export class SentManifests {
  readonly #world: TableWorld
  readonly #kept = new Map<string, Kept[]>()

  private constructor(world: TableWorld) {
    this.#world = world
  }

  static async load(world: TableWorld): Promise<SentManifests> {
    const sent = new SentManifests(world)
    for (const { seq, source, input } of await world.db(TABLE).orderBy('seq').select('seq', 'source', 'input')) {
      const { sealed } = world.vault.parse(input) as { sealed: Secret }
      const before = sent.#kept.get(source) ?? []
      sent.#kept.set(source, [...before, { seq, input: JSON.parse(sealed.reveal()), made: null }])
    }
    return sent
  }

  /** Targeted manifests are added to earlier ones; others replace them. */
  async keep(source: string, input: PlanInput, answers: readonly Answered[]): Promise<void> {
    const { manifests, strict, targets } = input
    const pinned = { manifests, root: input.root, strict, targets, ...pinnedBy(answers, input.root ?? '/') }
    const sealed = this.#world.vault.stringify({ sealed: new Secret(JSON.stringify(pinned)) })
    const before = this.#kept.get(source) ?? []
    const stays = before.filter((kept) => targets && !isCovered(kept.input.targets, targets))
    const replaced = before.filter((kept) => !stays.includes(kept)).map(({ seq }) => seq)
    const [row] = await write(this.#world.db, async (transaction) => {
      await transaction(TABLE).whereIn('seq', replaced).delete()
      return transaction(TABLE).insert({ source, input: sealed }, ['seq'])
    })
    this.#kept.set(source, [...stays, { seq: row.seq, input: pinned, made: null }])
  }

  has(source: string): boolean {
    return this.#kept.has(source)
  }

  async forget(source: string): Promise<void> {
    this.#kept.delete(source)
    await write(this.#world.db, (transaction) => transaction(TABLE).where({ source }).delete())
  }

  /** The latest manifest wins per kind/name. */
  async resources(
    source: string,
    context: ReadContext,
    make: Make,
  ): Promise<{ resources: DesiredResource[]; sync: DesiredState['sync'] | null }> {
    const found = new Map<string, DesiredResource>()
    let sync: DesiredState['sync'] | null = null
    for (const kept of this.#kept.get(source) ?? []) {
      const state = await this.#state(kept, context, make)
      const { targets } = kept.input
      if (!targets) sync = state.sync
      for (const resource of state.resources) {
        const id = idOf(resource)
        if (!targets || targets.includes(id)) found.set(id, resource)
      }
    }
    return { resources: [...found.values()], sync }
  }

  async #state(kept: Kept, context: ReadContext, make: Make): Promise<DesiredState> {
    if (kept.made?.inputs.every((answered) => isDeepStrictEqual(ask(context, answered), answered.answer)))
      return kept.made.state
    const inputs: Answered[] = []
    const state = await make(kept.input, (answered) => {
      if (answered.question === 'exists' || answered.question === 'outside') inputs.push(answered)
    })
    kept.made = { state, inputs }
    return state
  }
}

/** True if the later apply replaces everything of the earlier one. */
function isCovered(earlier: readonly string[] | undefined, later: readonly string[]): boolean {
  return earlier !== undefined && earlier.every((target) => later.includes(target))
}

function ask(context: ReadContext, { question, key }: Answered): unknown {
  return question === 'exists' ? context.exists(...partsOf(key)) : context.resolve?.(...partsOf(key))
}

/** Inputs at the time of the apply: later changes on the machine are not applied. */
function pinnedBy(
  answers: readonly Answered[],
  root: string,
): Pick<PlanInput, 'texts' | 'directories' | 'absent' | 'variables'> {
  const texts: PlanInput['texts'] = []
  const [directories, absent]: [string[], string[]] = [[], []]
  const variables: Record<string, string> = {}
  for (const { question, key, answer } of answers) {
    const path = question === 'text' || question === 'directory' ? relative(root, key) : ''
    if (question === 'text')
      if ('text' in answer) texts.push({ path, content: answer.text })
      else absent.push(path)
    else if (question === 'directory') (answer === 'missing' ? absent : directories).push(path)
    else if (question === 'variable' && typeof answer === 'string') variables[key] = answer
  }
  return { texts, directories, absent, variables }
}
