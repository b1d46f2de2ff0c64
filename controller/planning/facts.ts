import type { Pieces } from '../../platform/async/time-slices.ts'
import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { Shape } from '../../schemas/members/keyed-list.ts'
import type { Cost } from '../../schemas/kind.ts'
import type { SourceSync } from '../../schemas/source.ts'
import type { DesiredResource, DesiredState } from '../reading/desired-state.ts'
import { idOf, ordering } from '../reading/graph.ts'
import type { Observed, Reconciler } from '../reconciler.ts'
import { memberAt, same } from './diff.ts'
import { ambiguous, ownedElsewhere } from './conflicts.ts'
import { settleIntent, type Intent, type OpenIntents } from './intents.ts'
import { sameSpec, maskSpec } from './masking.ts'
import { lastGood, type Owned, type OwnedResources } from './ownership.ts'
import { namedBy } from './pass-scope.ts'
import type { LiveSpecs } from './pending-changes.ts'
import type { PlanSubject } from './plan.ts'
import type { SyncRules } from './sync-rules.ts'
import { unreachable, waitingFor, type Unknown } from './unobserved.ts'
import type { Vault } from '../../platform/secrets/vault.ts'

export interface LiveKind {
  byId: ReadonlyMap<string, Observed<any, any>>
  byName: ReadonlyMap<string, Observed<any, any>[]>
  /** Why a resource could not be observed and is unknown, not missing; null if it was. */
  unknown?(liveId: string | null, name: string): string | null
}

export interface Facts {
  subjects: Subject[]
  diagnostics: Diagnostic[]
  /** Intents whose outcome is included in the subjects' entries. */
  judged: Intent[]
  /** Nothing is planned for these. */
  unknown: Unknown[]
  /** Dependents of unknown resources, by kind/name; they are not subjects. */
  waiting: ReadonlySet<string>
}

export interface FactsInput {
  source: string
  state: DesiredState
  inventory: OwnedResources
  intents: OpenIntents
  mine: readonly Owned[]
  /** As kind/name; undefined: all. */
  only?: ReadonlySet<string>
  live: ReadonlyMap<string, LiveKind>
  reconcilers: readonly Reconciler[]
  vault: Vault
  /** `own`: rules of the resource itself; `recorded`: its inventory entry. */
  rulesFor(own: SourceSync | undefined, of: { kind: string; name: string; recorded: Owned | undefined }): SyncRules
}

export interface Subject extends PlanSubject {
  /** The last good one if the manifest is invalid. */
  readonly resource: DesiredResource | null
  readonly entry: Owned | undefined
  /** The inventory entry; `entry` also includes an unfinished step. */
  readonly recorded: Owned | undefined
  readonly found: Observed<any, any> | undefined
  readonly isDeclared: boolean
}

type SubjectSides = Pick<Subject, 'resource' | 'entry' | 'found'>

function isSettled({ resource, entry, found }: SubjectSides): boolean {
  if (!resource || !entry?.applied || !found || found.running || found.deviations?.length) return false
  return [entry.desired, entry.applied, found.spec].every((spec) => sameSpec(spec, resource.spec))
}

const UNCOMPARED = { desired: null, owned: null, live: null }

function comparedSides(
  { resource, entry, found }: SubjectSides,
  reconciler: Reconciler,
  vault: Vault,
): Pick<PlanSubject, 'desired' | 'owned' | 'live'> {
  const interrupts = found ? reconciler.interrupts(found.live) : null
  return {
    desired: resource && {
      masked: maskSpec(resource.spec, vault),
      file: resource.file,
      position: (path) => (path === '' ? { line: resource.line, column: resource.column } : resource.position(path)),
    },
    owned: entry ? { ...entry, applied: entry.applied && maskSpec(entry.applied, vault) } : null,
    live: found ? { ...liveSpecs(found, vault), interrupts, states: found.deviations } : null,
  }
}

/** A field that already runs with the desired value needs no restart. */
function costOf(path: string, { resource, found }: SubjectSides, { definition }: Reconciler): Cost {
  const cost = definition.change(path)
  if (cost !== 'restart' || !found?.running || !resource) return cost
  const [is, wanted] = [found.running, resource.spec].map((spec) => memberAt(spec, path, definition))
  return same(is, wanted) ? 'in-place' : cost
}

export function liveSpecs({ spec, running }: Observed<any, any>, vault: Vault): LiveSpecs {
  return { masked: maskSpec(spec, vault), running: running ? maskSpec(running, vault) : null }
}

