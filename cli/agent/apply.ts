// `agent apply PATH`: makes live equal to the manifests of a file or folder.
import type { Command } from 'commander'
import { applyAndReport, outcomeOf, planOutcome, printPlan, type ApplyFormat } from '../manifests/apply.ts'
import { choicesOf, withChoices, type ChoiceOptions } from '../manifests/choices.ts'
import { exitCode } from '../exit-codes.ts'
import { connectController } from '../controller-client.ts'
import { readManifestSet } from '../manifests/files.ts'
import { tellOwner } from '../manifests/review.ts'
import {
  formatOf,
  withExamples,
  withExitCodes,
  withOutput,
  withUrl,
  type ExitOption,
  type OutputOption,
  type UrlOption,
} from '../options.ts'
import { parseDuration } from '../output/duration.ts'
import { waitUntilReady } from '../manifests/readiness.ts'

interface ApplyOptions extends UrlOption, OutputOption, ExitOption, ChoiceOptions {
  dryRun?: boolean
  detailedExitcode?: boolean
  waitTimeout: number
}

export function define(command: Command): void {
  command
    .argument('<path>', 'file or folder of manifests')
    .option('--dry-run', 'show the plan and change nothing')
    .option('--detailed-exitcode', 'with --dry-run: exit 2 when something would change')
    .option('--wait-timeout <time>', 'longest wait until everything is Ready; 0 does not wait', parseDuration, 60_000)
  withExamples(
    withChoices(withExitCodes(withUrl(withOutput(command, ['human', 'json', 'ndjson', 'markdown'])))),
    'agent apply ./team --dry-run',
    'agent apply ./team --prune',
  ).action(apply)
}

async function apply(path: string, options: ApplyOptions): Promise<void> {
  const client = connectController(options)
  const format = formatOf<ApplyFormat>(options)
  const input = {
    ...(await readManifestSet(path)),
    ...choicesOf(options),
  }
  if (options.dryRun) {
    const plan = await client.plan({ body: input })
    await tellOwner(client, input)
    await printPlan(client, plan, format, `svc reconcile ${path} --prune`)
    process.exitCode = exitCode(
      planOutcome(plan, { detailed: options.detailedExitcode ?? false, mode: options.exitCodes }),
      options.exitCodes,
    )
    return
  }
  const applied = await applyAndReport(client, input, format)
  await tellOwner(client, input)
  const outcome = outcomeOf(applied)
  process.exitCode = exitCode(outcome, options.exitCodes)
  if (outcome !== 'error' && options.waitTimeout > 0)
    await waitUntilReady(client, applied.run.source, options.waitTimeout)
}
