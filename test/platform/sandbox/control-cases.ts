// Each part of the argument list, with an escape that it alone prevents.
import { readlinkSync, statSync } from 'node:fs'
import type { LaunchSandbox } from '../../../schemas/sandbox/sandbox.ts'
import type { Enclosure } from './enclosure.ts'
import type { World } from './world.ts'

export interface Place extends Pick<World, 'home' | 'work' | 'data'> {
  /** Of a service of the host, in a readable folder. */
  socket: string
  /** A file in the temporary folder of the host. */
  temporary: string
  /** Of a service on 127.0.0.1. */
  port: number
}

export interface Control {
  script: string
  /** In the output only where the escape succeeds. */
  escaped: RegExp
  leaveOut: Partial<Enclosure>
  members?: Partial<LaunchSandbox>
  onlyRoot?: boolean
}

const VALUES: Record<string, number> = {
  '--ro-bind-try': 2,
  '--ro-bind': 2,
  '--bind': 2,
  '--tmpfs': 1,
  '--perms': 1,
  '--dev': 1,
  '--proc': 1,
  '--cap-drop': 1,
  '--remount-ro': 1,
}

/** Without the options of which the first value matches. */
export function without(argv: string[], option: string, value = /^/): string[] {
  const count = VALUES[option] ?? 0
  const isLeftOut = (at: number) => argv[at] === option && (count === 0 || value.test(argv[at + 1]!))
  return argv.filter((_, index) => !Array.from({ length: count + 1 }, (_each, back) => index - back).some(isLeftOut))
}

/** Without the mounts of which the path matches. */
const withoutMount = (path: RegExp): Partial<Enclosure> => ({
  changePlan: (plan) => ({ ...plan, mounts: plan.mounts.filter((mount) => !path.test(mount.path)) }),
})
const option = (name: string, value?: RegExp): Partial<Enclosure> => ({ change: (argv) => without(argv, name, value) })
const namespace = (name: string, ...flags: string[]): Control => ({
  script: `readlink /proc/self/ns/${name}`,
  escaped: new RegExp(readlinkSync(`/proc/self/ns/${name}`).replace(/[[\]]/g, '\\$&')),
  leaveOut: { change: (argv) => flags.reduce((rest, flag) => without(rest, flag), argv) },
})
const escaped = /it escaped/
const outside = { network: { mode: 'none' as const, hosts: [] } }
const SWAP = 'mv .git .git2 && cp -r .git2 .git && echo x > .git/hooks/pre-commit && echo it escaped'
const dial = (socket: string) =>
  `perl -MIO::Socket::UNIX -e 'print IO::Socket::UNIX->new(Peer => "${socket}") ? "it escaped" : "$!"'`

