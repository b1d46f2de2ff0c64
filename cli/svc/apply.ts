// `svc apply FILE|PATH`: a saved plan, if it still holds; or a file or folder of manifests.
import { readFile, stat } from 'node:fs/promises'
import type { Command } from 'commander'
import type { Plan, PlanInput } from '../../schemas/plan.ts'
import { applyAndReport, outcomeOf, type ApplyFormat } from '../manifests/apply.ts'
import { choicesOf, withChoices, type ChoiceOptions } from '../manifests/choices.ts'
import { exitCode } from '../exit-codes.ts'
import { Failure } from '../failure.ts'
import { connectController } from '../controller-client.ts'
import { readManifestSet } from '../manifests/files.ts'
import { tellOwner } from '../manifests/review.ts'
import {
  formatOf,
  withExamples,
  withExitCodes,
  withOutput,
  withUrl,
  withWait,
  type ExitOption,
  type OutputOption,
  type UrlOption,
  type WaitOption,
} from '../options.ts'
import { waitUntilReady } from '../manifests/readiness.ts'

interface ApplyOptions extends UrlOption, OutputOption, ExitOption, WaitOption, ChoiceOptions {}

export function define(command: Command): void {
  command.argument('<path>', 'a plan that "svc plan --out" kept, or a file or folder of manifests')
  withExamples(
    withChoices(withExitCodes(withWait(withUrl(withOutput(command, ['human', 'json', 'ndjson']))))),
    'svc apply team.plan.json',
    'svc apply ./team --wait',
  ).action(apply)
}

async function apply(path: string, options: ApplyOptions): Promise<void> {
  const client = connectController(options)
  const plan = await savedPlan(path)
  const input: PlanInput = {
    ...(plan ? await inputOf(plan) : await readManifestSet(path)),
    ...choicesOf(options),
  }
  const applied = await applyAndReport(client, input, formatOf<ApplyFormat>(options))
  if (!plan) await tellOwner(client, input)
  const outcome = outcomeOf(applied)
  process.exitCode = exitCode(outcome, options.exitCodes)
  if (options.wait && outcome !== 'error') await waitUntilReady(client, applied.run.source, options.timeout)
}

async function savedPlan(path: string): Promise<Plan | null> {
  const found = await stat(path).catch(() => null)
  if (!found?.isFile() || !path.endsWith('.json')) return null
  try {
    const plan = JSON.parse(await readFile(path, 'utf8')) as Plan
    if (typeof plan.hash === 'string' && Array.isArray(plan.steps) && typeof plan.source === 'string') return plan
  } catch (error) {
    throw new Failure(`${path} is not a plan: ${(error as Error).message}`, {
      hint: 'make one with "svc plan PATH --out FILE"',
      exit: 'invalid',
    })
  }
  throw new Failure(`${path} is not a plan: it lacks its hash, steps or source`, {
    hint: 'make one with "svc plan PATH --out FILE"',
    exit: 'invalid',
  })
}

const APPLIED = 'apply:'

/**
 * Manifests are read again from where they came, since a plan holds none of their secrets; the daemon refuses when
 * they changed.
 */
async function inputOf(plan: Plan): Promise<PlanInput> {
  return plan.source.startsWith(APPLIED)
    ? { plan, ...(await readManifestSet(plan.source.slice(APPLIED.length))) }
    : { plan }
}
