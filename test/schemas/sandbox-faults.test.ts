import { describe, expect, test } from 'vitest'
import { agentKind, AgentInput } from '../../schemas/agent.ts'
import { checkAgentInput, checkAgentPatch } from '../../schemas/agent/check.ts'
import type { ManifestContext, PathFault } from '../../schemas/kind.ts'
import { checkPolicyInput, policyKind } from '../../schemas/policy.ts'
import { canonicalSandbox } from '../../schemas/sandbox/sandbox.ts'
import { Secret } from '../../schemas/secret.ts'
import { valueCheck } from '../../schemas/validation/fields.ts'
import { shapeOf } from '../../schemas/validation/manifest.ts'
import { workflowKind } from '../../schemas/workflow.ts'

const PATHS: Record<string, PathFault> = {
  '/gone': 'missing',
  '/home/mia/gone': 'missing',
  '/home/mia/.ssh': { closed: '/home/mia/.ssh' },
  '/home/mia/.ssh/keys': { closed: '/home/mia/.ssh' },
}
const context = (more: Partial<ManifestContext> = {}): ManifestContext => ({
  directory: '/repo/manifests/agents',
  project: '/repo',
  home: '/home/mia',
  defaultSandbox: 'auto',
  directoryFault: () => null,
  pathFault: (path) => PATHS[path] ?? null,
  worktreeBase: () => 'working-tree',
  readText: () => ({ fault: 'unreadable' }),
  resolve: () => undefined,
  lookUp: () => undefined,
  placeOf: () => null,
  ...more,
})
const brief = (faults: { code: string; path: unknown[]; severity?: string }[]) =>
  faults.map(({ code, path, severity }) => `${severity === 'warning' ? 'warning ' : ''}${code} ${path.join('.')}`)
const ofAgent = (members: object, more?: Partial<ManifestContext>) =>
  brief(agentKind.check({ name: 'a', working_dir: '/work', runtime: 'scripted', ...members }, context(more)))

