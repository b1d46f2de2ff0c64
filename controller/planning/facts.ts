// The facts a plan is made from: desired, inventory and live, brought together per resource.
import type { Pieces } from '../../platform/async/pieces.ts'
import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { Cost } from '../../schemas/kind.ts'
import type { SourceSync } from '../../schemas/source.ts'
import type { DesiredResource, DesiredState } from '../reading/desired.ts'
import { idOf, ordering } from '../reading/graph.ts'
import type { Observed, Reconciler } from '../reconciler.ts'
import { memberAt, same } from './diff.ts'
import type { SpecMasker } from './masking.ts'
import { lastGood, type Owned, type OwnedResources } from './owned.ts'
import type { LiveSpecs } from './pending.ts'
import type { PlanSubject } from './plan.ts'
import type { SyncRules } from './sync-rules.ts'

/** Everything live of one kind, by id and by name. */
export interface LiveKind {
  byId: ReadonlyMap<string, Observed<any, any>>
  byName: ReadonlyMap<string, Observed<any, any>[]>
}

export interface Facts {
  /** In the order to apply. */
  subjects: Subject[]
  /** Faults that only the meeting of desired and live shows. */
  diagnostics: Diagnostic[]
}

export interface FactsInput {
  /** Name of the source. */
  source: string
  state: DesiredState
  inventory: OwnedResources
  /** What of the inventory is of the source. */
  mine: readonly Owned[]
  /** By kind. */
  live: ReadonlyMap<string, LiveKind>
  reconcilers: readonly Reconciler[]
  masker: SpecMasker
  /** The rules for a resource, by kind/name, that has these of its own. */
  rulesFor(own: SourceSync | undefined, id: string): SyncRules
}

/** The three sides of one resource; what a plan asks of them is made when it is asked. */
export class Subject implements PlanSubject {
  readonly kind: string
  readonly name: string
  /** As read; of what a faulty file declared, as it was last good. */
  readonly resource: DesiredResource | null
  readonly entry: Owned | undefined
  readonly found: Observed<any, any> | undefined
  readonly candidates: number
  readonly rules: SyncRules
  readonly #reconciler: Reconciler
  readonly #masker: SpecMasker

  constructor(
    sides: Pick<Subject, 'resource' | 'entry' | 'found' | 'candidates' | 'rules'>,
    reconciler: Reconciler,
    masker: SpecMasker,
  ) {
    this.resource = sides.resource
    this.entry = sides.entry
    this.found = sides.found
    this.candidates = sides.candidates
    this.rules = sides.rules
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

  get atoms(): readonly string[] {
    return this.#reconciler.definition.atoms ?? []
  }

  /** A member that runs as desired already, whatever is configured, costs nothing to put on record. */
  change(path: string): Cost {
    const cost = this.#reconciler.definition.change(path)
    const { found, resource } = this
    if (cost !== 'restart' || !found?.running || !resource) return cost
    const [is, wanted] = [found.running, resource.spec].map((spec) => memberAt(this.#masker.mask(spec).value, path))
    return same(is, wanted) ? 'in-place' : cost
  }
}

/** A live resource without its secrets, as it is configured and as it runs. */
export function liveSpecs({ spec, running }: Observed<any, any>, masker: SpecMasker): LiveSpecs {
  return { masked: masker.mask(spec), running: running ? masker.mask(running) : null }
}

export function* gatherFacts(input: FactsInput): Pieces<Facts> {
  const { source, state, inventory, mine, masker } = input
  const facts: Facts = { subjects: [], diagnostics: [] }
  const named = new Set<Owned>()
  for (const desired of state.resources) {
    yield
    const owned = inventory.get(desired.kind, desired.name)
    if (owned) named.add(owned)
    if (!owned || owned.source === source) addSubject(facts, input, desired, owned)
    else if (!masker.same(owned.desired, desired.spec)) facts.diagnostics.push(ownedElsewhere(desired, owned))
  }
  const kinds = input.reconcilers.map((reconciler) => reconciler.definition.kind)
  const rest = mine.filter((owned) => !named.has(owned))
  // In the order of what depends on what, so that deletions, made in the opposite one, leave nothing dangling.
  const ordered = new Set((yield* ordering(rest, kinds)).ordered)
  for (const owned of [...ordered, ...rest.filter((other) => !ordered.has(other))]) {
    yield
    addSubject(facts, input, null, owned)
  }
  return facts
}

function addSubject(facts: Facts, input: FactsInput, desired: DesiredResource | null, owned: Owned | undefined): void {
  const { kind, name } = (desired ?? owned)!
  const reconciler = input.reconcilers.find((candidate) => candidate.definition.kind === kind)
  const live = input.live.get(kind)
  if (!reconciler || !live) return
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
  const resource = desired ?? (owned && !input.state.complete ? lastGood(owned) : null)
  const rules = input.rulesFor(desired?.sync ?? owned?.sync, `${kind}/${name}`)
  const sides = { resource, entry: owned, found, candidates: unowned.length, rules }
  facts.subjects.push(new Subject(sides, reconciler, input.masker))
}

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

/** The fault of a manifest for what another source declares. */
export function ownedElsewhere(desired: DesiredResource, owned: Owned): Diagnostic {
  return faultOf(desired, {
    code: 'owned-elsewhere',
    message: `${idOf(desired)} belongs to source "${owned.source}" (${owned.file}:${owned.line})`,
    hint: 'change it there, remove it there first, or choose another name',
  })
}

function ambiguous(desired: DesiredResource, candidates: number): Diagnostic {
  return faultOf(desired, {
    code: 'ambiguous',
    message: `${candidates} live resources are called "${desired.name}", and nobody owns them: adopting needs exactly one`,
    hint: 'delete or rename all but one, or choose another name',
  })
}

function faultOf(
  { file, line, column, kind, name }: DesiredResource,
  said: Pick<Diagnostic, 'code' | 'message' | 'hint'>,
): Diagnostic {
  return { severity: 'error', ...said, file, line, column, kind, name }
}
