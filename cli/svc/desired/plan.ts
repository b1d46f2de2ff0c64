// `svc plan PATH`: what a folder of manifests would change; kept as a file, it is applied only if still true.
import { writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { typed } from '../../command-line.ts'
import type { Plan } from '../../../schemas/plan.ts'
import { PLAN_FORMATS, planOutcome, printPlan, type ApplyFormat, type PlanExitOptions } from '../../manifests/apply.ts'
import { choicesOf, withChoices, type ChoiceOptions } from '../../manifests/choices.ts'
import { exitCode } from '../../exit-codes.ts'
import { Failure } from '../../failure.ts'
import { connectController } from '../../controller-client.ts'
import { manifestsFor, tellOwner } from '../../manifests/review.ts'
import { formatOf, withDaemon, withExamples, withExitCodes, type DaemonOptions } from '../../options.ts'
import { note } from '../../output/print.ts'
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
    .argument('<path>', 'file or folder of manifests')
    .option('--source <name>', 'plan the folder as the next revision of this source, which the daemon watches')
    .option('--out <file>', 'keep the plan as a file for "svc apply"')
    .option('--offline', 'ask no daemon: plan against the state on record')
    .option('--base <rev>', 'ask no daemon: plan against the folder as it was where this revision and yours part')
    .option('--config <file>', 'with --offline: rules of configured sources; default the config file of the daemon')
    .option('--detailed-exitcode', 'exit 2 when something would change')
  withExamples(
    withChoices(withExitCodes(withDaemon(command, PLAN_FORMATS))),
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
    await tellOwner(client, body)
  } else {
    const offline = await planWithoutDaemon({
      path,
      source: options.source,
      configFile: options.config,
      base: options.base,
      ...choices,
    })
    plan = offline.plan
    note(`this plan is against ${offline.against}`)
  }
  const { source } = options
  const command = source === undefined ? typed`svc reconcile ${path} --prune` : typed`svc reconcile --source ${source}`
  await printPlan(client, plan, formatOf<ApplyFormat>(options), command)
  if (options.out !== undefined) await keep(plan, options.out)
  process.exitCode = exitCode(planOutcome(plan, options), options.exitCodes)
}

async function keep(plan: Plan, file: string): Promise<void> {
  await writeFile(file, `${JSON.stringify(plan, null, 2)}\n`, { mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    throw new Failure(`the plan cannot be written: ${error.message}`, {
      where: file,
      hint: 'name a file in a folder you may write to',
    })
  })
  note(`The plan is in ${file}; apply it with: ${typed`svc apply ${file}`}`)
}