describe('the manifest of an agent', () => {
  test.each<[object, string[]]>([
    [{ sandbox: 'on' }, []],
    [
      { sandbox: { write: ['/gone', '/x'], read: ['/gone'], hide: ['/gone'] } },
      ['sandbox-path-missing sandbox.write.0', 'sandbox-path-missing sandbox.read.0'],
    ],
    [{ sandbox: { write: ['~/gone'] } }, ['sandbox-path-missing sandbox.write.0']],
    [{ user: 'builder', sandbox: { write: ['~/gone'] } }, []],
    [
      { sandbox: { write: ['~/.ssh'], read: ['~/.ssh/keys'], hide: ['~/.ssh'] } },
      ['sandbox-path-closed sandbox.write.0', 'sandbox-path-closed sandbox.read.0'],
    ],
    [
      { sandbox: { write: ['/', '~', '/home', '/etc', '/etc/app'] } },
      [0, 1, 2, 3].map((index) => `sandbox-too-wide sandbox.write.${index}`),
    ],
    [{ working_dir: '~', sandbox: 'on' }, ['sandbox-too-wide working_dir']],
    [
      { working_dir: '/', additional_dirs: ['/srv', '/usr'], sandbox: {} },
      ['sandbox-too-wide working_dir', 'sandbox-too-wide additional_dirs.1'],
    ],
    [{ working_dir: '/', worktree: true, sandbox: 'on' }, []],
    [{ working_dir: '/', sandbox: 'auto' }, []],
    [{ working_dir: '/', sandbox: 'off' }, []],
    [{ working_dir: '/' }, []],
    [{ working_dir: '/tmp/x', sandbox: 'on' }, ['warning sandbox-below-tmp working_dir']],
    [{ working_dir: '/tmp/x' }, []],
    [{ env: { API_KEY: 'x', TEAM: 'blue' }, sandbox: 'on' }, ['warning sandbox-network-all sandbox']],
    [{ env: { API_KEY: 'x' }, sandbox: { network: 'none' } }, []],
    [{ env: { API_KEY: 'x' } }, []],
    [{ sandbox: { nested: true } }, ['warning sandbox-nested sandbox.nested']],
    [
      { sandbox: { network: { hosts: ['a.example', 'https://b.example', '*'] } } },
      [1, 2].map((index) => `sandbox-host-invalid sandbox.network.hosts.${index}`),
    ],
    [{ sandbox: { sockets: ['ssh-agent', 'gpg-agent', '/run/app.sock'] } }, []],
    [
      { sandbox: { sockets: ['agent', 'run/x.sock'] } },
      [0, 1].map((index) => `invalid-value sandbox.sockets.${index}`),
    ],
  ])('%j has %j', (members, wanted) => expect(ofAgent(members)).toEqual(wanted))

  test.each([
    'docker',
    '/var/run/docker.sock',
    '/run/containerd/containerd.sock',
    '/run/podman/podman.sock',
    'tmux',
    '/tmp/tmux-1000/default',
    '/run/user/1000/bus',
    '/run/dbus/system_bus_socket',
    '/run/systemd/private',
  ])('never opens the socket %s', (socket) => {
    expect(ofAgent({ sandbox: { sockets: [socket] } })).toEqual(['sandbox-path-closed sandbox.sockets.0'])
  })

  test('never opens a socket of the daemon', () => {
    const more = { pathFault: () => ({ closed: '/data' }) }
    expect(ofAgent({ sandbox: { sockets: ['/data/x.sock'] } }, more)).toEqual(['sandbox-path-closed sandbox.sockets.0'])
  })

  test('is checked under the sandbox that it inherits', () => {
    const lookUp = () => ({ mode: 'allow_all', sandbox: canonicalSandbox({ network: 'none' }) })
    const wide = { working_dir: '/', runtime: 'claude-code' }
    expect(ofAgent({ ...wide, policy: 'p' }, { lookUp, resolve: lookUp })).toEqual([
      'sandbox-too-wide working_dir',
      'sandbox-model-unreachable policy',
    ])
    expect(ofAgent(wide, { defaultSandbox: canonicalSandbox({ network: 'none' }) })).toEqual([
      'sandbox-too-wide working_dir',
      'sandbox-model-unreachable ',
    ])
    expect(ofAgent(wide, { defaultSandbox: null })).toEqual([])
  })

  test.each<[object, boolean]>([
    [{ network: 'all' }, true],
    [{ network: 'none' }, false],
    [{ network: { hosts: ['api.anthropic.com'] } }, true],
    [{ network: { hosts: ['*.anthropic.com'] } }, true],
    [{ network: { hosts: ['api.anthropic.com:8443'] } }, false],
    [{ network: { hosts: [] } }, false],
  ])('lets claude-code reach its model with %j: %j', (sandbox, isReached) => {
    const wanted = isReached ? [] : ['sandbox-model-unreachable sandbox.network']
    expect(ofAgent({ runtime: 'claude-code', sandbox })).toEqual(wanted)
    expect(ofAgent({ sandbox })).toEqual([])
  })

  test('takes the host of the model from the environment, and does not quote it', () => {
    const env = { ANTHROPIC_BASE_URL: new Secret('https://model.example:8443/v1') }
    const sandbox = (host: string) => ({ runtime: 'claude-code', env, sandbox: { network: { hosts: [host] } } })
    expect(ofAgent(sandbox('model.example:8443'))).toEqual([])
    const [fault] = agentKind.check({ name: 'a', working_dir: '/work', ...sandbox('api.anthropic.com') }, context())
    expect(fault).toMatchObject({ code: 'sandbox-model-unreachable' })
    expect(JSON.stringify(fault)).not.toContain('model.example')
    const bedrock = { CLAUDE_CODE_USE_BEDROCK: '1' }
    expect(ofAgent({ ...sandbox('bedrock.example'), env: bedrock })).toEqual([])
    expect(ofAgent({ ...sandbox('a.example'), env: { ANTHROPIC_BASE_URL: '${URL}' } })).toEqual([])
  })
})

