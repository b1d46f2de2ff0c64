// Implements `--wait` of `send-message` and `trigger-workflow`.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { typed } from '../../command-line.ts'
import { orchestratorOperations as group } from '../../../schemas/operations/orchestrator/index.ts'
import { Failure } from '../../failure.ts'
import { connect } from '../../http-client.ts'
import { withWait } from '../../options.ts'
import { approvalText } from '../../output/approvals.ts'
import { formatDuration } from '../../output/duration.ts'
import { visible } from '../../output/print.ts'
import { withProgress, type Progress } from '../../output/progress.ts'
import type { Ending, Typed } from '../../verb.ts'

const LOOK_EVERY_MS = 200
const LOOK_FOR_APPROVALS_MS = 1000
const LONGEST_WAIT_MINUTES = 10

/** A message, or the dispatch of a task. */
export interface Answerable {
  status: string
  result: string | null
  error: string | null
}

interface Waited {
  agent: { id: string; name: string }
  /** `the message to planner` */
  what: string
  /** Command that shows the outcome later. */
  later: string
  options: Typed['options']
  look(): Promise<Answerable>
}

export function withAnswer(command: Command): Command {
  return withWait(command, {
    help: 'Wait for the answer and print it; exit 1 if it fails',
    longest: LONGEST_WAIT_MINUTES,
  })
}

const UNDER_WAY = new Set(['queued', 'sent', 'pending', 'dispatched'])
const WELL = new Set(['done', 'completed'])

/** Returns the answer. Throws on time-out or Ctrl-C; the agent continues either way. */
export function waitForAnswer(waited: Waited): Promise<Ending> {
  const { agent, what, later, options, look } = waited
  const deadline = Date.now() + (options.timeout as number)
  const interrupted = new AbortController()
  const interrupt = () => interrupted.abort()
  process.once('SIGINT', interrupt)
  return withProgress(`waiting for ${visible(agent.name)}`, async (progress) => {
    const tell = approvalPrinter(waited, progress)
    for (;;) {
      const found = await look()
      if (!UNDER_WAY.has(found.status)) return { json: found, text: textOf(found, waited) }
      if (interrupted.signal.aborted)
        throw new Failure(`interrupted: ${what} is ${found.status}`, { hint: `it continues; see it with: ${later}` })
      if (Date.now() > deadline)
        throw new Failure(`${what} is ${found.status} after ${formatDuration(options.timeout as number)}`, {
          hint: `it continues; see it with: ${later}`,
          exit: 'timeout',
        })
      await tell()
      await sleep(LOOK_EVERY_MS, undefined, { signal: interrupted.signal }).catch(() => undefined)
    }
  }).finally(() => process.removeListener('SIGINT', interrupt))
}

function textOf({ status, result, error }: Answerable, { agent, what }: Waited): string | Failure {
  if (WELL.has(status)) return visible(result ?? '').trimEnd()
  return new Failure(
    `${what} ${status === 'lost' ? 'was lost' : `has ${status}`.replace('has skipped', 'was skipped')}`,
    {
      ...(error ? { where: visible(error) } : {}),
      hint:
        status === 'lost'
          ? 'it is unknown how far the agent got; check its work, then send it again'
          : `see its earlier output with: ${typed`agent orchestrator stream ${agent.name} --since 10m`}`,
    },
  )
}

/** Prints each pending tool request of the agent once. */
function approvalPrinter({ agent, options }: Waited, progress: Progress): () => Promise<void> {
  const told = new Set<string>()
  let next = 0
  return async () => {
    if (Date.now() < next) return
    next = Date.now() + LOOK_FOR_APPROVALS_MS
    const asked = { params: { id: agent.id }, query: { status: 'pending' as const } }
    for (const approval of await connect(group, options).listAgentApprovals(asked)) {
      if (told.has(approval.id)) continue
      told.add(approval.id)
      progress.line(approvalText(approval, agent.name))
    }
  }
}
