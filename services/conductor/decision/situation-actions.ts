// Actions on a pull request in the queue. The write that ends the situation is last, so a crash repeats the others.
import { act, addLabel, post, removeLabel } from './actions.ts'
import type { Step } from './contract.ts'
import { hasLabel } from './labels.ts'
import { reportKey } from './reports.ts'
import { isFailed } from './rules.ts'
import type { RunState } from './run-state.ts'
import type { Judgement } from './situations.ts'
import { checksComment, escalation, reference } from './texts.ts'

const STEP = 6

const nameOf = (run: RunState, { pullRequest }: Judgement): string =>
  reference(run.snapshot.repository, pullRequest.number)

export function* changesRequested(run: RunState, judgement: Judgement): Step {
  const { pullRequest, rules } = judgement
  const { number } = pullRequest
  if (!hasLabel(pullRequest, 'needs-rework') && !(yield* run.attempt(addLabel(STEP, number, 'needs-rework')))) return
  const text = escalation('Merge', nameOf(run, judgement), `${rules.reviews.reason}`, 'the requested changes')
  if (yield* run.attempt(post(run, STEP, 'changes-requested', { number, text })))
    yield* run.perform(removeLabel(STEP, number, 'merge-ready'))
}

export function* conflicting(run: RunState, judgement: Judgement): Step {
  const { number, base } = judgement.pullRequest
  const wanted = 'rebase the branch by hand and remove needs-restack'
  const text = escalation('Merge', nameOf(run, judgement), 'it conflicts with its base', wanted)
  const message = { number, text, wantsPerson: run.isTrunk(base) }
  if (yield* run.attempt(post(run, STEP, 'conflicting', message)))
    yield* run.perform(addLabel(STEP, number, 'needs-restack'))
}

export function* checksFailed(run: RunState, judgement: Judgement): Step {
  const { number, head, checks, reportedHeads } = judgement.pullRequest
  const reason = `${judgement.rules.checks.reason}`
  const commentText = checksComment(head, checks!.filter(isFailed).length, checks!.length)
  const comment = act(STEP, 'comment', { number, sha: head, text: commentText })
  if (!reportedHeads.includes(head) && !(yield* run.attempt(comment))) return
  const text = escalation('Merge', nameOf(run, judgement), reason, 'checks that pass')
  const message = post(run, STEP, 'checks-failed', { number, sha: head, text })
  if (yield* run.postOnce(reportKey('checks-failed', number, head), message))
    yield* run.perform(removeLabel(STEP, number, 'merge-ready'))
}

export function* noApprovals(run: RunState, judgement: Judgement): Step {
  const { number } = judgement.pullRequest
  const text = escalation('Merge', nameOf(run, judgement), 'it has no approving review', 'a review')
  yield* run.postOnce(reportKey('review-needed', number), post(run, STEP, 'review-needed', { number, text }))
}

/**
 * Stops the run at a gate that has stopped no earlier run, whether or not a room takes the post. A stop that the memory
 * cannot keep would be repeated by every run, and nothing behind the gate would move.
 */
export function* gate(run: RunState, judgement: Judgement): Step {
  const { number, head } = judgement.pullRequest
  const key = reportKey('gate', number, head)
  const reason = `${judgement.rules.gate.reason}`
  const stopKey = reportKey('gate-stop', number, head)
  const isNew = run.reports.isDue(key) && run.reports.isDue(stopKey)
  if (isNew) run.stop({ step: STEP, number, code: 'gate', reason })
  const text = escalation('Merge', nameOf(run, judgement), reason, 'the decision of a person')
  yield* run.postOnce(key, post(run, STEP, 'gate', { number, sha: head, text }))
  run.reports.raise(stopKey)
  if (isNew && !run.reports.isReported(key)) run.reports.add(stopKey)
}
