// `svc diff`: the plan that would put back what drifted; or of a folder of manifests, what applying it would change.
import type { Command } from 'commander'
import { typed } from '../../command-line.ts'
import type { Plan } from '../../../schemas/plan.ts'
import { connectController, openDrift, type ControllerClient } from '../../controller-client.ts'
import { exitCode } from '../../exit-codes.ts'
import { PLAN_FORMATS, planOutcome, printPlan, type ApplyFormat, type PlanExitOptions } from '../../manifests/apply.ts'
import { manifestsFor } from '../../manifests/review.ts'
import { formatOf, withDaemon, withExamples, withExitCodes, type DaemonOptions } from '../../options.ts'
import { note, print, visible } from '../../output/print.ts'

interface DiffOptions extends DaemonOptions, PlanExitOptions {}

const APPLIED = 'apply:'

export function define(command: Command): void {
  command
    .argument('[path]', 'file or folder of manifests; default: what drifted from what was last applied')
    .option('--detailed-exitcode', 'exit 2 when something differs')
  withExamples(
    withExitCodes(withDaemon(command, PLAN_FORMATS)),
    'svc diff',
    'svc diff ./manifests --detailed-exitcode',
  ).action(showDiff)
}

async function showDiff(path: string | undefined, options: DiffOptions): Promise<void> {
  const client = connectController(options)
  const format = formatOf<ApplyFormat>(options)
  const plans = path === undefined ? await plansOfDrift(client) : [await planOf(client, path)]
  const command = path === undefined ? typed`svc drift revert --all` : typed`svc reconcile ${path} --prune`
  for (const plan of plans) await printPlan(client, plan, format, command)
  if (plans.length === 0 && format === 'human') print('No drift: what is live is what was last applied.')
  if (path === undefined && plans.length > 0 && format === 'human')
    note(`put it back with: ${typed`svc drift revert --all`}`)
  const outcomes = plans.map((plan) => planOutcome(plan, options))
  process.exitCode = exitCode(outcomes.find((outcome) => outcome !== 'ok') ?? 'ok', options.exitCodes)
}

async function planOf(client: ControllerClient, path: string): Promise<Plan> {
  return client.plan({ body: await manifestsFor(client, path, undefined) })
}

/** One a source that the daemon reads; what was applied by hand it cannot read again, and says so. */
async function plansOfDrift(client: ControllerClient): Promise<Plan[]> {
  const drifted = new Set((await openDrift(client)).map(({ kind, name }) => `${kind}/${name}`))
  if (drifted.size === 0) return []
  const resources = (await client.listResources()).filter(({ id }) => drifted.has(id))
  const plans: Plan[] = []
  for (const source of new Set(resources.map((resource) => resource.source))) {
    const targets = resources.filter((resource) => resource.source === source).map(({ id }) => id)
    if (source.startsWith(APPLIED)) noteApplied(targets, visible(source.slice(APPLIED.length)))
    else plans.push(await client.plan({ body: { source, targets } }))
  }
  return plans
}

const noteApplied = (targets: readonly string[], path: string) =>
  note(`${targets.map(visible).join(', ')} drifted, applied from ${path}; compare with: ${typed`svc diff ${path}`}`)
