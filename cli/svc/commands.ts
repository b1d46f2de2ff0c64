// Every command of `svc`, in the order help lists them.
import type { ProgramSpec } from '../program.ts'

export const svc: ProgramSpec = {
  name: 'svc',
  description: 'Keeps a live team of AI agents equal to the YAML you commit.',
  commands: [
    {
      name: 'serve',
      summary: 'run the daemon: services, controller, and the sources it converges',
      load: () => import('./serve.ts'),
    },
    {
      name: 'reconcile',
      summary: 'one pass now: make live equal to the manifests, or show what would change',
      load: () => import('./reconcile.ts'),
    },
    {
      name: 'plan',
      summary: 'show what a folder of manifests would change, and keep the plan as a file',
      load: () => import('./plan.ts'),
    },
    {
      name: 'apply',
      summary: 'apply a saved plan if it still holds, or a folder of manifests',
      load: () => import('./apply.ts'),
    },
    {
      name: 'validate',
      summary: 'find every fault in manifests, without a daemon',
      load: () => import('./validate.ts'),
    },
    {
      name: 'drift',
      summary: 'what was changed on the live system and by whom; put it back',
      load: () => import('./drift.ts'),
    },
    { name: 'status', summary: 'sources, resources and drift at a glance', load: () => import('./status.ts') },
    { name: 'get', summary: 'list the resources of a kind, or show one side by side', load: () => import('./get.ts') },
    {
      name: 'history',
      summary: 'the runs on record, newest first, or the steps of one',
      load: () => import('./history.ts'),
    },
    { name: 'schema', summary: 'print the JSON Schema of a kind, for editors', load: () => import('./schema.ts') },
    {
      name: 'doctor',
      summary: 'look at this machine and name what is missing, each with its fix',
      load: () => import('./doctor.ts'),
    },
    {
      name: 'down',
      summary: 'stop the running daemon; its agents live on unless told otherwise',
      load: () => import('./down.ts'),
    },
    {
      name: 'token',
      summary: 'who may ask with a token, and in which role',
      children: async () => [
        {
          name: 'create',
          summary: 'make a token, and print it once',
          load: () => import('./token.ts').then(({ create: define }) => ({ define })),
        },
        {
          name: 'list',
          summary: 'who has one',
          load: () => import('./token.ts').then(({ list: define }) => ({ define })),
        },
        {
          name: 'revoke',
          summary: 'end every token of a name',
          load: () => import('./token.ts').then(({ revoke: define }) => ({ define })),
        },
      ],
    },
    { name: 'version', summary: 'print the version', load: () => import('./version.ts') },
  ],
}
