// The facts a plan is made from: desired, inventory and live, brought together per resource.
import type { Pieces } from '../../platform/async/time-slices.ts'
import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { Shape } from '../../schemas/members/keyed-list.ts'
import type { Cost } from '../../schemas/kind.ts'
import type { SourceSync } from '../../schemas/source.ts'
import type { DesiredResource, DesiredState } from '../reading/desired.ts'
import { idOf, ordering } from '../reading/graph.ts'
import type { Observed, Reconciler } from '../reconciler.ts'
import { memberAt, same } from './diff.ts'
import { ambiguous, ownedElsewhere } from './conflicts.ts'
import { settled, type Intent, type OpenIntents } from './intents.ts'
import type { SpecMasker } from './masking.ts'
import { lastGood, type Owned, type OwnedResources } from './ownership.ts'
import { namedBy } from './pass-scope.ts'
import type { LiveSpecs } from './pending-changes.ts'
import type { PlanSubject } from './plan.ts'
import type { SyncRules } from './sync-rules.ts'
import { unreachable, waitingFor, type Unknown } from './unobserved.ts'

/** Everything live of one kind, by id and by name. */
export interface LiveKind {
  byId: ReadonlyMap<string, Observed<any, any>>
  byName: ReadonlyMap<string, Observed<any, any>[]>
  /** Why a resource could not be observed, which makes it neither there nor gone; null: it was. */
  unknown?(liveId: string | null, name: string): string | null
}

export interface Facts {
  /** In the order to apply. */
  subjects: Subject[]
  /** Faults that only the meeting of desired and live shows. */
  diagnostics: Diagnostic[]
  /** Intents whose outcome was looked at: the entries of the subjects say what came about. */
  judged: Intent[]
  /** What could not be observed: nothing is planned for it. */
  unknown: Unknown[]
  /** By kind/name: what hangs on what is unknown, and is no subject. */
  waiting: ReadonlySet<string>
}

export interface FactsInput {
  /** Name of the source. */
  source: string
  state: DesiredState
  inventory: OwnedResources
  intents: OpenIntents
  /** What of the inventory is of the source; with `only`, what of it that names. */
  mine: readonly Owned[]
  /** All that is looked at, as kind/name; undefined: everything. */
  only?: ReadonlySet<string>
  /** By kind. */
  live: ReadonlyMap<string, LiveKind>
  reconcilers: readonly Reconciler[]
  masker: SpecMasker
  /** The rules for a resource that has these of its own; `recorded` is what the inventory has of it. */
  rulesFor(own: SourceSync | undefined, of: { kind: string; name: string; recorded: Owned | undefined }): SyncRules
}

/** The three sides of one resource; what a plan asks of them is made when it is asked. */
export class Subject implements PlanSubject {
  readonly kind: string
  readonly name: string
  /** As read; of what a faulty file declared, as it was last good. */
  readonly resource: DesiredResource | null
  readonly entry: Owned | undefined
  /** As the inventory has it, where `entry` says more: what came about of a step that was not closed. */
  readonly recorded: Owned | undefined
  readonly found: Observed<any, any> | undefined
  /** A manifest of this reading names it. */
  readonly isDeclared: boolean
  readonly candidates: number
  readonly rules: SyncRules
  readonly isGone: boolean | undefined
  readonly #reconciler: Reconciler
  readonly #masker: SpecMasker

  constructor(
    sides: Pick<
      Subject,
      'resource' | 'entry' | 'recorded' | 'found' | 'isDeclared' | 'candidates' | 'rules' | 'isGone'
    >,
    reconciler: Reconciler,
    masker: SpecMasker,
  ) {
    this.resource = sides.resource
    this.entry = sides.entry
    this.recorded = sides.recorded
    this.found = sides.found
    this.isDeclared = sides.isDeclared
    this.candidates = sides.candidates
    this.rules = sides.rules
    this.isGone = sides.isGone
    const { kind, name } = (sides.resource ?? sides.entry)!
    this.kind = kind
    this.name = name
    this.#reconciler = reconciler
    this.#masker = masker
  }

  get settled(): boolean {
    const { resource, entry, found } = this
    if (!resource || !entry || !found) return false
    if (found.running || (found.deviations && found.deviations.length > 0)) return false
    return resource.spec === entry.desired && entry.applied === entry.desired && found.spec === entry.desired
  }

