// Commands of the first hour, in order. ID is the pending approval, RUN the first run.
export interface Typed {
  name: string
  line: string
  /** Exit code; default 0. */
  code?: number
  /** Endless: interrupted once the screen matches. */
  until?: RegExp
  /** A shell condition to wait for. */
  ready?: string
}

const DRIFTED = './bin/svc drift | grep agents/greeter'
const BY_HAND = './bin/agent orchestrator set-policy greeter deny_all'
const RULE = (drift: string) =>
  `printf 'sync: { drift: ${drift} }\\n' >> manifests/agents/greeter.yml; ./bin/svc reconcile`
const BACK = 'git checkout --quiet manifests; ./bin/svc reconcile'
const PIPED = "printf 'kind: Policy\\nname: piped\\nmode: deny_all\\n'"

const TALK: readonly Typed[] = [
  { name: 'help', line: './bin/svc --help' },
  { name: 'agent-help', line: './bin/agent --help' },
  { name: 'agent-status', line: './bin/agent status' },
  { name: 'list-approvals', line: './bin/agent orchestrator list-approvals' },
  { name: 'approve', line: './bin/agent approve ID' },
  { name: 'approve-again', line: './bin/agent approve ID', code: 1 },
  { name: 'send', line: './bin/agent send greeter "What is next?" --wait' },
  { name: 'trigger', line: './bin/agent orchestrator trigger-workflow hello --title "good morning" --wait' },
  { name: 'stream', line: './bin/agent stream --all --since 10m', until: /workflow hello is\s+completed/ },
  { name: 'messages', line: './bin/agent orchestrator messages greeter' },
  { name: 'logs', line: './bin/agent logs greeter --lines 5' },
  { name: 'list-agents', line: './bin/agent orchestrator list-agents' },
  { name: 'get-agent', line: './bin/agent orchestrator get-agent greeter' },
  { name: 'list-workflows', line: './bin/agent orchestrator list-workflows' },
  { name: 'history-of-workflow', line: './bin/agent orchestrator workflow-history hello' },
  {
    name: 'program-missing',
    line: './bin/agent orchestrator create-agent --name lost --runtime command --command no-such-program',
    code: 1,
  },
  { name: 'agent-status-lost', line: './bin/agent status', code: 1 },
  { name: 'delete-lost', line: './bin/agent orchestrator delete-agent lost --purge' },
]

const DRIFT: readonly Typed[] = [
  { name: 'dry-run', line: './bin/svc reconcile --dry-run' },
  { name: 'set-policy', line: BY_HAND },
  { name: 'drift', line: './bin/svc drift', ready: DRIFTED },
  { name: 'diff', line: './bin/svc diff' },
  { name: 'status', line: './bin/svc status' },
  { name: 'get-drifted', line: './bin/svc get agents/greeter' },
  { name: 'blame', line: './bin/svc blame agents/greeter' },
  { name: 'keep-drift', line: './bin/svc reconcile --keep-drift' },
  { name: 'accept', line: './bin/svc drift accept agents/greeter' },
  { name: 'revert', line: './bin/svc drift revert --all' },
  { name: 'suspend', line: './bin/svc suspend agents/greeter' },
  { name: 'set-policy-suspended', line: BY_HAND },
  { name: 'reconcile-suspended', line: './bin/svc reconcile', ready: DRIFTED },
  { name: 'status-suspended', line: './bin/svc status' },
  { name: 'resume', line: './bin/svc resume agents/greeter' },
  { name: 'accept-write', line: './bin/svc drift accept agents/greeter --write', ready: DRIFTED },
  { name: 'accepted', line: './bin/svc reconcile' },
  { name: 'git-back', line: BACK },
  { name: 'block', line: RULE('block') },
  { name: 'blocked', line: BY_HAND, code: 1 },
  { name: 'block-back', line: BACK },
  { name: 'heal', line: RULE('heal') },
  {
    name: 'contested',
    line: './bin/svc status',
    // Repeats the change until the field is contested.
    ready: `./bin/svc status | grep contested || { ${BY_HAND}; false; }`,
  },
  { name: 'get-contested', line: './bin/svc get agents' },
  { name: 'resume-contested', line: './bin/svc resume agents/greeter' },
  { name: 'heal-back', line: BACK },
]

const LOOK: readonly Typed[] = [
  { name: 'get', line: './bin/svc get all' },
  { name: 'get-one', line: './bin/svc get agents/greeter' },
  { name: 'get-several', line: './bin/svc get policies,agents/greeter' },
  { name: 'get-yaml', line: './bin/svc get policies/read-tools -o yaml' },
  { name: 'get-watch', line: './bin/svc get agents --watch', until: /agents\/scribe/ },
  { name: 'status-watch', line: './bin/svc status --watch', until: /no drift/ },
  { name: 'sources', line: './bin/svc sources' },
  { name: 'history', line: './bin/svc history --limit 3' },
  { name: 'history-of-run', line: './bin/svc history RUN' },
  { name: 'rollback', line: './bin/svc rollback RUN', code: 1 },
  { name: 'explain', line: './bin/svc explain agents.tool_policy' },
  { name: 'explain-kind', line: './bin/svc explain workflows' },
  { name: 'mistake', line: './bin/svc get agent/greter', code: 1 },
  { name: 'mistaken-agent', line: './bin/agent send greter hello', code: 1 },
  { name: 'mistaken-source', line: './bin/svc suspend team', code: 1 },
  { name: 'mistaken-command', line: './bin/svc reconcil', code: 64 },
  { name: 'mistaken-option', line: './bin/svc reconcile --dry', code: 64 },
]

const BEGIN: readonly Typed[] = [
  { name: 'validate', line: './bin/svc validate manifests' },
  { name: 'init', line: './bin/svc init ~/team' },
  { name: 'init-again', line: './bin/svc init ~/team', code: 1 },
  { name: 'faults', line: 'sed -i s/scripted/scriptde/ ~/team/agents/helper.yml; ./bin/svc validate ~/team', code: 1 },
  { name: 'plan', line: 'sed -i s/scriptde/scripted/ ~/team/agents/helper.yml; ./bin/svc plan ~/team' },
  { name: 'apply', line: './bin/svc apply ~/team --wait' },
  { name: 'orphan', line: 'rm ~/team/workflows/greet.yml; ./bin/svc apply ~/team' },
  { name: 'prune', line: './bin/svc apply ~/team --prune' },
  { name: 'teardown', line: './bin/agent teardown ~/team; rm -r ~/team' },
  { name: 'apply-stdin', line: `${PIPED} | ./bin/svc apply -f -` },
  { name: 'teardown-stdin', line: `${PIPED} | ./bin/agent teardown -f -` },
  { name: 'export', line: './bin/svc export --kind policies' },
  { name: 'export-folder', line: './bin/svc export ~/now' },
  { name: 'export-again', line: './bin/svc export ~/now; rm -r ~/now' },
  { name: 'init-from-live', line: './bin/svc init ~/live --from-live' },
  { name: 'plan-from-live', line: './bin/svc plan ~/live; rm -r ~/live' },
]

export const HOUR: readonly Typed[] = [...TALK, ...DRIFT, ...LOOK, ...BEGIN]
