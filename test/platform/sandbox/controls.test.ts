// Each part of the argument list left out once: a part without an escape that it alone prevents has no reason.
import { readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LaunchSandbox } from '../../../schemas/sandbox.ts'
import type { Enclosure } from './enclosure.ts'
import { visibleFolder } from './visible-folder.ts'
import { World } from './world.ts'

const folder = visibleFolder()
const world = new World(folder.path)
const { home, work, data } = world
const isRoot = process.getuid?.() === 0
const socket = join(home, 'outside', 's')
const temporary = join(tmpdir(), `svc-sandbox-control-${process.pid}`)
let server: Server
let web: Server
let port = 0

beforeAll(async () => {
  server = createServer()
  web = createServer()
  await new Promise<void>((resolve) => server.listen(socket, resolve))
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
  port = (web.address() as { port: number }).port
  writeFileSync(temporary, 'the-secret of the temporary folder')
})
afterAll(() => {
  server.close()
  web.close()
  rmSync(temporary)
  folder.remove()
})

const VALUES: Record<string, number> = {
  '--ro-bind-try': 2,
  '--ro-bind': 2,
  '--bind': 2,
  '--tmpfs': 1,
  '--cap-drop': 1,
  '--remount-ro': 1,
}

/** Without the options of which the first value matches. */
function without(argv: string[], option: string, value = /^/): string[] {
  const count = VALUES[option] ?? 0
  const isLeftOut = (at: number) => argv[at] === option && (count === 0 || value.test(argv[at + 1]!))
  return argv.filter((_, index) => !Array.from({ length: count + 1 }, (_each, back) => index - back).some(isLeftOut))
}

/** Without the mounts of which the path matches. */
const withoutMount = (path: RegExp): Partial<Enclosure> => ({
  changePlan: (plan) => ({ ...plan, mounts: plan.mounts.filter((mount) => !path.test(mount.path)) }),
})

interface Control {
  script: string
  /** In the output only where the escape succeeds. */
  escaped: RegExp
  leaveOut: Partial<Enclosure>
  members?: Partial<LaunchSandbox>
  onlyRoot?: boolean
}

const option = (name: string, value?: RegExp): Partial<Enclosure> => ({ change: (argv) => without(argv, name, value) })
const namespace = (name: string, flag: string): Control => ({
  script: `readlink /proc/self/ns/${name}`,
  escaped: new RegExp(readlinkSync(`/proc/self/ns/${name}`).replace(/[[\]]/g, '\\$&')),
  leaveOut: option(flag),
})
const outside = { network: { mode: 'none' as const, hosts: [] } }
const SWAP = 'mv .git .git2 && cp -r .git2 .git && echo x > .git/hooks/pre-commit && echo it escaped'
const DIAL = `perl -MIO::Socket::UNIX -e 'print IO::Socket::UNIX->new(Peer => "${socket}") ? "it escaped" : "$!"'`