export function* gatherFacts(input: FactsInput): Pieces<Facts> {
  const { source, state, inventory, mine } = input
  const facts: Facts = { subjects: [], diagnostics: [], judged: [], unknown: [], waiting: new Set() }
  const named = new Set<Owned>()
  for (const desired of input.only ? namedBy(input.only, state.resources) : state.resources) {
    yield
    const owned = inventory.get(desired.kind, desired.name)
    if (owned) named.add(owned)
    if (!owned || owned.source === source) addSubject(facts, input, { desired, own: owned, recorded: owned })
    else if (!sameSpec(owned.desired, desired.spec)) facts.diagnostics.push(ownedElsewhere(desired, owned))
  }
  const kinds = input.reconcilers.map((reconciler) => reconciler.definition.kind)
  const adopted = new Set(adoptedOnly(facts, input))
  const rest = [...mine.filter((owned) => !named.has(owned)), ...adopted]
  // In dependency order: deletions, which are reversed, leave nothing dangling.
  const ordered = new Set((yield* ordering(rest, kinds)).ordered)
  for (const owned of [...ordered, ...rest.filter((other) => !ordered.has(other))]) {
    yield
    addSubject(facts, input, { desired: null, own: owned, recorded: adopted.has(owned) ? undefined : owned })
  }
  return facts.unknown.length > 0 ? withoutUnknown(facts, input) : facts
}

/** Drops creations that need an unknown resource, and deletions connected to one. */
function withoutUnknown(facts: Facts, { only, inventory, source }: FactsInput): Facts {
  // Resources outside `only` connect others too.
  const others = only ? inventory.ofSource(source).filter((owned) => !only.has(idOf(owned))) : []
  const waiting = waitingFor(facts.unknown, facts.subjects, others)
  return {
    ...facts,
    waiting,
    subjects: facts.subjects.filter((subject) => !waiting.has(idOf(subject))),
    diagnostics: [...facts.diagnostics, ...unreachable(facts.unknown, waiting.size)],
  }
}

/** Resources changed by an interrupted adoption are owned, although no manifest or inventory entry says so. */
function adoptedOnly(facts: Facts, input: FactsInput): Owned[] {
  const { source, state, inventory, intents, live } = input
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
    return settleIntent(undefined, intent, live.get(kind)!.byId.get(liveId ?? ''), shapeOf(input, kind)) ?? []
  })
}

interface Sides {
  desired: DesiredResource | null
  /** Includes an interrupted adoption. */
  own: Owned | undefined
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
  const owned = settleEntry(facts, input, { kind, name }, own)
  const known = owned?.liveId ? live.byId.get(owned.liveId) : undefined
  // Only resources not yet created are matched by name.
  const unowned =
    known || owned?.applied || !desired
      ? []
      : (live.byName.get(name) ?? []).filter((observed) => !input.inventory.byLiveId(kind, observed.liveId))
  const found = known ?? (unowned.length === 1 ? unowned[0] : undefined)
  if (!owned && unowned.length > 1) facts.diagnostics.push(ambiguous(desired!, unowned.length))
  // A resource of an invalid or unreadable file keeps its last good spec.
  const isGone = !desired && input.state.gone?.has(`${kind}/${name}`)
  const resource = desired ?? (owned && !input.state.complete && !isGone ? lastGood(owned) : null)
  const rules = input.rulesFor(desired?.sync ?? owned?.sync, { kind, name, recorded })
  const { vault } = input
  const sides = { resource, entry: owned, found }
  const settled = isSettled(sides)
  const { atoms = [], keyed, widens } = reconciler.definition
  facts.subjects.push({
    kind,
    name,
    ...sides,
    recorded,
    isDeclared: desired !== null,
    candidates: unowned.length,
    rules,
    isGone,
    settled,
    ...(settled ? UNCOMPARED : comparedSides(sides, reconciler, vault)),
    needs: { desired: resource?.dependsOn ?? [], owned: owned?.dependsOn ?? [] },
    change: (path) => costOf(path, sides, reconciler),
    atoms,
    keyed,
    widens,
  })
}

/** Applies the observed outcome of an unfinished step. */
function settleEntry(
  facts: Facts,
  input: FactsInput,
  { kind, name }: { kind: string; name: string },
  recorded: Owned | undefined,
): Owned | undefined {
  const { source, intents, live } = input
  const intent = intents.get(kind, name)
  if (!intent || (recorded ?? intent.entry).source !== source) return recorded
  facts.judged.push(intent)
  const liveId = recorded?.liveId ?? intent.entry.liveId ?? ''
  return settleIntent(recorded, intent, live.get(kind)!.byId.get(liveId), shapeOf(input, kind))
}

const shapeOf = ({ reconcilers }: FactsInput, kind: string): Shape =>
  reconcilers.find(({ definition }) => definition.kind === kind)?.definition ?? {}
