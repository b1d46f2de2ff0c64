// The facts a plan is made from: desired, inventory and live, brought together per resource.
import { invalid } from '../platform/problem.ts'
import type { Diagnostic } from '../schemas/diagnostic.ts'
import type { SourceSync } from '../schemas/source.ts'
import type { Canon, Masked } from './canonical.ts'
import type { DesiredResource, DesiredState } from './desired.ts'
import { differences, isIgnored } from './diff.ts'
import type { Deviation } from './drift-records.ts'
import { order } from './graph.ts'
import type { Inventory, Owned } from './inventory.ts'
import { idOf, type PlanSubject } from './plan.ts'
import type { Lookup, Observed, Reconciler } from './reconciler.ts'
import { display } from './canonical.ts'
import { syncRules, type SyncRules } from './sync-rules.ts'

/** Everything live of one kind, by id and by name. */
export interface LiveKind {
  byId: Map<string, Observed<any, any>>
  byName: Map<string, Observed<any, any>[]>
}

export async function observeKinds(
  reconcilers: readonly Reconciler[],
  lookup: Lookup,
  signal: AbortSignal,
): Promise<Map<string, LiveKind>> {
  const kinds = new Map<string, LiveKind>()
  for (const reconciler of reconcilers) {
    const live: LiveKind = { byId: new Map(), byName: new Map() }
    for (const observed of await reconciler.observeAll(lookup, signal)) {
      live.byId.set(observed.liveId, observed)
      const namesakes = live.byName.get(observed.spec.name)
      if (namesakes) namesakes.push(observed)
      else live.byName.set(observed.spec.name, [observed])
    }
    kinds.set(reconciler.definition.kind, live)
  }
  return kinds
}

/** Lookups over the inventory. */
export function inventoryLookup(inventory: Inventory): Lookup {
  return {
    liveId: (kind, name) => inventory.get(kind, name)?.liveId ?? null,
    nameOf: (kind, liveId) => inventory.byLiveId(kind, liveId)?.name ?? null,
  }
}

export interface Facts {
  subjects: PlanSubject[]
  /** Faults that only the meeting of desired and live shows. */
  diagnostics: Diagnostic[]
  live: Map<string, Observed<any, any>>
  /** Of the source: what holds for every resource that says nothing of its own. */
  rules: SyncRules
}

interface FactsInput {
  source: string
  state: DesiredState
  /** Teardown: nothing is desired, and only what the manifests name is looked at. */
  deleteAll: boolean
  inventory: Inventory
  live: Map<string, LiveKind>
  reconcilers: readonly Reconciler[]
  canon: Canon
  sourceSync: SourceSync
}

export function gatherFacts(input: FactsInput): Facts {
  const facts: Facts = {
    subjects: [],
    diagnostics: [],
    live: new Map(),
    rules: syncRules(input.sourceSync, input.state.sync),
  }
  const named = new Set<string>()
  for (const desired of input.state.resources) {
    named.add(idOf(desired))
    const owned = input.inventory.get(desired.kind, desired.name)
    if (owned && owned.source !== input.source) {
      if (input.deleteAll || input.canon.mask(owned.desired).text !== input.canon.mask(desired.spec).text)
        facts.diagnostics.push(ownedElsewhere(desired, owned))
      continue
    }
    if (input.deleteAll && !owned) continue
    addSubject(facts, input, desired, owned)
  }
  const kinds = input.reconcilers.map((reconciler) => reconciler.definition.kind)
  const rest = input.deleteAll ? [] : input.inventory.ofSource(input.source).filter((owned) => !named.has(idOf(owned)))
  // In the order of what depends on what, so that deletions, made in the opposite one, leave nothing dangling.
  const ordered = new Set(order(rest, kinds).ordered)
  for (const owned of [...ordered, ...rest.filter((other) => !ordered.has(other))])
    addSubject(facts, input, null, owned)
  return facts
}

