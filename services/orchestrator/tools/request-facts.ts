// What a person sees beside a held tool call: the policy and its rule, the work, the directory, programs and effects.
import { elementPath, memberPath } from '../../../schemas/members/member-path.ts'
import type { Vault } from '../../../platform/secrets/vault.ts'
import { MASK, Secret } from '../../../schemas/secret.ts'
import { MOST_PATHS, MOST_PROGRAMS, type Approval } from '../../../schemas/tools/approval.ts'
import { canonicalPolicy, type ToolPolicy } from '../../../schemas/tools/policy.ts'
import { PRESETS } from '../../../schemas/tools/presets/index.ts'
import type { Policies } from '../face.ts'
import { effectsOf } from '../policy/call-effects.ts'
import { askingEntry, LARGEST_INPUT } from '../policy/judge.ts'
import { programNames } from '../policy/program-names.ts'
import type { Place } from '../policy/workplace.ts'
import type { AgentRow } from '../record/agent-store.ts'
import type { Prompt } from '../record/tables.ts'
import type { RecordWorld } from '../record/world.ts'
import type { Said } from '../session/agent-session.ts'
import { placeOf } from './agent-workplace.ts'
import { digest, inputOf, type RequestFacts, type ToolRequest } from './approval-store.ts'
import { shortened } from './recorded-calls.ts'
import type { Verdict } from './verdict.ts'
import type { Judging } from './world.ts'

/** Returns what is known of the manifest that was applied to a live resource, or null. */
export type Declared = (kind: string, liveId: string) => Declaration | null

interface Declaration {
  /** Of a field (dotted path) or its nearest written parent; of the resource if the manifest has changed since. */
  placeOf(path: string): NonNullable<NonNullable<Approval['policy']>['managed_by']>
  spec: Record<string, unknown>
  dependsOn: readonly string[]
}

interface FactsWorld {
  record: RecordWorld
  judging: Judging
  policies: Pick<Policies, 'list'>
  declared: Declared
  vault: Pick<Vault, 'fingerprint'>
}

interface AskedCall {
  /** Unredacted. */
  tool: string
  request: ToolRequest
  /** In work when the policy decided. */
  prompt: Prompt | null
  /** Redacted. */
  said: Said | null
  verdict: Verdict
}

/** Masked, with bounded texts. */
export async function requestFacts(world: FactsWorld, agent: AgentRow, call: AskedCall): Promise<RequestFacts> {
  const { record, judging } = world
  const { prompt, verdict, request } = call
  const { finding } = verdict
  const place = placeOf(judging.config, agent)
  const masked = (text: string) => judging.secrets.maskCut(agent, text)
  const dispatchId = prompt?.dispatch_id ?? null
  const workflow = dispatchId === null ? null : await workflowOf(record, dispatchId)
  const of = prompt?.policy && prompt.policy === verdict.policy ? 'workflow' : 'agent'
  const owner =
    of === 'agent' ? world.declared('agents', agent.id) : workflow && world.declared('workflows', workflow.id)
  const rule = ruleOf(call, place)
  const policyDigest = digest(canonicalPolicy(verdict.policy, 'deny_all'))
  return {
    agent_name: agent.name,
    finding: finding && { reason: finding.reason, part: finding.part },
    policy: {
      of,
      mode: verdict.mode,
      ...(await originOf(world, owner, { policy: verdict.policy!, rule })),
      field: rule.field,
      entry: rule.entry && masked(rule.entry),
    },
    policy_digest: policyDigest,
    directory: masked(place.workingDir),
    dispatch_id: dispatchId,
    workflow,
    turn_id: prompt?.id ?? null,
    programs: programsOf(call.tool, request, place)?.map((name) => name && masked(shortened(name))) ?? null,
    effects: shownEffects(request, place, (path) => masked(shortened(path))),
    last_text: call.said,
    alike: alikeKey(world.vault, [
      request.tool,
      digest(inputOf(request)),
      policyDigest,
      place.workingDir,
      String(place.isSandboxed),
    ]),
  }
}

