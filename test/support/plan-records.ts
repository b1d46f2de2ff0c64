import type { Plan, PlanStep } from '../../schemas/plan.ts'
import type { Drift } from '../../schemas/resource.ts'

const AT = '2030-01-01T00:00:00.000Z'

export function planStep(over: Partial<PlanStep> = {}): PlanStep {
  return {
    kind: 'agents',
    name: 'planner',
    action: 'update',
    reason: 'the manifest changed',
    changes: [],
    file: 'agents/planner.yml',
    line: 7,
    column: 1,
    interrupts: null,
    ...over,
  }
}

export function planOf(over: Partial<Plan> = {}): Plan {
  const steps = over.steps ?? []
  const summary = { create: 0, update: 0, restart: 0, replace: 0, adopt: 0, delete: 0, unchanged: 4 }
  for (const step of steps) summary[step.action]++
  return {
    id: 'p',
    hash: 'h',
    source: 'default',
    revision: 'abc',
    created_at: AT,
    steps,
    summary,
    drift: [],
    diagnostics: [],
    guard: null,
    preconditions: {},
    root: null,
    ...over,
  }
}

export function driftRecord(over: Partial<Drift> = {}): Drift {
  return {
    id: '00000000-0000-4000-8000-000000000001',
    kind: 'agents',
    name: 'planner',
    path: 'tool_policy.mode',
    desired: 'allow_all',
    live: 'deny_all',
    last_applied: 'allow_all',
    actor: 'alice',
    request_id: 'r-7',
    endpoint: 'PUT /agents/{id}/policy',
    writers: [{ actor: 'alice', request_id: 'r-7', endpoint: 'PUT /agents/{id}/policy', at: AT }],
    first_seen: AT,
    last_seen: AT,
    resolution: null,
    ...over,
  }
}
