// Tool calls with the expected answer of a tool policy.
import { dirname, resolve } from 'node:path'
import { readManifests } from '../../../controller/reading/manifest.ts'
import { readOneDocument } from '../../../controller/reading/rules/one-document.ts'
import { parseYaml } from '../../../controller/reading/yaml/parse.ts'
import { Locator } from '../../../controller/reading/yaml/positions.ts'
import { builtInSpec } from '../../../schemas/kind.ts'
import { kinds } from '../../../schemas/kinds.ts'
import { canonicalPolicy, type ToolPolicy } from '../../../schemas/tools/policy.ts'
import { PolicyCalls, RecordedPolicyCalls, type PolicyCall } from '../../../schemas/tools/policy-calls.ts'
import { policyFaults } from '../../../schemas/tools/policy-faults.ts'
import { nearestHint } from '../../../schemas/validation/nearest.ts'
import { Failure } from '../../failure.ts'
import { readManifestSet } from '../../manifests/files.ts'
import { config } from '../../settings.ts'
import { orEmptyFile, type CaseFile, type Tested } from './case-file.ts'

/** False for a file with plans. */
export function hasCalls(text: string): boolean {
  const members = membersOf(text)
  return !members.includes('cases') && members.some((member) => member === 'calls' || member === 'policy')
}

function membersOf(text: string): string[] {
  const value: unknown = parseYaml(text).documents[0]?.value
  return Object.keys(typeof value === 'object' && value !== null ? value : {})
}

/** `isRecorded`: with recorded calls, the file needs none. */
export async function readCalls(file: string, text: string, isRecorded: boolean): Promise<CaseFile> {
  const schema = isRecorded ? RecordedPolicyCalls : PolicyCalls
  const read = readOneDocument<RecordedPolicyCalls>({ file, text, schema, locator: new Locator() }, inlineFaults)
  const { value } = read
  if (!value) return { diagnostics: orEmptyFile(read.diagnostics, file, 'calls'), run: async () => [] }
  const policy = typeof value.policy === 'string' ? await policyNamed(value.policy, value, file) : value.policy
  const workingDir = resolve(dirname(resolve(file)), value.working_dir ?? '.')
  const lineOf = (at: number) => read.at(['calls', at]).line
  return { diagnostics: [], policy, run: () => judgeCalls(policy, value.calls ?? [], { workingDir, file, lineOf }) }
}

const inlineFaults = ({ policy }: RecordedPolicyCalls) =>
  typeof policy === 'string'
    ? []
    : policyFaults(policy, ['policy']).map((fault) => ({ ...fault, side: 'value' as const, words: [] }))

async function policyNamed(name: string, { manifests }: RecordedPolicyCalls, file: string): Promise<ToolPolicy> {
  const declared = manifests === undefined ? new Map() : await declaredPolicies(resolve(dirname(file), manifests))
  const found = declared.get(name) ?? (builtInSpec(kinds, 'policies', name) as ToolPolicy | undefined)
  if (found) return canonicalPolicy(found, 'allow_all')
  const builtIn = kinds.flatMap(({ kind, builtIn: all = [] }) =>
    kind === 'policies' ? all.map((each) => each.name) : [],
  )
  const known = [...declared.keys(), ...builtIn]
  throw new Failure(`${file}: policy "${name}" is not built in${manifests ? ` and not in ${manifests}` : ''}`, {
    hint: nearestHint(name, known, `set manifests: to its file or folder, or use ${builtIn.join(', ')}`),
    exit: 'invalid',
  })
}

/** Reads a manifest with one policy instead of a file of calls. */
export async function readPolicy(file: string, text: string): Promise<CaseFile> {
  if (membersOf(text).includes('cases'))
    throw new Failure(`${file} has no tool policy`, {
      hint: 'its cases test plan policies; pass a file with policy:, or the manifest of a policy',
      exit: 'invalid',
    })
  const policies = [...(await declaredPolicies(file)).values()]
  if (policies.length === 1)
    return { diagnostics: [], policy: canonicalPolicy(policies[0], 'allow_all'), run: async () => [] }
  throw new Failure(`${file} has ${policies.length} tool policies; --recorded tests one`, {
    hint: 'pass a file with one policy, or with policy: NAME and manifests:',
    exit: 'invalid',
  })
}

async function declaredPolicies(path: string): Promise<Map<string, ToolPolicy>> {
  const set = await readManifestSet(path)
  const { resources, diagnostics } = readManifests(set.manifests, {
    root: set.root,
    kinds,
    home: config().home,
    context: { exists: () => true, variable: (name) => config().env[name] ?? '' },
  })
  const policies = resources.filter(({ kind }) => kind === 'policies')
  const fault = diagnostics.find(({ severity, kind }) => severity === 'error' && (kind === 'policies' || kind === null))
  if (fault) throw new Failure(`${fault.file}:${fault.line}:${fault.column}: ${fault.message}`, { exit: 'invalid' })
  return new Map(policies.map(({ name, spec }) => [name, spec as ToolPolicy]))
}

interface Place {
  workingDir: string
  file: string
  lineOf(at: number): number
}

async function judgeCalls(
  policy: ToolPolicy,
  calls: readonly PolicyCall[],
  { workingDir, file, lineOf }: Place,
): Promise<Tested[]> {
  const { toolJudge } = await import('../../../daemon/tool-judge.ts')
  const judge = toolJudge(config(), workingDir)
  return calls.map(({ tool, input, expect }, at) => {
    const { call, decision, finding, message } = judge(policy, tool, input)
    const why = finding ? `${finding.reason}: ${finding.part}` : decision === 'deny' ? message : `mode ${policy.mode}`
    const passed = decision === expect
    const error = passed ? null : `expected ${expect}, instead got ${decision}: ${why}`
    const said = passed && finding ? [why] : []
    return {
      file,
      line: lineOf(at),
      name: call,
      expected: expect,
      outcome: decision,
      policies: [],
      passed,
      error,
      said,
    }
  })
}