/** Keyed, because the input may contain secrets that are easy to guess. */
function alikeKey(vault: Pick<Vault, 'fingerprint'>, parts: readonly string[]): string {
  return vault.fingerprint(new Secret(JSON.stringify(parts))).slice(MASK.length)
}

/** Of the redacted call, because a path may be a part of a secret. */
function shownEffects(
  { tool, input }: ToolRequest,
  place: Place,
  shown: (path: string) => string,
): RequestFacts['effects'] {
  if (Buffer.byteLength(JSON.stringify(input ?? {})) > LARGEST_INPUT) return null
  const effects = effectsOf(tool, (input ?? {}) as Record<string, unknown>, place)
  if (!effects) return null
  const all = [effects.reads, effects.writes]
  const [reads, writes] = all.map((paths) => paths.slice(0, MOST_PATHS).map(shown))
  const isCut = all.some(({ length }) => length > MOST_PATHS)
  return { reads: reads!, writes: writes!, complete: effects.complete && !isCut }
}

/** Not redacted. */
type Rule = Pick<NonNullable<Approval['policy']>, 'field' | 'entry'>

function ruleOf({ tool, request, verdict }: AskedCall, place: Place): Rule {
  const { finding, policy } = verdict
  // Only entries of `ask` refuse a call to a person.
  if (finding?.kind === 'refused') {
    return { field: 'ask', entry: askingEntry(policy!, tool, inputOf(request), place) }
  }
  const isListed = policy!.mode === 'allow_list' || policy!.mode === 'deny_list'
  return { field: isListed ? 'otherwise' : 'mode', entry: null }
}

type Origin = Pick<NonNullable<Approval['policy']>, 'name' | 'managed_by'>

/** Empty unless a manifest set the policy in force; the name only if that manifest refers to it. */
async function originOf(
  { policies, declared }: FactsWorld,
  owner: Declaration | null,
  { policy, rule: { field, entry } }: { policy: ToolPolicy; rule: Rule },
): Promise<Origin> {
  const isInForce = (each: unknown) => contentOf(each as ToolPolicy) === contentOf(policy)
  if (!owner || !isInForce(owner.spec.tool_policy)) return { name: null, managed_by: null }
  const isNamed = ({ name }: { name: string }) => owner.dependsOn.includes(`policies/${name}`)
  const named = [...(await policies.list()), ...PRESETS].find((each) => isNamed(each) && isInForce(each))
  const path = entry === null ? field : elementPath(field, entry)
  const place = named && declared('policies', named.name)?.placeOf(path)
  return { name: named?.name ?? null, managed_by: place ?? owner.placeOf(memberPath('tool_policy', path)) }
}

const contentOf = (policy: ToolPolicy): string => JSON.stringify(canonicalPolicy(policy, 'deny_all'))

async function workflowOf({ tables }: RecordWorld, dispatchId: string): Promise<RequestFacts['workflow']> {
  const dispatch = await tables.dispatches.find(dispatchId)
  const workflow = dispatch && (await tables.workflows.find(dispatch.workflow_id))
  return workflow && { id: workflow.id, name: workflow.name }
}

/** Of a redacted command, only names that are still in it: a word of a secret is no name. */
function programsOf(tool: string, request: ToolRequest, place: Place): (string | null)[] | null {
  const source = commandIn(inputOf(request))
  if (tool !== 'Bash' || source === null || Buffer.byteLength(source) > LARGEST_INPUT) return null
  const names = programNames(source, place)?.slice(0, MOST_PROGRAMS) ?? null
  if (request.original === null) return names
  const redacted = commandIn(request.input) ?? ''
  return names?.map((name) => (name === null || redacted.includes(name) ? name : MASK)) ?? null
}

function commandIn(input: unknown): string | null {
  const command = (input as { command?: unknown } | null | undefined)?.command
  return typeof command === 'string' ? command : null
}
