// Waits for what an agent answers: what `--wait` of `send-message` and `trigger-workflow` means.
import { setTimeout as sleep } from 'node:timers/promises'
import { Option, type Command } from 'commander'
import { typed } from '../../command-line.ts'
import { orchestratorOperations as group } from '../../../schemas/operations/orchestrator/index.ts'
import { Failure } from '../../failure.ts'
import { connect } from '../../http-client.ts'
import { approvalText } from '../../output/approvals.ts'
import { formatDuration, parseDuration } from '../../output/duration.ts'
import { visible } from '../../output/print.ts'
import { withProgress, type Progress } from '../../output/progress.ts'
import type { Ending, Typed } from '../../verb.ts'

const LOOK_EVERY_MS = 200
const LOOK_FOR_APPROVALS_MS = 1000
const LONGEST_WAIT_MS = 600_000

/** What is waited for: a message, or the dispatch of a task. */
export interface Answerable {
  status: string
  result: string | null
  error: string | null
}

interface Waited {
  agent: { id: string; name: string }
  /** `the message to planner` */
  what: string
  /** The command that tells later what became of it. */
  later: string
  options: Typed['options']
  look(): Promise<Answerable>
}

/** Adds the options that wait for the answer. */
export function withAnswer(command: Command): Command {
  return command
    .option('--wait', 'wait for the answer and print it; exit 1 when it fails')
    .addOption(
      new Option('--timeout <time>', 'with --wait: longest wait, such as 60s or 2m')
        .argParser(parseDuration)
        .default(LONGEST_WAIT_MS, '10m'),
    )
}

const UNDER_WAY = new Set(['queued', 'sent', 'pending', 'dispatched'])
const WELL = new Set(['done', 'completed'])

/** The answer once it is there. Fails when none comes in time, or at Ctrl-C: the agent goes on with it. */
export function waitForAnswer(waited: Waited): Promise<Ending> {
  const { agent, what, later, options, look } = waited
  const deadline = Date.now() + (options.timeout as number)
  const interrupted = new AbortController()
  const interrupt = () => interrupted.abort()
  process.once('SIGINT', interrupt)
  return withProgress(`waiting for ${visible(agent.name)}`, async (progress) => {
    const tell = approvalTeller(waited, progress)
    for (;;) {
      const found = await look()
      if (!UNDER_WAY.has(found.status)) return { json: found, text: textOf(found, waited) }
      if (interrupted.signal.aborted)
        throw new Failure(`interrupted: ${what} is ${found.status}, and goes on`, { hint: `see it with: ${later}` })
      if (Date.now() > deadline)
        throw new Failure(`${what} is ${found.status} after ${formatDuration(options.timeout as number)}`, {
          hint: `it goes on; see it with: ${later}`,
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
    `${what} ${status === 'lost' ? 'is lost' : `has ${status}`.replace('has skipped', 'was skipped')}`,
    {
      ...(error ? { where: visible(error) } : {}),
      hint:
        status === 'lost'
          ? 'nobody knows how far the agent came with it; look at its work, then send it again'
          : `look at what it said before: ${typed`agent orchestrator stream ${agent.name} --since 10m`}`,
    },
  )
}

/** Says once of each tool request of the agent that a person is waited for. */
function approvalTeller({ agent, options }: Waited, progress: Progress): () => Promise<void> {
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
