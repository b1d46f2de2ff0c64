import type { Command } from 'commander'
import { typed } from '../command-line.ts'
import { applyAndReport, outcomeOf, PLAN_FORMATS, printPlan, type ApplyFormat } from '../manifests/apply.ts'
import { choicesOf, withConfirm, withPruneOverride, type ChoiceOptions } from '../manifests/choices.ts'
import { exitCode } from '../exit-codes.ts'
import { connectController } from '../controller-client.ts'
import { readManifestSet } from '../manifests/files.ts'
import { pathOf, withPath, type PathOption } from '../manifests/path.ts'
import {
  formatOf,
  withDaemon,
  withDryRun,
  withExamples,
  withExitCodes,
  type ExitOption,
  type OutputOption,
  type UrlOption,
} from '../options.ts'

export function define(command: Command): void {
  withPruneOverride(withDryRun(withPath(command, 'File or folder of manifests that was applied')))
  withExamples(
    withConfirm(withExitCodes(withDaemon(command, PLAN_FORMATS))),
    'agent teardown ./team --dry-run',
    'agent teardown ./team',
    'cat team.yml | agent teardown -f -',
  ).action(teardown)
}

async function teardown(
  given: string | undefined,
  options: PathOption &
    UrlOption &
    OutputOption &
    ExitOption & { dryRun?: boolean } & Pick<ChoiceOptions, 'pruneOverride' | 'confirm'>,
): Promise<void> {
  const path = pathOf(given, options)
  const client = connectController(options)
  const format = formatOf<ApplyFormat>(options)
  const input = {
    ...(await readManifestSet(path)),
    delete_all: true,
    ...choicesOf(options),
  }
  if (options.dryRun)
    return printPlan(client, await client.plan({ body: input }), format, typed`agent teardown ${path}`)
  process.exitCode = exitCode(outcomeOf(await applyAndReport(client, input, format)), options.exitCodes)
}