  get desired(): PlanSubject['desired'] {
    const { resource } = this
    return (
      resource && {
        masked: this.#masker.mask(resource.spec),
        file: resource.file,
        position: (path) => (path === '' ? { line: resource.line, column: resource.column } : resource.position(path)),
      }
    )
  }

  get owned(): PlanSubject['owned'] {
    if (!this.entry) return null
    const { applied, file, line, column } = this.entry
    return { applied: applied === null ? null : this.#masker.mask(applied), file, line, column }
  }

  get live(): PlanSubject['live'] {
    const { found } = this
    if (!found) return null
    const interrupts = this.#reconciler.interrupts(found.live)
    return { ...liveSpecs(found, this.#masker), interrupts, states: found.deviations }
  }

  get needs(): { desired: readonly string[]; owned: readonly string[] } {
    return { desired: this.resource?.dependsOn ?? [], owned: this.entry?.dependsOn ?? [] }
  }

  get atoms(): readonly string[] {
    return this.#reconciler.definition.atoms ?? []
  }

  get keyed(): Shape['keyed'] {
    return this.#reconciler.definition.keyed
  }

  /** A member that runs as desired already, whatever is configured, costs nothing to put on record. */
  change(path: string): Cost {
    const cost = this.#reconciler.definition.change(path)
    const { found, resource } = this
    if (cost !== 'restart' || !found?.running || !resource) return cost
    const [is, wanted] = [found.running, resource.spec].map((spec) =>
      memberAt(this.#masker.mask(spec).value, path, this),
    )
    return same(is, wanted) ? 'in-place' : cost
  }
}

/** A live resource without its secrets, as it is configured and as it runs. */
export function liveSpecs({ spec, running }: Observed<any, any>, masker: SpecMasker): LiveSpecs {
  return { masked: masker.mask(spec), running: running ? masker.mask(running) : null }
}

export function* gatherFacts(input: FactsInput): Pieces<Facts> {
  const { source, state, inventory, mine, masker } = input
  const facts: Facts = { subjects: [], diagnostics: [], judged: [], unknown: [], waiting: new Set() }
  const named = new Set<Owned>()
  for (const desired of input.only ? namedBy(input.only, state.resources) : state.resources) {
    yield
    const owned = inventory.get(desired.kind, desired.name)
    if (owned) named.add(owned)
    if (!owned || owned.source === source) addSubject(facts, input, { desired, own: owned, recorded: owned })
    else if (!masker.same(owned.desired, desired.spec)) facts.diagnostics.push(ownedElsewhere(desired, owned))
  }
  const kinds = input.reconcilers.map((reconciler) => reconciler.definition.kind)
  const adopted = new Set(adoptedOnly(facts, input))
  const rest = [...mine.filter((owned) => !named.has(owned)), ...adopted]
  // In the order of what depends on what, so that deletions, made in the opposite one, leave nothing dangling.
  const ordered = new Set((yield* ordering(rest, kinds)).ordered)
  for (const owned of [...ordered, ...rest.filter((other) => !ordered.has(other))]) {
    yield
    addSubject(facts, input, { desired: null, own: owned, recorded: adopted.has(owned) ? undefined : owned })
  }
  return facts.unknown.length > 0 ? withoutUnknown(facts, input) : facts
}

/** Nothing is made that needs what is unknown, and nothing deleted that it uses or that uses it. */
function withoutUnknown(facts: Facts, { only, inventory, source }: FactsInput): Facts {
  // What is not looked at ties together as well.
  const others = only ? inventory.ofSource(source).filter((owned) => !only.has(idOf(owned))) : []
  const waiting = waitingFor(facts.unknown, facts.subjects, others)
  return {
    ...facts,
    waiting,
    subjects: facts.subjects.filter((subject) => !waiting.has(idOf(subject))),
    diagnostics: [...facts.diagnostics, ...unreachable(facts.unknown, waiting.size)],
  }
}

/** What an interrupted adoption has changed is ours, though neither a manifest nor the inventory says so. */
function adoptedOnly(facts: Facts, input: FactsInput): Owned[] {
  const { source, state, inventory, intents, live, masker } = input
  const isAsked = ({ entry }: Intent) => !input.only || input.only.has(idOf(entry))
  const begun = intents
    .ofSource(source)
    .filter((intent) => isAsked(intent) && !inventory.get(intent.entry.kind, intent.entry.name))
  if (begun.length === 0) return []
  const named = new Set(state.resources.map(idOf))
  const unnamed = begun.filter(({ entry }) => !named.has(idOf(entry)) && live.has(entry.kind))
  return unnamed.flatMap((intent) => {
    const { kind, name, liveId } = intent.entry
    if (live.get(kind)!.unknown?.(liveId, name)) return []
    facts.judged.push(intent)
    return settled(undefined, intent, live.get(kind)!.byId.get(liveId ?? ''), masker, shapeOf(input, kind)) ?? []
  })
}

interface Sides {
  desired: DesiredResource | null
  /** What we own, an interrupted adoption included. */
  own: Owned | undefined
  /** What of that the inventory has. */
  recorded: Owned | undefined
}

function addSubject(facts: Facts, input: FactsInput, { desired, own, recorded }: Sides): void {
  const { kind, name } = (desired ?? own)!
  const reconciler = input.reconcilers.find((candidate) => candidate.definition.kind === kind)
  const live = input.live.get(kind)
  if (!reconciler || !live) return
  const liveId = own?.liveId ?? input.intents.get(kind, name)?.entry.liveId ?? null
  const why = live.unknown?.(liveId, name) ?? null
  if (why !== null) return void facts.unknown.push({ kind, name, desired, entry: own, why })
  const owned = settledEntry(facts, input, { kind, name }, own)
  const known = owned?.liveId ? live.byId.get(owned.liveId) : undefined
  // What we made we know by its id; a name is asked only for what we have not made or not finished making.
  const unowned =
    known || owned?.applied || !desired
      ? []
      : (live.byName.get(name) ?? []).filter((observed) => !input.inventory.byLiveId(kind, observed.liveId))
  const found = known ?? (unowned.length === 1 ? unowned[0] : undefined)
  if (!owned && unowned.length > 1) facts.diagnostics.push(ambiguous(desired!, unowned.length))
  if (desired && owned) share(desired, owned, found, input.masker)
  // What an unreadable or faulty file declared stays in force as it was last good.
  const isGone = !desired && input.state.gone?.has(`${kind}/${name}`)
  const resource = desired ?? (owned && !input.state.complete && !isGone ? lastGood(owned) : null)
  const rules = input.rulesFor(desired?.sync ?? owned?.sync, { kind, name, recorded })
  const sides = {
    resource,
    entry: owned,
    recorded,
    found,
    isDeclared: desired !== null,
    candidates: unowned.length,
    rules,
    isGone,
  }
  facts.subjects.push(new Subject(sides, reconciler, input.masker))
}

/** The entry, with what is to be seen of a step that was begun and not closed. */
function settledEntry(
  facts: Facts,
  input: FactsInput,
  { kind, name }: { kind: string; name: string },
  recorded: Owned | undefined,
): Owned | undefined {
  const { source, intents, live, masker } = input
  const intent = intents.get(kind, name)
  if (!intent || (recorded ?? intent.entry).source !== source) return recorded
  facts.judged.push(intent)
  const liveId = recorded?.liveId ?? intent.entry.liveId ?? ''
  return settled(recorded, intent, live.get(kind)!.byId.get(liveId), masker, shapeOf(input, kind))
}

const shapeOf = ({ reconcilers }: FactsInput, kind: string): Shape =>
  reconcilers.find(({ definition }) => definition.kind === kind)?.definition ?? {}

/**
 * One object in place of equal ones, the reader's: thousands are held once, and are known to be the same at a
 * glance.
 */
function share(
  { spec, sync }: DesiredResource,
  owned: Owned,
  found: Observed<any, any> | undefined,
  masker: SpecMasker,
): void {
  if (owned.sync !== sync && JSON.stringify(owned.sync) === JSON.stringify(sync)) owned.sync = sync
  if (owned.desired !== spec && masker.same(owned.desired, spec)) {
    if (owned.applied === owned.desired) owned.applied = spec
    owned.desired = spec
  }
  if (owned.applied && owned.applied !== spec && masker.same(owned.applied, spec)) owned.applied = spec
  if (found && found.spec !== spec && masker.same(found.spec, spec)) found.spec = spec
}
