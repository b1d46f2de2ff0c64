import { describe, expect, test } from 'vitest'
import { agentKind, canonicalAgent } from '../../schemas/agent.ts'
import type { ManifestContext } from '../../schemas/kind.ts'
import { canonical, keyedIn } from '../../schemas/members.ts'
import { policyKind } from '../../schemas/policy.ts'
import {
  canonicalSandbox,
  widensSandbox,
  writtenSandbox,
  type Sandbox,
  type SandboxSpec,
} from '../../schemas/sandbox/sandbox.ts'
import { policyMembers } from '../../schemas/tools/named-policy.ts'
import { PRESETS } from '../../schemas/tools/presets/index.ts'

const PLAIN = { write: [], read: 'all', hide: [], sockets: [], network: { mode: 'all', hosts: [] }, nested: false }

const context = (more: Partial<ManifestContext> = {}): ManifestContext => ({
  directory: '/repo/manifests/agents',
  project: '/repo',
  home: '/home/mia',
  defaultSandbox: 'auto',
  directoryFault: () => null,
  pathFault: () => null,
  worktreeBase: () => null,
  readText: () => ({ fault: 'unreadable' }),
  resolve: () => undefined,
  lookUp: () => undefined,
  placeOf: () => null,
  ...more,
})
const manifest = (members: object) => ({ name: 'a', working_dir: '/work', ...members })
const canonicalOf = (members: object, more?: Partial<ManifestContext>): SandboxSpec =>
  agentKind.canonicalise(manifest(members), context(more)).sandbox
describe('the canonical form', () => {
  test.each<[unknown, unknown]>([
    [undefined, 'auto'],
    ['auto', 'auto'],
    ['off', null],
    ['on', PLAIN],
    [{}, PLAIN],
    [
      { write: ['/b', '/a/', '/a'], hide: ['~/x/../y'] },
      { ...PLAIN, write: ['/a', '/b'], hide: ['~/y'] },
    ],
    [
      { read: ['/srv'], nested: true },
      { ...PLAIN, read: ['/srv'], nested: true },
    ],
    [{ network: 'none' }, { ...PLAIN, network: { mode: 'none', hosts: [] } }],
    [
      { network: { hosts: ['B.example', 'a.example', 'b.example'] } },
      { ...PLAIN, network: { mode: 'hosts', hosts: ['a.example', 'b.example'] } },
    ],
    [{ sockets: ['ssh-agent', 'gpg-agent'] }, { ...PLAIN, sockets: ['gpg-agent', 'ssh-agent'] }],
  ])('of %j is %j, and is kept', (written, wanted) => {
    const spec = canonicalSandbox(written as Sandbox)
    expect(spec).toEqual(wanted)
    expect(canonicalSandbox(spec)).toEqual(spec)
    expect(canonicalSandbox(writtenSandbox(spec))).toEqual(spec)
  })

  test.each<[unknown, unknown]>([
    ['on', 'on'],
    ['off', 'off'],
    ['auto', 'auto'],
    [{ write: [], read: 'all', network: 'all', nested: false }, 'on'],
    [
      { hide: ['/x'], network: { hosts: ['a.example'] } },
      { hide: ['/x'], network: { hosts: ['a.example'] } },
    ],
    [
      { read: [], network: 'none', nested: true },
      { read: [], network: 'none', nested: true },
    ],
  ])('of %j is written as %j', (written, wanted) => {
    expect(writtenSandbox(canonicalSandbox(written as Sandbox))).toEqual(wanted)
  })

  test('makes paths of a manifest absolute and keeps the home of the user', () => {
    const written = { write: ['~/.cargo', '../cache', '.'], read: ['data'], hide: ['~'] }
    expect(canonicalOf({ sandbox: written })).toEqual({
      ...PLAIN,
      write: ['/repo', '/repo/manifests/cache', '~/.cargo'],
      read: ['/repo/manifests/agents/data'],
      hide: ['~'],
    })
  })

  test('compares its lists by element, and restarts the agent', () => {
    expect(keyedIn({ sandbox: policyMembers.sandbox })).toMatchObject({
      'sandbox.hide': '.',
      'sandbox.network.hosts': '.',
    })
    expect(agentKind.change('sandbox.hide[/srv/customers]')).toBe('restart')
  })
})