function addSubject(facts: Facts, input: FactsInput, desired: DesiredResource | null, owned: Owned | undefined): void {
  const { kind, name } = (desired ?? owned)!
  const reconciler = input.reconcilers.find((candidate) => candidate.definition.kind === kind)
  const live = input.live.get(kind)
  if (!reconciler || !live) return
  const mine = owned?.liveId ? live.byId.get(owned.liveId) : undefined
  // What we made we know by its id; a name is asked only for what we have not made or not finished making.
  const unowned =
    mine || owned?.applied || !desired || input.deleteAll
      ? []
      : (live.byName.get(name) ?? []).filter((observed) => !input.inventory.byLiveId(kind, observed.liveId))
  const found = mine ?? (unowned.length === 1 ? unowned[0] : undefined)
  if (!owned && unowned.length > 1) facts.diagnostics.push(ambiguous(desired!, unowned.length))
  if (found) facts.live.set(`${kind}/${name}`, found)
  facts.subjects.push({
    kind,
    name,
    desired: input.deleteAll ? null : desiredSide(input, desired, owned),
    owned: owned
      ? {
          liveId: owned.liveId,
          applied: owned.applied === null ? null : input.canon.mask(owned.applied),
          file: owned.file,
          line: owned.line,
          column: owned.column,
        }
      : null,
    live: found
      ? { liveId: found.liveId, masked: input.canon.mask(found.spec), interrupts: reconciler.interrupts(found.live) }
      : null,
    candidates: unowned.length,
    rules: rulesFor(facts.rules, desired?.sync ?? owned?.sync, input),
    change: (path) => reconciler.definition.change(path),
    atoms: reconciler.definition.atoms ?? [],
  })
}

/** What an unreadable or faulty file declared stays in force as it was last good. */
function desiredSide(
  input: FactsInput,
  desired: DesiredResource | null,
  owned: Owned | undefined,
): PlanSubject['desired'] {
  if (desired)
    return {
      masked: input.canon.mask(desired.spec),
      file: desired.file,
      position: (path) => (path === '' ? { line: desired.line, column: desired.column } : desired.position(path)),
    }
  if (!owned || input.state.complete) return null
  return {
    masked: input.canon.mask(owned.desired),
    file: owned.file,
    position: () => ({ line: owned.line, column: owned.column }),
  }
}

function rulesFor(ofSource: SyncRules, own: SourceSync | undefined, input: FactsInput): SyncRules {
  return own && Object.keys(own).length > 0 ? syncRules(input.sourceSync, input.state.sync, own) : ofSource
}

function ownedElsewhere(desired: DesiredResource, owned: Owned): Diagnostic {
  return {
    severity: 'error',
    code: 'owned-elsewhere',
    message: `${idOf(desired)} belongs to source "${owned.source}" (${owned.file}:${owned.line})`,
    hint: 'change it there, remove it there first, or choose another name',
    file: desired.file,
    line: desired.line,
    column: desired.column,
    kind: desired.kind,
    name: desired.name,
  }
}

function ambiguous(desired: DesiredResource, candidates: number): Diagnostic {
  return {
    severity: 'error',
    code: 'ambiguous',
    message: `${candidates} live resources are called "${desired.name}", and nobody owns them: adopting needs exactly one`,
    hint: 'delete or rename all but one, or choose another name',
    file: desired.file,
    line: desired.line,
    column: desired.column,
    kind: desired.kind,
    name: desired.name,
  }
}

/** Where the live resource left what was applied: what is reported, whether or not it is healed. */
export function deviationsOf(
  desired: Masked,
  applied: Masked | null,
  observed: { masked: Masked; deviations?: Observed<any, any>['deviations'] } | null,
  rules: SyncRules,
  atoms: readonly string[] = [],
): Deviation[] {
  if (applied === null) return []
  if (!observed)
    return desired.text === applied.text
      ? [{ path: '', desired: display(desired.value), live: null, last_applied: display(applied.value) }]
      : []
  const states = (observed.deviations ?? []).map((deviation) => ({ ...deviation, last_applied: deviation.desired }))
  if (observed.masked.text === desired.text) return states
  const found = differences(desired.value, applied.value, observed.masked.value, atoms)
    .filter(
      (difference) => (difference.owner === 'live' || difference.conflict) && !isIgnored(difference.path, rules.ignore),
    )
    .map(({ path, desired: want, live, applied: had }): Deviation => ({
      path,
      desired: display(want),
      live: display(live),
      last_applied: display(had),
    }))
  return [...found, ...states]
}

/** What a faulty file declared, as it was last good: it stays in force. */
export function lastGood(owned: Owned): DesiredResource {
  return { ...owned, spec: owned.desired, position: () => ({ line: owned.line, column: owned.column }) }
}

/** A target that nothing answers to is a slip of the pen, and not an empty plan. */
export function refuseUnknownTargets(
  source: string,
  state: DesiredState,
  targets: readonly string[],
  inventory: Inventory,
): void {
  const known = new Set([...state.resources, ...inventory.ofSource(source)].map(idOf))
  const unknown = targets.filter((target) => !known.has(target))
  if (unknown.length === 0) return
  throw invalid(
    `no manifest of source ${source} declares ${unknown.join(', ')}, and its inventory holds no such resource`,
    [{ path: 'targets', message: unknown.join(', ') }],
  )
}
