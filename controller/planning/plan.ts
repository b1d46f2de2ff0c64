import { createHash } from 'node:crypto'
import { type Pieces } from '../../platform/async/time-slices.ts'
import type { Shape } from '../../schemas/members/keyed-list.ts'
import type { Widening } from '../../schemas/members/widening.ts'
import type { Cost } from '../../schemas/kind.ts'
import type { Action, Change, Plan, PlanDrift, PlanStep, PruneGuard } from '../../schemas/plan.ts'
import type { Position } from '../reading/desired-state.ts'
import { idOf } from '../reading/graph.ts'
import { differences, memberAt, type Difference } from './diff.ts'
import { suspendedWarning } from './conflicts.ts'
import { driftOf, relevantDifferences, shownDeviation, type LiveState, type Sides } from './drift.ts'
import { digest, display, isEmpty, type MaskedSpec } from './masking.ts'
import { liveDigest, pendingDifferences, type LiveSpecs } from './pending-changes.ts'
import { holdSteps, NOTHING_HELD, type Hold, type HoldableStep, type Policies } from './policies/policy-hold.ts'
import { widensOf } from './widening.ts'
import { reconcileCommand } from './reconcile-command.ts'
import { deletionsAllowed, driftModeOf, type SyncRules } from './sync-rules.ts'

export interface PlanSubject extends Shape {
  readonly kind: string
  readonly name: string
  readonly desired: { masked: MaskedSpec; file: string; position(path: string): Position } | null
  /** `applied` is null while a creation is unfinished. */
  readonly owned: { applied: MaskedSpec | null; file: string; line: number; column: number } | null
  /** `interrupts`: work that a restart would end. */
  readonly live: (LiveSpecs & { interrupts: string | null; states?: readonly LiveState[] }) | null
  readonly settled?: boolean
  /** A deletion was requested, within the budget at that time, and is pending. */
  readonly isGone?: boolean
  /** Unowned live resources with this name; used only without `owned`. */
  readonly candidates: number
  readonly rules: SyncRules
  readonly needs?: HoldableStep['needs']
  change(path: string): Cost
  /** Default: nothing is known to widen. */
  readonly widens?: Widening
  readonly atoms: readonly string[]
}

export interface PlanFrame {
  id: string
  source: string
  /** Manifest folder, to compute a saved plan again. */
  root: string | null
  revision: string | null
  createdAt: string
  diagnostics: Plan['diagnostics']
  /** The whole source was read; required for pruning. */
  complete: boolean
  prune: boolean
  maxDelete: string
  /** Number of owned resources, for a budget in percent. */
  owned: number
  /** Unchanged resources that are not subjects; default none. */
  passedOver?: number
  override?: string
  /** As kind/name; default all. */
  targets?: ReadonlySet<string>
  automatic?: boolean
  keepsDrift?: boolean
  policies?: Policies
}

interface Verdict {
  step?: PlanStep
  drift: PlanDrift[]
}

/** `subjects` are in apply order; deletions come last, in reverse order. */
export function* makePlan(frame: PlanFrame, subjects: readonly PlanSubject[]): Pieces<Plan> {
  const steps: PlanStep[] = []
  const deletions: PlanStep[] = []
  const drift: PlanDrift[] = []
  const preconditions: Record<string, string | null> = {}
  const wanted = new Map<PlanStep, string | null>()
  const diagnostics = [...frame.diagnostics]
  const judged: HoldableStep[] = []
  let unchanged = frame.passedOver ?? 0
  for (const subject of subjects) {
    yield
    if (frame.targets && !frame.targets.has(idOf(subject))) continue
    if (frame.automatic && subject.rules.mode === 'manual') continue
    const verdict = judge(subject, frame)
    drift.push(...verdict.drift)
    if (subject.rules.suspended && leavesDrift(verdict, frame))
      diagnostics.push(suspendedWarning(subject, 'its drift remains'))
    if (!verdict.step) unchanged += subject.settled || subject.desired ? 1 : 0
    else if (subject.rules.suspended) diagnostics.push(suspendedWarning(subject, `its ${verdict.step.action} waits`))
    else {
      ;(verdict.step.action === 'delete' ? deletions : steps).push(verdict.step)
      wanted.set(verdict.step, subject.desired?.masked.digest ?? null)
      if (frame.policies) judged.push(asJudged(verdict.step, subject, frame.policies.suspects))
      preconditions[idOf(subject)] = subject.live && liveDigest(subject.live)
    }
  }
  const hold = frame.policies ? holdSteps(frame.policies, judged) : NOTHING_HELD
  const guard = guardOf(frame, deletions, { subjects, hold })
  const made = [...steps, ...(guard ? [] : deletions.reverse())].filter((step) => !hold.ids.has(idOf(step)))
  const acted = new Set(made)
  for (const step of wanted.keys()) if (!acted.has(step)) delete preconditions[idOf(step)]
  const hash = yield* hashOf(frame, made, wanted, preconditions)
  return {
    id: frame.id,
    hash,
    source: frame.source,
    root: frame.root,
    revision: frame.revision,
    created_at: frame.createdAt,
    steps: made,
    summary: { ...count(made), unchanged },
    drift,
    diagnostics: [...diagnostics, ...hold.diagnostics],
    guard,
    preconditions,
    ...(frame.policies ? { policies: hold.verdicts } : {}),
    ...(hold.held ? { held: hold.held } : {}),
  }
}

