// Runs attacks in a real shell inside bubblewrap: only the worlds can be written, and the network is a loopback of
// their own.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { attacksIn, type Attack } from './attacks.ts'
import { hasEffect, stateOf } from './effects.ts'
import { shellFormOf } from './shell-forms.ts'
import { makeWorld, worldAt } from './world.ts'

const SEAL =
  '--ro-bind / / --dev /dev --proc /proc --tmpfs /tmp --tmpfs /run --unshare-all --die-with-parent --new-session'.split(
    ' ',
  )

const FIRST_PORT = 20_000
/** Seconds after which an attack is killed. */
const LONGEST = 10

/** One port and one file per world. */
const LISTENER = `
const [ready, ...worlds] = process.argv.slice(1)
let open = 0
for (const world of worlds) {
  const [port, file] = world.split(':')
  require('net').createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      require('fs').appendFileSync(file, bytes)
      socket.end('HTTP/1.0 200 OK\\r\\n\\r\\n')
    })
  }).listen(Number(port), '127.0.0.1', () => ++open === worlds.length && require('fs').writeFileSync(ready, ''))
}`

const RUN = `
root=$1 node=$2 listener=$3; shift 3
cd "$root"
worlds=(); for at; do worlds+=("$((${FIRST_PORT} + at)):$root/$at.received"); done
"$node" -e "$listener" "$root/ready" "\${worlds[@]}" &
until [ -e ready ]; do sleep 0.02; done
for at; do
  cp -a template "$at"
  (cd "$at/project" && timeout -s TERM -k 1 ${LONGEST} env -i PATH="$PATH" LANG=C.UTF-8 HOME="$root/$at/home" \\
    bash -c "$(cat "$root/$at.command")" > "$root/$at.output" 2>&1 < /dev/null)
done
exit 0`

export interface Run {
  attack: Attack
  hasEffect: boolean
  output: string
}

/** Runs the attacks with these indices of \`attacksIn\`, each in a new world below \`root\`, in one sealed shell. */
export async function runSealed(root: string, indices: readonly number[]): Promise<Run[]> {
  mkdirSync(root, { recursive: true })
  const template = makeWorld(join(root, 'template'), FIRST_PORT)
  const before = stateOf(template)
  const attacks = indices.map((at) => {
    const world = worldAt(join(root, String(at)), FIRST_PORT + at)
    const attack = attacksIn(world)[at]!
    writeFileSync(join(root, `${at}.command`), shellFormOf(attack.tool, attack.input))
    return { at, world, attack }
  })
  const shell = ['bash', '-c', RUN, 'run', root, process.execPath, LISTENER, ...indices.map(String)]
  const child = spawn('bwrap', [...SEAL, '--bind', root, root, ...shell], { stdio: ['ignore', 'inherit', 'inherit'] })
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0)
    throw new Error(`bwrap ended with code ${code}, expected 0: install bubblewrap and allow user namespaces`)
  const textOf = (file: string) => (existsSync(join(root, file)) ? readFileSync(join(root, file), 'latin1') : '')
  const runs = attacks.map(({ at, world, attack }) => {
    const output = textOf(`${at}.output`)
    const traces = { before, after: stateOf(world), output, received: textOf(`${at}.received`) }
    return { attack, hasEffect: hasEffect(attack.effect, traces), output }
  })
  // Attacks take permissions from folders.
  execFileSync('chmod', ['-R', 'u+rwX', root])
  return runs
}
