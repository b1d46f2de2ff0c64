import type { Command } from 'commander'
import { typed } from '../../command-line.ts'
import type { Plan } from '../../../schemas/plan.ts'
import { connectController, openDrift, type ControllerClient } from '../../controller-client.ts'
import { exitCode } from '../../exit-codes.ts'
import { PLAN_FORMATS, planOutcome, printPlan, type ApplyFormat, type PlanExitOptions } from '../../manifests/apply.ts'
import { manifestsFor } from '../../manifests/review.ts'
import {
  formatOf,
  withDaemon,
  withDetailedExitCode,
  withExamples,
  withExitCodes,
  type DaemonOptions,
} from '../../options.ts'
import { note, print, visible } from '../../output/print.ts'
import { READS } from '../../standard-input.ts'
import { appliedPath } from '../../../schemas/sync/applied-source.ts'

interface DiffOptions extends DaemonOptions, PlanExitOptions {}

export function define(command: Command): void {
  command.argument('[path]', `Manifests (default: the last applied state); ${READS}`)
  withExamples(
    withExitCodes(withDaemon(withDetailedExitCode(command), PLAN_FORMATS)),
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
  if (plans.length === 0 && format === 'human') print('No drift: live state equals the last applied state.')
  if (path === undefined && plans.length > 0 && format === 'human')
    note(`revert it with: ${typed`svc drift revert --all`}`)
  const outcomes = plans.map((plan) => planOutcome(plan, options))
  process.exitCode = exitCode(outcomes.find((outcome) => outcome !== 'ok') ?? 'ok', options.exitCodes)
}

async function planOf(client: ControllerClient, path: string): Promise<Plan> {
  return client.plan({ body: await manifestsFor(client, path, undefined) })
}

/** One plan per watched source; applied paths cannot be read again and are only noted. */
async function plansOfDrift(client: ControllerClient): Promise<Plan[]> {
  const drifted = new Set((await openDrift(client)).map(({ kind, name }) => `${kind}/${name}`))
  if (drifted.size === 0) return []
  const resources = (await client.listResources()).filter(({ id }) => drifted.has(id))
  const plans: Plan[] = []
  for (const source of new Set(resources.map((resource) => resource.source))) {
    const targets = resources.filter((resource) => resource.source === source).map(({ id }) => id)
    const path = appliedPath(source)
    if (path !== null) noteApplied(targets, visible(path))
    else plans.push(await client.plan({ body: { source, targets } }))
  }
  return plans
}

const noteApplied = (targets: readonly string[], path: string) =>
  note(`${targets.map(visible).join(', ')} drifted from ${path}; compare with: ${typed`svc diff ${path}`}`)
