// `svc reconcile`: one pass now, by the running daemon; or, with --dry-run, what it would do.
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
import { manifestsFor, tellOwner } from '../../manifests/review.ts'
import {
  collect,
  formatOf,
  withDaemon,
  withExamples,
  withExitCodes,
  withWait,
  type DaemonOptions,
  type WaitOption,
} from '../../options.ts'
import { note } from '../../output/print.ts'
import { waitUntilReady } from '../../manifests/readiness.ts'
import { convergeSource, sourceNames } from '../../manifests/sources.ts'
import { planWithoutDaemon } from './offline.ts'

interface ReconcileOptions extends DaemonOptions, PlanExitOptions, WaitOption, ChoiceOptions {
  source?: string
  dryRun?: boolean
  target?: string[]
}

export function define(command: Command): void {
  command
    .argument('[path]', 'file or folder of manifests, in place of a source')
    .option(
      '--source <name>',
      'the source to reconcile; default: every source the daemon watches; with PATH and --dry-run: plan PATH as its next revision',
    )
    .option('--dry-run', 'show the plan and change nothing')
    .option('--detailed-exitcode', 'with --dry-run: exit 2 when something would change')
    .option('--target <kind/name>', 'only this resource; may be given several times', collect)
  withPruneOverride(command)
  withExamples(
    withChoices(
      withExitCodes(withWait(withDaemon(command, PLAN_FORMATS))),
      'with PATH: delete what an earlier apply of it made and it names no more',
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

/** Another checkout is what a source may become once it is merged: it is looked at, and never applied by hand. */
function mustOnlyPlan({ dryRun, source }: ReconcileOptions): void {
  if (!dryRun)
    throw misuse(
      'a path with --source can only be planned',
      `add --dry-run; what source ${source} watches is changed by merging`,
    )
}

/** What only manifests that are sent can be told. */
function refuseForSources({ prune, strict }: ReconcileOptions): void {
  const option = prune ? '--prune' : strict ? '--strict' : null
  if (option) throw misuse(`${option} goes with a path`, 'the rules of a source stand in its svc.yaml')
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
      await tellOwner(client, input)
    }
    return plans
  } catch (error) {
    if (!isUnreachable(error) || options.url !== undefined) throw error
    const { plan, against } = await planWithoutDaemon({ path, source: options.source, ...choices(options) }, error)
    note(`no daemon answers: this plan is against ${against}`)
    return [{ plan, client: null }]
  }
}

/** A connection that was refused, not an answer that refuses. */
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

/** `agent/planner` and `agents/planner` alike. */
function targetId(text: string): string {
  const [word = '', ...name] = text.split('/')
  const kind = findKind(word, kinds)
  const words = kinds.map((each) => each.kind)
  if (!kind || name.join('/') === '')
    throw misuse(
      `--target ${text} names no resource`,
      nearestHint(word, words, `write KIND/NAME with one of ${words.join(', ')}`),
    )
  return `${kind.kind}/${name.join('/')}`
}

const commandFor = (path: string | undefined, plan: Plan) =>
  path === undefined ? typed`svc reconcile --source ${plan.source}` : typed`svc reconcile ${path} --prune`

/** Outcomes by how much they need a look; an error before anything that merely waits. */
const RANKS = 'ok driftOnly changes pruneGuard timeout conflict policyDenied invalid error'.split(' ')

/** Over several sources the one that most needs a look. */
const worst = (outcomes: readonly ExitName[]): ExitName =>
  outcomes.toSorted((a, b) => RANKS.indexOf(b) - RANKS.indexOf(a))[0] ?? 'ok'
