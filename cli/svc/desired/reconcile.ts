import type { Command } from 'commander'
import { typed } from '../../command-line.ts'
import { findKind, kinds } from '../../../schemas/kinds.ts'
import { nearestHint } from '../../../schemas/validation/nearest.ts'
import type { Plan, PlanInput } from '../../../schemas/plan.ts'
import { applySet } from '../../manifests/apply-set.ts'
import { PLAN_FORMATS, planOutcome, printPlan, type ApplyFormat, type PlanExitOptions } from '../../manifests/apply.ts'
import { choicesOf, withChoices, withPruneOverride, type ChoiceOptions } from '../../manifests/choices.ts'
import { exitCode, type ExitName } from '../../exit-codes.ts'
import { Failure, misuse } from '../../failure.ts'
import { connectController, type ControllerClient } from '../../controller-client.ts'
import { readManifestSet } from '../../manifests/files.ts'
import { manifestsFor, noteOwner } from '../../manifests/review.ts'
import {
  collect,
  formatOf,
  withDaemon,
  withDetailedExitCode,
  withDryRun,
  withExamples,
  withExitCodes,
  withWait,
  type DaemonOptions,
  type WaitOption,
} from '../../options.ts'
import { note } from '../../output/print.ts'
import { waitUntilReady } from '../../manifests/readiness.ts'
import { convergeSource, sourceNames } from '../../manifests/sources.ts'
import { READS } from '../../standard-input.ts'
import { planWithoutDaemon } from './offline.ts'

interface ReconcileOptions extends DaemonOptions, PlanExitOptions, WaitOption, ChoiceOptions {
  source?: string
  dryRun?: boolean
  target?: string[]
}

export function define(command: Command): void {
  command
    .argument('[path]', `Manifests instead of a source; ${READS}`)
    .option(
      '--source <name>',
      'Source to reconcile (default: every watched source); with PATH and --dry-run: plan PATH as its next revision',
    )
  withDetailedExitCode(withDryRun(command), 'With --dry-run')
  withPruneOverride(command.option('--target <kind/name>', 'Only this resource (repeatable)', collect))
  withExamples(
    withChoices(
      withExitCodes(withWait(withDaemon(command, PLAN_FORMATS))),
      'With PATH: delete resources that an earlier apply created and that it no longer declares',
    ),
    'svc reconcile --dry-run --detailed-exitcode',
    'svc reconcile --target agents/planner --wait',
    'svc reconcile ./manifests --source default --dry-run',
  ).action(reconcile)
}

async function reconcile(path: string | undefined, options: ReconcileOptions): Promise<void> {
  if (path !== undefined && options.source !== undefined) mustOnlyPlan(options)
  if (path === undefined && !options.dryRun) refuseForSources(options)
  const outcomes = options.dryRun ? await dryRun(path, options) : await forReal(path, options)
  process.exitCode = exitCode(worst(outcomes), options.exitCodes)
}

/** A path given with a source is its future revision, which can be planned but not applied. */
function mustOnlyPlan({ dryRun, source }: ReconcileOptions): void {
  if (!dryRun)
    throw misuse(
      'a path with --source can only be planned',
      `add --dry-run; to change source ${source}, merge the change into the folder or branch that it watches`,
    )
}

/** Rejects options that apply only to sent manifests. */
function refuseForSources({ prune, strict }: ReconcileOptions): void {
  const option = prune ? '--prune' : strict ? '--strict' : null
  if (option) throw misuse(`${option} needs a path`, 'for a source, set this in its svc.yaml')
}

async function dryRun(path: string | undefined, options: ReconcileOptions): Promise<ExitName[]> {
  const plans = await plansOf(path, options)
  for (const { plan, client } of plans)
    await printPlan(client, plan, formatOf<ApplyFormat>(options), commandFor(path, plan))
  return plans.map(({ plan }) => planOutcome(plan, options))
}

interface Planned {
  plan: Plan
  /** Null for a plan made without a daemon. */
  client: ControllerClient | null
}

async function plansOf(path: string | undefined, options: ReconcileOptions): Promise<Planned[]> {
  const client = connectController(options)
  try {
    const inputs =
      path === undefined
        ? (await sourceNames(client, options.source)).map((source): PlanInput => ({ source }))
        : [await manifestsFor(client, path, options.source)]
    const plans: Planned[] = []
    for (const input of inputs) {
      plans.push({ client, plan: await client.plan({ body: { ...input, ...choices(options) } }) })
      await noteOwner(client, input)
    }
    return plans
  } catch (error) {
    if (!isUnreachable(error) || options.url !== undefined) throw error
    const { plan, against } = await planWithoutDaemon({ path, source: options.source, ...choices(options) }, error)
    note(`no daemon is reachable; planned against ${against}`)
    return [{ plan, client: null }]
  }
}

/** A refused connection, not a refused request. */
const isUnreachable = (error: unknown): error is Failure =>
  error instanceof Failure && error.details.code === 'unreachable'

async function forReal(path: string | undefined, options: ReconcileOptions): Promise<ExitName[]> {
  const client = connectController(options)
  const format = formatOf<ApplyFormat>(options)
  const outcomes: ExitName[] = []
  if (path !== undefined) {
    const input = { ...(await readManifestSet(path)), ...choices(options) }
    const waitMs = options.wait ? options.timeout : null
    return [await applySet(client, { input, format, path, pruning: typed`svc reconcile ${path} --prune`, waitMs })]
  }
  for (const source of await sourceNames(client, options.source)) {
    outcomes.push(await convergeSource(client, source, { ...choices(options), format, timeoutMs: options.timeout }))
    if (options.wait && outcomes.at(-1) !== 'error')
      await waitUntilReady(client, source, options.timeout, choices(options).targets)
  }
  return outcomes
}

const choices = (options: ReconcileOptions) => ({
  ...choicesOf(options),
  ...(options.target ? { targets: options.target.map(targetId) } : {}),
})

/** Accepts `agent/planner` and `agents/planner`. */
function targetId(text: string): string {
  const [word = '', ...name] = text.split('/')
  const kind = findKind(word, kinds)
  const words = kinds.map((each) => each.kind)
  if (!kind || name.join('/') === '')
    throw misuse(
      `--target ${text} is not a resource`,
      nearestHint(word, words, `write KIND/NAME with one of ${words.join(', ')}`),
    )
  return `${kind.kind}/${name.join('/')}`
}

const commandFor = (path: string | undefined, plan: Plan) =>
  path === undefined ? typed`svc reconcile --source ${plan.source}` : typed`svc reconcile ${path} --prune`

/** Outcomes by severity. */
const RANKS = 'ok driftOnly changes pruneGuard timeout conflict policyDenied invalid error'.split(' ')

const worst = (outcomes: readonly ExitName[]): ExitName =>
  outcomes.toSorted((a, b) => RANKS.indexOf(b) - RANKS.indexOf(a))[0] ?? 'ok'
