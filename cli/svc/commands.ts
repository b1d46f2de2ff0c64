import { inGroup, type ProgramSpec } from '../program.ts'

export const svc: ProgramSpec = {
  name: 'svc',
  description: 'Keeps a live team of AI agents equal to the YAML you commit.',
  usual: [
    ['svc status', 'show sources, resources and drift'],
    ['svc reconcile --dry-run', 'show what the next pass would change'],
    ['svc drift', 'show drift and who caused it'],
  ],
  commands: [
    ...inGroup('Work', [
      {
        name: 'init',
        summary: 'Create a first folder of manifests',
        load: () => import('./desired/init.ts'),
      },
      {
        name: 'validate',
        summary: 'Check manifests for errors, without a daemon',
        load: () => import('./desired/validate.ts'),
      },
      {
        name: 'plan',
        summary: 'Show what a folder of manifests would change, or save it',
        load: () => import('./desired/plan.ts'),
      },
      {
        name: 'apply',
        summary: 'Apply a saved plan or a folder of manifests',
        load: () => import('./desired/apply.ts'),
      },
      {
        name: 'reconcile',
        summary: 'Run a pass now: make live state equal to the manifests',
        load: () => import('./desired/reconcile.ts'),
      },
      {
        name: 'export',
        summary: 'Export live state as minimal manifests',
        load: () => import('./desired/export.ts'),
      },
      {
        name: 'policy',
        summary: 'Test policies',
        usual: [
          ['svc policy test policy-cases.yaml', 'run the cases of a file'],
          ['svc policy test policy-cases.yaml -o json', 'print the results as JSON'],
          ['svc validate manifests', 'check the policies themselves'],
        ],
        children: async () => [
          {
            name: 'test',
            summary: 'Test policies with example plans or tool calls',
            load: () => import('./policy/test.ts'),
          },
        ],
      },
    ]),
    ...inGroup('Inspect', [
      { name: 'status', summary: 'Show sources, resources and drift', load: () => import('./live/status.ts') },
      { name: 'open', summary: 'Open the web page in a browser', load: () => import('./live/open.ts') },
      {
        name: 'get',
        summary: 'List resources, or compare desired and live state of one',
        load: () => import('./live/get.ts'),
      },
      {
        name: 'drift',
        summary: 'Show drift and who caused it; revert or accept it',
        load: () => import('./live/drift.ts'),
      },
      {
        name: 'diff',
        summary: 'Show drift as the plan that would revert it',
        load: () => import('./live/diff.ts'),
      },
      {
        name: 'blame',
        summary: 'Show who set each field of a resource',
        load: () => import('./live/blame.ts'),
      },
      {
        name: 'history',
        summary: 'List past runs, or show the steps of one',
        load: () => import('./live/history.ts'),
      },
      {
        name: 'explain',
        summary: 'Describe the fields of a kind',
        load: () => import('./desired/explain.ts'),
      },
    ]),
    ...inGroup('Change', [
      {
        name: 'rollback',
        summary: 'Roll back to a past run and hold it',
        load: () => import('./live/rollback.ts'),
      },
      {
        name: 'suspend',
        summary: 'Suspend a source or a resource',
        load: () => import('./live/suspend.ts').then(({ suspend: define }) => ({ define })),
      },
      {
        name: 'resume',
        summary: 'Resume a suspended, held or contested source or resource',
        load: () => import('./live/suspend.ts').then(({ resume: define }) => ({ define })),
      },
      {
        name: 'sources',
        aliases: ['source'],
        summary: 'Manage manifest sources',
        children: async () => (await import('./live/sources.ts')).sourceCommands,
        usual: [
          ['svc sources', 'list sources and what they own'],
          ['svc sources adopt old --into new', 'move resources to another source'],
          ['svc sources forget old', 'release its resources'],
        ],
      },
    ]),
    ...inGroup('Set up', [
      {
        name: 'serve',
        summary: 'Run the daemon',
        load: () => import('./daemon/serve.ts'),
      },
      {
        name: 'down',
        summary: 'Stop the daemon; agents keep running unless --agents is set',
        load: () => import('./daemon/down.ts'),
      },
      {
        name: 'doctor',
        summary: 'Check this machine and suggest a fix for each problem',
        load: () => import('./daemon/doctor.ts'),
      },
      {
        name: 'settings',
        summary: 'List settings of the daemon with their origins',
        load: () => import('./settings.ts'),
      },
      {
        name: 'token',
        summary: 'Create, list and revoke API tokens',
        usual: [
          ['svc token create mia --role operator', 'create a token and print it once'],
          ['svc token list', 'list tokens'],
          ['svc token revoke mia', 'revoke all tokens of a user'],
        ],
        children: async () => (await import('./token.ts')).tokenCommands,
      },
      {
        name: 'schema',
        summary: 'Print the JSON Schema of a kind',
        load: () => import('./desired/schema.ts'),
      },
      {
        name: 'completion',
        summary: 'Print a completion script for bash, zsh or fish',
        load: () => import('../completion/script.ts'),
      },
      { name: 'version', summary: 'Print the version', load: () => import('./version.ts') },
    ]),
  ],
}
