import { readFile, stat } from 'node:fs/promises'
import type { Command } from 'commander'
import { typed } from '../../command-line.ts'
import type { Plan, PlanInput } from '../../../schemas/plan.ts'
import type { ApplyFormat } from '../../manifests/apply.ts'
import { applySet } from '../../manifests/apply-set.ts'
import { choicesOf, withChoices, type ChoiceOptions } from '../../manifests/choices.ts'
import { exitCode } from '../../exit-codes.ts'
import { Failure } from '../../failure.ts'
import { connectController } from '../../controller-client.ts'
import { readManifestSet } from '../../manifests/files.ts'
import { confirmWidening } from '../../manifests/widening.ts'
import { pathOf, withPath, type PathOption } from '../../manifests/path.ts'
import {
  formatOf,
  withDaemon,
  withExamples,
  withExitCodes,
  withWait,
  withYes,
  type DaemonOptions,
  type ExitOption,
  type WaitOption,
} from '../../options.ts'
import { appliedPath } from '../../../schemas/sync/applied-source.ts'

interface ApplyOptions extends PathOption, DaemonOptions, ExitOption, WaitOption, ChoiceOptions {
  yes?: boolean
}

export function define(command: Command): void {
  withYes(withPath(command, 'Plan saved with "svc plan PATH --out FILE", or a file or folder of manifests'))
  withExamples(
    withChoices(withExitCodes(withWait(withDaemon(command, ['human', 'json', 'ndjson'])))),
    'svc apply team.plan.json',
    'svc apply ./team --wait',
    'cat team.yml | svc apply -f -',
  ).action(apply)
}

async function apply(given: string | undefined, options: ApplyOptions): Promise<void> {
  const path = pathOf(given, options)
  const client = connectController(options)
  const plan = await savedPlan(path)
  const input: PlanInput = {
    ...(plan ? await inputOf(plan) : await readManifestSet(path)),
    ...choicesOf(options),
  }
  const outcome = await applySet(client, {
    input: await confirmWidening(client, input, options),
    format: formatOf<ApplyFormat>(options),
    path,
    pruning: typed`svc apply ${path} --prune`,
    waitMs: options.wait ? options.timeout : null,
  })
  process.exitCode = exitCode(outcome, options.exitCodes)
}

async function savedPlan(path: string): Promise<Plan | null> {
  const found = await stat(path).catch(() => null)
  if (!found?.isFile() || !path.endsWith('.json')) return null
  try {
    const plan = JSON.parse(await readFile(path, 'utf8')) as Plan
    if (typeof plan.hash === 'string' && Array.isArray(plan.steps) && typeof plan.source === 'string') return plan
  } catch (error) {
    throw notAPlan(path, (error as Error).message)
  }
  throw notAPlan(path, 'hash, steps or source is missing')
}

const notAPlan = (path: string, why: string): Failure =>
  new Failure(`${path} is not a plan: ${why}`, {
    hint: `create one with "${typed`svc plan PATH --out FILE`}"`,
    exit: 'invalid',
  })

/** Manifests are read again, because a plan contains no secrets; the daemon refuses if they have changed. */
async function inputOf(plan: Plan): Promise<PlanInput> {
  const path = appliedPath(plan.source)
  return path === null ? { plan } : { plan, ...(await readManifestSet(path)) }
}
