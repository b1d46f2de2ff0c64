import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Option, type Command } from 'commander'
import { typed } from '../../command-line.ts'
import {
  declaredSteps,
  outcomeOf,
  plannedSteps,
  writtenSteps,
  type Outcome,
} from '../../../controller/planning/policies/policy-cases.ts'
import type { JudgedStep } from '../../../controller/planning/policies/policy-findings.ts'
import { readManifests } from '../../../controller/reading/manifest.ts'
import { readOneDocument } from '../../../controller/reading/rules/one-document.ts'
import { readSourceFile, SOURCE_FILE } from '../../../controller/reading/rules/source-file.ts'
import { Locator } from '../../../controller/reading/yaml/positions.ts'
import { renderDiagnostics } from '../../../controller/rendering/diagnostics/index.ts'
import { kinds } from '../../../schemas/kinds.ts'
import type { Plan } from '../../../schemas/plan.ts'
import type { PlanPolicy } from '../../../schemas/sync/plan-policy.ts'
import { PolicyCases, type PolicyCase } from '../../../schemas/sync/policy-cases.ts'
import { exitCode } from '../../exit-codes.ts'
import { Failure, misuse } from '../../failure.ts'
import { readManifestSet } from '../../manifests/files.ts'
import { formatOf, withDaemon, withExamples, withExitCodes, type ExitOption, type OutputOption } from '../../options.ts'
import { fitted, paint, print, printJson, visible } from '../../output/print.ts'
import { colourOn, config } from '../../settings.ts'
import { orEmptyFile, shown, textOf, type CaseFile, type Tested } from './case-file.ts'
import { callCount, replay, replayText, type RecordedOptions } from './recorded-calls.ts'
import { hasCalls, readCalls, readPolicy } from './tool-calls.ts'

interface TestOptions extends OutputOption, ExitOption, RecordedOptions {}

export function define(command: Command): void {
  command
    .argument('<file...>', 'Case files: example plans or tool calls with the expected outcome')
    .addOption(
      new Option('--recorded <count>', 'Show which of the last tool calls the policy would change').argParser(
        callCount,
      ),
    )
    .option('--agent <agent>', 'With --recorded: only calls of this agent: id, or name if unique')
  withExamples(
    withExitCodes(withDaemon(command, ['human', 'json'])),
    'svc policy test policy-cases.yaml',
    'svc policy test policy-calls.yaml',
    'svc policy test policy-calls.yaml --recorded 500 --agent planner',
  ).action(test)
}

async function test(files: string[], options: TestOptions): Promise<void> {
  refuseCombination(files, options)
  const isRecorded = options.recorded !== undefined
  const read = await Promise.all(files.map((file) => readFile(file, isRecorded)))
  const faults = read.flatMap(({ diagnostics }) => diagnostics)
  if (faults.length > 0) {
    print(fitted(renderDiagnostics(faults, 'human', { colour: colourOn(process.stdout), sources: () => null })))
    process.exitCode = exitCode('invalid', options.exitCodes)
    return
  }
  const tested: Tested[] = []
  for (const each of read) tested.push(...(await each.run()))
  const failed = tested.filter(({ passed }) => !passed).length
  const recorded = isRecorded ? await replay(read[0]!.policy!, options) : undefined
  if (formatOf(options) === 'json') printJson({ cases: tested, passed: tested.length - failed, failed, recorded })
  else {
    if (tested.length > 0) print([...tested.flatMap(lines), summary(tested.length, failed)].join('\n'))
    if (recorded) print(replayText(recorded, options))
  }
  process.exitCode = exitCode(failed > 0 ? 'policyDenied' : 'ok', options.exitCodes)
}

function refuseCombination(files: readonly string[], { recorded, agent }: TestOptions): void {
  if (agent !== undefined && recorded === undefined)
    throw misuse('--agent needs --recorded', 'add the number of calls, such as --recorded 500')
  if (recorded !== undefined && files.length > 1)
    throw misuse(`--recorded tests one file, instead got ${files.length}`, 'run the command once for each file')
}

async function readFile(file: string, isRecorded: boolean): Promise<CaseFile> {
  const text = await textOf(file)
  if (hasCalls(text)) return readCalls(file, text, isRecorded)
  return isRecorded ? readPolicy(file, text) : readPlans(file, text)
}

interface PlanCases {
  file: string
  policies: readonly PlanPolicy[]
}

