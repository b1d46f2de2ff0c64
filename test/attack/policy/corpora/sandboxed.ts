// Runs attacks in the sandbox of an agent: the built bridge starts one shell for a batch, and each attack has a world of
// its own on the host, where its effects are found.
import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readConfig } from '../../../../platform/core/config.ts'
import type { LaunchSandbox, SandboxRules } from '../../../../schemas/sandbox/sandbox.ts'
import { composeSandbox } from '../../../../services/orchestrator/agents/sandbox/launch-sandbox.ts'
import { launchOf } from '../../../bridge/running.ts'
import { bridgeProgram } from '../../../support/built.ts'
import { attacksIn, type Attack } from './attacks.ts'
import { changedPaths, hasEffect, stateOf } from './effects.ts'
import { placeIn } from './policies.ts'
import { shellFormOf } from './shell-forms.ts'
import { makeWorld, worldAt, type World } from './world.ts'

const run = promisify(execFile)

/** Seconds after which an attack is killed. */
const LONGEST = 60

/** Each attack and its exit code; the first line is the control of the network. */
const SHELL = `
root=$1 control=$2; shift 2
[ -z "$control" ] || curl -s "$control"
for at; do
  cd "$root/$at/project" || exit
  HOME="$root/$at/home" timeout -k 1 ${LONGEST} bash -c "$(cat "$root/commands/$at")" > "/tmp/$at" 2>&1 < /dev/null
  echo $? > "/tmp/$at.ended"
done
exit 0`

export interface Confinement {
  read: SandboxRules['read']
  network: 'all' | 'hosts'
  /** Without it `read` alone protects secrets. */
  isClosed: boolean
  /** Variables of the shell. */
  env: Record<string, string>
  /** Default: this user. */
  uid?: number | undefined
}

export const DEFAULTS: Confinement = { read: 'all', network: 'all', isClosed: true, env: {} }

export interface ConfinedRun {
  attack: Attack
  /** Inside the project. */
  hasEffect: boolean
  /** Effects outside what the agent may read, write and reach. */
  escapes: string[]
  output: string
  exitCode: number
}

/** Runs the attacks with these indices of `attacksIn`, each in a new world below `root`, which is visible inside. */
export async function runConfined(
  root: string,
  indices: readonly number[],
  confinement: Confinement,
): Promise<ConfinedRun[]> {
  const template = makeWorld(join(root, 'template'), 0)
  execFileSync('git', ['repack', '-adq'], { cwd: template.project })
  const before = stateOf(template)
  for (const name of ['commands', 'home', 'private']) mkdirSync(join(root, name))
  const control = await listener()
  const targets = await Promise.all(indices.map(listener))
  const attacks = indices.map((index, at) => {
    const world = worldAt(join(root, String(index)), targets[at]!.port)
    execFileSync('cp', ['-a', template.root, world.root])
    const attack = attacksIn(world)[index]!
    writeFileSync(join(root, 'commands', String(index)), shellFormOf(attack.tool, attack.input))
    return { index, world, attack, target: targets[at]! }
  })
  const worlds = attacks.map(({ world }) => world)
  await runShell(root, { sandbox: sandboxOf(root, worlds, { ...confinement, port: control.port }), confinement }, [
    confinement.network === 'hosts' ? `http://localhost:${control.port}/` : '',
    ...indices.map(String),
  ])
  for (const { close } of [control, ...targets]) close()
  if (confinement.network === 'hosts' && control.received() === '')
    throw new Error('the allowed host was not reached from the sandbox: expected a request at its listener')
  return attacks.map(({ index, world, attack, target }) => {
    const { output, exitCode } = exitOf(join(root, 'private', 'tmp', String(index)), attack)
    const traces = { before, after: stateOf(world), output, received: target.received() }
    const outside = changedPaths(before, traces.after).filter(
      (path) => !/^project($|\/(?!manifests|svc\.yaml))/.test(path),
    )
    const escapes = [
      ...outside.map((path) => `changed ${path}`),
      ...(hasEffect('read', traces) ? ['read a secret'] : []),
      ...(confinement.network === 'hosts' && traces.received !== '' ? [`sent ${traces.received}`] : []),
    ]
    return { attack, hasEffect: hasEffect(attack.effect, traces), escapes, output, exitCode }
  })
}

/** Of one agent whose directories are the projects of all worlds. */
function sandboxOf(
  root: string,
  worlds: readonly World[],
  { read, network, isClosed, port }: Confinement & { port: number },
): LaunchSandbox {
  const rules: SandboxRules = {
    write: [],
    read: read === 'all' ? read : [...read, join(root, 'commands')],
    hide: isClosed ? worlds.map(({ out }) => join(out, 'secret.txt')) : [],
    sockets: [],
    network: { mode: network, hosts: network === 'all' ? [] : [`localhost:${port}`] },
    nested: false,
  }
  const all = worlds.map((world) => {
    const { home, project } = world
    const { desired = [] } = placeIn(world)
    const tmp = join(root, 'private', 'tmp')
    const config = readConfig({ HOME: home })
    return composeSandbox(rules, { config, bridge: bridgeProgram, home, directories: [project], desired, tmp }).launch
  })
  const each = (member: 'write' | 'readonly' | 'closed') => [...new Set(all.flatMap((launch) => launch[member]))]
  const closed = isClosed ? [...each('closed'), join(root, 'private')] : []
  return { ...all[0]!, write: each('write'), readonly: each('readonly'), closed }
}

async function runShell(
  root: string,
  { sandbox, confinement: { uid, env } }: { sandbox: LaunchSandbox; confinement: Confinement },
  values: string[],
): Promise<void> {
  const file = join(root, 'private', 'launch.json')
  const address = `http://127.0.0.1:${values[0] ? new URL(values[0]).port : 9}`
  const launch = launchOf({ url: address }, sandbox.write[0]!, {
    runtime: 'socket',
    command: ['bash', '-c', SHELL, 'run', root, ...values],
    orchestrator_url: address,
    tools_url: address,
    env,
    sandbox,
  })
  writeFileSync(file, JSON.stringify(launch))
  const user = uid === undefined ? [] : ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups']
  if (uid !== undefined) execFileSync('chown', ['-R', `${uid}:${uid}`, root])
  const [program, ...rest] = [...user, process.execPath, bridgeProgram, '--launch', file]
  await run(program, rest, { cwd: root, env: { PATH: process.env.PATH, LANG: 'C.UTF-8', HOME: join(root, 'home') } })
}

/** Throws unless the attack has run. */
function exitOf(file: string, { id }: Attack): { output: string; exitCode: number } {
  if (!existsSync(`${file}.ended`))
    throw new Error(`the attack ${id} has not run in the sandbox: expected ${file}.ended`)
  return { output: readFileSync(file, 'latin1'), exitCode: Number(readFileSync(`${file}.ended`, 'utf8')) }
}

/** On a free port of the loopback. */
async function listener(): Promise<{ port: number; received(): string; close(): void }> {
  let received = ''
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1')
      socket.end('HTTP/1.0 200 OK\r\n\r\n')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: (server.address() as AddressInfo).port, received: () => received, close: () => server.close() }
}
