// The plan: what would change, from what is desired, was last applied and is live. Pure; it writes nothing and asks nobody.
import type { Cost } from '../schemas/kind.ts'
import type { Action, Change, Plan, PlanDrift, PlanStep, PruneGuard } from '../schemas/plan.ts'
import { digest, display, type Masked } from './canonical.ts'
import type { Position } from './desired.ts'
import { differences, isIgnored, type Difference } from './diff.ts'
import { deletionsAllowed, type SyncRules } from './sync-rules.ts'

export interface PlannedLive {
  liveId: string
  masked: Masked
  interrupts: string | null
}

/** One resource as the plan sees it: any of its three sides may be missing. */
export interface PlanSubject {
  kind: string
  name: string
  desired: { masked: Masked; file: string; position(path: string): Position } | null
  /** The inventory's side; `applied` is null while a creation was begun and never closed. */
  owned: { liveId: string | null; applied: Masked | null; file: string; line: number; column: number } | null
  live: PlannedLive | null
  /** How many live resources of that name there are that nobody owns; consulted only without `owned`. */
  candidates: number
  rules: SyncRules
  change(path: string): Cost
  atoms: readonly string[]
}

export interface PlanFrame {
  id: string
  source: string
  /** Folder the manifests came from, so that a saved plan can be made again. */
  root: string | null
  revision: string | null
  createdAt: string
  diagnostics: Plan['diagnostics']
  /** The source was read whole: only then may anything be pruned. */
  complete: boolean
  prune: boolean
  maxDelete: string
  /** How many resources the source owns: what a share of deletions is taken of. */
  owned: number
  /** Hash of a guard that may be passed. */
  override?: string
  /** Only these, as kind/name. */
  targets?: ReadonlySet<string>
}

interface Verdict {
  step?: PlanStep
  drift: PlanDrift[]
}

/** Subjects come in the order to apply; deletions are made last and in the opposite order. */
export function makePlan(frame: PlanFrame, subjects: readonly PlanSubject[]): Plan {
  const steps: PlanStep[] = []
  const deletions: PlanStep[] = []
  const drift: PlanDrift[] = []
  const preconditions: Record<string, string | null> = {}
  let unchanged = 0
  for (const subject of subjects) {
    if (frame.targets && !frame.targets.has(idOf(subject))) continue
    const verdict = judge(subject, frame)
    drift.push(...verdict.drift)
    if (!verdict.step) unchanged += subject.desired ? 1 : 0
    else {
      ;(verdict.step.action === 'delete' ? deletions : steps).push(verdict.step)
      preconditions[idOf(subject)] = subject.live ? digest(subject.live.masked.text) : null
    }
  }
  const guard = pruneGuard(frame, deletions)
  if (!guard) steps.push(...deletions.reverse())
  else for (const { kind, name } of deletions) delete preconditions[`${kind}/${name}`]
  // What is interrupted is told in words that change with the time; what is wanted holds secrets as digests.
  const wanted = new Map(subjects.map((subject) => [idOf(subject), subject.desired?.masked.text ?? null]))
  const bound = steps.map(({ interrupts: _, ...step }) => ({ ...step, wanted: wanted.get(idOf(step)) }))
  const hash = digest(JSON.stringify([frame.source, frame.revision, bound, preconditions]))
  return {
    id: frame.id,
    hash,
    source: frame.source,
    root: frame.root,
    revision: frame.revision,
    created_at: frame.createdAt,
    steps,
    summary: { ...count(steps), unchanged },
    drift,
    diagnostics: frame.diagnostics,
    guard,
    preconditions,
  }
}

/** The `if`s that decide, for one resource. */
function judge(subject: PlanSubject, frame: PlanFrame): Verdict {
  const { desired, owned, live, rules } = subject
  if (!desired)
    return owned && frame.prune && frame.complete && rules.prune
      ? { step: stepOf(subject, 'delete', 'no manifest names it any more', []), drift: [] }
      : { drift: [] }
  if (!owned && !live)
    return subject.candidates > 1
      ? { drift: [] }
      : { step: stepOf(subject, 'create', 'it does not exist', []), drift: [] }
  if (!live) {
    if (owned!.applied?.text !== desired.masked.text)
      return { step: stepOf(subject, 'create', 'it does not exist', []), drift: [] }
    const gone: PlanDrift = {
      kind: subject.kind,
      name: subject.name,
      path: '',
      desired: display(desired.masked.value),
      live: null,
    }
    return rules.drift === 'heal'
      ? { step: stepOf(subject, 'create', 'it was deleted', []), drift: [gone] }
      : { drift: [gone] }
  }
  if (live.masked.text === desired.masked.text)
    return owned
      ? { drift: [] }
      : { step: stepOf(subject, 'adopt', 'it exists as desired and nobody owns it', []), drift: [] }
  return compare(
    subject,
    differences(desired.masked.value, owned?.applied?.value ?? null, live.masked.value, subject.atoms),
  )
}

function compare(subject: PlanSubject, found: Difference[]): Verdict {
  const { rules, owned } = subject
  const relevant = found.filter(
    (difference) => !(difference.owner === 'live' && isIgnored(difference.path, rules.ignore)),
  )
  const drifted = relevant.filter((difference) => difference.owner === 'live' || difference.conflict)
  const drift = drifted.map(({ path, desired, live }): PlanDrift => ({
    kind: subject.kind,
    name: subject.name,
    path,
    desired: display(desired),
    live: display(live),
  }))
  if (rules.drift === 'block' && drifted.length > 0) return { drift }
  const wanted = relevant.filter((difference) => difference.owner === 'manifest' || rules.drift === 'heal')
  if (wanted.length === 0)
    return owned ? { drift } : { step: stepOf(subject, 'adopt', 'it exists and nobody owns it', []), drift }
  const changes = wanted.map(({ path, live, desired, owner }): Change => ({
    path,
    before: display(live),
    after: display(desired),
    owner,
    cost: subject.change(path),
  }))
  const reason = !owned
    ? 'it exists and nobody owns it'
    : changes.some((change) => change.owner === 'manifest')
      ? 'the manifest changed'
      : 'it drifted'
  return { step: stepOf(subject, owned ? actionFor(changes) : 'adopt', reason, changes), drift }
}

function actionFor(changes: Change[]): Action {
  if (changes.some((change) => change.cost === 'replace')) return 'replace'
  return changes.some((change) => change.cost === 'restart') ? 'restart' : 'update'
}

function stepOf(subject: PlanSubject, action: Action, reason: string, changes: Change[]): PlanStep {
  const position = subject.desired?.position(changes[0]?.path ?? '') ?? subject.owned
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
  }
}

/** Deletions past the budget are all held back, until the override names this very set. */
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

export function idOf(resource: { kind: string; name: string }): string {
  return `${resource.kind}/${resource.name}`
}

/** What a guard holds back, in words, with the way to pass it. */
export function heldBack(guard: PruneGuard): string {
  return `${guard.deletes} deletions are past the budget of ${guard.allowed} (max_delete ${guard.max_delete}); nothing was pruned; to allow them say prune override ${guard.hash}`
}
