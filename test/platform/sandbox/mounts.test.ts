// Faults, and properties of every plan.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SandboxFault } from '../../../platform/sandbox/fault.ts'
import { planMounts, type MountPlan } from '../../../platform/sandbox/mounts.ts'
import { isReplaced } from '../../../platform/sandbox/system-paths.ts'
import { isForAgents, isWithin } from '../../../platform/files/within.ts'
import type { LaunchSandbox } from '../../../schemas/sandbox/sandbox.ts'
import { sandboxOf } from './enclosure.ts'
import { CLOSED, DATA, fakeHost, HOME, PROJECT, SYSTEM } from './fake-host.ts'

const LINKS = {
  ...SYSTEM,
  '/home/u/project/keys': '-> /home/u/.ssh',
  '/home/u/project/outer': '-> /home/u/other',
  '/home/u/project/set': '-> manifests',
  '/home/u/.local/share/svc/worktrees/one/two': '-> ../two',
  '/data': '-> /home/u/.local/share/svc',
} as const

const planOf = (members: Partial<LaunchSandbox>): MountPlan =>
  planMounts(sandboxOf({ closed: CLOSED, ...members }, '/private'), fakeHost(LINKS), { home: HOME, programs: [] })

function faultOf(members: Partial<LaunchSandbox>): SandboxFault {
  try {
    planOf(members)
  } catch (fault) {
    return fault as SandboxFault
  }
  throw new Error('there is no fault')
}

describe('refuses', () => {
  test.each(['/', HOME, '/home', '/etc', '/usr', '/var', '/tmp', '/run', '~', '/proc'])('%s as writable', (path) => {
    const fault = faultOf({ write: [path] })
    expect(fault).toMatchObject({ code: 'sandbox-too-wide', hint: expect.stringContaining('sandbox: off') })
    expect(fault.message).toMatch(/it holds (files of the system|the home directory)/)
  })

  test.each([
    [`${HOME}/.ssh`, `${HOME}/.ssh`],
    ['~/.ssh/id', `${HOME}/.ssh`],
    [DATA, DATA],
    [`${DATA}/key`, DATA],
    [`${DATA}/worktrees`, DATA],
    ['/proc/1', '/proc'],
    ['/run/nscd', '/run'],
    ['/etc/shadow', '/etc/shadow'],
  ])('%s, which is closed, as writable', (path, closed) => {
    const fault = faultOf({ write: [path] })
    expect(fault).toMatchObject({ code: 'sandbox-path-closed', hint: expect.stringContaining('copy') })
    expect(fault.message).toContain(`${closed}, which is closed`)
  })

  test('a closed path in the list of readable paths', () => {
    expect(faultOf({ read: ['~/.ssh'] })).toMatchObject({ code: 'sandbox-path-closed' })
    expect(faultOf({ read: ['/proc/1'] })).toMatchObject({ code: 'sandbox-path-closed' })
  })

  test('paths that are missing', () => {
    expect(faultOf({ write: ['/missing'] })).toMatchObject({
      code: 'sandbox-path-missing',
      message: expect.stringMatching(/^sandbox\.write: \/missing does not exist/),
      hint: 'create it, or take it out of sandbox.write',
    })
    expect(faultOf({ read: ['/missing'] }).message).toMatch(/^sandbox\.read/)
    expect(faultOf({ sockets: ['/missing'] }).message).toMatch(/^sandbox\.sockets/)
  })

  test.each(['/run/docker.sock', '/tmp/tmux-1000/default', '/etc/hosts'])('%s as a socket', (path) => {
    const fault = faultOf({ sockets: [path] })
    expect(fault.code).toBe('sandbox-path-closed')
    expect(fault.message).toMatch(/it is (a container|a terminal|a file that is no socket)/)
  })

  test('a socket as a writable path', () => {
    expect(faultOf({ write: ['/tmp/ssh-x/agent.1'] })).toMatchObject({ hint: 'name it in sandbox.sockets' })
  })

  test.each([
    { write: [PROJECT, `${PROJECT}/outer`] },
    { write: [PROJECT], read: [`${PROJECT}/outer`] },
    { write: [PROJECT], hide: [`${PROJECT}/outer`] },
    { write: [PROJECT], readonly: [`${PROJECT}/set`] },
    { write: [PROJECT], readonly: [`${PROJECT}/set/agents`] },
  ] as Partial<LaunchSandbox>[])('a link that the program can replace: %j', (members) => {
    const fault = faultOf(members)
    expect(fault).toMatchObject({ code: 'sandbox-path-linked', hint: expect.stringContaining('target') })
    expect(fault.message).toContain(`a link in ${PROJECT}`)
  })

  test('a link to a closed path', () => {
    expect(faultOf({ write: [`${PROJECT}/keys`] }).code).toBe('sandbox-path-closed')
    expect(faultOf({ write: [`${DATA}/worktrees/one`, `${DATA}/worktrees/one/two`] }).code).toBe('sandbox-path-linked')
  })
})

