// Every command of `agent`, in the order help lists them.
import type { ProgramSpec } from '../program.ts'
import { validateTemplate } from './orchestrator/template-entry.ts'

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
      children: async () => (await import('./orchestrator/index.ts')).orchestrator,
    },
    validateTemplate,
  ],
}
