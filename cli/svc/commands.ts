// Every command of `svc`, in the order help lists them.
import type { ProgramSpec } from '../program.ts'

export const svc: ProgramSpec = {
  name: 'svc',
  description: 'Keeps a live team of AI agents equal to the YAML you commit.',
  usual: [
    ['svc status', 'sources, resources and drift at a glance'],
    ['svc reconcile --dry-run', 'what the next pass would change'],
    ['svc drift', 'what was changed by hand, and by whom'],
  ],
  commands: [
    {
      name: 'serve',
      summary: 'run the daemon: services, controller, and the sources it converges',
      load: () => import('./daemon/serve.ts'),
    },
    {
      name: 'reconcile',
      summary: 'one pass now: make live equal to the manifests, or show what would change',
      load: () => import('./desired/reconcile.ts'),
    },
    {
      name: 'init',
      summary: 'make a first folder of manifests: an agent, a policy, a workflow',
      load: () => import('./desired/init.ts'),
    },
    {
      name: 'plan',
      summary: 'show what a folder of manifests would change, and keep the plan as a file',
      load: () => import('./desired/plan.ts'),
    },
    {
      name: 'apply',
      summary: 'apply a saved plan if it still holds, or a folder of manifests',
      load: () => import('./desired/apply.ts'),
    },
    {
      name: 'validate',
      summary: 'find every fault in manifests, without a daemon',
      load: () => import('./desired/validate.ts'),
    },
    {
      name: 'policy',
      summary: 'rules over plans: try them on examples',
      usual: [
        ['svc policy test policy-cases.yaml', 'hold plans against the rules'],
        ['svc policy test policy-cases.yaml -o json', 'for a program'],
        ['svc validate manifests', 'faults of the rules themselves'],
      ],
      children: async () => [
        {
          name: 'test',
          summary: 'hold example plans against the plan policies of a source, without a daemon',
          load: () => import('./policy/test.ts'),
        },
      ],
    },
    {
      name: 'drift',
      summary: 'what was changed on the live system and by whom; put it back',
      load: () => import('./live/drift.ts'),
    },
    {
      name: 'diff',
      summary: 'what differs from what was last applied, as the plan that would put it back',
      load: () => import('./live/diff.ts'),
    },
    { name: 'status', summary: 'sources, resources and drift at a glance', load: () => import('./live/status.ts') },
    {
      name: 'sources',
      aliases: ['source'],
      summary: 'where manifests come from; whose the resources of a source shall be that is read no more',
      children: async () => (await import('./live/sources.ts')).sourceCommands,
      usual: [
        ['svc sources', 'every source, and what it owns'],
        ['svc sources adopt old --into new', 'hand over what it owns'],
        ['svc sources forget old', 'own nothing of it any more'],
      ],
    },
    {
      name: 'suspend',
      summary: 'leave a source, or one resource, alone until it is resumed',
      load: () => import('./live/suspend.ts').then(({ suspend: define }) => ({ define })),
    },
    {
      name: 'resume',
      summary: 'go on with what is suspended, held or contested',
      load: () => import('./live/suspend.ts').then(({ resume: define }) => ({ define })),
    },
    {
      name: 'get',
      summary: 'list the resources of a kind, or show one side by side',
      load: () => import('./live/get.ts'),
    },
    {
      name: 'blame',
      summary: 'who set each member of a resource: its manifest, somebody on the live system, or nobody',
      load: () => import('./live/blame.ts'),
    },
    {
      name: 'history',
      summary: 'the runs on record, newest first, or the steps of one',
      load: () => import('./live/history.ts'),
    },
    {
      name: 'rollback',
      summary: 'make live as a past run had it, and hold it so until something newer comes',
      load: () => import('./live/rollback.ts'),
    },
    {
      name: 'export',
      summary: 'what is live, as the shortest manifests that say it',
      load: () => import('./desired/export.ts'),
    },
    {
      name: 'explain',
      summary: 'what a member of a kind means: its type, its values, what changing it costs',
      load: () => import('./desired/explain.ts'),
    },
    {
      name: 'schema',
      summary: 'print the JSON Schema of a kind, for editors',
      load: () => import('./desired/schema.ts'),
    },
    {
      name: 'doctor',
      summary: 'look at this machine and name what is missing, each with its fix',
      load: () => import('./daemon/doctor.ts'),
    },
    {
      name: 'down',
      summary: 'stop the running daemon; its agents live on unless told otherwise',
      load: () => import('./daemon/down.ts'),
    },
    {
      name: 'token',
      summary: 'who may ask with a token, and in which role',
      usual: [
        ['svc token create mia --role operator', 'make a token, and print it once'],
        ['svc token list', 'who has one'],
        ['svc token revoke mia', 'end every token of a name'],
      ],
      children: async () => (await import('./token.ts')).tokenCommands,
    },
    {
      name: 'completion',
      summary: 'print the completion of the command for bash, zsh or fish',
      load: () => import('../completion/script.ts'),
    },
    { name: 'version', summary: 'print the version', load: () => import('./version.ts') },
  ],
}