const CONTROLS: Record<string, () => Control> = {
  'hidden folders': () => ({
    script: `cat ${home}/.ssh/id`,
    escaped: /the-secret/,
    leaveOut: withoutMount(/\.ssh$/),
  }),
  'hidden files': () => ({
    script: `cat ${home}/.netrc`,
    escaped: /the-secret/,
    leaveOut: option('--ro-bind', /empty$/),
  }),
  'hidden sockets': () => ({ script: DIAL, escaped: /it escaped/, leaveOut: option('--ro-bind', /empty$/) }),
  'the empty folder for /run': () => ({
    script: 'ls -A /run | grep -v nscd | grep -v systemd | grep -q . && echo it escaped',
    escaped: /it escaped/,
    leaveOut: { change: (argv) => without(without(argv, '--tmpfs', /^\/run$/), '--remount-ro', /^\/run$/) },
  }),
  'the temporary folder': () => ({
    script: `cat ${temporary}`,
    escaped: /the-secret/,
    leaveOut: option('--bind', /\/tmp$/),
  }),
  'the read-only base': () => ({
    script: `echo x > ${home}/outside/written && echo it escaped; rm ${home}/outside/written`,
    escaped: /it escaped/,
    leaveOut: {
      change: (argv) => argv.map((each, index) => (each === '--ro-bind' && argv[index + 1] === '/' ? '--bind' : each)),
    },
  }),
  'read-only paths': () => ({
    script: 'echo x > .git/hooks/pre-commit && echo it escaped; rm -f .git/hooks/pre-commit',
    escaped: /it escaped/,
    leaveOut: { changePlan: (plan) => ({ ...plan, mounts: plan.mounts.filter(({ access }) => access !== 'read') }) },
  }),
  pins: () => ({
    script: `${SWAP}; rm -rf .git; mv .git2 .git`,
    escaped: /it escaped/,
    leaveOut: { changePlan: (plan) => ({ ...plan, mounts: plan.mounts.map(({ pins: _, ...mount }) => mount) }) },
  }),
  'the second mount over pins': () => ({
    script: 'ln src/main.ts .git/linked 2>&1 | grep -q cross-device && echo it escaped; rm -f .git/linked',
    escaped: /it escaped/,
    leaveOut: { change: (argv) => argv.toSpliced(argv.lastIndexOf(work, argv.lastIndexOf('--chdir') - 1) - 2, 3) },
  }),
  'the read-only end of a hidden folder': () => ({
    script: `chmod 777 ${data} && mkdir ${data}/x && echo it escaped`,
    escaped: /it escaped/,
    leaveOut: option('--remount-ro', /data$/),
  }),
  'the read-only end of the root': () => ({
    script: 'mkdir /new && echo it escaped',
    escaped: /it escaped/,
    leaveOut: option('--remount-ro', /^\/$/),
    members: { read: [] },
  }),
  'the network namespace': () => ({
    script: `perl -MIO::Socket::INET -e 'print IO::Socket::INET->new("127.0.0.1:${port}") ? "it escaped" : "$!"'`,
    escaped: /it escaped/,
    leaveOut: option('--unshare-net'),
    members: outside,
  }),
  'the process namespace': () => ({
    script: `kill -0 ${process.pid} && echo it escaped`,
    escaped: /it escaped/,
    leaveOut: option('--unshare-pid'),
  }),
  'the namespace of shared memory': () => namespace('ipc', '--unshare-ipc'),
  'the namespace of the host name': () => namespace('uts', '--unshare-uts'),
  'the session': () => ({
    script: `read -r line < /proc/self/stat; set -- $line; [ "$6" = 0 ] && echo it escaped`,
    escaped: /it escaped/,
    leaveOut: option('--new-session'),
  }),
  'the end of user namespaces': () => ({
    script: 'unshare -U true && echo it escaped',
    escaped: /it escaped/,
    leaveOut: option('--disable-userns'),
  }),
  'the filter of system calls': () => ({
    script: `perl -e 'socket(my $s, 40, 1, 0) or $! =~ /not permitted/ or print "it escaped"; print "it escaped" if defined fileno $s'`,
    escaped: /it escaped/,
    leaveOut: { withoutFilter: true },
  }),
  'the end of capabilities': () => ({
    script: 'grep -q "CapEff:.*[1-9a-f]" /proc/self/status && echo it escaped',
    escaped: /it escaped/,
    leaveOut: option('--cap-drop'),
    onlyRoot: true,
  }),
  'the user namespace and the end of capabilities': () => ({
    script: `umount ${home}/.ssh; cat ${home}/.ssh/id`,
    escaped: /the-secret/,
    leaveOut: {
      change: (argv) => without(without(without(argv, '--unshare-user'), '--cap-drop'), '--disable-userns'),
    },
    onlyRoot: true,
  }),
  'the covers of /proc': () => ({
    // Opens the file, and writes nothing.
    script: '( : >> /proc/sys/kernel/core_pattern ) && echo it escaped',
    escaped: /it escaped/,
    leaveOut: option('--ro-bind-try', /^\/proc/),
    onlyRoot: true,
  }),
}

describe.each(Object.entries(CONTROLS))('%s', (_, controlOf) => {
  test('prevents an escape that succeeds without it', (context) => {
    const { script, escaped, leaveOut, members, onlyRoot } = controlOf()
    if (onlyRoot && !isRoot) return context.skip('needs root')
    expect(world.run(script, members).output).not.toMatch(escaped)
    expect(world.run(script, members, leaveOut).output).toMatch(escaped)
  })
})
