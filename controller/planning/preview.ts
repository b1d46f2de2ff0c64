// The only way to make a plan, with or without a daemon. Pure.
import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { Pieces } from '../../platform/async/time-slices.ts'
import { invalid } from '../../platform/core/problem.ts'
import type { Plan } from '../../schemas/plan.ts'
import type { SourceSync } from '../../schemas/source.ts'
import type { PlanPolicy } from '../../schemas/sync/plan-policy.ts'
import type { DesiredResource, DesiredState } from '../reading/desired-state.ts'
import { idOf } from '../reading/graph.ts'
import type { Observed, Reconciler } from '../reconciler.ts'
import { nearest } from '../../schemas/validation/nearest.ts'
import { gatherFacts, type FactsInput, type LiveKind, type Subject } from './facts.ts'
import { ownedElsewhere } from './conflicts.ts'
import { impactOf } from './impact.ts'
import type { Intent, OpenIntents } from './intents.ts'
import { isEmpty, sameSpec } from './masking.ts'
import { ownedOf, passedOver } from './pass-scope.ts'
import { contestOf, type OwnedResources } from './ownership.ts'
import { makePlan } from './plan.ts'
import { WIDENING } from './policies/policy-findings.ts'
import type { Policies } from './policies/policy-hold.ts'
import { widensOf } from './widening.ts'
import { askedRules, rulesInForce, syncRules, type SyncRules } from './sync-rules.ts'
import type { Unknown } from './unobserved.ts'
import type { Vault } from '../../platform/secrets/vault.ts'

export interface AskedFor {
  spec: object | null
  /** Rules (`ruleText`); newer ones require a new confirmation. */
  confirmed: ReadonlySet<string>
}

/** Empty: everything that the source's rules allow on request. */
export interface PassOptions {
  /** Makes only changes that the rules permit without a request. Otherwise drift is reverted. */
  automatic?: boolean
  keepDrift?: boolean
  /** Pending requests (kind/name), which an automatic pass treats as requested. */
  owed?: ReadonlySet<string>
  /** Confirmations apply only to these requests. */
  askedFor?: ReadonlyMap<string, AskedFor>
  /** Resources to check (kind/name); undefined: all. */
  only?: ReadonlySet<string>
  /** Does not read the desired state again. */
  asRead?: boolean
  targets?: readonly string[]
  prune?: boolean
  pruneOverride?: string
  confirm?: string
  /** Of the reviewed plan: the pass fails if its plan is another one. */
  planHash?: string
  strict?: boolean
  /** Deletes declared resources instead of creating them. */
  teardown?: boolean
  /** Replaces all other rules, as for a revert. */
  overruling?: SourceSync
}

export interface PreviewSource {
  name: string
  /** Manifest folder, to compute a saved plan again. */
  root: string
  /** Rules from outside the manifests; later ones win. */
  sync: readonly (SourceSync | undefined)[]
}

export interface PreviewInput {
  id: string
  createdAt: string
  source: PreviewSource
  state: DesiredState
  inventory: OwnedResources
  intents: OpenIntents
  live: ReadonlyMap<string, LiveKind>
  reconcilers: readonly Reconciler[]
  vault: Vault
  options: PassOptions
  /** Why widened resources are held, by kind/name; default none. */
  suspects?: ReadonlyMap<string, string>
}

export interface ExactRevert {
  /** Fields may be overwritten only as the plan saw them. */
  reviewed: boolean
}

export interface Preview {
  plan: Plan
  /** Requested by name: suspended resources are also written. */
  byName: boolean
  /** A revert by drift record or reviewed plan. Pending changes stay pending, and a wait is not continued later. */
  exactly?: ExactRevert
  policies: readonly PlanPolicy[]
  /** Rejected commit, if an earlier one is in force. */
  attempted?: string | undefined
  subjects: readonly Subject[]
  /** Intents of earlier runs whose outcome is known now. */
  judged: readonly Intent[]
  unknown: readonly Unknown[]
  /** Dependents of unknown resources, by kind/name. */
  waiting: ReadonlySet<string>
  only: ReadonlySet<string> | undefined
  /** Resources with steps, by kind/name. For an invalid manifest, the last good spec. */
  desired: Map<string, DesiredResource>
  /** Live resources with steps, by kind/name. */
  live: Map<string, Observed<any, any>>
}

