import { fromHere, typed } from '../command-line.ts'
import { apply } from '../../schemas/operations/controller.ts'
import { endpointOf } from '../../schemas/operations/operation.ts'
import { POLICY_DENIED, type Plan, type PlanInput } from '../../schemas/plan.ts'
import type { Run } from '../../schemas/run.ts'
import { renderFindings, renderPlan } from '../../controller/rendering/plan.ts'
import type { PlanRendering } from '../../controller/rendering/plan-summary.ts'
import { UNREACHABLE } from '../../controller/planning/unobserved.ts'
import type { Diagnostic } from '../../schemas/diagnostic.ts'
import { Failure } from '../failure.ts'
import type { ExitName } from '../exit-codes.ts'
import type { ExitOption } from '../options.ts'
import { openDrift, type ControllerClient } from '../controller-client.ts'
import { ago } from '../output/duration.ts'
import { fitted, print, printJson } from '../output/print.ts'
import { withProgress } from '../output/progress.ts'
import { runSummary, stepPrinter } from '../output/run-report.ts'
import { colourOn, columns } from '../settings.ts'

export interface PlanExitOptions extends ExitOption {
  detailedExitcode?: boolean
}

export const PLAN_FORMATS = ['human', 'json', 'ndjson', 'markdown'] as const
export type ApplyFormat = (typeof PLAN_FORMATS)[number]

export interface Applied {
  run: Run
  /** Plan of the run, if the daemon reported it. */
  plan: Plan | null
}

export async function applyAndReport(
  client: ControllerClient,
  input: PlanInput,
  format: ApplyFormat,
): Promise<Applied> {
  const { run, plan } = await withProgress('applying', async (progress) => {
    const tell = stepPrinter((line) => (format === 'human' ? progress.line(line) : undefined))
    let [run, plan]: [Run | null, Plan | null] = [null, null]
    for await (const line of client.apply({ body: input })) {
      if (format === 'ndjson') print(JSON.stringify(line))
      if (line.type === 'run') run = line.run
      if (line.type === 'plan') plan = line.plan
      if (line.type === 'step') {
        progress.say(`${line.step.action} ${line.step.kind}/${line.step.name}`)
        tell(line.step)
      }
    }
    run?.steps.forEach(tell)
    return { run, plan }
  })
  if (!run)
    throw new Failure('the daemon ended its response without a run', {
      where: endpointOf(apply),
      hint: `run "${typed`svc history`}" to see how far it got`,
    })
  if (format === 'json') printJson(run)
  else if (format !== 'ndjson') printEnd(run, plan)
  return { run, plan }
}

export const inTerminal = (): PlanRendering => ({
  colour: colourOn(process.stdout),
  width: Math.min(columns(), 160),
  when: ago,
  typed: fromHere,
})

function printEnd(run: Run, plan: Plan | null): void {
  print(runSummary(run))
  const findings = plan && renderFindings({ ...plan, impact: undefined }, inTerminal())
  if (findings) print(`\n${fitted(findings)}\n`)
}

export function outcomeOf({ run, plan }: Applied): ExitName {
  const hasFailed = run.steps.some(({ status }) => status === 'failed')
  if (!hasFailed && run.diagnostics.some(isFault)) return 'invalid'
  if (!hasFailed && plan?.held && !run.diagnostics.some(isUnknown)) return 'policyDenied'
  if (run.status === 'failed' || run.status === 'interrupted') return 'error'
  return plan?.guard ? 'pruneGuard' : 'ok'
}

/** Manifest errors only; unobservable or denied resources do not count. */
export const isFault = ({ severity, code }: Diagnostic): boolean =>
  severity === 'error' && code !== UNREACHABLE && code !== POLICY_DENIED

export const isDenied = ({ code }: Diagnostic): boolean => code === POLICY_DENIED

const isUnknown = ({ code }: Diagnostic): boolean => code === UNREACHABLE

export async function printPlan(
  client: ControllerClient | null,
  plan: Plan,
  format: ApplyFormat,
  command?: string,
): Promise<void> {
  if (format === 'ndjson') {
    for (const step of plan.steps) print(JSON.stringify({ type: 'planned', step }))
    print(JSON.stringify({ type: 'plan', source: plan.source, plan }))
    return
  }
  const drift = format === 'json' || plan.drift.length === 0 || !client ? [] : await openDrift(client)
  const text = renderPlan(plan, format, {
    ...(format === 'human' ? inTerminal() : {}),
    drift,
    ...(command ? { command } : {}),
  })
  print(format === 'human' ? fitted(text) : text)
}

/** Outcome of a plan that was only shown. In basic mode, held deletions count as pending changes. */
export function planOutcome(plan: Plan, { detailedExitcode, exitCodes }: PlanExitOptions): ExitName {
  if (plan.diagnostics.some(isFault)) return 'invalid'
  if (plan.diagnostics.some(isUnknown)) return 'error'
  if (plan.diagnostics.some(isDenied)) return 'policyDenied'
  if (plan.held && exitCodes === 'extended') return 'policyDenied'
  if (plan.guard && exitCodes === 'extended') return 'pruneGuard'
  if (plan.guard || plan.held || plan.steps.length > 0) return detailedExitcode ? 'changes' : 'ok'
  return plan.drift.length > 0 ? 'driftOnly' : 'ok'
}
