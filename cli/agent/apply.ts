import { Option, type Command } from 'commander'
import { typed } from '../command-line.ts'
import { applySet } from '../manifests/apply-set.ts'
import { PLAN_FORMATS, planOutcome, printPlan, type ApplyFormat, type PlanExitOptions } from '../manifests/apply.ts'
import { choicesOf, withChoices, type ChoiceOptions } from '../manifests/choices.ts'
import { exitCode } from '../exit-codes.ts'
import { connectController } from '../controller-client.ts'
import { readManifestSet } from '../manifests/files.ts'
import { pathOf, withPath, type PathOption } from '../manifests/path.ts'
import { noteOwner } from '../manifests/review.ts'
import { confirmWidening } from '../manifests/widening.ts'
import {
  formatOf,
  withDaemon,
  withDetailedExitCode,
  withDryRun,
  withExamples,
  withExitCodes,
  withYes,
  type DaemonOptions,
} from '../options.ts'
import { parseDuration } from '../output/duration.ts'

interface ApplyOptions extends PathOption, DaemonOptions, PlanExitOptions, ChoiceOptions {
  dryRun?: boolean
  yes?: boolean
  waitTimeout: number
}

export function define(command: Command): void {
  withDetailedExitCode(
    withDryRun(withYes(withPath(command, 'File or folder of manifests'))),
    'With --dry-run',
  ).addOption(
    new Option('--wait-timeout <time>', 'Maximum time to wait until every resource is Ready; 0 disables waiting')
      .argParser(parseDuration)
      .default(60_000, '60s'),
  )
  withExamples(
    withChoices(withExitCodes(withDaemon(command, PLAN_FORMATS))),
    'agent apply ./team --dry-run',
    'agent apply ./team --prune',
    'cat team.yml | agent apply -f -',
  ).action(apply)
}

async function apply(given: string | undefined, options: ApplyOptions): Promise<void> {
  const path = pathOf(given, options)
  const client = connectController(options)
  const format = formatOf<ApplyFormat>(options)
  const input = {
    ...(await readManifestSet(path)),
    ...choicesOf(options),
  }
  if (options.dryRun) {
    const plan = await client.plan({ body: input })
    await noteOwner(client, input)
    await printPlan(client, plan, format, typed`svc reconcile ${path} --prune`)
    process.exitCode = exitCode(planOutcome(plan, options), options.exitCodes)
    return
  }
  const outcome = await applySet(client, {
    input: await confirmWidening(client, input, options),
    format,
    path,
    pruning: typed`agent apply ${path} --prune`,
    waitMs: options.waitTimeout > 0 ? options.waitTimeout : null,
  })
  process.exitCode = exitCode(outcome, options.exitCodes)
}
