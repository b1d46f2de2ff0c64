// Work that stopping the daemon would interrupt.
import { setTimeout as sleep } from 'node:timers/promises'
import { typed } from '../../command-line.ts'
import type { InFlight } from '../../../schemas/agent/in-flight.ts'
import { orchestratorOperations } from '../../../schemas/operations/orchestrator/index.ts'
import { runtimeFile } from '../../address.ts'
import { Failure } from '../../failure.ts'
import { connect } from '../../http-client.ts'
import { visible } from '../../output/print.ts'
import { withProgress } from '../../output/progress.ts'

const LOOK_EVERY_MS = 250
/** Draining expires if the waiting command dies. */
const DRAIN_SECS = 30
const DRAIN_AGAIN_MS = 10_000

const orchestrator = () => connect(orchestratorOperations)

/** Empty without a local orchestrator. */
export async function listWork(): Promise<InFlight[]> {
  if (runtimeFile()?.services.orchestrator === undefined) return []
  return orchestrator().listInFlight()
}

/** Work that a restart fails; if the agents are stopped, all work that is not retried. */
export function lostBy(agentsEnd: boolean, work: readonly InFlight[]): InFlight[] {
  return work.filter(({ on_restart: rule }) => rule === 'fail' || (agentsEnd && rule !== 'retry'))
}

export function lostLines(lost: readonly InFlight[]): string[] {
  if (lost.length === 0) return []
  const lines = lost.map((each) => `  ${workName(each)}${each.since ? `, since ${each.since}` : ''}`)
  const what = lost.length === 1 ? 'a running task fails' : `${lost.length} running tasks fail`
  return [
    `warning: ${what} because of this stop:`,
    ...lines,
    `hint: wait until they are finished with "${typed`svc down --when-idle`}"`,
  ]
}

/** Drains until no work is running. Ctrl-C ends draining and throws. */
export async function waitUntilIdle(): Promise<void> {
  if (runtimeFile()?.services.orchestrator === undefined) return
  const client = orchestrator()
  let interrupted = false
  const interrupt = () => void (interrupted = true)
  process.once('SIGINT', interrupt)
  let drainedAt = Number.NEGATIVE_INFINITY
  let said = ''
  const isIdle = await withProgress('waiting for running work', async (progress) => {
    for (;;) {
      if (interrupted) return false
      if (Date.now() - drainedAt > DRAIN_AGAIN_MS) {
        await client.drain({ body: { for_secs: DRAIN_SECS } })
        drainedAt = Date.now()
      }
      const work = await client.listInFlight()
      if (work.length === 0) return true
      const waits = `waiting for ${work.map(workName).join(', ')}`
      progress.say(waits)
      if (waits !== said && !process.stderr.isTTY) progress.line(waits)
      said = waits
      await sleep(LOOK_EVERY_MS)
    }
  }).finally(() => process.removeListener('SIGINT', interrupt))
  if (isIdle) return
  await client.drain({ body: { for_secs: 0 } })
  throw new Failure('interrupted: the daemon keeps running and accepts work again')
}

const PROMPT_NAMES: Readonly<Record<InFlight['kind'], string>> = {
  initial: 'the initial prompt',
  message: 'a message',
  dispatch: 'a dispatch',
  clear: 'the context clearing',
}

function workName({ kind, agent, agent_id, workflow, dispatch_id }: InFlight): string {
  const who = visible(agent ?? agent_id)
  if (dispatch_id === null) return `${PROMPT_NAMES[kind]} of agent ${who}`
  return `dispatch ${dispatch_id.slice(0, 8)} of workflow ${visible(workflow ?? '(deleted)')} with agent ${who}`
}
