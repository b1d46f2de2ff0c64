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
    gate: gateFinding(pullRequest, repository),
  }
}

export function reviewFinding({ verdicts }: PullRequest): Finding {
  if (verdicts === null) return unknown('has too many reviews to read')
  if (verdicts.includes('CHANGES_REQUESTED')) return broken('a reviewer requests changes')
  return verdicts.includes('APPROVED') ? FULFILLED : broken('has no approving review')
}

function checkFinding(pullRequest: PullRequest, { repository, isRestacked }: Circumstances): Finding {
  const { checks } = pullRequest
  if (isRestacked) return unknown('checks of the rebased head are pending')
  if (checks === null) return unknown('has too many checks to read')
  const failed = checks.filter(isFailed).length
  if (failed > 0) return broken(`${failed} of ${checks.length} checks failed`)
  const pending = checks.filter(({ state }) => state === 'PENDING').length
  if (pending > 0) return unknown(`${pending} of ${checks.length} checks are pending`)
  const mayGetChecks = checks.length === 0 && headAge(pullRequest, repository) < CHECKS_APPEAR
  return mayGetChecks ? unknown('has no check yet') : FULFILLED
}

function mergeFinding({ mergeable }: PullRequest, { isRestacked, isRetargeted }: Circumstances): Finding {
  if (isRestacked) return unknown('was rebased by this run')
  if (isRetargeted) return unknown('got another base by this run')
  if (mergeable === 'MERGEABLE') return FULFILLED
  return mergeable === 'CONFLICTING' ? broken('conflicts with its base') : unknown('mergeability is being computed')
}

function clearFinding(pullRequest: PullRequest): Finding {
  const found = ['needs-restack', 'needs-rework'].filter((name) => hasLabel(pullRequest, name))
  return found.length === 0 ? FULFILLED : broken(`is labelled ${found.join(' and ')}`)
}

function gateFinding(pullRequest: PullRequest, repository: Circumstances['repository']): Finding {
  if (hasLabel(pullRequest, 'human-gate')) return broken('is labelled human-gate')
  if (pullRequest.checks?.some(({ state }) => state === 'GATE')) return broken('a check waits for an approval')
  if (!repository.isSquashAllowed) return broken('the repository forbids squash merges')
  if (pullRequest.mergeState !== 'BLOCKED') return FULFILLED
  const isOld = headAge(pullRequest, repository) >= BLOCKED_BECOMES_GATE
  return isOld
    ? broken('a rule of the base branch blocks it')
    : unknown('is blocked, and its head is younger than 30 minutes')
}

const headAge = ({ headAt, createdAt }: PullRequest, { time }: Circumstances['repository']): number =>
  time - Math.max(headAt, createdAt)