async function readPlans(file: string, text: string): Promise<CaseFile> {
  const locator = new Locator()
  const read = readOneDocument<PolicyCases>({ file, text, schema: PolicyCases, locator })
  if (!read.value) return { diagnostics: orEmptyFile(read.diagnostics, file, 'cases'), run: async () => [] }
  const { rules: named, cases } = read.value
  const rules = named === undefined ? rulesAbove(file) : resolve(dirname(file), named)
  const { sync, diagnostics } = readSourceFile(await textOf(rules), locator, { kinds })
  const policies = sync?.policies ?? []
  if (sync && policies.length === 0)
    throw new Failure(`${shown(rules)} has no policies to test`, {
      hint: 'add them under sync: policies:, or set rules: to another file',
      exit: 'invalid',
    })
  const lineOf = (at: number) => read.at(['cases', at]).line
  return {
    diagnostics: diagnostics.map((fault) => ({ ...fault, file: shown(rules) })),
    run: () => Promise.all(cases.map((about, at) => tryCase(about, lineOf(at), { file, policies }))),
  }
}

/** Nearest `svc.yaml` in the file's folder or above. */
function rulesAbove(file: string): string {
  for (let folder = dirname(resolve(file)); ; folder = dirname(folder)) {
    const rules = join(folder, SOURCE_FILE)
    if (existsSync(rules)) return rules
    if (folder === dirname(folder))
      throw new Failure(`no ${SOURCE_FILE} found next to ${file} or above`, {
        hint: 'set the file with the policies: rules: <path relative to this file>',
        exit: 'invalid',
      })
  }
}

async function tryCase(about: PolicyCase, line: number, { file, policies }: PlanCases): Promise<Tested> {
  const place = { file, line, name: about.name, expected: about.expect }
  try {
    const found = outcomeOf(policies, await stepsOf(about, dirname(resolve(file))), kinds)
    const error = unexpected(about, found)
    return { ...place, ...found, passed: error === null, error }
  } catch (error) {
    return { ...place, outcome: null, policies: [], said: [], passed: false, error: (error as Error).message }
  }
}

/** Null if the outcome is as expected. */
function unexpected({ expect, policies }: PolicyCase, { outcome, policies: names }: Outcome): string | null {
  if (outcome !== expect) return `expected ${expect}, instead got ${outcome}`
  const wanted = policies && [...new Set(policies)].sort()
  return wanted && wanted.join() !== names.join()
    ? `expected policies ${wanted.join(', ') || 'none'}, instead got ${names.join(', ') || 'none'}`
    : null
}

async function stepsOf({ steps, manifests, plan }: PolicyCase, folder: string): Promise<JudgedStep[]> {
  const given = [steps, manifests, plan].filter((each) => each !== undefined).length
  if (given !== 1) throw new Failure(`a case needs exactly one of steps, manifests or plan, instead got ${given}`, {})
  if (steps) return writtenSteps(steps, kinds)
  if (plan !== undefined) return plannedSteps(parsedPlan(await textOf(resolve(folder, plan)), plan))
  const set = await readManifestSet(resolve(folder, manifests!))
  const variable = (name: string) => config().env[name] ?? ''
  const { resources, diagnostics } = readManifests(set.manifests, {
    root: set.root,
    kinds,
    home: config().home,
    context: { exists: () => false, variable },
  })
  const fault = diagnostics.find(({ severity }) => severity === 'error')
  if (fault) throw new Failure(`${manifests}: ${fault.file}:${fault.line}:${fault.column}: ${fault.message}`, {})
  return declaredSteps(resources, kinds)
}

function parsedPlan(text: string, path: string): Pick<Plan, 'steps'> {
  let plan: Partial<Plan> = {}
  try {
    plan = JSON.parse(text) as Partial<Plan>
  } catch {
    // Reported below.
  }
  if (!Array.isArray(plan.steps))
    throw new Failure(`${path} is not a plan`, { hint: `create one with "${typed`svc plan PATH --out FILE`}"` })
  return { steps: plan.steps }
}

function lines({ file, line, name, passed, error, said }: Tested): string[] {
  const colours = paint()
  const mark = passed ? colours.green('✓') : colours.red('✗')
  const head = `${mark} ${visible(name)}  ${colours.dim(visible(`${file}:${line}`))}`
  return passed ? [head] : [head, ...[error ?? '', ...said].map((each) => `    ${visible(each)}`)]
}

const summary = (all: number, failed: number): string =>
  `${all} ${all === 1 ? 'case' : 'cases'}: ${all - failed} as expected${failed > 0 ? `, ${failed} not` : ''}`