/**
 * Changes nothing. The inventory must not gain or lose entries meanwhile. Throws a Problem 400 for an unknown target.
 */
export function* makePreview(asked: PreviewInput): Pieces<Preview> {
  refuseUnknownTargets(asked)
  const input = asked.options.teardown ? asTeardown(asked) : asked
  const { source, state, inventory, options } = input
  const rules = rulesOf(input)
  const { only } = options
  const policies = policiesOf(input)
  const mine = only ? ownedOf(only, source.name, inventory) : inventory.ofSource(source.name)
  const facts = yield* gatherFacts({ ...input, source: source.name, mine, only, rulesFor: rules.of })
  const plan = yield* makePlan(
    {
      id: input.id,
      source: source.name,
      root: source.root,
      revision: state.revision,
      createdAt: input.createdAt,
      diagnostics: [...state.diagnostics, ...facts.diagnostics],
      complete: state.complete,
      prune: options.prune ?? rules.ofSource.prune,
      maxDelete: rules.ofSource.maxDelete,
      owned: only ? inventory.ofSource(source.name).length : mine.length,
      passedOver: only ? passedOver(only, state, (own) => rules.ofOwn(own).mode !== 'manual') : 0,
      override: options.pruneOverride,
      targets: options.targets && new Set(options.targets),
      automatic: options.automatic,
      keepsDrift: Boolean(options.automatic || options.keepDrift),
      policies,
    },
    facts.subjects,
  )
  const { subjects, judged, unknown, waiting } = facts
  return {
    byName: Boolean(options.overruling),
    plan: { ...plan, impact: impactOf(plan, state.resources, mine) },
    policies: policies?.rules ?? [],
    attempted: state.attempted,
    subjects,
    judged,
    unknown,
    waiting,
    only,
    ...(yield* sidesOf(plan, subjects)),
  }
}

function* sidesOf(plan: Plan, subjects: readonly Subject[]): Pieces<Pick<Preview, 'desired' | 'live'>> {
  const acted = new Set(plan.steps.map(idOf))
  const [desired, live] = [new Map<string, DesiredResource>(), new Map<string, Observed<any, any>>()]
  for (const subject of acted.size > 0 ? subjects : []) {
    yield
    const id = idOf(subject)
    if (!acted.has(id)) continue
    if (subject.resource) desired.set(id, subject.resource)
    if (subject.found) live.set(id, subject.found)
  }
  return { desired, live }
}

interface Rules {
  ofSource: SyncRules
  of: FactsInput['rulesFor']
  ofOwn(own: SourceSync | undefined): SyncRules
}

/**
 * Files, by kind/name, that widen a resource: its manifest and those that it depends on. None in the first pass of a
 * source.
 */
export function wideningFiles(
  { plan: { steps }, subjects }: Preview,
  { source, state, inventory }: PreviewInput,
): Map<string, string[]> {
  const found = new Map<string, string[]>()
  if (inventory.ofSource(source.name).length === 0) return found
  const acted = new Set(steps.filter(({ action }) => action !== 'delete').map(idOf))
  const files =
    acted.size > 0
      ? new Map(state.resources.map((resource) => [idOf(resource), resource.file]))
      : new Map<string, string>()
  for (const subject of subjects) {
    const { resource } = subject
    if (!resource || !acted.has(idOf(subject)) || widensOf(subject).length === 0) continue
    found.set(idOf(subject), [resource.file, ...resource.dependsOn.flatMap((id) => files.get(id) ?? [])])
  }
  return found
}

