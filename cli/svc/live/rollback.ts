import type { Command } from 'commander'
import { typed } from '../../command-line.ts'
import { connectController } from '../../controller-client.ts'
import { exitCode, type ExitName } from '../../exit-codes.ts'
import { planOutcome, printPlan, type ApplyFormat } from '../../manifests/apply.ts'
import { choicesOf, withConfirm, withPruneOverride, type ChoiceOptions } from '../../manifests/choices.ts'
import { waitUntilReady } from '../../manifests/readiness.ts'
import { follow } from '../../manifests/sources.ts'
import {
  formatOf,
  withDaemon,
  withDryRun,
  withExamples,
  withExitCodes,
  withWait,
  type DaemonOptions,
  type ExitOption,
  type WaitOption,
} from '../../options.ts'
import { print, printJson, visible } from '../../output/print.ts'
import { runSummary } from '../../output/run-report.ts'
import type { Plan } from '../../../schemas/plan.ts'
import type { Run } from '../../../schemas/run.ts'
import type { Source } from '../../../schemas/source.ts'
import { findRun } from './history.ts'
import { holdLine } from './source-table.ts'

interface RollbackOptions
  extends DaemonOptions, ExitOption, WaitOption, Pick<ChoiceOptions, 'pruneOverride' | 'confirm'> {
  dryRun?: boolean
}

export function define(command: Command): void {
  withDryRun(command.argument('<run>', 'Id of a run of a git source, or its prefix'))
  withConfirm(withPruneOverride(command))
  withExamples(
    withExitCodes(withWait(withDaemon(command, ['human', 'json', 'ndjson']))),
    'svc rollback 1f3c9a2b --dry-run',
    'svc rollback 1f3c9a2b --wait',
  ).action(rollBack)
}

/** Applies exactly the shown plan, or nothing if it has changed. */
async function rollBack(word: string, options: RollbackOptions): Promise<void> {
  const client = connectController(options)
  const format = formatOf<ApplyFormat>(options)
  const { id } = await findRun(client, word)
  const past = { run_id: id, ...choicesOf(options) }
  const plan = await client.planRollback({ body: past })
  if (options.dryRun || format === 'human') await printPlan(client, plan, format, typed`svc rollback ${id.slice(0, 8)}`)
  if (options.dryRun) {
    process.exitCode = exitCode(planOutcome(plan, options), options.exitCodes)
    return
  }
  const { run_id } = await client.rollback({ body: { ...past, plan_hash: plan.hash } })
  const run = await follow(client, run_id, format, options.timeout)
  const source = await client.getSource({ params: { name: plan.source } })
  if (format === 'json') printJson(run)
  else if (format === 'ndjson') print(JSON.stringify({ type: 'run', run }))
  else print(ending(run, source))
  const outcome = outcomeOf(run, plan)
  if (options.wait && outcome !== 'error') await waitUntilReady(client, source.name, options.timeout)
  process.exitCode = exitCode(outcome, options.exitCodes)
}

const ending = (run: Run, source: Source): string =>
  `${runSummary(run)}\n${holdLine(source) ?? `source ${visible(source.name)} is at its newest revision and follows it`}`

function outcomeOf({ status }: Run, plan: Plan): ExitName {
  if (status === 'failed' || status === 'interrupted') return 'error'
  return planOutcome({ ...plan, steps: [], drift: [] }, { exitCodes: 'extended' })
}
