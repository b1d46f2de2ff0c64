import { writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { typed } from '../../command-line.ts'
import type { Plan } from '../../../schemas/plan.ts'
import { PLAN_FORMATS, planOutcome, printPlan, type ApplyFormat, type PlanExitOptions } from '../../manifests/apply.ts'
import { choicesOf, withChoices, type ChoiceOptions } from '../../manifests/choices.ts'
import { exitCode } from '../../exit-codes.ts'
import { Failure } from '../../failure.ts'
import { connectController } from '../../controller-client.ts'
import { manifestsFor, noteOwner } from '../../manifests/review.ts'
import {
  formatOf,
  withDaemon,
  withDetailedExitCode,
  withExamples,
  withExitCodes,
  type DaemonOptions,
} from '../../options.ts'
import { note } from '../../output/print.ts'
import { READS } from '../../standard-input.ts'
import { planWithoutDaemon } from './offline.ts'

interface PlanOptions extends DaemonOptions, PlanExitOptions, ChoiceOptions {
  out?: string
  source?: string
  offline?: boolean
  config?: string
  base?: string
}

export function define(command: Command): void {
  command
    .argument('<path>', `File or folder of manifests; ${READS}`)
    .option('--source <name>', 'Plan the folder as the next revision of this watched source')
    .option('--out <file>', 'Save the plan to a file for "svc apply"')
    .option('--offline', 'Plan against the recorded state, without a daemon')
    .option('--base <rev>', 'Plan against the merge base of the folder with this revision, without a daemon')
    .option(
      '--config <file>',
      'With --offline: config file with the rules of configured sources (default: that of the daemon)',
    )
  withExamples(
    withChoices(withExitCodes(withDaemon(withDetailedExitCode(command), PLAN_FORMATS))),
    'svc plan ./team',
    'svc plan ./team --out team.plan.json',
    'svc plan ./manifests --source default',
    'svc plan ./manifests --source default -o markdown',
    'svc plan ./manifests --base main',
  ).action(makePlan)
}

async function makePlan(path: string, options: PlanOptions): Promise<void> {
  const client = options.offline || options.base !== undefined ? null : connectController(options)
  const choices = choicesOf(options)
  let plan: Plan
  if (client) {
    const body = { ...(await manifestsFor(client, path, options.source)), ...choices }
    plan = await client.plan({ body })
    await noteOwner(client, body)
  } else {
    const offline = await planWithoutDaemon({
      path,
      source: options.source,
      configFile: options.config,
      base: options.base,
      ...choices,
    })
    plan = offline.plan
    note(`planned against ${offline.against}`)
  }
  const { source } = options
  const command = source === undefined ? typed`svc reconcile ${path} --prune` : typed`svc reconcile --source ${source}`
  await printPlan(client, plan, formatOf<ApplyFormat>(options), command)
  if (options.out !== undefined) await keep(plan, options.out)
  process.exitCode = exitCode(planOutcome(plan, options), options.exitCodes)
}

async function keep(plan: Plan, file: string): Promise<void> {
  await writeFile(file, `${JSON.stringify(plan, null, 2)}\n`, { mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    throw new Failure(`cannot write the plan: ${error.message}`, {
      where: file,
      hint: 'use a file in a writable folder',
    })
  })
  note(`Plan saved to ${file}; apply it with: ${typed`svc apply ${file}`}`)
}
