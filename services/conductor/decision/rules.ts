// The rules that a pull request must fulfil to be merged.
import type { Rule } from '../../../schemas/conductor/run.ts'
import type { CheckState, PullRequest, Snapshot } from '../snapshot/facts.ts'
import { hasLabel } from './labels.ts'

const MINUTE = 60_000
/** A head without checks may still get some. */
const CHECKS_APPEAR = 5 * MINUTE
/** A younger head may be blocked by checks that have not been reported yet. */
const BLOCKED_BECOMES_GATE = 30 * MINUTE

export interface Circumstances {
  repository: Pick<Snapshot, 'time' | 'mainBranch' | 'pipelineBase' | 'isSquashAllowed'>
  /** Time of the first run that found this head in the queue. */
  seenAt: number
  /** This run made its head: checks and mergeability of the snapshot belong to another commit. */
  isRestacked: boolean
  /** This run changed its base: mergeability of the snapshot belongs to another base. */
  isRetargeted: boolean
}

/** `holds` null: not known yet. `reason` null: it holds. */
export interface Finding {
  holds: boolean | null
  reason: string | null
}

export type Findings = Readonly<Record<Rule, Finding>>

const FULFILLED: Finding = { holds: true, reason: null }
const broken = (reason: string): Finding => ({ holds: false, reason })
const unknown = (reason: string): Finding => ({ holds: null, reason })

export function isTrunk(branch: string, { mainBranch, pipelineBase }: Circumstances['repository']): boolean {
  return branch === mainBranch || branch === pipelineBase
}

export const isFailed = ({ state }: { state: CheckState }): boolean => state === 'FAILURE' || state === 'ERROR'

/** Failed checks of the current head; none are known of a head that this run made. */
export function failedChecks(pullRequest: PullRequest, isRestacked: boolean) {
  return isRestacked ? [] : (pullRequest.checks ?? []).filter(isFailed)
}

export function findings(pullRequest: PullRequest, circumstances: Circumstances): Findings {
  const { repository } = circumstances
  return {
    label: hasLabel(pullRequest, 'merge-ready') ? FULFILLED : broken('has no label merge-ready'),
    reviews: reviewFinding(pullRequest),
    checks: checkFinding(pullRequest, circumstances),
    mergeable: mergeFinding(pullRequest, circumstances),
    clear: clearFinding(pullRequest),
    stack: isTrunk(pullRequest.base, repository) ? FULFILLED : broken('its base is the branch of another pull request'),
    draft: pullRequest.isDraft ? broken('is a draft') : FULFILLED,
    gate: gateFinding(pullRequest, circumstances),
  }
}

export function reviewFinding({ verdicts }: PullRequest): Finding {
  if (verdicts === null) return unknown('has too many reviews to read')
  if (verdicts.includes('CHANGES_REQUESTED')) return broken('a reviewer requests changes')
  return verdicts.includes('APPROVED') ? FULFILLED : broken('has no approving review')
}

function checkFinding(pullRequest: PullRequest, circumstances: Circumstances): Finding {
  const { checks } = pullRequest
  if (circumstances.isRestacked) return unknown('checks of the restacked head are pending')
  if (checks === null) return unknown('has checks that cannot be read')
  const failed = checks.filter(isFailed).length
  if (failed > 0) return broken(`${failed} of ${checks.length} checks failed`)
  const pending = checks.filter(({ state }) => state === 'PENDING').length
  if (pending > 0) return unknown(`${pending} of ${checks.length} checks are pending`)
  const mayGetChecks = checks.length === 0 && headAge(pullRequest, circumstances) < CHECKS_APPEAR
  return mayGetChecks ? unknown('has no check yet') : FULFILLED
}

function mergeFinding({ mergeable }: PullRequest, { isRestacked, isRetargeted }: Circumstances): Finding {
  if (isRestacked) return unknown('was restacked by this run')
  if (isRetargeted) return unknown('got another base by this run')
  if (mergeable === 'MERGEABLE') return FULFILLED
  return mergeable === 'CONFLICTING' ? broken('conflicts with its base') : unknown('mergeability is being computed')
}

function clearFinding(pullRequest: PullRequest): Finding {
  const found = ['needs-restack', 'needs-rework'].filter((name) => hasLabel(pullRequest, name))
  return found.length === 0 ? FULFILLED : broken(`is labelled ${found.join(' and ')}`)
}

function gateFinding(pullRequest: PullRequest, circumstances: Circumstances): Finding {
  if (hasLabel(pullRequest, 'human-gate')) return broken('is labelled human-gate')
  if (pullRequest.checks?.some(({ state }) => state === 'GATE')) return broken('a check waits for an approval')
  if (!circumstances.repository.isSquashAllowed) return broken('the repository forbids squash merges')
  // The token may be one that the rules of the base branch do not hold back: its merge would be carried out.
  if (pullRequest.mergeState === 'UNKNOWN') return unknown('rules of the base branch are being computed')
  if (pullRequest.mergeState !== 'BLOCKED') return FULFILLED
  const isOld = headAge(pullRequest, circumstances) >= BLOCKED_BECOMES_GATE
  return isOld
    ? broken('a rule of the base branch blocks it')
    : unknown('is blocked, and its head is younger than 30 minutes')
}

/** The forge has not computed yet whether it can be merged, or whether a rule of the base branch blocks it. */
export const isComputing = ({ mergeable, mergeState }: PullRequest): boolean =>
  mergeable === 'UNKNOWN' || mergeState === 'UNKNOWN'

/** Whether a rule depends on the age of the head. */
export const dependsOnAge = ({ checks, mergeState }: PullRequest): boolean =>
  checks?.length === 0 || mergeState === 'BLOCKED'

/** The author of a commit chooses its time, and may push it long after the creation of the pull request. */
const headAge = ({ headAt, createdAt }: PullRequest, { repository, seenAt }: Circumstances): number =>
  repository.time - Math.max(headAt, createdAt, seenAt)