test('opens a worktree in a data directory that is reached by a link', () => {
  const { mounts } = planOf({ write: ['/data/worktrees/one'], closed: ['/data', DATA] })
  expect(mounts.find(({ access }) => access === 'write')?.path).toBe(`${DATA}/worktrees/one`)
})

test('shows a read-only working directory in a folder that is replaced', () => {
  const host = fakeHost({ ...SYSTEM, '/tmp/project/agents/a.yml': 'file' })
  const sandbox = sandboxOf({ closed: CLOSED, write: ['/tmp/project'], readonly: ['/tmp/project'] }, '/private')
  const plan = planMounts(sandbox, host, { home: HOME, programs: [] })
  expect(accessOf(plan, '/tmp/project/agents')).toBe('read')
  expect(accessOf(plan, '/tmp/other')).toBe('hide')
})

const PATHS = Object.keys(SYSTEM).filter(
  (path) => /^\/(home|srv)\//.test(path) && fakeHost(SYSTEM).realPath(path) === path,
)
const some = fc.subarray([
  ...PATHS,
  PROJECT,
  `${PROJECT}/src`,
  '/srv',
  `${DATA}/worktrees/one`,
  `${DATA}/checkouts/default`,
])
const shuffled = some.chain((paths) => fc.shuffledSubarray(paths, { minLength: paths.length }))
const sandboxes = fc.record({
  write: shuffled,
  hide: shuffled,
  readonly: shuffled,
  read: fc.oneof(fc.constant('all' as const), shuffled),
  closed: fc.shuffledSubarray(CLOSED, { minLength: CLOSED.length }),
})

/** What a path is after all mounts, in their order. */
function accessOf(plan: MountPlan, path: string): 'write' | 'read' | 'hide' {
  let access: 'write' | 'read' | 'hide' = plan.readAll && !isReplaced(path) ? 'read' : 'hide'
  for (const mount of plan.mounts) if (isWithin(path, mount.path)) access = mount.access
  return access
}

/** A path that is refused alone would end most plans. */
const allowed = new Map<string, boolean>()
function isAllowed(member: 'write' | 'read', path: string): boolean {
  const key = `${member} ${path}`
  if (!allowed.has(key)) {
    try {
      planOf({ [member]: [path] })
      allowed.set(key, true)
    } catch {
      allowed.set(key, false)
    }
  }
  return allowed.get(key)!
}

function check(judge: (plan: MountPlan, members: Partial<LaunchSandbox>) => void) {
  let planned = 0
  const property = fc.property(sandboxes, (members) => {
    const write = members.write.filter((path) => isAllowed('write', path))
    const read = members.read === 'all' ? members.read : members.read.filter((path) => isAllowed('read', path))
    let plan: MountPlan
    try {
      plan = planOf({ ...members, write, read })
    } catch (fault) {
      expect((fault as SandboxFault).code).toBe('sandbox-path-linked')
      return
    }
    planned++
    judge(plan, { ...members, write, read })
  })
  fc.assert(property, { numRuns: 200, seed: 7 })
  expect(planned).toBeGreaterThan(50)
}

describe('in any order of the lists', () => {
  test('a closed or hidden path cannot be read', () => {
    check((plan, { write = [], hide = [], readonly = [] }) => {
      const opened = [...write, ...readonly].filter((path) => isForAgents(path, DATA))
      for (const path of PATHS) {
        const isClosed = CLOSED.some((each) => isWithin(path, each)) && !opened.some((each) => isWithin(path, each))
        if (isClosed && plan.readAll) expect([path, accessOf(plan, path)]).toEqual([path, 'hide'])
        if (hide.some((each) => isWithin(path, each))) expect([path, accessOf(plan, path)]).toEqual([path, 'hide'])
      }
    })
  })

  test('only paths of the list can be written', () => {
    check((plan, { write = [] }) => {
      for (const path of PATHS)
        if (accessOf(plan, path) === 'write') expect(write.some((each) => isWithin(path, each))).toBe(true)
    })
  })

  test('a parent is before its children, and no path is mounted twice', () => {
    check(({ mounts }) => {
      const paths = mounts.map(({ path }) => path)
      expect(new Set(paths).size).toBe(paths.length)
      for (const [index, path] of paths.entries())
        expect(paths.slice(0, index).filter((earlier) => isWithin(earlier, path))).toEqual([])
    })
  })

  test('each folder between a writable one and what is protected in it is pinned', () => {
    check(({ mounts }) => {
      for (const { path, access } of mounts.filter((mount) => mount.access !== 'write')) {
        const root = mounts.findLast((mount) => mount.path !== path && isWithin(path, mount.path))
        if (root?.access !== 'write') continue
        const between = path
          .slice(root.path.length + 1)
          .split('/')
          .slice(0, -1)
        const pins = between.map((_, index) => `${root.path}/${between.slice(0, index + 1).join('/')}`)
        expect({ access, pins: root.pins ?? [] }).toEqual({ access, pins: expect.arrayContaining(pins) })
      }
    })
  })
})