export const CONTROLS: Record<string, (place: Place) => Control> = {
  'hidden folders': ({ home }) => ({
    script: `cat ${home}/.ssh/id`,
    escaped: /the-secret/,
    leaveOut: withoutMount(/\.ssh$/),
  }),
  'the mode of hidden folders': ({ home }) => ({
    script: `ls ${home}/.ssh && echo it escaped`,
    escaped,
    leaveOut: option('--perms'),
  }),
  'hidden files': ({ home }) => ({
    script: `cat ${home}/.netrc`,
    escaped: /the-secret/,
    leaveOut: option('--ro-bind', /empty$/),
  }),
  'hidden sockets': ({ socket }) => ({ script: dial(socket), escaped, leaveOut: option('--ro-bind', /empty$/) }),
  'the order of mounts by depth': ({ work }) => ({
    script: `cat ${work}/src/deep/word`,
    escaped: /the-secret/,
    leaveOut: {
      changePlan: (plan) => ({ ...plan, mounts: plan.mounts.toReversed() }),
      // Of a folder that is covered again, it would fail.
      ...option('--remount-ro'),
    },
    members: { hide: [`${work}/src/deep`], closed: [] },
  }),
  'the devices': () => ({
    script: 'echo "device $(stat -c %d /dev)"',
    escaped: new RegExp(`device ${statSync('/dev').dev}\\n`),
    leaveOut: option('--dev'),
  }),
  'the processes': () => ({
    script: `[ -e /proc/${process.pid} ] && echo it escaped`,
    escaped,
    leaveOut: option('--proc'),
  }),
  'the empty folder for /run': () => ({
    script: 'ls -A /run | grep -v nscd | grep -v systemd | grep -q . && echo it escaped',
    escaped,
    leaveOut: { change: (argv) => without(without(argv, '--tmpfs', /^\/run$/), '--remount-ro', /^\/run$/) },
  }),
  'the read-only end of /run': () => ({
    script: 'mkdir /run/new && echo it escaped',
    escaped,
    leaveOut: option('--remount-ro', /^\/run$/),
  }),
  'the temporary folder': ({ temporary }) => ({
    script: `cat ${temporary}`,
    escaped: /the-secret/,
    leaveOut: option('--bind', /\/tmp$/),
  }),
  'the read-only base': ({ home }) => ({
    script: `echo x > ${home}/outside/written && echo it escaped; rm ${home}/outside/written`,
    escaped,
    leaveOut: {
      change: (argv) => argv.map((each, index) => (each === '--ro-bind' && argv[index + 1] === '/' ? '--bind' : each)),
    },
  }),
  'read-only paths': () => ({
    script: 'echo x > .git/hooks/pre-commit && echo it escaped; rm -f .git/hooks/pre-commit',
    escaped,
    leaveOut: { changePlan: (plan) => ({ ...plan, mounts: plan.mounts.filter(({ access }) => access !== 'read') }) },
  }),
  pins: () => ({
    script: `${SWAP}; rm -rf .git; mv .git2 .git`,
    escaped,
    leaveOut: { changePlan: (plan) => ({ ...plan, mounts: plan.mounts.map(({ pins: _, ...mount }) => mount) }) },
  }),
  'the second mount over pins': ({ work }) => ({
    script: 'ln src/main.ts .git/linked 2>&1 | grep -q cross-device && echo it escaped; rm -f .git/linked',
    escaped,
    leaveOut: { change: (argv) => argv.toSpliced(argv.lastIndexOf(work, argv.lastIndexOf('--chdir') - 1) - 2, 3) },
  }),
  'the read-only end of a hidden folder': ({ data }) => ({
    script: `chmod 777 ${data} && mkdir ${data}/x && echo it escaped`,
    escaped,
    leaveOut: option('--remount-ro', /data$/),
  }),
  'the read-only end of the root': () => ({
    script: 'mkdir /new && echo it escaped',
    escaped,
    leaveOut: option('--remount-ro', /^\/$/),
    members: { read: [] },
  }),
  'the network namespace': ({ port }) => ({
    script: `perl -MIO::Socket::INET -e 'print IO::Socket::INET->new("127.0.0.1:${port}") ? "it escaped" : "$!"'`,
    escaped,
    leaveOut: option('--unshare-net'),
    members: outside,
  }),
  'the process namespace': () => ({
    script: `[ -e /proc/${process.pid} ] && echo it escaped`,
    escaped,
    leaveOut: option('--unshare-pid'),
  }),
  'the namespace of shared memory': () => namespace('ipc', '--unshare-ipc'),
  'the namespace of the host name': () => namespace('uts', '--unshare-uts'),
  'the namespace of control groups': () => namespace('cgroup', '--unshare-cgroup-try'),
  // Another user could not start without it.
  'the namespace of users': () => ({ ...namespace('user', '--unshare-user', '--disable-userns'), onlyRoot: true }),
  'the session': () => ({
    script: `read -r line < /proc/self/stat; set -- $line; [ "$6" = 0 ] && echo it escaped`,
    escaped,
    leaveOut: option('--new-session'),
  }),
  'the end of user namespaces': () => ({
    script: 'unshare -U true && echo it escaped',
    escaped,
    leaveOut: option('--disable-userns'),
  }),
  'the filter of system calls': () => ({
    script: `perl -e 'socket(my $s, 40, 1, 0) or $! =~ /not permitted/ or print "it escaped"; print "it escaped" if defined fileno $s'`,
    escaped,
    leaveOut: { withoutFilter: true },
  }),
  'the end of capabilities': () => ({
    script: 'grep -q "CapEff:.*[1-9a-f]" /proc/self/status && echo it escaped',
    escaped,
    leaveOut: option('--cap-drop'),
    onlyRoot: true,
  }),
  'the user namespace and the end of capabilities': ({ home }) => ({
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
    escaped,
    leaveOut: option('--ro-bind-try', /^\/proc/),
    onlyRoot: true,
  }),
}