/** Binds a plan to its facts, except interrupted work, whose text changes over time. */
function* hashOf(
  { source, revision }: PlanFrame,
  steps: readonly PlanStep[],
  wanted: ReadonlyMap<PlanStep, string | null>,
  preconditions: Plan['preconditions'],
): Pieces<string> {
  const hash = createHash('sha256').update(JSON.stringify([source, revision]))
  for (const step of steps) {
    const { interrupts: _, ...bound } = step
    hash.update(JSON.stringify([bound, wanted.get(step), preconditions[idOf(step)]]))
    yield
  }
  return hash.digest('hex').slice(0, 32)
}

/** Drift that only the suspension keeps from being reverted. */
const leavesDrift = ({ step, drift }: Verdict, { keepsDrift }: PlanFrame) => !step && !keepsDrift && drift.length > 0

const NOTHING_TO_DO: Verdict = { drift: [] }

function judge(subject: PlanSubject, frame: PlanFrame): Verdict {
  if (subject.settled) return NOTHING_TO_DO
  const { desired, owned, live, rules } = subject
  if (!desired)
    return owned && (subject.isGone || (frame.prune && frame.complete && rules.prune))
      ? { step: stepOf(subject, 'delete', 'no manifest declares it', []), drift: [] }
      : { drift: [] }
  const sides: Sides = {
    desired: desired.masked,
    applied: owned?.applied ?? null,
    live: live && live.masked,
    atoms: subject.atoms,
    keyed: subject.keyed,
    states: live?.states,
  }
  const drift = driftOf(sides, rules.ignore)
  const said = drift.map((difference) => planDrift(subject, difference))
  if (live) {
    const pending = pendingDifferences(desired.masked, live, subject)
    return change(subject, { moved: relevantDifferences({ ...sides, live: live.masked }, rules.ignore), pending }, said)
  }
  if (!owned && subject.candidates > 1) return { drift: [] }
  if (drift.length > 0 && rules.drift !== 'heal') return { drift: said }
  const reason = drift.length > 0 ? 'it was deleted' : 'it does not exist'
  // Field lists are for readers; automatic passes omit them.
  const members = frame.automatic ? [] : membersOf(desired.masked)
  return { step: stepOf(subject, 'create', reason, members), drift: said }
}

interface Differing {
  moved: Difference[]
  pending: Difference[]
}

function membersOf({ value }: MaskedSpec): Change[] {
  return differences(value, null, {})
    .filter(({ desired }) => !isEmpty(desired))
    .map(({ path, desired }) => ({
      path,
      before: null,
      after: display(desired),
      owner: 'manifest',
      cost: 'in-place',
    }))
}

/** Adopts an unowned live resource; changes an owned one if it differs and rules permit. */
function change(subject: PlanSubject, { moved, pending }: Differing, drift: PlanDrift[]): Verdict {
  const { rules, owned } = subject
  if (drift.some(({ path }) => driftModeOf(rules, path) === 'block')) return { drift }
  const asked = moved.filter(({ owner, path }) => owner === 'manifest' || driftModeOf(rules, path) === 'heal')
  const changes = [...asked, ...pending].map(({ path, live, desired, owner, isState }): Change => ({
    path,
    before: display(live),
    after: display(desired),
    owner,
    cost: isState ? 'restart' : subject.change(path),
  }))
  if (!owned) return { step: stepOf(subject, 'adopt', whyAdopted(subject), changes), drift }
  if (changes.length === 0) return { drift }
  return { step: stepOf(subject, actionFor(changes), whyChanged(asked), changes), drift }
}