describe('inheritance', () => {
  const policies = { strict: { network: 'none' }, open: 'off', probed: 'auto', plain: undefined }
  const lookUp = (_kind: string, name: string) => ({
    ...canonical(policyMembers, { mode: 'allow_all', sandbox: policies[name as keyof typeof policies] }),
  })
  const from = (members: object, usual?: SandboxSpec) =>
    canonicalOf(members, { lookUp, resolve: lookUp, ...(usual === undefined ? {} : { defaultSandbox: usual }) })
  const usual = canonicalSandbox({ hide: ['/srv'] })

  test('takes the first that is set: agent, policy, configuration, auto', () => {
    expect(from({})).toBe('auto')
    expect(from({}, usual)).toEqual(usual)
    expect(from({ policy: 'plain' }, usual)).toEqual(usual)
    expect(from({ policy: 'strict' }, usual)).toEqual({ ...PLAIN, network: { mode: 'none', hosts: [] } })
    expect(from({ policy: 'open' }, usual)).toBeNull()
    expect(from({ policy: 'probed' }, usual)).toBe('auto')
    expect(from({ policy: 'strict', sandbox: 'on' }, usual)).toEqual(PLAIN)
    expect(from({ policy: 'strict', sandbox: 'auto' }, usual)).toBe('auto')
  })

  test('takes an object as a whole', () => {
    expect(from({ policy: 'strict', sandbox: { hide: ['/x'] } })).toEqual({ ...PLAIN, hide: ['/x'] })
  })

  test('gives agents stored by earlier versions auto, and a policy stored by them none', () => {
    expect(canonicalOf({ policy: 'old' }, { lookUp: () => ({ mode: 'allow_all' }) })).toBe('auto')
    expect(canonicalAgent({ name: 'a', working_dir: '/' }, { restart: 'never' }).sandbox).toBe('auto')
    expect(canonicalAgent({ name: 'a', working_dir: '/' }, { restart: 'never', sandbox: null }).sandbox).toBeNull()
  })

  test('sets none in a built-in policy', () => {
    expect(PRESETS.map(({ sandbox }) => sandbox)).toEqual(PRESETS.map(() => null))
  })
})

describe('widening', () => {
  const rules = (written: object) => canonicalSandbox(written)
  test.each<[unknown, unknown]>([
    ['auto', 'off'],
    ['on', 'off'],
    ['on', 'auto'],
    [{}, { write: ['/a'] }],
    [{ hide: ['/a'] }, {}],
    [{ read: ['/a'] }, {}],
    [{ read: ['/a'] }, { read: ['/a', '/b'] }],
    [{}, { sockets: ['ssh-agent'] }],
    [{ network: 'none' }, { network: { hosts: ['a.example'] } }],
    [{ network: { hosts: ['a.example'] } }, { network: { hosts: ['a.example', 'b.example'] } }],
    [{ network: { hosts: ['a.example'] } }, {}],
    [{}, { nested: true }],
  ])('%j to %j widens, and the reverse does not', (before, after) => {
    expect(widensSandbox(rules(before as object), rules(after as object))).toBe(true)
    expect(widensSandbox(rules(after as object), rules(before as object))).toBe(false)
  })

  test('of a policy that sets none counts as auto', () => {
    const widens = policyKind.widens.sandbox!
    const specs = { before: {}, after: {} }
    expect(widens(null, 'off', specs)).toBe(true)
    expect(widens(null, PLAIN, specs)).toBe(false)
    expect(widens(PLAIN, null, specs)).toBe(true)
    expect(widens(undefined, PLAIN, specs)).toBe(false)
    expect(widens(undefined, 'off', specs)).toBe(true)
  })
})
