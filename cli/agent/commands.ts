// Every command of `agent`, in the order help lists them.
import type { ProgramSpec } from '../program.ts'
import { shortVerbs } from './short-verbs.ts'
import { validateTemplate } from './orchestrator/template-entry.ts'

export const agent: ProgramSpec = {
  name: 'agent',
  description: 'Talks to the live team: agents, workflows, policies, approvals and notifications.',
  usual: [
    ['agent status', 'every service and every agent'],
    ['agent send planner "What is next?" --wait', 'a prompt, and its answer'],
    ['agent orchestrator list-approvals', 'what waits for you'],
  ],
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
      children: async () => (await import('./orchestrator/index.ts')).orchestrator,
      usual: [
        ['agent orchestrator list-agents', 'the agents, and how they are'],
        ['agent orchestrator list-approvals', 'what waits for you'],
        ['agent orchestrator trigger-workflow triage', 'a task by hand'],
      ],
    },
    ...shortVerbs,
    {
      name: 'notify',
      summary: 'what happened and what needs an answer: notifications, one verb each',
      children: async () => (await import('./notify/index.ts')).notify,
      usual: [
        ['agent notify list', 'what happened, newest first'],
        ['agent notify actionable', 'what needs an answer, the most urgent first'],
        ['agent notify watch', 'each as it comes'],
      ],
    },
    {
      name: 'wrap',
      summary: 'agent programs in terminal sessions of your own, one verb each',
      children: async () => (await import('./wrap/index.ts')).wrap,
      usual: [
        ['agent wrap launch shop . --agent-type alpha-code', 'a session of your own'],
        ['agent wrap list', 'the sessions there are'],
        ['agent wrap delete shop', 'end one'],
      ],
    },
    {
      name: 'ask',
      summary: 'what the system asks you, and your answers, one verb each',
      children: async () => (await import('./ask/index.ts')).ask,
      usual: [
        ['agent ask list', 'what was asked, newest first'],
        ['agent ask answer 1f3c9a2b yes', 'answer one; yes is acted on'],
        ['agent ask trigger', 'look now for something to ask'],
      ],
    },
    {
      name: 'monitor',
      summary: 'how the machine is: figures, alerts and what the agents take, one verb each',
      children: async () => (await import('./monitor/index.ts')).monitor,
      usual: [
        ['agent monitor status', 'how the machine is, and its alerts'],
        ['agent monitor watch', 'the figures, drawn anew until Ctrl-C'],
        ['agent monitor agents', 'what each agent takes'],
      ],
    },
    {
      name: 'communicate',
      summary: 'rooms where people and agents talk, one verb each',
      children: async () => (await import('./communicate/index.ts')).communicate,
      usual: [
        ['agent communicate rooms', 'all rooms'],
        ['agent communicate post engineering "It is done."', 'say something'],
        ['agent communicate watch engineering', 'what is said, live'],
      ],
    },
    {
      name: 'doc',
      summary: 'documents that people and agents keep, one verb each',
      children: async () => (await import('./doc/index.ts')).doc,
      usual: [
        ['agent doc list', 'documents, and their tags'],
        ['agent doc read release-plan', 'one, as it is written'],
        ['agent doc search rollback', 'those that speak of it'],
      ],
    },
    {
      name: 'memory',
      summary: 'notes that agents and people leave one another, one verb each',
      children: async () => (await import('./memory/index.ts')).memory,
      usual: [
        ['agent memory search "how do we release"', 'what is known of it'],
        ['agent memory remember "We release on Tuesdays."', 'leave a note'],
        ['agent memory list', 'the notes, newest first'],
      ],
    },
    {
      name: 'mcp',
      summary:
        'tools over documents, memories and the team, by the Model Context Protocol on standard input and output',
      load: () => import('./mcp.ts'),
    },
    {
      name: 'index',
      summary: 'code found by what it does: repositories and searches, one verb each',
      children: async () => (await import('./code-index/index.ts')).index,
      usual: [
        ['agent index add-repo --name app --path .', 'register a directory'],
        ['agent index search "check of a token"', 'find code by what it does'],
        ['agent index status app --watch', 'how far its indexing is'],
      ],
    },
    validateTemplate,
    {
      name: 'completion',
      summary: 'print the completion of the command for bash, zsh or fish',
      load: () => import('../completion/script.ts'),
    },
  ],
}