describe('a policy and a workflow', () => {
  test('check a sandbox, but not paths below a home that depends on the agent', () => {
    const sandbox = { write: ['/gone', '~/gone', '~/.ssh'], network: { hosts: ['1.2.3.4'] }, nested: true }
    expect(brief(policyKind.check({ name: 'p', mode: 'allow_all', sandbox }, context()))).toEqual([
      'sandbox-host-invalid sandbox.network.hosts.0',
      'sandbox-path-missing sandbox.write.0',
      'sandbox-path-closed sandbox.write.2',
      'warning sandbox-nested sandbox.nested',
    ])
  })

  test('warn of a sandbox that does not apply', () => {
    const workflow = { name: 'w', agent: 'a', policy: 'p', source: { type: 'manual' }, prompt_template: 'x' }
    const withSandbox = (sandbox: unknown) => ({
      lookUp: (kind: string) => (kind === 'policies' ? { mode: 'deny_all', sandbox } : undefined),
    })
    expect(brief(workflowKind.check(workflow, context(withSandbox('off'))))).toEqual([
      'warning sandbox-of-workflow policy',
    ])
    expect(workflowKind.check(workflow, context(withSandbox(null)))).toEqual([])
  })
})

describe('a request', () => {
  const sandbox = { write: ['/a', '~/b', 'c'], read: ['./d'], network: { hosts: ['a b'] } }
  const faults = (at: string) => [
    `invalid-value ${at}.write.2`,
    `invalid-value ${at}.read.0`,
    `sandbox-host-invalid ${at}.network.hosts.0`,
  ]

  test('needs absolute paths or paths below the home', () => {
    expect(brief(checkAgentInput({ name: 'a', working_dir: '/', sandbox }))).toEqual(faults('sandbox'))
    expect(brief(checkAgentPatch({ config: { sandbox } }))).toEqual(faults('config.sandbox'))
    expect(brief(checkPolicyInput({ mode: 'allow_all', sandbox }))).toEqual(faults('sandbox'))
    expect(checkAgentPatch({ sandbox: null })).toEqual([])
  })
})

describe('the schema', () => {
  const shape = shapeOf(agentKind.schema)
  test.each<[unknown, string, string]>([
    [{ hidee: [] }, 'unknown field "hidee" in sandbox', 'did you mean "hide"?'],
    [{ network: { host: [] } }, 'unknown field "host" in sandbox.network', 'did you mean "hosts"?'],
    [{ network: 'al' }, 'sandbox.network should be one of all, none or a mapping, instead got', 'did you mean "all"?'],
    [{ network: {} }, 'hosts', 'add hosts'],
    [{ read: 'al' }, 'sandbox.read should be "all" or a list, instead got', 'did you mean "all"?'],
    [{ nested: 'yes' }, 'sandbox.nested should be true or false', ''],
    ['onn', 'sandbox should be one of auto, on, off or a mapping, instead got', 'did you mean "on"?'],
    [true, 'sandbox should be', ''],
  ])('explains the branch that %j chose', (sandbox, message, hint) => {
    const faults = shape.faults({ name: 'a', working_dir: '/', sandbox })
    expect(faults.map((fault) => fault.message)).toEqual([expect.stringContaining(message)])
    expect(faults[0]!.hint).toContain(hint)
  })

  test('explains requests in the same way', () => {
    const check = valueCheck(AgentInput, 'the body')
    expect(check({ name: 'a', working_dir: '/', sandbox: { hidee: [] } })).toMatchObject([{ path: 'sandbox.hidee' }])
    expect(check({ name: 'a', working_dir: '/', sandbox: 'onn' })).toMatchObject([
      { path: 'sandbox', message: expect.stringContaining('auto, on, off') },
    ])
  })
})
