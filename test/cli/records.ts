// Records as the API gives them, for tests of commands.
import type { AgentRecord } from '../../schemas/agent.ts'
import type { Approval } from '../../schemas/approval.ts'
import type { Plan, PlanStep } from '../../schemas/plan.ts'
import type { Condition, Drift, Resource } from '../../schemas/resource.ts'
import type { Run, RunStep } from '../../schemas/run.ts'
import type { Source } from '../../schemas/source.ts'
import type { DispatchRecord, WorkflowRecord } from '../../schemas/workflow.ts'

const AT = '2030-01-01T00:00:00.000Z'
export const AGENT_ID = '11111111-1111-4111-8111-111111111111'
export const OTHER_ID = '22222222-2222-4222-8222-222222222222'
export const WORKFLOW_ID = '33333333-3333-4333-8333-333333333333'
export const APPROVAL_ID = '44444444-4444-4444-8444-444444444444'

export function agentRecord(over: Partial<AgentRecord> = {}): AgentRecord {
  const config = {
    working_dir: '/work',
    user: null,
    shell: 'zsh',
    interactive: false,
    prompt: null,
    worktree: false,
    system_prompt: null,
    tool_policy: { mode: 'allow_all' },
    additional_dirs: [],
    model: null,
    env: {},
    rooms: [],
    runtime: 'scripted',
    command: null,
    auto_clear_threshold: null,
    max_cost_usd: null,
    restart: 'always',
  }
  return {
    id: AGENT_ID,
    name: 'planner',
    status: 'running',
    config,
    mux_session: `svc-orch-${AGENT_ID}`,
    activity: 'idle',
    connected: true,
    restarts: 0,
    last_error: null,
    warnings: [],
    managed_by: null,
    created_at: AT,
    updated_at: AT,
    ...over,
  } as AgentRecord
}

export function workflowRecord(over: Partial<WorkflowRecord> = {}): WorkflowRecord {
  return {
    id: WORKFLOW_ID,
    name: 'triage',
    agent_id: AGENT_ID,
    trigger_config: { type: 'manual' },
    prompt_template: 'Look at {{title}}',
    poll_interval_secs: 60,
    enabled: true,
    tool_policy: { mode: 'auto' },
    warnings: [],
    created_at: AT,
    updated_at: AT,
    ...over,
  }
}

export function approvalRecord(over: Partial<Approval> = {}): Approval {
  return {
    id: APPROVAL_ID,
    agent_id: AGENT_ID,
    request_id: 'q-1',
    tool_name: 'Bash',
    tool_input: { command: 'ls' },
    status: 'pending',
    created_at: AT,
    expires_at: AT,
    decided_at: null,
    decided_by: null,
    reason: null,
    ...over,
  }
}

export function dispatchRecord(over: Partial<DispatchRecord> = {}): DispatchRecord {
  return {
    id: OTHER_ID,
    workflow_id: WORKFLOW_ID,
    source_id: 'manual:1',
    agent_id: AGENT_ID,
    prompt_sent: 'Look',
    status: 'pending',
    trigger_type: 'manual',
    attempt: 1,
    error: null,
    result: null,
    usage: null,
    created_at: AT,
    dispatched_at: null,
    completed_at: null,
    ...over,
  }
}

export function sourceRecord(over: Partial<Source> = {}): Source {
  return {
    name: 'default',
    type: 'directory',
    location: '/team',
    revision: 'abc',
    observed_at: AT,
    sync: { mode: 'auto', drift: 'report', prune: true, max_delete: '20%' },
    suspended: false,
    error: null,
    ...over,
  }
}

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

export function runStep(over: Partial<RunStep> = {}): RunStep {
  return {
    kind: 'agents',
    name: 'planner',
    action: 'create',
    status: 'done',
    live_id: AGENT_ID,
    error: null,
    started_at: AT,
    ended_at: '2030-01-01T00:00:00.400Z',
    ...over,
  }
}

export function runOf(over: Partial<Run> = {}): Run {
  return {
    id: '55555555-5555-4555-8555-555555555555',
    source: 'default',
    revision: 'abc',
    status: 'succeeded',
    actor: 'tester',
    started_at: AT,
    ended_at: '2030-01-01T00:00:01.500Z',
    steps: [],
    summary: planOf().summary,
    error: null,
    ...over,
  }
}

export function resourceRecord(over: Partial<Resource> = {}, ready: Partial<Condition> = {}): Resource {
  return {
    kind: 'agents',
    name: 'planner',
    id: 'agents/planner',
    source: 'default',
    file: 'agents/planner.yml',
    line: 1,
    desired_hash: 'd',
    live_id: AGENT_ID,
    conditions: [
      {
        type: 'Ready',
        status: 'True',
        reason: 'Healthy',
        message: 'connected and idle',
        revision: 'abc',
        observed_at: AT,
        ...ready,
      },
    ],
    observed_at: AT,
    revision: 'abc',
    ...over,
  }
}

export function driftRecord(over: Partial<Drift> = {}): Drift {
  return {
    kind: 'agents',
    name: 'planner',
    path: 'tool_policy.mode',
    desired: 'allow_all',
    live: 'deny_all',
    last_applied: 'allow_all',
    actor: 'alice',
    request_id: 'r-7',
    endpoint: 'PUT /agents/{id}/policy',
    first_seen: AT,
    last_seen: AT,
    resolution: null,
    ...over,
  }
}