/** Returns one object for all resources without own rules. */
function rulesOf({ source, state, options }: PreviewInput): Rules {
  const given = options.prune === undefined ? {} : { prune: options.prune }
  const layers = options.overruling ? [options.overruling] : [...source.sync, given, state.sync]
  const isAsked = !options.automatic && !options.overruling
  const decided = (rules: SyncRules) => (isAsked ? askedRules(rules, options.keepDrift ?? false) : rules)
  const ofSource = decided(syncRules(...layers))
  const ofOwn = (own: SourceSync | undefined) =>
    options.overruling || own === undefined || isEmpty(own) ? ofSource : decided(syncRules(...layers, own))
  return {
    ofSource,
    ofOwn,
    of: (own, { kind, name, recorded = {} }) => {
      const rules = ofOwn(own)
      if (!options.overruling && (recorded.suspended || contestOf(recorded))) return rulesInForce(rules, recorded)
      return options.owed?.has(`${kind}/${name}`) ? { ...rules, drift: 'heal', fields: {}, mode: 'auto' } : rules
    },
  }
}

/** All layers apply, even if other rules are overruled. */
function policiesOf(input: PreviewInput): Policies | undefined {
  const { source, state, options, reconcilers } = input
  const { suspects } = input
  const written = [...source.sync, state.sync].flatMap((layer) => layer?.policies ?? [])
  const rules = suspects?.size ? [...written, WIDENING] : written
  if (rules.length === 0) return undefined
  const kinds = reconcilers.map(({ definition }) => definition)
  return { rules, kinds, confirm: options.confirm, strict: options.strict, agreed: agreedOf(input), suspects }
}

/** A changed manifest is a new request. */
function agreedOf({ options: { owed, askedFor }, state }: PreviewInput): Policies['agreed'] {
  if (!owed || !askedFor || askedFor.size === 0) return undefined
  const desired = new Map(state.resources.map((resource) => [idOf(resource), resource.spec as object]))
  const isAsAsked = (id: string, { spec: then }: AskedFor) => {
    const now = desired.get(id)
    return then && now ? sameSpec(then, now) : then === null && !now
  }
  return new Map(
    [...askedFor]
      .filter(([id, asked]) => owed.has(id) && isAsAsked(id, asked))
      .map(([id, asked]) => [id, asked.confirmed]),
  )
}

/** Desires none of the declared resources, ignores all others, and has no budget. */
function asTeardown(input: PreviewInput): PreviewInput {
  const { source, state, inventory, options } = input
  const named = state.resources.map(idOf)
  const elsewhere = state.resources.flatMap((desired): Diagnostic[] => {
    const owned = inventory.get(desired.kind, desired.name)
    return owned && owned.source !== source.name ? [ownedElsewhere(desired, owned)] : []
  })
  return {
    ...input,
    state: { ...state, resources: [], complete: true, diagnostics: [...state.diagnostics, ...elsewhere] },
    options: {
      ...options,
      prune: true,
      targets: options.targets ? named.filter((id) => options.targets!.includes(id)) : named,
      overruling: { prune: true, max_delete: '100%' },
    },
  }
}

function refuseUnknownTargets({ source, state, inventory, options: { targets = [] } }: PreviewInput): void {
  if (targets.length === 0) return
  const known = new Set([...state.resources, ...inventory.ofSource(source.name)].map(idOf))
  const unknown = targets.filter((target) => !known.has(target))
  if (unknown.length === 0) return
  const meant = unknown.map((target) => nearest(target, known)).find((target) => target !== null)
  throw invalid(
    `no manifest of source ${source.name} declares ${unknown.join(', ')}, and its inventory contains no such resource${meant ? `; did you mean "${meant}"?` : ''}`,
    [{ path: 'targets', message: unknown.join(', '), code: 'unknown-reference' }],
  )
}
