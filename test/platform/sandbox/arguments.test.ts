import { expect, test } from 'vitest'
import { bwrapArguments, type BwrapOptions } from '../../../platform/sandbox/arguments.ts'
import { planMounts } from '../../../platform/sandbox/mounts.ts'
import type { LaunchSandbox } from '../../../schemas/sandbox/sandbox.ts'
import { sandboxOf } from './enclosure.ts'
import { CLOSED, DATA, fakeHost, HOME, PROJECT, SOCKETS, SYSTEM, type Tree } from './fake-host.ts'

interface Case {
  sandbox?: Partial<LaunchSandbox>
  options?: Partial<BwrapOptions>
  tree?: Tree
  sockets?: string[]
  programs?: string[]
}

const CHECKOUT = `${DATA}/checkouts/default/.git`
const OWN = `${DATA}/worktrees/one`
const LINKED = {
  closed: CLOSED,
  write: [OWN, `${CHECKOUT}/objects`, `${CHECKOUT}/refs`, `${CHECKOUT}/worktrees/one`],
  readonly: [`${OWN}/.git`, CHECKOUT, `${CHECKOUT}/worktrees/one/commondir`],
}
const work = { write: [PROJECT] }
const LIBRARY_FOLDERS: Tree = { ...SYSTEM, '/lib64': 'folder', '/lib64/ld.so': 'file' }

const CASES: Record<string, Case> = {
  'the defaults': { sandbox: { ...work, closed: CLOSED }, sockets: SOCKETS },
  'nothing writable': { sandbox: { write: [], closed: [] } },
  'a second folder': { sandbox: { write: [PROJECT, '/srv/cache'] } },
  'a folder inside a folder': { sandbox: { write: [`${PROJECT}/src`, PROJECT] } },
  'a file': { sandbox: { write: [`${PROJECT}/src/main.ts`] } },
  'the home directory as ~': { sandbox: { write: ['~/project'], hide: ['~/other'] } },
  'a writable folder reached by a link': { sandbox: { write: [`${HOME}/notes`] } },
  'a hidden folder': { sandbox: { ...work, hide: ['/srv/customers'] } },
  'a hidden file': { sandbox: { ...work, hide: ['/srv/customers/list'] } },
  'a hidden folder inside a writable one': { sandbox: { ...work, hide: [`${PROJECT}/src/secret`] } },
  'a hidden file inside a writable folder': { sandbox: { ...work, hide: [`${PROJECT}/src/secret/word`] } },
  'a hidden path that is missing': { sandbox: { ...work, hide: ['/missing', `${PROJECT}/missing`] } },
  'a hidden folder that holds a writable one': { sandbox: { write: [PROJECT, '/srv/cache'], hide: ['/srv'] } },
  'a hidden folder that is writable too': { sandbox: { write: [PROJECT, '/srv/cache'], hide: ['/srv/cache'] } },
  'a hidden folder inside a hidden one': { sandbox: { ...work, hide: ['/srv', '/srv/customers'] } },
  'a hidden folder inside the temporary one': { sandbox: { ...work, hide: ['/tmp/ssh-x', '/run/docker.sock'] } },
  'git of a main checkout': { sandbox: { ...work, readonly: [`${PROJECT}/.git/hooks`, `${PROJECT}/.git/config`] } },
  'git of a submodule': { sandbox: { ...work, readonly: [`${PROJECT}/.git/modules/a/b/config`] } },
  'a linked worktree in the data directory': { sandbox: LINKED },
  'a linked worktree, and a list of readable paths': { sandbox: { ...LINKED, read: ['/srv/cache'] } },
  'a hidden data directory': { sandbox: { ...LINKED, hide: [`${DATA}/worktrees`] } },
  'manifests in the project': { sandbox: { ...work, readonly: [`${PROJECT}/manifests`] } },
  'manifests outside of what is writable': {
    sandbox: { write: [`${PROJECT}/src`], readonly: [`${PROJECT}/manifests`] },
  },
  'missing manifests': { sandbox: { ...work, readonly: [`${PROJECT}/missing`] } },
  'a writable folder inside the manifests': {
    sandbox: { write: [PROJECT, `${PROJECT}/manifests/agents`], readonly: [`${PROJECT}/manifests`] },
  },
  'a writable folder that is read-only too': { sandbox: { write: [PROJECT, '/srv/cache'], readonly: ['/srv/cache'] } },
  'an installation in the project': { programs: [`${PROJECT}/node_modules/svc`, '/usr/bin/node'] },
  'an installation in /tmp': { tree: { ...SYSTEM, '/tmp/svc/agent.js': 'file' }, programs: ['/tmp/svc'] },
  'a list of readable paths': { sandbox: { ...work, read: ['/srv/customers'] }, programs: [`${PROJECT}/node_modules`] },
  'no readable paths': { sandbox: { ...work, read: [] } },
  'no readable paths, with folders of libraries': { sandbox: { ...work, read: [] }, tree: LIBRARY_FOLDERS },
  'a readable folder inside a writable one': { sandbox: { ...work, read: [`${PROJECT}/manifests`] } },
  'a readable folder in /run': { sandbox: { ...work, read: ['/run/nscd'] } },
  'a folder below /tmp': { sandbox: { write: ['/tmp/ssh-x'] }, sockets: ['/tmp/ssh-x/agent.1'] },
  'a socket that is visible': { tree: { ...SYSTEM, '/srv/a.sock': 'socket' }, sockets: ['/srv/a.sock'] },
  'a socket in the list of readable paths': {
    sandbox: { ...work, read: ['/srv'] },
    tree: { ...SYSTEM, '/srv/a.sock': 'socket' },
    sockets: ['/srv/a.sock'],
  },
  'a socket that is opened': { sandbox: { ...work, sockets: ['/tmp/ssh-x/agent.1'] } },
  'a socket that is opened in a closed folder': {
    sandbox: { ...work, closed: CLOSED, sockets: ['~/.gnupg/S.gpg-agent'] },
  },
  'no network': { sandbox: { ...work, network: { mode: 'none', hosts: [] } } },
  'nested sandboxes': { sandbox: { ...work, nested: true } },
  'a terminal': { options: { isInteractive: true } },
  'variables that are left out': { options: { unset: ['SSH_AUTH_SOCK', 'GH_TOKEN'] } },
  'names with spaces, quotes and line ends': {
    tree: { ...SYSTEM, "/srv/a 'b\n$(id)": 'folder' },
    sandbox: { write: ["/srv/a 'b\n$(id)"] },
  },
  '/var/tmp as a link to /tmp': { tree: { ...SYSTEM, '/var/tmp': '-> /tmp' } },
}

