import type { Command } from 'commander'
import { typed } from '../../command-line.ts'
import { connectController, openDrift, type ControllerClient } from '../../controller-client.ts'
import { exitCode } from '../../exit-codes.ts'
import { Failure, misuse } from '../../failure.ts'
import { printPlan } from '../../manifests/apply.ts'
import { isData, resourceId, withDaemon, withDryRun, withExamples, type DaemonOptions } from '../../options.ts'
import { printData } from '../../output/data.ts'
import { print, visible } from '../../output/print.ts'
import { runSummary, stepLine } from '../../output/run-report.ts'
import type { Plan } from '../../../schemas/plan.ts'
import type { Drift } from '../../../schemas/resource.ts'
import type { Run } from '../../../schemas/run.ts'

interface RevertOptions extends DaemonOptions {
  all?: boolean
  dryRun?: boolean
}

type Target = ReturnType<typeof resourceId>

export function defineRevert(command: Command): void {
  withExamples(
    withDaemon(
      withDryRun(
        command
          .argument('[resource]', 'KIND/NAME')
          .argument('[field]', 'Only this field, as svc drift shows it')
          .option('--all', 'Revert all drift'),
      ),
    ),
    'svc drift revert agents/planner --dry-run',
    'svc drift revert agents/planner tool_policy',
    'svc drift revert --all',
  ).action(revertDrift)
}

async function revertDrift(
  resource: string | undefined,
  field: string | undefined,
  options: RevertOptions,
): Promise<void> {
  if ((resource === undefined) === !options.all)
    throw misuse(
      resource === undefined ? 'no resource given' : 'a resource and --all are mutually exclusive',
      `pass KIND/NAME or --all; "${typed`svc drift`}" lists drift`,
    )
  const client = connectController(options)
  const targets = resource === undefined ? await driftedResources(client) : [resourceId(resource)]
  const make = options.dryRun ? showPlan : revert
  const made: (Plan | Run)[] = []
  for (const target of targets) made.push(await make(client, target, field, options))
  if (isData(options)) await printData(options.all ? made : made[0], options)
  else if (made.length === 0) print('No drift.')
  process.exitCode = exitCode(made.some((each) => 'status' in each && each.status === 'failed') ? 'error' : 'ok')
}

async function showPlan(
  client: ControllerClient,
  target: Target,
  field: string | undefined,
  options: RevertOptions,
): Promise<Plan> {
  const plan =
    field === undefined
      ? await client.planResourceRevert({ params: target })
      : await client.planDriftRevert({ params: await recordOf(client, target, field) })
  const id = `${target.kind}/${target.name}`
  const command = field === undefined ? typed`svc drift revert ${id}` : typed`svc drift revert ${id} ${field}`
  if (!isData(options)) await printPlan(client, plan, 'human', command)
  return plan
}

async function revert(
  client: ControllerClient,
  target: Target,
  field: string | undefined,
  options: RevertOptions,
): Promise<Run> {
  const run =
    field === undefined ? await client.revertDrift({ params: target }) : await revertField(client, target, field)
  if (!isData(options)) print([...run.steps.map(stepLine), visible(runSummary(run))].join('\n'))
  return run
}

/** Reverts what the plan made now shows, and nothing else. */
async function revertField(client: ControllerClient, target: Target, field: string): Promise<Run> {
  const params = await recordOf(client, target, field)
  const { hash } = await client.planDriftRevert({ params })
  return client.revertDriftedField({ params, body: { plan_hash: hash } })
}

/** Throws if the field has not drifted. */
async function recordOf(client: ControllerClient, { kind, name }: Target, field: string): Promise<{ id: string }> {
  const records = await client.listDrift({ query: { kind, name, open: true } })
  const record = records.find((each) => fieldOf(each) === field)
  if (!record)
    throw new Failure(`${field} of ${kind}/${name} has not drifted`, {
      hint: records.length > 0 ? `drifted: ${records.map(fieldOf).join(', ')}` : `"${typed`svc drift`}" lists drift`,
    })
  return { id: record.id }
}

async function driftedResources(client: ControllerClient): Promise<Target[]> {
  const records = await openDrift(client)
  return [...new Set(records.map(({ kind, name }) => `${kind}/${name}`))].map(resourceId)
}

export const fieldOf = ({ path }: Pick<Drift, 'path'>): string => path || '(missing)'
