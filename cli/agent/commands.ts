// Every command of `agent`, in the order help lists them.
import type { CommandEntry, ProgramSpec } from '../program.ts'

const validateTemplate: CommandEntry = {
  name: 'validate-template',
  summary: 'check a prompt template: unclosed, empty, unknown variables',
  load: () => import('./orchestrator/validate-template.ts'),
}

const orchestrator: readonly CommandEntry[] = [
  { name: 'create-agent', summary: 'launch an agent', load: () => import('./orchestrator/create-agent.ts') },
  { name: 'list-agents', summary: 'list agents, newest first', load: () => import('./orchestrator/list-agents.ts') },
  { name: 'get-agent', summary: 'show an agent', load: () => import('./orchestrator/get-agent.ts') },
  {
    name: 'delete-agent',
    summary: 'terminate an agent; its record is kept unless purged',
    load: () => import('./orchestrator/delete-agent.ts'),
  },
  {
    name: 'restart-agent',
    summary: 'same agent, new process: takes up what changed',
    load: () => import('./orchestrator/restart-agent.ts'),
  },
  {
    name: 'send-message',
    summary: 'send an agent its next prompt',
    load: () => import('./orchestrator/send-message.ts'),
  },
  {
    name: 'stream',
    summary: 'watch what an agent, or all of them, say and do',
    load: () => import('./orchestrator/stream.ts'),
  },
  { name: 'attach', summary: 'look at the terminal of an agent', load: () => import('./orchestrator/attach.ts') },
  {
    name: 'logs',
    summary: 'print the last lines of an agent’s terminal',
    load: () => import('./orchestrator/logs.ts'),
  },
  { name: 'usage', summary: 'tokens and cost of an agent', load: () => import('./orchestrator/usage.ts') },
  { name: 'clear-context', summary: 'begin a new conversation', load: () => import('./orchestrator/clear-context.ts') },
  { name: 'interrupt', summary: 'stop what an agent is doing now', load: () => import('./orchestrator/interrupt.ts') },
  {
    name: 'add-dir',
    summary: 'let an agent use one more directory, from its next start',
    load: () => import('./orchestrator/add-dir.ts'),
  },
  {
    name: 'remove-dir',
    summary: 'take a directory back, from the next start',
    load: () => import('./orchestrator/remove-dir.ts'),
  },
  {
    name: 'get-policy',
    summary: 'show which tools an agent may use',
    load: () => import('./orchestrator/get-policy.ts'),
  },
  {
    name: 'set-policy',
    summary: 'say which tools an agent may use, at once',
    load: () => import('./orchestrator/set-policy.ts'),
  },
  {
    name: 'list-approvals',
    summary: 'tool requests that wait, or waited, for a person',
    load: () => import('./orchestrator/list-approvals.ts'),
  },
  { name: 'approve', summary: 'let a held tool request go on', load: () => import('./orchestrator/approve.ts') },
  { name: 'deny', summary: 'refuse a held tool request', load: () => import('./orchestrator/deny.ts') },
  {
    name: 'create-workflow',
    summary: 'pair an agent with a trigger and a prompt template',
    load: () => import('./orchestrator/create-workflow.ts'),
  },
  {
    name: 'list-workflows',
    summary: 'list workflows, newest first',
    load: () => import('./orchestrator/list-workflows.ts'),
  },
  { name: 'get-workflow', summary: 'show a workflow', load: () => import('./orchestrator/get-workflow.ts') },
  {
    name: 'update-workflow',
    summary: 'change a workflow, at once',
    load: () => import('./orchestrator/update-workflow.ts'),
  },
  { name: 'delete-workflow', summary: 'remove a workflow', load: () => import('./orchestrator/delete-workflow.ts') },
  {
    name: 'trigger-workflow',
    summary: 'give a workflow a task by hand',
    load: () => import('./orchestrator/trigger-workflow.ts'),
  },
  {
    name: 'workflow-history',
    aliases: ['dispatch-history'],
    summary: 'the dispatches of a workflow, newest first',
    load: () => import('./orchestrator/workflow-history.ts'),
  },
  validateTemplate,
  {
    name: 'health',
    summary: 'whether the orchestrator answers, and how it is',
    load: () => import('./orchestrator/health.ts'),
  },
]

export const agent: ProgramSpec = {
  name: 'agent',
  description: 'Talks to the live team: agents, workflows, policies and approvals.',
  commands: [
    {
      name: 'apply',
      summary: 'make live equal to the manifests of a file or folder',
      load: () => import('./apply.ts'),
    },
    {
      name: 'teardown',
      summary: 'remove what the manifests of a file or folder name',
      load: () => import('./teardown.ts'),
    },
    { name: 'status', summary: 'every service and every agent at a glance', load: () => import('./status.ts') },
    {
      name: 'orchestrator',
      summary: 'agents, workflows, tool policies and approvals, one verb each',
      children: orchestrator,
    },
    validateTemplate,
  ],
}
