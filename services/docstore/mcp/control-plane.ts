import * as Type from 'typebox'
import { AGENT_STATUSES, AgentRecord } from '../../../schemas/agent.ts'
import { Plan } from '../../../schemas/plan.ts'
import { Condition, Drift, ResourceDetail, Waiting } from '../../../schemas/resource.ts'
import { DispatchRecord } from '../../../schemas/workflow.ts'
import { nearestHint } from '../../../schemas/validation/nearest.ts'
import { notFound, Problem } from '../../../platform/core/problem.ts'
import { closed, pick, tool, type Tool, type ToolContext } from './tool.ts'

const MOST = 100
const limit = Type.Optional(
  Type.Integer({ minimum: 1, maximum: MOST, description: 'Maximum number of results; default 20' }),
)

const { id, name, status, activity, connected, last_error, warnings } = AgentRecord.properties
const AgentLine = Type.Object({ id, name, status, activity, connected, last_error, warnings })
const { hash, source, revision, steps, summary, drift, diagnostics } = Plan.properties
const Shown = Type.Object({ hash, source, revision, steps, summary, drift, diagnostics })
const listOf = <Item extends ReturnType<typeof Type.Object>>(member: string, item: Item) =>
  Type.Object({ [member]: Type.Array(item), total: Type.Integer() })

export const controlPlaneTools: readonly Tool[] = [
  tool({
    name: 'agents_list',
    title: 'List agents',
    description: 'Lists the agents of the team: status, connection, activity and last error.',
    input: closed({ status: Type.Optional(Type.Enum([...AGENT_STATUSES])), limit }),
    output: listOf('agents', AgentLine),
    effect: 'reads',
    call: async ({ limit: most = 20, ...query }, { orchestrator }) => {
      const { items, total } = await orchestrator.listAgents({ query: { ...query, limit: most } })
      return { agents: items.map((agent) => pick(agent, AgentLine)), total }
    },
  }),
  tool({
    name: 'workflow_history',
    title: 'History of a workflow',
    description: 'Lists the tasks that a workflow gave its agent and their outcome, newest first.',
    input: closed({ workflow: Type.String({ minLength: 1, description: 'Name or id of the workflow' }), limit }),
    output: listOf('dispatches', DispatchRecord),
    effect: 'reads',
    next: { 404: 'Use one of the listed workflows.' },
    call: async ({ workflow, limit: most = 20 }, context) => {
      const params = { id: await workflowId(workflow, context) }
      const { orchestrator } = context
      const { items, total } = await orchestrator.listDispatches({ params, query: { limit: most } })
      return { dispatches: items as never[], total }
    },
  }),
  tool({
    name: 'drift_list',
    title: 'List drift',
    description:
      'Lists where live state differs from the manifests: field, desired and live value, who changed it and when. Shows only open drift by default.',
    input: closed({ open: Type.Optional(Type.Boolean({ description: 'false: closed drift; default true' })), limit }),
    output: listOf('drift', Drift),
    effect: 'reads',
    call: async ({ open: isOpen = true, limit: most = 20 }, { controller }) => {
      const { items, total } = await controller.listDrift({ query: { open: isOpen, limit: most } })
      return { drift: items as never[], total }
    },
  }),
  tool({
    name: 'plan_show',
    title: 'Show the plan',
    description:
      'Shows what a pass over a source would change now: steps with file, field, before and after. Changes nothing.',
    input: closed({
      source: Type.Optional(Type.String({ minLength: 1, description: 'Name of the source; default "default"' })),
    }),
    output: Shown,
    effect: 'reads',
    next: { 404: 'Use one of the listed sources.' },
    call: async ({ source: asked = 'default' }, { controller }) => {
      return pick(await controller.plan({ body: { source: asked } }), Shown)
    },
  }),
  tool({
    name: 'why',
    title: 'Why a resource is not Ready',
    description:
      'Shows whether an agent, workflow or policy matches its manifest, and if not, why: conditions, pending change and open drift.',
    input: closed({
      kind: Type.String({ minLength: 1, description: 'agents, workflows or policies' }),
      name: Type.String({ minLength: 1 }),
    }),
    output: Type.Object({
      resource: Type.String(),
      ready: Type.Boolean(),
      because: Type.Array(Type.String(), { description: 'Reasons in sentences; empty if the resource is ready' }),
      conditions: Type.Array(Condition),
      waiting: ResourceDetail.properties.waiting ?? Waiting,
      file: Type.String(),
      line: Type.Integer(),
    }),
    effect: 'reads',
    next: {
      404: 'Only resources declared in a manifest have conditions: for a live agent without a manifest, call agents_list.',
    },
    call: async (params, { controller }) => {
      const { conditions, waiting, file, line, id: resource } = await controller.getResource({ params })
      const ready = conditions.some((each) => each.type === 'Ready' && each.status === 'True')
      return { resource, ready, because: reasons(conditions), conditions, waiting, file, line }
    },
  }),
]

/** `Ready` is a fault unless True; other conditions are faults if True. */
const reasons = (conditions: readonly Condition[]): string[] =>
  conditions
    .filter(({ type, status: is }) => (type === 'Ready' ? is !== 'True' : is === 'True'))
    .map(({ type, status: is, reason, message }) => `${type} is ${is} (${reason}): ${message}`)

const UUID = /^[0-9a-f-]{36}$/i

async function workflowId(given: string, { orchestrator }: ToolContext): Promise<string> {
  if (UUID.test(given)) return given
  const all = await orchestrator.listWorkflows()
  const found = all.find((workflow) => workflow.name === given)
  if (found) return found.id
  if (all.length === 0) throw notFound('workflow', given)
  const names = all.map((workflow) => workflow.name)
  const hint = nearestHint(given, names, `existing workflows: ${names.slice(0, 20).join(', ')}`)
  throw new Problem(404, `workflow ${given} does not exist; ${hint}`)
}
