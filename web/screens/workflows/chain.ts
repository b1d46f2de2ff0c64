import type { WorkflowRecord } from '../../../schemas/workflow/record.ts'
import { triggerOf } from './trigger-facts.ts'

type Linked = Pick<WorkflowRecord, 'id' | 'name' | 'trigger_config'>

export interface ChainLink<Workflow extends Linked = Linked> {
  workflow: Workflow
  /** 0 for a start of the chain. */
  depth: number
  /** When its predecessor starts it: "if completed"; empty for a start. */
  condition: string
}

interface Follows {
  /** Id of the workflow that it follows; null: any other one. */
  source: string | null
  condition: string
}

function followsOf(workflow: Linked): Follows | null {
  const { type, source_workflow_id: source, status } = triggerOf(workflow)
  if (type !== 'dispatch_result') return null
  const outcome = typeof status === 'string' ? `if ${status}` : 'after each end'
  return typeof source === 'string'
    ? { source, condition: outcome }
    : { source: null, condition: `after any workflow, ${outcome}` }
}

/** First workflow of the chain of `start`: one that follows none, an unknown one, any one, or only itself. */
function rootOf<Workflow extends Linked>(start: Workflow, byId: ReadonlyMap<string, Workflow>): Workflow {
  const passed = new Set([start.id])
  let root = start
  for (;;) {
    const source = byId.get(followsOf(root)?.source ?? '')
    if (source === undefined || passed.has(source.id)) return root
    passed.add(source.id)
    root = source
  }
}

/**
 * The workflows before and after `start`, in order of their depth-first tree; each is listed once. Those that follow any
 * workflow are further starts. Empty if no workflow is linked with it.
 */
export function chainOf<Workflow extends Linked>(
  workflows: readonly Workflow[],
  start: Workflow,
): ChainLink<Workflow>[] {
  const byId = new Map(workflows.map((workflow) => [workflow.id, workflow]))
  const followers = new Map<string | null, ChainLink<Workflow>[]>()
  for (const workflow of workflows) {
    const follows = followsOf(workflow)
    if (follows === null) continue
    const links = followers.get(follows.source) ?? []
    followers.set(follows.source, links)
    links.push({ workflow, depth: 0, condition: follows.condition })
  }
  const root = rootOf(start, byId)
  const found = new Map<string, ChainLink<Workflow>>()
  const open = [
    { workflow: root, depth: 0, condition: followsOf(root)?.condition ?? '' },
    ...(followers.get(null) ?? []),
  ]
  // The next link is the last one.
  open.reverse()
  for (let link = open.pop(); link !== undefined; link = open.pop()) {
    if (found.has(link.workflow.id)) continue
    found.set(link.workflow.id, link)
    const { depth } = link
    const next = (followers.get(link.workflow.id) ?? []).map((follower) => ({ ...follower, depth: depth + 1 }))
    open.push(...next.reverse())
  }
  return found.size > 1 ? [...found.values()] : []
}
