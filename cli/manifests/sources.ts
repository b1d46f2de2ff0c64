import { setTimeout as sleep } from 'node:timers/promises'
import { typed } from '../command-line.ts'
import { renderFindings, renderPlan } from '../../controller/rendering/plan.ts'
import type { Plan, PlanInput } from '../../schemas/plan.ts'
import type { Run } from '../../schemas/run.ts'
import { inTerminal, isDenied, isFault, planOutcome, type ApplyFormat } from './apply.ts'
import type { ExitName } from '../exit-codes.ts'
import { Failure } from '../failure.ts'
import { openDrift, type ControllerClient } from '../controller-client.ts'
import { fitted, print, printJson } from '../output/print.ts'
import { withProgress } from '../output/progress.ts'
import { runSummary, stepPrinter } from '../output/run-report.ts'
import { appliedPath } from '../../schemas/sync/applied-source.ts'

const LOOK_EVERY_MS = 150

/** Returns the named source, or every watched one. */
export async function sourceNames(client: ControllerClient, named: string | undefined): Promise<string[]> {
  if (named !== undefined) return [named]
  const names = (await client.listSources()).map((source) => source.name).filter((name) => appliedPath(name) === null)
  if (names.length === 0)
    throw new Failure('the daemon watches no source', {
      hint: `pass a folder: ${typed`svc reconcile PATH`}, or start the daemon with --manifests DIR`,
    })
  return names
}

interface PassOptions extends Pick<PlanInput, 'targets' | 'prune_override' | 'confirm' | 'keep_drift'> {
  format: ApplyFormat
  timeoutMs: number
}

/** Starts a pass, prints its steps, then remaining drift, held steps and errors. */
export async function convergeSource(
  client: ControllerClient,
  source: string,
  { format, timeoutMs, ...choices }: PassOptions,
): Promise<ExitName> {
  const { run_id } = await client.syncSource({
    params: { name: source },
    ...(Object.keys(choices).length > 0 ? { body: choices } : {}),
  })
  const run = await follow(client, run_id, format, timeoutMs)
  const left = await client.plan({ body: { source, targets: choices.targets, keep_drift: choices.keep_drift } })
  if (format === 'json') printJson(run)
  else if (format === 'ndjson') print(JSON.stringify({ type: 'run', run }))
  else await printEnd(client, run, left, format)
  const isFaulty = run.diagnostics.some((each) => isFault(each) || isDenied(each))
  const hasFailed = run.steps.some(({ status }) => status === 'failed')
  if (hasFailed || run.status === 'interrupted' || (run.status === 'failed' && !isFaulty)) return 'error'
  return planOutcome({ ...left, steps: [] }, { exitCodes: 'extended' })
}

/** Prints the steps of a run until it ends. Throws with exit `timeout` after `timeoutMs`. */
export function follow(client: ControllerClient, id: string, format: ApplyFormat, timeoutMs: number): Promise<Run> {
  const told = new Set<string>()
  const deadline = Date.now() + timeoutMs
  return withProgress('reconciling', async (progress) => {
    const tell = stepPrinter((line) => (format === 'human' ? progress.line(line) : undefined))
    for (;;) {
      const run = await client.getRun({ params: { id } })
      for (const step of run.steps) {
        tell(step)
        if (format === 'ndjson' && !told.has(JSON.stringify(step)))
          print(JSON.stringify({ type: 'step', run_id: id, step }))
        told.add(JSON.stringify(step))
      }
      if (run.status !== 'running') return run
      const now = run.steps.find((step) => step.status === 'intended')
      if (now) progress.say(`${now.action} ${now.kind}/${now.name}`)
      if (Date.now() > deadline)
        throw new Failure(`run ${id} is still running after ${timeoutMs / 1000} s`, {
          hint: `it continues in the daemon; follow it with "${typed`svc history ${id.slice(0, 8)}`}"`,
          exit: 'timeout',
        })
      await sleep(LOOK_EVERY_MS)
    }
  })
}

async function printEnd(client: ControllerClient, run: Run, left: Plan, format: 'human' | 'markdown'): Promise<void> {
  print(runSummary(run))
  if (left.drift.length + left.diagnostics.length === 0 && !left.guard) return
  const drift = left.drift.length > 0 ? await openDrift(client) : []
  const rendering = { drift, command: typed`svc reconcile --source ${left.source}` }
  if (format === 'markdown') print(`\n${renderPlan({ ...left, steps: [] }, format, rendering)}`)
  else print(fitted(`\n${renderFindings(left, { ...rendering, ...inTerminal() })}`))
}
