// A preview: the plan of a pass with the facts it was made from. The one way to make a plan, with a daemon and
// without. Pure.
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
import type { Policies } from './policies/policy-hold.ts'
import { askedRules, rulesInForce, syncRules, type SyncRules } from './sync-rules.ts'
import type { Unknown } from './unobserved.ts'
import type { Vault } from '../../platform/secrets/vault.ts'

/** What somebody asked for and had to wait. */
export interface AskedFor {
  /** Null: its deletion. */
  spec: object | null
  /** The rules it was confirmed for, as `ruleText` says them: one that came since wants it confirmed. */
  confirmed: ReadonlySet<string>
}

/** What a pass may do. Empty: everything that its source's rules let anybody do who asks. */
export interface PassOptions {
  /** Nobody asked for the pass: only what its rules let change by itself. Else drift is put back. */
  automatic?: boolean
  /** Leaves what was changed on the live system, as an automatic pass with a rule to report does. */
  keepDrift?: boolean
  /** By kind/name: what somebody asked for and had to wait; an automatic pass does it as if it were asked for. */
  owed?: ReadonlySet<string>
  /** Of these, what was asked for. What policies want confirmed holds for that alone. */
  askedFor?: ReadonlyMap<string, AskedFor>
  /** By kind/name: all that may have moved, nothing else is looked at; undefined: everything is. */
  only?: ReadonlySet<string>
  /** Takes what is desired as the last pass did, without reading it anew. */
  asRead?: boolean
  /** Only these, as kind/name. */
  targets?: readonly string[]
  /** Whether to prune; wins over the rules of the source. */
  prune?: boolean
  /** Hash of the guard that may be passed. */
  pruneOverride?: string
  /** Hash of the steps that policies want confirmed. */
  confirm?: string
  /** What policies only warn of is denied. */
  strict?: boolean
  /** Deletes what the manifests name, in place of making it. */
  teardown?: boolean
  /** Rules in place of every other: a revert heals whatever the source says. */
  overruling?: SourceSync
}

export interface PreviewSource {
  name: string
  /** Folder the manifests came from, so that a saved plan can be made again. */
  root: string
  /** Rules from outside the manifests, later ones winning. */
  sync: readonly (SourceSync | undefined)[]
}

export interface PreviewInput {
  id: string
  createdAt: string
  source: PreviewSource
  /** The three sides. */
  state: DesiredState
  inventory: OwnedResources
  intents: OpenIntents
  live: ReadonlyMap<string, LiveKind>
  reconcilers: readonly Reconciler[]
  vault: Vault
  options: PassOptions
}

export interface Preview {
  plan: Plan
  /** Somebody asked for these very resources: what is suspended is written as well. */
  byName: boolean
  /** The rules that the plan was held against. */
  policies: readonly PlanPolicy[]
  /** The commit that could not be taken, where an earlier one is in force. */
  attempted?: string | undefined
  /** Everything that was looked at, in the order to apply. */
  subjects: readonly Subject[]
  /** Intents of earlier runs whose outcome was looked at. */
  judged: readonly Intent[]
  /** What could not be observed. */
  unknown: readonly Unknown[]
  /** By kind/name: what hangs on what could not be observed, for which nothing is planned either. */
  waiting: ReadonlySet<string>
  /** By kind/name: all that was looked at; undefined: everything was. */
  only: ReadonlySet<string> | undefined
  /** What the plan has steps for, by kind/name: as desired, what a faulty file declared as it was last good. */
  desired: Map<string, DesiredResource>
  /** What the plan has steps for, by kind/name, as it was found live. */
  live: Map<string, Observed<any, any>>
}

/**
 * Makes the plan of a pass, in pieces; changes nothing. The inventory must not lose or gain entries meanwhile. Throws a
 * Problem 400 for an unknown target.
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

/** Desired and live of what the plan has steps for. */
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

/** Rules of the source, and of a resource with rules of its own; the same object for all that have none. */
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

/** Those of every layer hold, whatever else overrules the rules; undefined: there are none. */
function policiesOf(input: PreviewInput): Policies | undefined {
  const { source, state, options, reconcilers } = input
  const rules = [...source.sync, state.sync].flatMap((layer) => layer?.policies ?? [])
  if (rules.length === 0) return undefined
  const kinds = reconcilers.map(({ definition }) => definition)
  return { rules, kinds, confirm: options.confirm, strict: options.strict, agreed: agreedOf(input) }
}

/** What waits as it was asked for; a manifest that says something else by now is another request. */
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

/** A teardown desires none of what the manifests name, looks at nothing else, and heeds no budget. */
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

/** A target that nothing answers to is a slip of the pen, and not an empty plan. */
function refuseUnknownTargets({ source, state, inventory, options: { targets = [] } }: PreviewInput): void {
  if (targets.length === 0) return
  const known = new Set([...state.resources, ...inventory.ofSource(source.name)].map(idOf))
  const unknown = targets.filter((target) => !known.has(target))
  if (unknown.length === 0) return
  const meant = unknown.map((target) => nearest(target, known)).find((target) => target !== null)
  throw invalid(
    `no manifest of source ${source.name} declares ${unknown.join(', ')}, and its inventory holds no such resource${meant ? `; did you mean "${meant}"?` : ''}`,
    [{ path: 'targets', message: unknown.join(', '), code: 'unknown-reference' }],
  )
}