function whyChanged(asked: readonly Difference[]): string {
  if (asked.length === 0) return 'its running values differ from its configuration'
  return asked.some(({ owner }) => owner === 'manifest') ? 'the manifest changed' : 'it drifted'
}

function whyAdopted({ desired, live }: PlanSubject): string {
  return desired!.masked.digest === live!.masked.digest
    ? 'it exists as desired and has no owner'
    : 'it exists and has no owner'
}

function planDrift({ kind, name }: PlanSubject, difference: Difference): PlanDrift {
  const { path, desired, live } = shownDeviation(difference)
  return { kind, name, path, desired, live }
}

function actionFor(changes: Change[]): Action {
  if (changes.some((change) => change.cost === 'replace')) return 'replace'
  return changes.some((change) => change.cost === 'restart') ? 'restart' : 'update'
}

function stepOf(subject: PlanSubject, action: Action, reason: string, changes: Change[]): PlanStep {
  const position = subject.desired?.position(action === 'create' ? '' : (changes[0]?.path ?? '')) ?? subject.owned
  // A creation widens every field that it sets.
  const widens = action === 'create' || action === 'delete' ? [] : widensOf(subject)
  const costly = action === 'delete' || actionFor(changes) !== 'update'
  return {
    kind: subject.kind,
    name: subject.name,
    action,
    reason,
    changes,
    file: subject.desired?.file ?? subject.owned?.file ?? null,
    line: position?.line ?? null,
    column: position?.column ?? null,
    interrupts: costly ? (subject.live?.interrupts ?? null) : null,
    ...(widens.length > 0 ? { widens } : {}),
  }
}

const NO_NEEDS: HoldableStep['needs'] = { desired: [], owned: [] }

const asJudged = (step: PlanStep, subject: PlanSubject, suspects: Policies['suspects']): HoldableStep => ({
  step,
  valueAt: (path) => memberAt(subject.desired?.masked.value, path, subject),
  widening: wideningOf(subject, suspects?.get(idOf(subject))),
  wanted: subject.desired?.masked.digest ?? null,
  needs: subject.needs ?? NO_NEEDS,
  position: (path) => subject.desired?.position(path) ?? null,
})

function wideningOf(subject: PlanSubject, why: string | undefined): HoldableStep['widening'] {
  const members = why === undefined ? [] : widensOf(subject)
  return why !== undefined && members.length > 0 ? { members, why } : null
}

/**
 * Denied deletions do not count against the budget; those awaiting confirmation do, so that both are reported at once.
 */
function guardOf(
  frame: PlanFrame,
  deletions: readonly PlanStep[],
  { subjects, hold }: { subjects: readonly PlanSubject[]; hold: Hold },
): PruneGuard | null {
  const denied = new Set(hold.held?.denied)
  const counted = deletions.filter((step) => !denied.has(idOf(step)))
  const agreed = subjects.filter(({ isGone }) => isGone).length
  return counted.length > agreed ? pruneGuard(frame, counted) : null
}

/** Holds back all deletions beyond the budget unless the override names exactly this set. */
function pruneGuard(frame: PlanFrame, deletions: PlanStep[]): PruneGuard | null {
  const allowed = deletionsAllowed(frame.maxDelete, frame.owned)
  if (deletions.length <= allowed) return null
  const resources = deletions.map((step) => `${step.kind}/${step.name}`)
  const hash = digest(JSON.stringify(resources)).slice(0, 12)
  return frame.override === hash
    ? null
    : { deletes: deletions.length, owned: frame.owned, max_delete: frame.maxDelete, allowed, hash, resources }
}

function count(steps: PlanStep[]): Omit<Plan['summary'], 'unchanged'> {
  const summary = { create: 0, update: 0, restart: 0, replace: 0, adopt: 0, delete: 0 }
  for (const step of steps) summary[step.action]++
  return summary
}

export function heldBack(guard: PruneGuard, source: string): string {
  return `${guard.deletes} deletions exceed the budget of ${guard.allowed} (max_delete ${guard.max_delete}); nothing was pruned; to allow them: ${reconcileCommand(source)} --prune-override ${guard.hash}`
}
