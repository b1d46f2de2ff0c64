import { inGroup, type ProgramSpec } from '../program.ts'
import { shortVerbs } from './short-verbs.ts'
import { validateTemplate } from './orchestrator/template-entry.ts'

export const agent: ProgramSpec = {
  name: 'agent',
  description: 'Work with the live team: agents, workflows, approvals and notifications.',
  usual: [
    ['agent status', 'show every service and agent'],
    ['agent send planner "What is next?" --wait', 'send a prompt and wait'],
    ['agent inbox', 'list pending decisions'],
  ],
  commands: [
    ...inGroup('Work', [
      { name: 'status', summary: 'Show every service and every agent', load: () => import('./status.ts') },
      {
        name: 'inbox',
        summary: 'List pending decisions of all services',
        load: async () => (await import('./gateway/inbox.ts')).inbox.load!(),
      },
      {
        name: 'apply',
        summary: 'Apply the manifests of a file or folder',
        load: () => import('./apply.ts'),
      },
      {
        name: 'teardown',
        summary: 'Delete the resources that a file or folder declares',
        load: () => import('./teardown.ts'),
      },
    ]),
    ...inGroup('Orchestrator', [
      ...shortVerbs,
      validateTemplate,
      {
        name: 'orchestrator',
        summary: 'Manage agents, workflows, queues and approvals',
        children: async () => (await import('./orchestrator/index.ts')).orchestrator,
        usual: [
          ['agent orchestrator list-agents', 'list agents and their status'],
          ['agent orchestrator list-approvals', 'list pending tool requests'],
          ['agent orchestrator trigger-workflow triage', 'run a workflow now'],
        ],
      },
    ]),
    ...inGroup('Document store', [
      {
        name: 'doc',
        summary: 'Read and write documents',
        children: async () => (await import('./doc/index.ts')).doc,
        usual: [
          ['agent doc list', 'list documents and their tags'],
          ['agent doc read release-plan', 'print a document'],
          ['agent doc search rollback', 'search documents'],
        ],
      },
      {
        name: 'memory',
        summary: 'Share notes between agents and people',
        children: async () => (await import('./memory/index.ts')).memory,
        usual: [
          ['agent memory search "how do we release"', 'search memories'],
          ['agent memory remember "We release on Tuesdays."', 'store a memory'],
          ['agent memory list', 'list memories'],
        ],
      },
      {
        name: 'mcp',
        summary: 'Serve documents, memories and team tools over MCP on stdio',
        load: () => import('./mcp.ts'),
      },
    ]),
    ...inGroup('Other services', [
      {
        name: 'notify',
        summary: 'Create, list and answer notifications',
        children: async () => (await import('./notify/index.ts')).notify,
        usual: [
          ['agent notify list', 'list notifications, newest first'],
          ['agent notify actionable', 'list open notifications'],
          ['agent notify watch', 'follow notifications'],
        ],
      },
      {
        name: 'ask',
        summary: 'List and answer questions',
        children: async () => (await import('./ask/index.ts')).ask,
        usual: [
          ['agent ask list', 'list questions, newest first'],
          ['agent ask answer 1f3c9a2b yes', 'answer; yes runs the action'],
          ['agent ask trigger', 'run all checks now'],
        ],
      },
      {
        name: 'communicate',
        summary: 'Manage rooms and post messages',
        children: async () => (await import('./communicate/index.ts')).communicate,
        usual: [
          ['agent communicate rooms', 'list rooms'],
          ['agent communicate post engineering "It is done."', 'post a message'],
          ['agent communicate watch engineering', 'follow a room'],
        ],
      },
      {
        name: 'index',
        summary: 'Index repositories and search their code',
        children: async () => (await import('./code-index/index.ts')).index,
        usual: [
          ['agent index add-repo --name app --path .', 'index a directory'],
          ['agent index search "token validation"', 'search code by meaning'],
          ['agent index status app --watch', 'follow the indexing'],
        ],
      },
      {
        name: 'monitor',
        summary: 'Show host metrics, alerts and usage per agent',
        children: async () => (await import('./monitor/index.ts')).monitor,
        usual: [
          ['agent monitor status', 'show status and alerts'],
          ['agent monitor watch', 'show live metrics until Ctrl-C'],
          ['agent monitor agents', 'show usage per agent'],
        ],
      },
      {
        name: 'conductor',
        summary: 'Run the pipeline of issues and pull requests',
        children: async () => (await import('./conductor/index.ts')).conductor,
        usual: [
          ['agent conductor run --dry-run', 'list the actions of a run'],
          ['agent conductor runs', 'list runs, newest first'],
          ['agent conductor mark 7 triaged', 'add a label of the pipeline'],
        ],
      },
      {
        name: 'wrap',
        summary: 'Run agent programs in your own terminal sessions',
        children: async () => (await import('./wrap/index.ts')).wrap,
        usual: [
          ['agent wrap launch shop . --agent-type alpha-code', 'start a session'],
          ['agent wrap list', 'list sessions'],
          ['agent wrap delete shop', 'end a session'],
        ],
      },
    ]),
    ...inGroup('Set up', [
      {
        name: 'completion',
        summary: 'Print a completion script for bash, zsh or fish',
        load: () => import('../completion/script.ts'),
      },
    ]),
  ],
}
