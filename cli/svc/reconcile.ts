// `svc reconcile`: one pass now, by the running daemon; or, with --dry-run, what it would do.
import type { Command } from 'commander'
import { findKind, kinds } from '../../schemas/kinds.ts'
import type { Plan, PlanInput } from '../../schemas/plan.ts'
import { applyAndReport, outcomeOf, planOutcome, printPlan, type ApplyFormat } from '../manifests/apply.ts'
import { EXIT, exitCode, type ExitName } from '../exit-codes.ts'
import { Failure, misuse } from '../failure.ts'
import { connectController, type ControllerClient } from '../controller-client.ts'
import { readManifestSet } from '../manifests/files.ts'
import {
  collect,
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
import { note } from '../output/print.ts'
import { waitUntilReady } from '../manifests/readiness.ts'
import { convergeSource, sourceNames } from '../manifests/sources.ts'
import { planWithoutDaemon } from './offline.ts'

interface ReconcileOptions extends UrlOption, OutputOption, ExitOption, WaitOption {
  source?: string
  dryRun?: boolean
  detailedExitcode?: boolean
  target?: string[]
  prune?: boolean
  pruneOverride?: string
  strict?: boolean
}

export function define(command: Command): void {
  command
    .argument('[path]', 'file or folder of manifests, in place of a source')
    .option('--source <name>', 'the source to reconcile; default: every source the daemon watches')
    .option('--dry-run', 'show the plan and change nothing')
    .option('--detailed-exitcode', 'with --dry-run: exit 2 when something would change')
    .option('--target <kind/name>', 'only this resource; may be given several times', collect)
    .option('--prune', 'with PATH: delete what an earlier apply of it made and it names no more')
    .option('--prune-override <hash>', 'make the deletions that the guard with this hash held back')
    .option('--strict', 'count warnings as errors')
  withExamples(
    withExitCodes(withWait(withUrl(withOutput(command, ['human', 'json', 'ndjson', 'markdown'])))),
    'svc reconcile --dry-run --detailed-exitcode',
    'svc reconcile --target agents/planner --wait',
  ).action(reconcile)
}

async function reconcile(path: string | undefined, options: ReconcileOptions): Promise<void> {
  if (path !== undefined && options.source !== undefined)
    throw misuse('a path and --source exclude each other', 'give the path, or the name of a source')
  const outcomes = options.dryRun ? await dryRun(path, options) : await forReal(path, options)
  process.exitCode = worst(outcomes.map((outcome) => exitCode(outcome, options.exitCodes)))
}

async function dryRun(path: string | undefined, options: ReconcileOptions): Promise<ExitName[]> {
  const plans = await plansOf(path, options)
  for (const { plan, client } of plans)
    await printPlan(client, plan, formatOf<ApplyFormat>(options), commandFor(path, plan))
  return plans.map(({ plan }) =>
    planOutcome(plan, { detailed: options.detailedExitcode ?? false, mode: options.exitCodes }),
  )
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
        : [{ ...(await readManifestSet(path)), ...(options.prune ? { prune: true } : {}) }]
    const plans: Planned[] = []
    for (const input of inputs)
      plans.push({ client, plan: await client.plan({ body: { ...input, ...choices(options) } }) })
    return plans
  } catch (error) {
    if (!isUnreachable(error) || options.url !== undefined) throw error
    const { plan, against } = await planWithoutDaemon(
      { path, source: options.source, ...choices(options), prune: options.prune },
      error,
    )
    note(`no daemon answers: this plan is against ${against}`)
    return [{ plan, client: null }]
  }
}

/** A connection that was refused, not an answer that refuses. */
const isUnreachable = (error: unknown): error is Failure => error instanceof Failure && error.code === 'unreachable'

async function forReal(path: string | undefined, options: ReconcileOptions): Promise<ExitName[]> {
  const client = connectController(options)
  const format = formatOf<ApplyFormat>(options)
  const outcomes: ExitName[] = []
  if (path !== undefined) {
    const set = await readManifestSet(path)
    const applied = await applyAndReport(
      client,
      { ...set, ...choices(options), ...(options.prune ? { prune: true } : {}) },
      format,
    )
    outcomes.push(outcomeOf(applied))
    if (options.wait && applied.run.status !== 'failed')
      await waitUntilReady(client, applied.run.source, options.timeout)
    return outcomes
  }
  for (const source of await sourceNames(client, options.source)) {
    outcomes.push(await convergeSource(client, source, { ...choices(options), format, timeoutMs: options.timeout }))
    if (options.wait && outcomes.at(-1) !== 'error') await waitUntilReady(client, source, options.timeout)
  }
  return outcomes
}

function choices(options: ReconcileOptions): Pick<PlanInput, 'targets' | 'prune_override' | 'strict'> {
  return {
    ...(options.target ? { targets: options.target.map(targetId) } : {}),
    ...(options.pruneOverride === undefined ? {} : { prune_override: options.pruneOverride }),
    ...(options.strict ? { strict: true } : {}),
  }
}

/** `agent/planner` and `agents/planner` alike. */
function targetId(text: string): string {
  const [word = '', ...name] = text.split('/')
  const kind = findKind(word, kinds)
  if (!kind || name.join('/') === '')
    throw misuse(
      `--target ${text} names no resource`,
      `write KIND/NAME with one of ${kinds.map((each) => each.kind).join(', ')}`,
    )
  return `${kind.kind}/${name.join('/')}`
}

const commandFor = (path: string | undefined, plan: Plan) =>
  path === undefined ? `svc reconcile --source ${plan.source}` : `svc reconcile ${path} --prune`

/** Over several sources the one that most needs a look; an error before anything that merely waits. */
function worst(codes: number[]): number {
  const rank = [
    EXIT.ok,
    EXIT.driftOnly,
    EXIT.changes,
    EXIT.pruneGuard,
    EXIT.timeout,
    EXIT.conflict,
    EXIT.policyDenied,
    EXIT.invalid,
    EXIT.error,
  ] as number[]
  return codes.reduce((most, code) => (rank.indexOf(code) > rank.indexOf(most) ? code : most), EXIT.ok as number)
}