/** One line for each option; `--perms` belongs to the next one. */
function linesOf({ sandbox = work, options, tree = SYSTEM, sockets = [], programs = [] }: Case): string[] {
  const launch = sandboxOf(sandbox, '/private')
  const plan = planMounts(launch, fakeHost(tree, sockets), { home: HOME, programs })
  const argv = bwrapArguments(plan, {
    directory: '/work',
    tmp: launch.tmp,
    emptyFile: '/private/empty',
    network: launch.network.mode,
    nested: launch.nested,
    isInteractive: false,
    unset: [],
    ...options,
  })
  const lines: string[] = []
  for (const argument of argv) {
    const isOfLast = !argument.startsWith('--') || /^--perms \d+$/.test(lines.at(-1)!)
    lines.push(isOfLast ? `${lines.pop()!} ${argument}` : argument)
  }
  return lines
}

const head = linesOf({ sandbox: { write: [] } })

test('writes all arguments of a sandbox without files of its own', () => {
  expect(head.join('\n')).toMatchSnapshot()
})

test.each(Object.entries(CASES))('writes the arguments of %s', (_, each) => {
  const lines = linesOf(each)
  const added = lines.filter((line) => !head.includes(line))
  const left = head.filter((line) => !lines.includes(line)).map((line) => `without ${line}`)
  expect([...left, ...added].join('\n')).toMatchSnapshot()
})
