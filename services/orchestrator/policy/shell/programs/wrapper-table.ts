// Programs that run what stands behind their options, and those options.
import type { OptionTable } from './option-parser.ts'

export interface Wrapper extends OptionTable {
  /** Operands before the command. */
  operands?: number
  assignments?: boolean
  /** Nothing but another way to run it. */
  transparent?: boolean
  /** The command is text for a shell. */
  code?: boolean
  /** More words follow than are written. */
  tail?: boolean
  /** Only what stands behind `--` is a command. */
  dashes?: boolean
  remote?: boolean
  /** It runs the programs of the project's packages. */
  project?: boolean
  /** Options whose presence alone means that nothing can be known. */
  never?: RegExp
}

const plain: Wrapper = { transparent: true }

export const WRAPPERS: Record<string, Wrapper> = {
  timeout: {
    values: '-k --kill-after -s --signal',
    flags: '--foreground --preserve-status -v --verbose',
    operands: 1,
    transparent: true,
  },
  nice: { values: '-n --adjustment', flags: '-0 -1 -2 -3 -4 -5 -6 -7 -8 -9', transparent: true },
  nohup: plain,
  command: { flags: '-p', transparent: true },
  builtin: plain,
  busybox: plain,
  toybox: plain,
  noglob: plain,
  nocorrect: plain,
  '-': plain,
  repeat: { operands: 1, transparent: true },
  exec: { values: '-a', flags: '-c -l', transparent: true },
  time: {
    values: '-f -o --format --output',
    flags: '-p -v -a -q --portability --verbose',
    transparent: true,
  },
  stdbuf: { values: '-i -o -e --input --output --error', transparent: true },
  setsid: { flags: '-c -f -w --ctty --fork --wait', transparent: true },
  ionice: { values: '-c -n --class --classdata', flags: '-t --ignore', transparent: true },
  taskset: { flags: '-a -c --all-tasks --cpu-list', operands: 1, transparent: true },
  chrt: { flags: '-a -b -f -i -o -r', operands: 1, transparent: true },
  caffeinate: { flags: '-d -i -m -s -u', values: '-t', transparent: true },
  env: {
    values: '-u --unset',
    flags: '-i - -0 --ignore-environment --null',
    assignments: true,
    transparent: true,
  },
  unbuffer: { flags: '-p' },
  catchsegv: {},
  numactl: { values: '-N -m -C --membind --cpunodebind' },
  cpulimit: { values: '-l --limit', flags: '-i -f -q' },
  prlimit: {},
  fakeroot: {},
  fakechroot: {},
  proot: { values: '-r -b -w -R -S', flags: '-0' },
  firejail: { flags: '--quiet --noprofile' },
  'dbus-run-session': { dashes: true },
  'xvfb-run': { values: '-n -s -e -f -w', flags: '-a --auto-servernum' },
  setarch: { operands: 1, flags: '-B -F -I -L -R -S -T -X -Z -0 -3 -v' },
  linux64: {},
  linux32: {},
  pkexec: { values: '--user' },
  sudo: {
    values: '-u -g -h -p -C -r -t -T -U -D -R --user --group --chdir',
    flags: '-n -E -H -k -K -S -b -A -P -i -s --preserve-env --non-interactive --login --set-home --stdin',
    assignments: true,
  },
  doas: { values: '-u -C', flags: '-n -s -L' },
  xargs: {
    values: '-I -n -P -L -d -a -E -s --max-args --max-procs --replace --delimiter --arg-file --max-lines',
    flags: '-0 -r -t -x -o -p --null --no-run-if-empty --verbose -i -l -e --exit --interactive --open-tty',
    tail: true,
    transparent: true,
  },
  watch: {
    values: '-n --interval',
    flags: '-d -t -g -e -c -x -b -w --differences --no-title --errexit --chgexit --color',
    code: true,
  },
  strace: {
    values: '-e -p -s -u -E -P -a -b -I -X',
    flags: '-f -t -T -v -y -q -c -C -k -i -r -x -h -n -d -w -z -Z -ff -tt -ttt -yy -xx',
  },
  ltrace: { values: '-e -p -s -u -n -a -l -F', flags: '-f -t -T -c -C -S -i -r' },
  valgrind: { flags: '-q -v --leak-check=full --tool=memcheck' },
  flock: {
    values: '-w -E --timeout',
    flags: '-s -x -n -u -o -F -e -v --shared --exclusive --nonblock',
    operands: 1,
  },
  unshare: {
    flags: '-m -U -r -n -p -i -u -f -C -T --mount --user --map-root-user --net --pid --fork --mount-proc',
  },
  chroot: { values: '--userspec --groups', flags: '--skip-chdir', operands: 1 },
  setpriv: { flags: '--no-new-privs --clear-groups', values: '--reuid --regid' },
  'systemd-run': {
    values: '-p --property --unit --uid -u -E',
    flags: '--user --scope -t -P --pty --pipe --wait -q --quiet -G --collect -d --same-dir',
  },
  ssh: {
    values: '-b -c -D -e -E -I -i -J -L -l -m -O -p -Q -R -S -w -W -B -o',
    flags: '-4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -V -v -X -x -Y -y -vv -vvv -tt',
    operands: 1,
    code: true,
    remote: true,
    never:
      /^-[FJE]|(ProxyCommand|LocalCommand|KnownHostsCommand|ProxyJump|Match|Include|PKCS11Provider|SecurityKeyProvider)/i,
  },
  'docker exec': {
    values: '-e --env -u --user -w --workdir --env-file',
    flags: '-i -t -d --interactive --tty --detach --privileged',
    operands: 1,
    remote: true,
  },
  'docker run': {
    values: `
      -e -v -u -p -w -h -l -m --env --volume --user --publish --workdir --name --network --platform --mount --label
    `,
    flags: '-i -t -d -P --rm --interactive --tty --detach --init --privileged',
    operands: 1,
    remote: true,
  },
  'kubectl exec': {
    values: '-n -c --namespace --container',
    flags: '-i -t -it -q --stdin --tty',
    dashes: true,
    remote: true,
  },
  'npm exec': { values: '-p --package -w --workspace', flags: '-y --yes --no --silent' },
  'bundle exec': { project: true },
  npx: {
    values: '-p --package -w --workspace',
    flags: '-y --yes --no --no-install --quiet -q',
  },
}
export const ALIASES: Record<string, string> = {
  gtimeout: 'timeout',
  gxargs: 'xargs',
  genv: 'env',
  gnice: 'nice',
  'npm x': 'npm exec',
  'pnpm exec': 'npm exec',
  'pnpm dlx': 'npm exec',
  'yarn exec': 'npm exec',
  'yarn dlx': 'npm exec',
  bunx: 'npx',
  pnpx: 'npx',
  'bun x': 'npm exec',
  'podman exec': 'docker exec',
  'podman run': 'docker run',
  'nerdctl exec': 'docker exec',
  'nerdctl run': 'docker run',
  'docker container exec': 'docker exec',
  'oc exec': 'kubectl exec',
  remsh: 'ssh',
  'poetry run': 'bundle exec',
  'uv run': 'bundle exec',
  'pipenv run': 'bundle exec',
  'direnv exec': 'flock',
  'rtx exec': 'dbus-run-session',
  'mise exec': 'dbus-run-session',
  'nix-shell --run': 'watch',
  rlwrap: 'catchsegv',
  'perf stat': 'nohup',
  sg: 'parallel',
  softlimit: 'nohup',
  eatmydata: 'nohup',
  torsocks: 'nohup',
  proxychains: 'nohup',
  proxychains4: 'nohup',
}
/** Found by two words. */
export const FAMILIES = new Set(
  [...Object.keys(WRAPPERS), ...Object.keys(ALIASES)].flatMap((key) => (key.includes(' ') ? [key.split(' ')[0]] : [])),
)
